internal import ChirpCore
internal import ChirpDatabase
internal import FoundationEssentials
internal import GRDB
internal import Glibc

/// The truth about what was promised, in SQLite: several processes may use it at once, and a power cut loses nothing that
/// was written.
///
/// Writing goes through an immediate transaction each, with a full flush to disk (about a millisecond on a solid-state
/// disk); a step of a publication costs far more. No call is affected by task cancellation, so that an interrupted command
/// can still write down how far it came.
public final class Journal: Sendable {
    /// The database file.
    public let path: String
    private let database: DatabaseQueue

    /// Opens the journal, makes it if there is none, and brings its tables up to date.
    ///
    /// - Parameters:
    ///   - path: the database file; missing folders are made, readable by their owner alone (CH-14).
    ///   - patience: how long to wait for another process.
    public init(path: String, patience: Duration = .seconds(10)) throws(JournalError) {
        self.path = path
        try Self.makeFolder(of: path)
        do {
            database = try DatabaseFile(path: path, label: "chirp.journal", patience: patience).queue()
            try Self.migrator.bringUpToDate(database)
        } catch {
            throw JournalError(error, path: path)
        }
    }

    /// Reads in one transaction.
    func read<T: Sendable>(_ body: @Sendable (Database) throws -> T) async throws(JournalError) -> T {
        try await offPool { () throws(JournalError) in
            try Self.mapping(path) { try database.read(body) }
        }
    }

    /// Reads and writes in one immediate transaction; an error undoes it.
    func write<T: Sendable>(_ body: @Sendable (Database) throws -> T) async throws(JournalError) -> T {
        try await offPool { () throws(JournalError) in try writeBlocking(body) }
    }

    /// The same on the caller's thread.
    func writeBlocking<T>(_ body: (Database) throws -> T) throws(JournalError) -> T {
        try Self.mapping(path) { try database.write(body) }
    }

    /// Reads and writes in one immediate transaction that need not survive a power cut.
    func writeQuickly<T: Sendable>(_ body: @Sendable (Database) throws -> T) async throws(JournalError) -> T {
        try await offPool { () throws(JournalError) in
            try Self.mapping(path) {
                try database.writeWithoutTransaction { database in
                    try database.execute(sql: "PRAGMA synchronous = NORMAL")
                    defer { try? database.execute(sql: "PRAGMA synchronous = FULL") }
                    var value: T?
                    try database.inTransaction(.immediate) {
                        value = try body(database)
                        return .commit
                    }
                    guard let value else {
                        throw JournalError.inputOutput(path: path, reason: "a transaction had no result")
                    }
                    return value
                }
            }
        }
    }

    /// Turns the library's errors into the journal's.
    private static func mapping<T>(_ path: String, _ body: () throws -> T) throws(JournalError) -> T {
        do {
            return try body()
        } catch let error as JournalError {
            throw error
        } catch {
            throw JournalError(DatabaseFailure(error), path: path)
        }
    }

    private static func makeFolder(of path: String) throws(JournalError) {
        var made = ""
        for part in path.split(separator: "/").dropLast() {
            made += (made.isEmpty && !path.hasPrefix("/") ? "" : "/") + part
            if mkdir(made, 0o700) != 0 && errno != EEXIST {
                throw .inputOutput(path: path, reason: String(cString: strerror(errno)))
            }
        }
    }
}

extension Journal {
    /// Reads the whole database and compares it with itself (`PRAGMA quick_check`, sqlite.org/pragma.html).
    ///
    /// - Throws: ``JournalError/corrupt(path:reason:)`` with the first thing that is wrong.
    public func check() async throws(JournalError) {
        let path = path
        try await read { database in
            let verdict = try String.fetchOne(database, sql: "PRAGMA quick_check(1)") ?? "no answer"
            if verdict != "ok" { throw JournalError.corrupt(path: path, reason: verdict) }
        }
    }
}

extension Journal {
    /// Takes the right to work on one publication.
    ///
    /// - Returns: nil when another process, or another task of this one, is working on it.
    public func lease(_ id: PublicationRecord.ID) throws(JournalError) -> ProcessLease? {
        try ProcessLease.take(id, path: path + ".locks")
    }
}
