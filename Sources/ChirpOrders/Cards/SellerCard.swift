package import ChirpAccounts
package import FoundationEssentials
internal import GRDB

/// The account of a seller's to which her sales are paid by card.
package struct SellerCard: Hashable, Sendable {
    package let seller: AccountID
    /// The provider's name for it, which opens nothing; nil: it was asked for, and nobody has said yet.
    package let account: String?
    package let state: State
    /// Since when it stands as it does.
    package let since: Date
    let round: Int64
    let version: Int64
    let tries: Int64

    package enum State: String, Hashable, Sendable, CaseIterable {
        /// It may not be charged: its owner has to say more, or the provider looks at it.
        case begun
        /// Buyers pay by card.
        case ready
        /// The seller has ended it here.
        case ended
        /// It is not connected any more, as the provider says.
        case gone
    }
}

extension SellerCard {
    init(_ row: Row, seller: AccountID) {
        self.init(
            seller: seller, account: row["account"],
            state: (row["ending"] as String?).flatMap(State.init) ?? ((row["isReady"] as Bool) ? .ready : .begun),
            since: Accounts.date(row["since"]), round: row["round"], version: row["version"], tries: row["tries"])
    }

    static func fetch(_ seller: AccountID, in database: Database) throws -> SellerCard? {
        try Row.fetchOne(
            database.cachedStatement(sql: "SELECT * FROM sellerCards WHERE seller = ?"), arguments: [seller]
        ).map { SellerCard($0, seller: seller) }
    }

    /// Whose account it is.
    static func fetch(account: String, in database: Database) throws -> SellerCard? {
        try Row.fetchOne(
            database.cachedStatement(sql: "SELECT * FROM sellerCards WHERE account = ?"), arguments: [account]
        ).map { SellerCard($0, seller: $0["seller"]) }
    }
}
