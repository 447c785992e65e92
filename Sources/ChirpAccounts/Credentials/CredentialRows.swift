package import GRDB

/// Where a kind of credential is kept, and how the rows of one account end.
package struct CredentialRows: Sendable {
    package let credential: AccountCredential
    /// The table that the rows are in.
    package let table: String
    fileprivate let end: @Sendable (_ account: AccountID, _ event: AccountEvent, _ database: Database) throws -> Void

    /// - Parameter end: ends all of an account, within the transaction of an event.
    package init(
        _ credential: AccountCredential, table: String,
        end: @escaping @Sendable (_ account: AccountID, _ event: AccountEvent, _ database: Database) throws -> Void
    ) {
        self.credential = credential
        self.table = table
        self.end = end
    }

    /// Rows of a table whose column `account` names it, and that go.
    ///
    /// - Parameter condition: of SQL, where the table holds other rows too; `?1` is the account.
    package init(_ credential: AccountCredential, in table: String, where condition: String = "TRUE") {
        self.init(credential, table: table) { account, _, database in
            try database.cachedStatement(sql: "DELETE FROM \(table) WHERE account = ?1 AND \(condition)").execute(
                arguments: [account])
        }
    }
}

extension [CredentialRows] {
    /// Ends what the table of fates ends. Called once for each event, within its transaction.
    package func carryOut(_ event: AccountEvent, on account: AccountID, in database: Database) throws {
        for rows in self where rows.credential.fate(at: event) == .ends { try rows.end(account, event, database) }
    }
}

extension Accounts {
    /// Those of this module's tables.
    package static let credentialRows: [CredentialRows] = [
        // The act itself puts another in its place.
        CredentialRows(.password, table: "accounts") { _, _, _ in },
        CredentialRows(.secondFactor, table: "accounts") { account, _, database in
            try database.cachedStatement(sql: "UPDATE accounts SET totp = NULL, totpStep = 0 WHERE id = ?").execute(
                arguments: [account])
        },
        CredentialRows(.secondFactor, in: "recoveryCodes"),
        CredentialRows(.session, in: "sessions"),
        CredentialRows(.token, in: "tokens"),
        CredentialRows(.code, in: "codes"),
        CredentialRows(.ownerLink, in: "links", where: "purpose = 'owner'"),
        CredentialRows(.resetLink, in: "links", where: "purpose = 'reset'"),
        CredentialRows(.confirmLink, in: "links", where: "purpose = 'confirm' AND \(isOwnAddress)"),
        CredentialRows(.pendingAddress, in: "links", where: "purpose = 'confirm' AND NOT \(isOwnAddress)"),
        CredentialRows(.appealLink, in: "links", where: "purpose = 'appeal'"),
        CredentialRows(.passkey, in: "passkeys"),
        CredentialRows(.passkeyChallenge, in: "passkeyChallenges"),
        CredentialRows(.identity, in: "identities"),
        CredentialRows(.identityAttempt, in: "identityAttempts"),
        CredentialRows(.identityArrival, in: "identityArrivals"),
        CredentialRows(.feedAddress, in: "feedAddresses"),
        CredentialRows(.knownBrowser, table: "accounts") { account, _, database in
            try database.cachedStatement(sql: "UPDATE accounts SET epoch = epoch + 1 WHERE id = ?").execute(
                arguments: [account])
        },
    ]

    /// Whether a link confirms the address that the account has; of `links`, with the account as `?1`.
    private static let isOwnAddress = "(mail IS (SELECT mail FROM accounts WHERE id = ?1))"

    /// Whether a credential may be made for an account as it stands: not what ends while its address is unconfirmed.
    package static func mayHave(
        _ credential: AccountCredential, _ account: AccountID, in database: Database
    ) throws -> Bool {
        guard credential.fate(at: .unconfirmed) == .ends else { return true }
        return try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT state <> 'unconfirmed' FROM accounts WHERE id = ?"),
            arguments: [account]) ?? false
    }

    /// The same for whoever asks, as long as what was shown is the account's still (``stands(_:of:at:in:)``).
    ///
    /// - Parameters:
    ///   - shown: nil where no request is behind it.
    ///   - now: in milliseconds.
    package static func mayHave(
        _ credential: AccountCredential, _ account: AccountID, by shown: ShownCredential?, at now: Int64,
        in database: Database
    ) throws -> Bool {
        if let shown, try !stands(shown, of: account, at: now, in: database) { return false }
        return try mayHave(credential, account, in: database)
    }

    /// The same as ``mayHave(_:_:in:)``.
    ///
    /// - Throws: ``AccountError/unconfirmed``.
    static func require(_ credential: AccountCredential, for account: AccountID, in database: Database) throws {
        guard try mayHave(credential, account, in: database) else { throw AccountError.unconfirmed }
    }
}
