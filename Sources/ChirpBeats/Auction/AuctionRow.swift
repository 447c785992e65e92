internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpOrders
internal import FoundationEssentials
internal import GRDB

/// An auction as it stands before something is done with it.
struct AuctionRow: Sendable {
    let sequence: Int64
    let id: HubID
    let item: HubID
    let seller: AccountID
    let start: Money
    let step: Int64
    let ends: Int64
    let version: Int
    let phase: AuctionState.Phase
    let closed: Int64?

    /// Nil for what a later release has written.
    init?(_ row: Row) {
        guard let id = HubID(row["id"] as String), let item = HubID(row["item"] as String),
            let phase = AuctionState.Phase(rawValue: row["state"]), let currency = Currency(row["currency"] as String)
        else { return nil }
        (self.id, self.item, self.phase) = (id, item, phase)
        (sequence, seller, version) = (row["sequence"], row["seller"], row["version"])
        start = Money(row["start"], currency)
        (step, ends, closed) = (row["step"], row["ends"], row["closed"])
    }

    static func find(_ id: HubID, in database: Database) throws -> AuctionRow? {
        try Row.fetchOne(
            database.cachedStatement(sql: "SELECT * FROM auctions WHERE id = ?"), arguments: [id.text]
        ).flatMap(AuctionRow.init)
    }

    /// The seller's own.
    init(_ id: HubID, of seller: AccountID, in database: Database) throws {
        guard let row = try Self.find(id, in: database), row.seller == seller else { throw AuctionRefusal.notFound }
        self = row
    }

    func state(in database: Database) throws -> AuctionState {
        AuctionState(
            seller: seller, start: start, step: step, ends: ends, version: version, phase: phase,
            last: try bids("auction = ? ORDER BY sequence DESC LIMIT 1", in: database).first)
    }

    /// - Parameter condition: what follows WHERE; its one argument is the auction.
    func bids(_ condition: String, in database: Database) throws -> [Bid] {
        try Row.fetchAll(
            database.cachedStatement(sql: "SELECT * FROM bids WHERE \(condition)"), arguments: [sequence]
        ).map { bid($0) }
    }

    func bid(_ row: Row) -> Bid {
        Bid(
            sequence: row["sequence"], bidder: row["bidder"], money: Money(row["amount"], start.currency),
            card: CardUse(rawValue: row["card"]) ?? .keep, at: row["at"])
    }

    func isAsWanted(_ terms: AuctionTerms) -> Bool {
        start == terms.start && step == terms.step && ends == Accounts.milliseconds(terms.ends)
    }

    /// - Throws: ``AuctionRefusal`` where somebody has bid, or it is over.
    func expectUntouched(at now: Date, in database: Database) throws {
        let count = try Int.fetchOne(
            database.cachedStatement(sql: "SELECT COUNT(*) FROM bids WHERE auction = ?"), arguments: [sequence])
        if let count, count > 0 { throw AuctionRefusal.hasBids(count: count) }
        guard phase == .running, Accounts.milliseconds(now) < ends else {
            throw AuctionRefusal.ended(phase, at: closed ?? ends)
        }
    }

    /// Goes on to another phase.
    func turn(_ next: AuctionState.Phase, at now: Int64, in database: Database) throws {
        try database.cachedStatement(
            sql: "UPDATE auctions SET state = ?, closed = COALESCE(closed, ?) WHERE sequence = ? AND state = ?"
        ).execute(arguments: [next.rawValue, now, sequence, phase.rawValue])
        guard database.changesCount == 1 else { throw AuctionRefusal.ended(phase, at: closed ?? ends) }
    }
}
