internal import ChirpDatabase
internal import GRDB

/// What the processes that have one library open learn of each other. The library itself is all that they share.
extension HubLibrary {
    /// Calls for every commit of this process, until the answer is called. Must not wait: whoever writes next waits for it.
    package func committed(_ tell: @escaping @Sendable () -> Void) -> () -> Void {
        let observer = CommitObserver(tell)
        database.add(transactionObserver: observer, extent: .databaseLifetime)
        return { [database] in database.remove(transactionObserver: observer) }
    }

    /// Makes those who watch tables in this process look again, if another process has committed since this was asked before.
    ///
    /// `PRAGMA data_version` (sqlite.org/pragma.html#pragma_data_version) of the connection that writes: the number changes with every commit of
    /// another connection, and this process writes by this one alone.
    ///
    /// - Parameter version: what this gave before; nil: it was not asked.
    /// - Returns: another number, if another process has committed.
    package func noticeOthers(since version: Int?) async throws(LibraryError) -> Int {
        do {
            return try await database.writeWithoutTransaction { database in
                let found = try Int.fetchOne(database.cachedStatement(sql: "PRAGMA data_version")) ?? 0
                guard found != version else { return found }
                // Those who watch are told at the end of a transaction; this one locks nothing.
                try database.inTransaction(.deferred) {
                    try database.notifyChanges(in: .fullDatabase)
                    return .commit
                }
                return found
            }
        } catch {
            throw LibraryError(DatabaseFailure(error), path: file.path)
        }
    }
}

/// Hears of commits and of nothing else.
private final class CommitObserver: TransactionObserver {
    private let tell: @Sendable () -> Void

    init(_ tell: @escaping @Sendable () -> Void) { self.tell = tell }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ database: Database) { tell() }
    func databaseDidRollback(_ database: Database) {}
}
