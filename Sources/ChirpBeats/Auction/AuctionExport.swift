package import ChirpAccounts
package import ChirpCommunity
internal import FoundationEssentials
package import GRDB

/// What auctions hold of one person, for her export. Of others' bids upon what she sells there is how many and how much, never who.
package enum AuctionExport {
    private struct AuctionEntry: Encodable {
        let auction, item, state, currency: String
        let start, step: Int64
        let opened, ends: Date
        let bids: Int
        let highest: Int64?
    }

    private struct BidEntry: Encodable {
        let auction, currency, card: String
        let amount: Int64
        let at: Date
        /// Her turn to pay: `open`, `paid` or `lapsed`.
        let turn: String?
        let until: Date?
    }

    /// A bid whose card was asked for; `refused` when nothing came of it.
    private struct TryEntry: Encodable {
        let auction, currency, card, state: String
        let amount: Int64
        let at: Date
    }

    /// - Returns: `auctions.json`, `bids.json` and `bid-tries.json`.
    package static func documents(
        of person: AccountID, in database: Database
    ) throws -> [PersonalExport.Document] {
        [
            try PersonalExport.document("auctions.json", auctions(of: person, in: database)),
            try PersonalExport.document("bids.json", bids(of: person, in: database)),
            try PersonalExport.document("bid-tries.json", tries(of: person, in: database)),
        ]
    }

    private static func tries(of person: AccountID, in database: Database) throws -> [TryEntry] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT bidTries.*, auctions.id, auctions.currency FROM bidTries
                    JOIN auctions ON auctions.sequence = bidTries.auction
                    WHERE bidder = ? AND bidTries.state IN ('waiting', 'refused') ORDER BY bidTries.sequence
                    """), arguments: [person]
        ).map { row in
            TryEntry(
                auction: row["id"], currency: row["currency"], card: row["card"], state: row["state"],
                amount: row["amount"], at: Accounts.date(row["at"]))
        }
    }

    private static func auctions(of person: AccountID, in database: Database) throws -> [AuctionEntry] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT auctions.*, COUNT(bids.sequence) AS count, MAX(bids.amount) AS highest
                    FROM auctions LEFT JOIN bids ON bids.auction = auctions.sequence
                    WHERE seller = ? GROUP BY auctions.sequence ORDER BY auctions.sequence
                    """), arguments: [person]
        ).map { row in
            AuctionEntry(
                auction: row["id"], item: row["item"], state: row["state"], currency: row["currency"],
                start: row["start"], step: row["step"], opened: Accounts.date(row["created"]),
                ends: Accounts.date(row["ends"]), bids: row["count"], highest: row["highest"])
        }
    }

    private static func bids(of person: AccountID, in database: Database) throws -> [BidEntry] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT bids.amount, bids.card, bids.at, auctions.id, auctions.currency, auctionOffers.state,
                        auctionOffers.until
                    FROM bids JOIN auctions ON auctions.sequence = bids.auction
                    LEFT JOIN auctionOffers ON auctionOffers.bid = bids.sequence
                    WHERE bids.bidder = ? ORDER BY bids.sequence
                    """), arguments: [person]
        ).map { row in
            BidEntry(
                auction: row["id"], currency: row["currency"], card: row["card"], amount: row["amount"],
                at: Accounts.date(row["at"]), turn: row["state"],
                until: (row["until"] as Int64?).map(Accounts.date))
        }
    }
}
