package import FoundationEssentials
internal import GRDB

extension Accounts {
    /// Gives an account another secret address for its feed; the one before it ends. Feed readers cannot sign in, so who knows the
    /// address reads what its owner reads.
    ///
    /// - Throws: ``AccountError/unconfirmed``.
    package func newFeedAddress(of account: AccountID) async throws(AccountError) -> OpaqueToken {
        let address = OpaqueToken()
        let now = Self.milliseconds(now())
        try await write { database in
            try Self.require(.feedAddress, for: account, in: database)
            try database.cachedStatement(
                sql: "INSERT OR REPLACE INTO feedAddresses (account, digest, created) VALUES (?, ?, ?)"
            ).execute(arguments: [account, Data(address.digest), now])
        }
        return address
    }

    /// Ends the address of an account's feed. There may be none.
    package func endFeedAddress(of account: AccountID) async throws(AccountError) {
        try await write { database in
            try database.cachedStatement(sql: "DELETE FROM feedAddresses WHERE account = ?").execute(arguments: [
                account
            ])
        }
    }

    /// When the address of an account's feed was made; nil where there is none. The address itself nobody knows but its owner.
    package func feedAddressMade(of account: AccountID) async throws(AccountError) -> Date? {
        try await read { database in
            try Int64.fetchOne(
                database.cachedStatement(sql: "SELECT created FROM feedAddresses WHERE account = ?"),
                arguments: [account])
        }.map(Self.date)
    }

    /// Whose feed it is; nil for an address that has ended or never was one, and for closed accounts.
    package func account(ofFeed address: OpaqueToken) async throws(AccountError) -> HubAccount? {
        let now = now()
        return try await read { database in
            try Self.account(
                "id = (SELECT account FROM feedAddresses WHERE digest = ?) AND state <> 'closed'",
                [Data(address.digest)], in: database)
        }?.settled(at: now)
    }
}
