internal import FoundationEssentials
internal import GRDB

extension Accounts {
    /// How long a name and an address are kept for somebody who has not confirmed the address, in seconds.
    package static let unconfirmedLife = 48 * 3600.0

    /// Gives back the names and addresses of those who have not confirmed an address in time.
    ///
    /// - Returns: how many accounts went.
    @discardableResult
    package func sweepUnconfirmed() async throws(AccountError) -> Int {
        try await write { try removeUnconfirmed(in: $0) }
    }

    /// The same in the transaction of somebody who signs up, perhaps with such a name. The owner stays: without one nobody could
    /// run the hub.
    @discardableResult
    func removeUnconfirmed(in database: Database) throws -> Int {
        let end = Self.milliseconds(now().addingTimeInterval(-Self.unconfirmedLife))
        let gone = try AccountID.fetchAll(
            database.cachedStatement(
                sql: "SELECT id FROM accounts WHERE state = 'unconfirmed' AND role <> 'owner' AND created <= ?"),
            arguments: [end])
        for account in gone { try erase(account, in: database) }
        return gone.count
    }
}
