package import ChirpAccounts
package import ChirpCommunity
package import ChirpMusic
package import FoundationEssentials
package import GRDB

/// A code that was given to somebody who is about to try: shown, spoken and played, so that an old recording is not taken for a new one.
package struct TryCode: Hashable, Sendable, Identifiable {
    package let id: HubID
    package let code: AttemptCode
    /// ``Rule/id`` of what is tried.
    package let rule: Int64
    package let made: Date
    /// Until then an attempt may be handed in with it.
    package let expires: Date
}

/// Codes in the library. Each is one person's, for one rule and one attempt.
package struct TryCodes: Sendable {
    package let library: HubLibrary

    package init(library: HubLibrary) { self.library = library }

    /// In seconds: what was made where there is no network is handed in on the same day.
    package static let lifetime = 24 * 3600.0

    /// The code that somebody tries a rule with: the one that she has and has not used, while it is good, otherwise a new one.
    package func issue(for rule: Int64, to account: AccountID) async throws -> TryCode {
        let now = Accounts.milliseconds(library.now())
        return try await library.transact { database in
            try database.cachedStatement(
                sql: "DELETE FROM attemptCodes WHERE account = ? AND attempt IS NULL AND expires <= ?"
            ).execute(arguments: [account, now])
            let known = try Row.fetchOne(
                database.cachedStatement(
                    sql: "SELECT * FROM attemptCodes WHERE account = ? AND rule = ? AND attempt IS NULL"),
                arguments: [account, rule])
            if let known, let code = TryCode(known) { return code }
            let (id, number) = (HubID(), Int.random(in: 0...9999))
            try database.cachedStatement(
                sql: "INSERT INTO attemptCodes (id, rule, account, number, made, expires) VALUES (?, ?, ?, ?, ?, ?)"
            ).execute(arguments: [id.text, rule, account, number, now, now + Int64(clamping: Self.lifetime * 1000)])
            guard let code = try Self.code(id, of: account, in: database) else { throw AttemptRefusal.notFound }
            return code
        }
    }

    /// Nil for what is another's, or is over.
    package func code(_ id: HubID, of account: AccountID) async throws -> TryCode? {
        let now = library.now()
        let found = try await library.reading { try Self.code(id, of: account, in: $0) }
        return found.flatMap { $0.expires > now ? $0 : nil }
    }

    /// What an attempt was made with; nil: without a code, and so nobody can tell when.
    package func code(of attempt: HubID) async throws -> TryCode? {
        try await library.reading { try Self.code(of: attempt, in: $0) }
    }

    /// The same within a transaction.
    package static func code(of attempt: HubID, in database: Database) throws -> TryCode? {
        try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT attemptCodes.* FROM attemptCodes JOIN attempts ON attempts.sequence = attemptCodes.attempt
                    WHERE attempts.id = ?
                    """), arguments: [attempt.text]
        ).flatMap(TryCode.init)
    }

    private static func code(_ id: HubID, of account: AccountID, in database: Database) throws -> TryCode? {
        try Row.fetchOne(
            database.cachedStatement(sql: "SELECT * FROM attemptCodes WHERE id = ? AND account = ?"),
            arguments: [id.text, account]
        ).flatMap(TryCode.init)
    }

    /// Puts a code to what was handed in with it, once. What is another's, for another rule, used or over is put to nothing.
    ///
    /// - Returns: whether it was.
    @discardableResult
    package func use(_ id: HubID, for attempt: HubID, by account: AccountID) async throws -> Bool {
        let now = Accounts.milliseconds(library.now())
        return try await library.transact { database in
            try database.cachedStatement(
                sql: """
                    UPDATE attemptCodes SET attempt = (SELECT sequence FROM attempts WHERE id = ?1)
                    WHERE id = ?2 AND account = ?3 AND attempt IS NULL AND expires > ?4
                        AND rule = (SELECT rule FROM attempts WHERE id = ?1 AND account = ?3)
                        AND NOT EXISTS (SELECT 1 FROM attemptCodes AS other JOIN attempts ON attempts.sequence = other.attempt
                            WHERE attempts.id = ?1)
                    """
            ).execute(arguments: [attempt.text, id.text, account, now])
            return database.changesCount == 1
        }
    }

    /// Removes what nobody used in time. May be repeated.
    ///
    /// - Returns: how many.
    package func sweep(at now: Date) async throws -> Int {
        let instant = Accounts.milliseconds(now)
        return try await library.transact { database in
            try database.cachedStatement(sql: "DELETE FROM attemptCodes WHERE attempt IS NULL AND expires <= ?")
                .execute(
                    arguments: [instant])
            return database.changesCount
        }
    }
}

extension TryCode {
    fileprivate init?(_ row: Row) {
        guard let id = HubID(row["id"] as String), let code = AttemptCode(row["number"] as Int) else { return nil }
        self.init(
            id: id, code: code, rule: row["rule"], made: Accounts.date(row["made"]),
            expires: Accounts.date(row["expires"]))
    }
}
