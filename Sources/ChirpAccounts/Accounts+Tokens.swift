internal import ChirpCore
internal import FoundationEssentials
internal import GRDB

extension Accounts {
    /// How long the token of a program that asks for itself works, in seconds.
    package static let longestAppToken = 30.0 * 24 * 3600
    /// The most tokens that one account has, and that one program has for itself; the oldest ends when another is given.
    package static let (mostTokens, mostAppTokens) = (100, 5)
    /// How exactly the last use of a token is known, in seconds: asking seldom writes.
    package static let tokenUse = 24.0 * 3600

    /// Gives a program a token with which it asks for itself.
    package func token(for app: ClientApp.ID, scopes: String) async throws(AccountError) -> IssuedToken {
        try await write { try issue(app: app, account: nil, scopes: scopes, in: $0).issued }
    }

    /// For whom a token speaks; nil when it has ended or never was one, and for closed accounts.
    package func holder(of token: OpaqueToken) async throws(AccountError) -> TokenHolder? {
        let instant = now()
        let now = Self.milliseconds(instant)
        let digest = Data(token.digest)
        let found: (holder: TokenHolder, used: Int64)? = try await read { database in
            let row = try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT app, account, scopes, used FROM tokens WHERE digest = ? AND (expires IS NULL OR expires > ?)
                        """), arguments: [digest, now])
            guard let row else { return nil }
            var account: HubAccount?
            if let id: AccountID = row["account"] {
                account = try Self.account("id = ? AND state <> 'closed'", [id], in: database)?.settled(at: instant)
                guard account != nil else { return nil }
            }
            return (TokenHolder(account: account, app: row["app"], scopes: row["scopes"]), row["used"])
        }
        guard let found else { return nil }
        if found.used < now - Int64(clamping: Self.tokenUse * 1000) {
            try await write { database in
                try database.cachedStatement(sql: "UPDATE tokens SET used = ? WHERE digest = ?").execute(arguments: [
                    now, digest,
                ])
            }
        }
        return found.holder
    }

    /// The programs that speak for an account, the newest first.
    package func tokens(of account: AccountID) async throws(AccountError) -> [TokenEntry] {
        try await read { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT tokens.id, apps.name, tokens.scopes, tokens.created, tokens.used
                        FROM tokens JOIN apps ON apps.id = tokens.app WHERE tokens.account = ?
                        ORDER BY tokens.created DESC, tokens.id LIMIT ?
                        """), arguments: [account, Self.mostTokens]
            ).map {
                TokenEntry(
                    id: $0["id"], app: $0["name"], scopes: $0["scopes"], created: $0["created"], used: $0["used"])
            }
        }
    }

    /// Ends one of an account's tokens, by the id in the list.
    package func end(token id: TokenEntry.ID, of account: AccountID) async throws(AccountError) {
        try await write { database in
            try database.cachedStatement(sql: "DELETE FROM tokens WHERE id = ? AND account = ?").execute(arguments: [
                id, account,
            ])
        }
    }

    /// Ends a token that a program gives back (RFC 7009). There may be none.
    package func revoke(_ token: OpaqueToken, of app: ClientApp.ID) async throws(AccountError) {
        try await write { database in
            try database.cachedStatement(sql: "DELETE FROM tokens WHERE digest = ? AND app = ?").execute(arguments: [
                Data(token.digest), app,
            ])
        }
    }

    /// Writes a token down.
    func issue(
        app: ClientApp.ID, account: AccountID?, scopes: String, in database: Database
    ) throws -> (id: TokenEntry.ID, issued: IssuedToken) {
        if let account { try Self.require(.token, for: account, in: database) }
        let now = Self.milliseconds(now())
        let token = OpaqueToken()
        let id = "\(RandomName(length: 16))"
        let lifetime = account == nil ? Int64(clamping: Self.longestAppToken) : nil
        try database.cachedStatement(sql: "DELETE FROM tokens WHERE expires <= ?").execute(arguments: [now])
        try Self.makeRoom(forTokenOf: app, account, in: database)
        try database.cachedStatement(sql: "UPDATE apps SET used = ? WHERE id = ?").execute(arguments: [now, app])
        try database.cachedStatement(
            sql: """
                INSERT INTO tokens (digest, id, app, account, scopes, created, used, expires) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [Data(token.digest), id, app, account, scopes, now, now, lifetime.map { now + $0 * 1000 }])
        return (id, IssuedToken(token: token, scopes: scopes, created: now / 1000, lifetime: lifetime))
    }

    /// Ends the oldest tokens, so that with another there are no more than there may be: what no list shows, nobody could end.
    private static func makeRoom(
        forTokenOf app: ClientApp.ID, _ account: AccountID?, in database: Database
    ) throws {
        let (whose, most) =
            account == nil ? ("account IS NULL AND app = ?", mostAppTokens) : ("account = ?", mostTokens)
        try database.cachedStatement(
            sql: """
                DELETE FROM tokens WHERE rowid IN
                    (SELECT rowid FROM tokens WHERE \(whose) ORDER BY created DESC, rowid DESC LIMIT -1 OFFSET ?)
                """
        ).execute(arguments: [account?.rawValue ?? app, most - 1])
    }
}
