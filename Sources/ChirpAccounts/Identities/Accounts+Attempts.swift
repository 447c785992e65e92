internal import FoundationEssentials
internal import GRDB

/// Browsers on their way to a service elsewhere, and back.
extension Accounts {
    /// How long somebody has to sign in there, and then to choose a name here, in seconds.
    package static let longestAttempt = 10.0 * 60

    /// Writes down that a browser is sent away.
    ///
    /// - Parameters:
    ///   - state: what it has to bring back, once.
    ///   - browser: its cookie. A state that another browser brings is refused, so that nobody is signed in to another's account.
    /// - Throws: ``AccountError/unconfirmed`` where an account is to be linked.
    package func begin(
        _ attempt: IdentityAttempt, state: OpaqueToken, browser: OpaqueToken
    ) async throws(AccountError) {
        let now = Self.milliseconds(now())
        try await write { database in
            if let account = attempt.account { try Self.require(.identityAttempt, for: account, in: database) }
            try database.cachedStatement(sql: "DELETE FROM identityAttempts WHERE expires <= ?").execute(arguments: [
                now
            ])
            try database.cachedStatement(
                sql: """
                    INSERT INTO identityAttempts (digest, browser, provider, way, account, expires)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """
            ).execute(arguments: [
                Data(state.digest), Data(browser.digest), attempt.provider, attempt.way, attempt.account,
                now + Int64(clamping: Self.longestAttempt * 1000),
            ])
        }
    }

    /// Takes an attempt out, so that a state works once.
    ///
    /// - Throws: ``AccountError/deadLink`` for whatever this browser was not sent away with.
    package func end(attempt state: OpaqueToken, browser: OpaqueToken) async throws(AccountError) -> IdentityAttempt {
        let now = Self.milliseconds(now())
        return try await write { database in
            let row = try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        DELETE FROM identityAttempts WHERE digest = ? AND browser = ? AND expires > ?
                        RETURNING provider, way, account
                        """), arguments: [Data(state.digest), Data(browser.digest), now])
            guard let row else { throw AccountError.deadLink }
            var attempt = IdentityAttempt(provider: row["provider"], way: row["way"], account: row["account"])
            attempt.proof = try attempt.account.map { try Self.proof(of: $0, in: database) }
            return attempt
        }
    }

    /// Who has come back in this browser and is not signed in yet; nil when nobody has, or too long ago.
    package func arrival(in browser: OpaqueToken) async throws(AccountError) -> IdentityArrival? {
        try await read { try arrival(in: browser, in: $0) }
    }

    func arrival(in browser: OpaqueToken, in database: Database) throws -> IdentityArrival? {
        try Row.fetchOne(
            database.cachedStatement(sql: "SELECT * FROM identityArrivals WHERE browser = ? AND expires > ?"),
            arguments: [Data(browser.digest), Self.milliseconds(now())]
        ).map(IdentityArrival.init)
    }

    /// Writes down that somebody is back and something is missing.
    func keep(_ arrival: IdentityArrival, in browser: OpaqueToken, in database: Database) throws {
        let now = Self.milliseconds(now())
        try database.cachedStatement(sql: "DELETE FROM identityArrivals WHERE expires <= ?").execute(arguments: [now])
        try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO identityArrivals
                    (browser, provider, subject, shown, handle, mail, way, account, expires)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            Data(browser.digest), arrival.identity.provider, arrival.identity.subject, arrival.identity.shown,
            arrival.handle, arrival.mail?.text, arrival.way, arrival.account,
            now + Int64(clamping: Self.longestAttempt * 1000),
        ])
    }

    func forget(arrivalIn browser: OpaqueToken, in database: Database) throws {
        try database.cachedStatement(sql: "DELETE FROM identityArrivals WHERE browser = ?").execute(arguments: [
            Data(browser.digest)
        ])
    }
}
