package import ChirpAccounts
package import ChirpCommunity
package import ChirpOrders
package import FoundationEssentials
internal import GRDB

/// An auction as one viewer reads it: everybody how many bids there are and the highest, a bidder her own too, the seller who bids.
package struct Auction: Hashable, Sendable, Identifiable {
    package let id: HubID
    package let item: HubID
    package let start: Money
    package let step: Int64
    /// With all extensions so far.
    package let ends: Date
    package let version: Int
    package let phase: AuctionState.Phase
    package let bidCount: Int
    package let highest: Money?
    /// The least that the next bid is.
    package let needed: Money
    package let isSeller: Bool
    /// The viewer has the highest bid.
    package let isLeading: Bool
    /// The viewer's own highest bid.
    package let own: Money?
    /// It is the viewer's turn to pay.
    package let turn: AuctionOffer?

    /// A line of the list of bids.
    package struct Line: Hashable, Sendable {
        package let money: Money
        package let at: Date
        /// Told to the seller alone, and to the bidder herself; nil as well: whose account is gone.
        package let bidder: AccountID?
    }
}

extension AuctionStore {
    /// The newest auction of an item, as somebody sees it; nil where there is none, or the item is not seen.
    package func auction(of item: HubID, for viewer: Viewer) async throws(AuctionRefusal) -> Auction? {
        try await reading { database in
            guard try Items.item(item, board: board, for: viewer, library: library, in: database) != nil else {
                return nil
            }
            let row = try Row.fetchOne(
                database.cachedStatement(
                    sql: "SELECT * FROM auctions WHERE item = ? ORDER BY sequence DESC LIMIT 1"),
                arguments: [item.text])
            return try row.flatMap(AuctionRow.init).map { try view($0, for: viewer, in: database) }
        }
    }

    /// The newest bids upon an auction, the newest first: all for its seller, their own for bidders, none for others.
    package func bids(
        upon id: HubID, for viewer: Viewer, before sequence: Int64 = .max, limit: Int
    ) async throws(AuctionRefusal) -> [Auction.Line] {
        guard let me = library.seen(by: viewer).account else { return [] }
        return try await reading { database in
            guard let row = try AuctionRow.find(id, in: database) else { return [] }
            return try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT * FROM bids WHERE auction = ? AND sequence < ? AND (bidder = ? OR ?)
                        ORDER BY sequence DESC LIMIT ?
                        """), arguments: [row.sequence, sequence, me, row.seller == me, max(0, limit)]
            ).map { found in
                let bid = row.bid(found)
                return Auction.Line(money: bid.money, at: Accounts.date(bid.at), bidder: bid.bidder)
            }
        }
    }

    func view(_ row: AuctionRow, for viewer: Viewer, in database: Database) throws -> Auction {
        let me = library.seen(by: viewer).account
        let state = try row.state(in: database)
        let count = try Int.fetchOne(
            database.cachedStatement(sql: "SELECT COUNT(*) FROM bids WHERE auction = ?"), arguments: [row.sequence])
        let own = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT MAX(amount) FROM bids WHERE auction = ? AND bidder = ?"),
            arguments: [row.sequence, me])
        let turn = row.phase == .paying ? try row.offers(in: database).last : nil
        return Auction(
            id: row.id, item: row.item, start: row.start, step: row.step, ends: Accounts.date(row.ends),
            version: row.version, phase: row.phase, bidCount: count ?? 0, highest: state.last?.money,
            needed: state.needed, isSeller: row.seller == me,
            isLeading: me != nil && state.last?.bidder == me, own: own.map { Money($0, row.start.currency) },
            turn: turn.flatMap { $0.bid.bidder == me && me != nil ? $0 : nil })
    }
}
