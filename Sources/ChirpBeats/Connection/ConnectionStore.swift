package import ChirpAccounts
package import ChirpCommunity
internal import FoundationEssentials
internal import GRDB

/// Ties in the library that both want.
package struct ConnectionStore: Sendable {
    package let library: HubLibrary

    package init(library: HubLibrary) { self.library = library }

    /// How many people somebody asks within 24 hours.
    package static let mostPerDay = 30
    /// In ms.
    private static let day: Int64 = 86_400_000

    /// Does something about the tie of two people. May be repeated. Whom it concerns is told in the same transaction, except of a refusal
    /// and an end.
    @discardableResult
    package func act(
        _ act: ConnectionState.Act, by person: AccountID, with other: AccountID
    ) async throws(ConnectionRefusal) -> ConnectionState {
        do {
            return try await library.transact { database in
                let now = Accounts.milliseconds(library.now())
                try check(person, other, act, at: now, in: database)
                let before = try Self.state(of: person, other, in: database)
                let after = try ConnectionState.after(act, by: person, with: other, before, at: now)
                guard after != before else { return after }
                if act == .ask { try count(person, at: now, in: database) }
                try write(after, in: database)
                if after.phase == .asked || after.phase == .accepted {
                    try Notice.add(
                        Notice.Draft(
                            account: other, kind: .connection, actor: person,
                            cause: "connection:\(person):\(after.phase.rawValue):\(now)"), at: now, in: database)
                }
                return after
            }
        } catch { throw ConnectionRefusal(error) }
    }

    /// Those that somebody is tied to, has asked, or is asked by; without those across a block. The newest first.
    package func connections(
        of person: AccountID, _ phases: Set<ConnectionState.Phase> = [.asked, .accepted], limit: Int = 1000
    ) async throws(ConnectionRefusal) -> [Connection] {
        let wanted = phases.map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ")
        do {
            return try await library.reading { database in
                try Row.fetchAll(
                    database.cachedStatement(
                        sql: """
                            SELECT * FROM connections WHERE (asker = :me OR asked = :me) AND phase IN (\(wanted))
                            ORDER BY since DESC LIMIT :limit
                            """), arguments: ["me": person, "limit": max(0, limit)]
                ).compactMap { row in
                    guard let state = ConnectionState(row) else { return nil }
                    let other = state.asker == person ? state.asked : state.asker
                    guard try !Ties.isBlocked(person, other, in: database) else { return nil }
                    return Connection(
                        person: other, phase: state.phase, isAsker: state.asker == person,
                        since: Accounts.date(state.since))
                }
            }
        } catch { throw ConnectionRefusal(error) }
    }

    /// How the tie of two people stands; nil where there was never one, and across a block.
    package func connection(
        of person: AccountID, with other: AccountID
    ) async throws(ConnectionRefusal) -> ConnectionState? {
        do {
            return try await library.reading { database in
                guard try !Ties.isBlocked(person, other, in: database) else { return nil }
                return try Self.state(of: person, other, in: database)
            }
        } catch { throw ConnectionRefusal(error) }
    }

    private func check(
        _ person: AccountID, _ other: AccountID, _ act: ConnectionState.Act, at now: Int64, in database: Database
    ) throws {
        guard let standing = try AccountStanding(of: person, at: now, in: database) else {
            throw ConnectionRefusal.notFound
        }
        // Declining and ending are open to whoever is suspended: they reach nobody.
        guard act == .decline || act == .end else {
            guard standing.isActive else { throw ConnectionRefusal.noAccount }
            guard try AccountStanding(of: other, at: now, in: database)?.isActive == true,
                try !Ties.isBlocked(person, other, in: database)
            else { throw ConnectionRefusal.notFound }
            return
        }
    }

    private func count(_ person: AccountID, at now: Int64, in database: Database) throws {
        try database.cachedStatement(sql: "DELETE FROM connectionQuestions WHERE at <= ?").execute(
            arguments: [now - Self.day])
        let oldest = try Int64.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT at FROM connectionQuestions WHERE asker = ? ORDER BY at DESC LIMIT 1
                    OFFSET \(Self.mostPerDay - 1)
                    """), arguments: [person])
        if let oldest {
            let seconds = max(1, Int((oldest + Self.day - now + 999) / 1000))
            throw ConnectionRefusal.tooOften(most: Self.mostPerDay, seconds: seconds)
        }
        try database.cachedStatement(sql: "INSERT INTO connectionQuestions (asker, at) VALUES (?, ?)").execute(
            arguments: [person, now])
    }

    private static func state(
        of one: AccountID, _ other: AccountID, in database: Database
    ) throws -> ConnectionState? {
        try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT * FROM connections
                    WHERE (asker = :one AND asked = :other) OR (asker = :other AND asked = :one)
                    """), arguments: ["one": one, "other": other]
        ).flatMap(ConnectionState.init)
    }

    private func write(_ state: ConnectionState, in database: Database) throws {
        // Whoever asks now may be the other one than before.
        try database.cachedStatement(
            sql: "DELETE FROM connections WHERE asker = ? AND asked = ?"
        ).execute(arguments: [state.asked, state.asker])
        try database.cachedStatement(
            sql: """
                INSERT INTO connections (asker, asked, phase, since) VALUES (?, ?, ?, ?)
                ON CONFLICT (asker, asked) DO UPDATE SET phase = excluded.phase, since = excluded.since
                """
        ).execute(arguments: [state.asker, state.asked, state.phase.rawValue, state.since])
    }
}

extension ConnectionState {
    /// Nil for what a later release has written.
    fileprivate init?(_ row: Row) {
        guard let phase = Phase(rawValue: row["phase"]) else { return nil }
        self.init(phase, asker: row["asker"], asked: row["asked"], since: row["since"])
    }
}

/// How two people stand to each other, asked within a transaction.
enum Ties {
    /// One of both has blocked the other: then neither reaches the other, and neither is told why.
    static func isBlocked(_ one: AccountID, _ other: AccountID, in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT EXISTS (SELECT 1 FROM blocks
                        WHERE (blocker = :one AND blocked = :other) OR (blocker = :other AND blocked = :one))
                    """), arguments: ["one": one, "other": other]) ?? false
    }
}
