internal import ChirpAccounts
internal import ChirpCommunity
internal import GRDB

/// What people are told of auctions, in the transaction in which it happens; once, however often that is repeated.
enum AuctionNews {
    /// Somebody has bid more. It is not told who.
    static func outbid(
        _ bidder: AccountID, _ bid: Bid, on item: HubID, at now: Int64, in database: Database
    ) throws {
        try tell(bidder, item, "outbid:\(bid.sequence)", now, database)
    }

    /// It is her turn to pay.
    static func turn(
        of bidder: AccountID, _ offer: AuctionOffer, on item: HubID, at now: Int64, in database: Database
    ) throws {
        try tell(bidder, item, "auction-turn:\(offer.bid.sequence)", now, database)
    }

    /// She had her turn, and has not paid.
    static func passed(
        _ bidder: AccountID, _ offer: AuctionOffer, on item: HubID, at now: Int64, in database: Database
    ) throws {
        try tell(bidder, item, "auction-passed:\(offer.bid.sequence)", now, database)
    }

    /// The seller hears of each phase that her auction comes to.
    static func phase(
        _ phase: AuctionState.Phase, of row: AuctionRow, at now: Int64, in database: Database
    ) throws {
        try tell(row.seller, row.item, "auction:\(row.id):\(phase.rawValue)", now, database)
    }

    private static func tell(
        _ account: AccountID, _ item: HubID, _ cause: String, _ now: Int64, _ database: Database
    ) throws {
        try Notice.add(Notice.Draft(account: account, kind: .bid, item: item, cause: cause), at: now, in: database)
    }
}
