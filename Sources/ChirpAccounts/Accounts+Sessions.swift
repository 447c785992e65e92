internal import ChirpCore
package import FoundationEssentials
internal import GRDB

/// What stands for a person in a browser after signing in.
package struct Session: Sendable {
    /// What the browser shows at each request.
    package let token: OpaqueToken
    package let account: AccountID
    package let expires: Date
    /// Of the account: how often the browsers that knew it have ended. A part of what the cookie of a known browser is signed with.
    package let epoch: Int64
}

/// A session as its owner sees it in a list.
package struct SessionEntry: Hashable, Sendable, Identifiable {
    /// By which it is ended; no secret.
    package let id: String
    /// The browser, as it calls itself; plain text.
    package let agent: String
    package let created: Date
    package let expires: Date
}

extension Accounts {
    /// How long a session lasts at the longest, whatever is done in it, in seconds.
    package static let longestSession = 90.0 * 24 * 3600
    /// How long it lasts without a visit. It is written anew when a tenth of this has passed, so that pages are read without writing.
    package static let longestIdle = 14.0 * 24 * 3600

    /// The most sessions that one account has; the oldest ends when another begins.
    package static let mostSessions = 100

    /// Whose session it is; nil when it ended or never was one, and for closed accounts.
    package func account(of token: OpaqueToken) async throws(AccountError) -> HubAccount? {
        let now = Self.milliseconds(now())
        return try await read { database in
            try Self.account(
                """
                id = (SELECT account FROM sessions WHERE digest = ? AND expires > ?) AND state <> 'closed'
                """, [Data(token.digest), now], in: database)
        }?.settled(at: self.now())
    }

    /// Whether a visit now would let a session last on: at most once in a tenth of ``longestIdle``. Waits for nobody who writes.
    package func isVisitDue(_ token: OpaqueToken) async throws(AccountError) -> Bool {
        let now = Self.milliseconds(now())
        return try await read { database in
            try Bool.fetchOne(
                database.cachedStatement(
                    sql: "SELECT 1 FROM sessions WHERE digest = ? AND expires > ? AND expires < ?"),
                arguments: [Data(token.digest), now, now + Int64(clamping: Self.longestIdle * 900)]) ?? false
        }
    }

    /// Lets a session last on after a visit. Writes only if that is due.
    package func visit(_ token: OpaqueToken) async throws(AccountError) {
        guard try await isVisitDue(token) else { return }
        let now = Self.milliseconds(now())
        let digest = Data(token.digest)
        try await write { database in
            try database.cachedStatement(
                sql: """
                    UPDATE sessions SET expires = MIN(?, created + ?) WHERE digest = ? AND expires > ?
                    """
            ).execute(arguments: [
                now + Int64(clamping: Self.longestIdle * 1000), Int64(clamping: Self.longestSession * 1000), digest,
                now,
            ])
        }
    }

    /// The sessions of an account, newest first.
    package func sessions(of account: AccountID) async throws(AccountError) -> [SessionEntry] {
        let now = Self.milliseconds(now())
        return try await read { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT id, agent, created, expires FROM sessions WHERE account = ? AND expires > ?
                        ORDER BY created DESC, id LIMIT ?
                        """), arguments: [account, now, Self.mostSessions]
            ).map {
                SessionEntry(
                    id: $0["id"], agent: $0["agent"], created: Self.date($0["created"]),
                    expires: Self.date($0["expires"]))
            }
        }
    }

    /// Ends the session of a browser. There may be none.
    package func signOut(_ token: OpaqueToken) async throws(AccountError) {
        try await write { database in
            try database.cachedStatement(sql: "DELETE FROM sessions WHERE digest = ?").execute(arguments: [
                Data(token.digest)
            ])
        }
    }

    /// Ends one of an account's sessions, by the id in the list, and the account's codes that wait for their program: the browser that is
    /// ended may have asked for them, and a token would outlive it.
    package func end(session id: SessionEntry.ID, of account: AccountID) async throws(AccountError) {
        try await write { database in
            try database.cachedStatement(sql: "DELETE FROM sessions WHERE id = ? AND account = ?").execute(arguments: [
                id, account,
            ])
            try database.cachedStatement(sql: "DELETE FROM codes WHERE account = ? AND token IS NULL").execute(
                arguments: [account])
        }
    }

    /// How often the browsers that knew an account have ended; 0 where there is no such account.
    package func epoch(of account: AccountID) async throws(AccountError) -> Int64 {
        try await read { try Self.epoch(of: account, in: $0) }
    }

    private static func epoch(of account: AccountID, in database: Database) throws -> Int64 {
        try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT epoch FROM accounts WHERE id = ?"), arguments: [account]) ?? 0
    }

    /// How often something has ended that lets people in, in the whole library: it grows with each session, token and account that ends.
    package func signOutCount() async throws(AccountError) -> Int64 {
        try await read { try Int64.fetchOne($0.cachedStatement(sql: "SELECT count FROM signOuts")) ?? 0 }
    }

    /// Ends every session of an account, and all else that acts or reads for it without a new sign-in.
    package func signOutEverywhere(_ account: AccountID) async throws(AccountError) {
        try await write { try credentials.carryOut(.signOutEverywhere, on: account, in: $0) }
    }

    /// Begins a session.
    func begin(_ account: AccountID, agent: String, in database: Database) throws -> Session {
        let token = OpaqueToken()
        let now = now()
        // Those that have ended, of anybody, so that the table does not grow for ever.
        try database.cachedStatement(sql: "DELETE FROM sessions WHERE expires <= ?").execute(arguments: [
            Self.milliseconds(now)
        ])
        try database.cachedStatement(sql: "UPDATE accounts SET language = ? WHERE id = ? AND language <> ?").execute(
            arguments: [language, account, language])
        // Nobody could end a session that no list shows.
        try database.cachedStatement(
            sql: """
                DELETE FROM sessions WHERE rowid IN
                    (SELECT rowid FROM sessions WHERE account = ? ORDER BY created DESC, rowid DESC LIMIT -1 OFFSET ?)
                """
        ).execute(arguments: [account, Self.mostSessions - 1])
        let expires = now.addingTimeInterval(Self.longestIdle)
        try database.cachedStatement(
            sql: """
                INSERT INTO sessions (digest, id, account, agent, created, expires) VALUES (?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            Data(token.digest), "\(RandomName(length: 16))", account, PlainText(agent, limit: 200).value,
            Self.milliseconds(now), Self.milliseconds(expires),
        ])
        return Session(
            token: token, account: account, expires: expires, epoch: try Self.epoch(of: account, in: database))
    }
}
