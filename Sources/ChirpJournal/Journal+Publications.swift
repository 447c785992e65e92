internal import ChirpCore
public import FoundationEssentials
internal import GRDB

extension Journal {
    /// Writes a new row, unless there is one for the same recording and settings that is open, or done and not expired.
    ///
    /// One transaction, so that of two processes with the same wish one writes and the other finds.
    /// - Parameters:
    ///   - anew: writes in any case.
    ///   - now: what `expires` is compared with.
    ///   - isStopped: asked within the transaction; true writes the row as stopped at `now`. Whoever says so and then calls
    ///     ``stop(_:now:)`` finds the row marked, whichever transaction comes first.
    /// - Returns: the row that was there; nil when the new one was written.
    public func insert(
        _ record: PublicationRecord, anew: Bool, now: Date, isStopped: @Sendable () -> Bool = { false }
    ) async throws(JournalError) -> PublicationRecord? {
        try await write { database in
            if !anew, let known = try Self.known(record.inputSHA256, record.settingsSHA256, now: now, in: database) {
                return known
            }
            var record = record
            if isStopped() { record.stopped = now }
            try record.insert(database)
            return nil
        }
    }

    /// The newest row for a recording and its settings that is open, or done and not expired.
    public func publication(
        input: String, settings: String, now: Date
    ) async throws(JournalError) -> PublicationRecord? {
        try await read { try Self.known(input, settings, now: now, in: $0) }
    }

    private static func known(
        _ input: String, _ settings: String, now: Date, in database: Database
    ) throws -> PublicationRecord? {
        let states = (PublicationState.open.filter { $0 != .withdrawing } + [.done]).map(\.rawValue)
        return
            try PublicationRecord
            .filter(Column("inputSHA256") == input && Column("settingsSHA256") == settings)
            .filter(states.contains(Column("state")))
            .filter(Column("expires") == nil || Column("expires") > now.bounded)
            .order(Column("created").desc, Column("rowid").desc)
            .fetchOne(database)
    }

    /// Changes a row in one transaction.
    ///
    /// - Returns: the row as it is now.
    @discardableResult
    public func update(
        _ id: PublicationRecord.ID, now: Date, _ change: @Sendable (inout PublicationRecord) -> Void
    ) async throws(JournalError) -> PublicationRecord {
        try await write { database in
            guard var record = try PublicationRecord.fetchOne(database, key: id) else {
                throw JournalError.unknownPublication(id)
            }
            change(&record)
            record.updated = now
            try record.update(database)
            return record
        }
    }

    /// The row with this id, or the only one whose id begins so.
    public func publication(_ id: String) async throws(JournalError) -> PublicationRecord {
        try await read { database in
            if let exact = try PublicationRecord.fetchOne(database, key: id) { return exact }
            let matches = try PublicationRecord.fetchAll(database).filter { $0.id.hasPrefix(id) }
            guard matches.count == 1, let match = matches.first, !id.isEmpty else {
                throw JournalError.unknownPublication(id)
            }
            return match
        }
    }

    /// All rows in some states, oldest first.
    public func publications(in states: [PublicationState]) async throws(JournalError) -> [PublicationRecord] {
        try await read { database in
            try PublicationRecord
                .filter(states.map(\.rawValue).contains(Column("state")))
                .order(Column("created"), Column("rowid"))
                .fetchAll(database)
        }
    }

    /// Marks a row as stopped by a person, unless it is finished or being withdrawn. Blocks, for the journal's patience at most:
    /// it is called when a signal has come and the process may end any moment.
    public func stop(_ id: PublicationRecord.ID, now: Date) throws(JournalError) {
        try writeBlocking { database in
            let states = PublicationState.open.filter { $0 != .withdrawing }.map(\.rawValue)
            _ =
                try PublicationRecord
                .filter(key: id)
                .filter(states.contains(Column("state")) && Column("stopped") == nil)
                .updateAll(database, Column("stopped").set(to: now), Column("updated").set(to: now))
        }
    }

    /// Nothing is put off for longer; a row that is due later was written by a clock that was wrong.
    public static let longestDelay: TimeInterval = 2 * 86_400

    /// Open rows that may be tried again in the background, the longest due first. Those that a person has
    /// stopped, and those that processes have died of, wait for a person.
    public func publications(dueBefore now: Date) async throws(JournalError) -> [PublicationRecord] {
        let (now, never) = (now.bounded, (now + Self.longestDelay).bounded)
        return try await read { database in
            try PublicationRecord
                .filter(PublicationState.open.map(\.rawValue).contains(Column("state")))
                .filter(Column("stopped") == nil)
                .filter(Column("deaths") < PublicationRecord.mostDeaths)
                .filter(Column("nextAttempt") == nil || Column("nextAttempt") <= now || Column("nextAttempt") > never)
                .order(Column("nextAttempt"), Column("created"), Column("rowid"))
                .fetchAll(database)
        }
    }

    /// Finished rows whose clip is to be removed by now, the longest due first.
    public func publications(expiredBefore now: Date) async throws(JournalError) -> [PublicationRecord] {
        try await read { database in
            try PublicationRecord
                .filter(Column("state") == PublicationState.done.rawValue)
                .filter(Column("expires") != nil && Column("expires") <= now.bounded)
                .order(Column("expires"), Column("rowid"))
                .fetchAll(database)
        }
    }

    /// Forgets a row altogether.
    public func delete(_ id: PublicationRecord.ID) async throws(JournalError) {
        _ = try await write { try PublicationRecord.deleteOne($0, key: id) }
    }
}
