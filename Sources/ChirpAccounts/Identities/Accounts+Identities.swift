internal import ChirpCore
internal import FoundationEssentials
internal import GRDB

/// The ways to sign in of an account beside its password.
extension Accounts {
    /// The most of one account.
    package static let mostIdentities = 20

    /// Those of an account, the oldest first.
    package func identities(of account: AccountID) async throws(AccountError) -> [IdentityEntry] {
        try await read { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: "SELECT id, provider, shown, created FROM identities WHERE account = ? ORDER BY created, id"),
                arguments: [account]
            ).map {
                IdentityEntry(
                    id: $0["id"], provider: $0["provider"], shown: $0["shown"], created: Self.date($0["created"]))
            }
        }
    }

    /// Adds one. Adding it again changes nothing. The password was asked for again before.
    ///
    /// - Returns: the letter that was written down.
    /// - Throws: ``AccountError/identityTaken`` when somebody else here signs in by it, ``AccountError/unconfirmed``.
    package func link(_ identity: OutsideIdentity, to account: AccountID) async throws(AccountError) -> AccountLetter? {
        try await write { database in
            try Self.require(.identity, for: account, in: database)
            let holder = try AccountID.fetchOne(
                database.cachedStatement(sql: "SELECT account FROM identities WHERE provider = ? AND subject = ?"),
                arguments: [identity.provider, identity.subject])
            guard holder == nil || holder == account else { throw AccountError.identityTaken }
            guard holder == nil else { return nil }
            let count =
                try Int.fetchOne(
                    database.cachedStatement(sql: "SELECT COUNT(*) FROM identities WHERE account = ?"),
                    arguments: [account]) ?? 0
            guard count < Self.mostIdentities else { throw AccountError.tooOften(seconds: 3600) }
            try write(identity, of: account, in: database)
            return try tellOfWays(account, in: database)
        }
    }

    /// Takes one away, by the id in the list. There may be none. The password was asked for again before.
    ///
    /// - Returns: the letter that was written down.
    /// - Throws: ``AccountError/lastWay`` when nothing else would sign the account in.
    package func unlink(_ id: IdentityEntry.ID, of account: AccountID) async throws(AccountError) -> AccountLetter? {
        try await write { database in
            try database.cachedStatement(sql: "DELETE FROM identities WHERE id = ? AND account = ?").execute(
                arguments: [id, account])
            guard database.changesCount > 0 else { return nil }
            let hasAnother = try Bool.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT password IS NOT NULL OR EXISTS (SELECT 1 FROM identities WHERE account = accounts.id)
                            OR EXISTS (SELECT 1 FROM passkeys WHERE account = accounts.id)
                        FROM accounts WHERE id = ?
                        """), arguments: [account])
            // The transaction goes back.
            guard hasAnother == true else { throw AccountError.lastWay }
            return try tellOfWays(account, in: database)
        }
    }

    func write(_ identity: OutsideIdentity, of account: AccountID, in database: Database) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO identities (provider, subject, account, id, shown, created) VALUES (?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            identity.provider, identity.subject, account, "\(RandomName(length: 16))", identity.shown,
            Self.milliseconds(now()),
        ])
    }

    private func tellOfWays(_ account: AccountID, in database: Database) throws -> AccountLetter? {
        guard let mail = try Self.account("id = ?", [account], in: database)?.mail else { return nil }
        return try put(.changed(mail, what: AccountChange.identities.rawValue), for: account, in: database)
    }
}
