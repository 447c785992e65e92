package import ChirpAccounts
package import ChirpCommunity
internal import FoundationEssentials
internal import GRDB

extension AuctionStore {
    /// Auctions that somebody bids at, the newest first, each with the title of what is sold.
    package func auctions(
        bidBy account: AccountID, limit: Int = 100
    ) async throws(AuctionRefusal) -> [(auction: Auction, title: String)] {
        try await reading { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT * FROM auctions WHERE sequence IN (SELECT auction FROM bids WHERE bidder = ?)
                        ORDER BY sequence DESC LIMIT ?
                        """), arguments: [account, max(0, limit)]
            ).compactMap { found in
                guard let row = AuctionRow(found),
                    let item = try Items.item(
                        row.item, board: board, for: .member(account), library: library, in: database)
                else { return nil }
                return (try view(row, for: .member(account), in: database), item.title)
            }
        }
    }

    /// Bids whose turn to pay has passed on since an instant.
    func lapsed(since instant: Date) async throws(AuctionRefusal) -> [Int64] {
        try await reading { database in
            try Int64.fetchAll(
                database.cachedStatement(sql: "SELECT bid FROM auctionOffers WHERE state = 'lapsed' AND until >= ?"),
                arguments: [Accounts.milliseconds(instant)])
        }
    }

    func facts(of id: HubID) async throws(AuctionRefusal) -> AuctionRow.Facts {
        try await reading { database in
            guard let row = try AuctionRow.find(id, in: database) else { throw AuctionRefusal.notFound }
            return try row.facts(in: database)
        }
    }

    /// Whose turn it is to pay; nil: nobody's.
    package func turn(of id: HubID) async throws(AuctionRefusal) -> AuctionOffer? {
        try await reading { try Self.turn(of: id, in: $0) }
    }
}
