package import ChirpAccounts
package import ChirpCommunity
package import ChirpOrders
package import FoundationEssentials
package import GRDB

extension AuctionStore {
    /// Closes auctions whose time is over, and passes on what nobody has paid for 48 hours; what was taken down meanwhile is
    /// withdrawn, and what is reported or in a case waits. Each auction is a transaction of its own; may be repeated, and by several processes at once.
    ///
    /// - Returns: how many auctions went a step further.
    @discardableResult
    package func settle(at instant: Date) async throws(AuctionRefusal) -> Int {
        let now = Accounts.milliseconds(instant)
        let due = try await reading { database in
            try Int64.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT sequence FROM auctions WHERE state = 'running' AND ends <= :now
                        UNION SELECT auction FROM auctionOffers WHERE state = 'open' AND until < :now
                        UNION SELECT auctionOffers.auction FROM auctionOffers
                            JOIN bids ON bids.sequence = auctionOffers.bid AND bids.bidder IS NULL
                        WHERE state = 'open' ORDER BY 1
                        """), arguments: ["now": now])
        }
        var count = 0
        for sequence in due {
            let isFurther = try await refusing { database in try advance(sequence, at: now, in: database) }
            if isFurther { count += 1 }
        }
        return count
    }

    private func advance(_ sequence: Int64, at now: Int64, in database: Database) throws -> Bool {
        let found = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT * FROM auctions WHERE sequence = ?"), arguments: [sequence])
        guard let row = found.flatMap(AuctionRow.init) else { return false }
        let offers = try row.offers(in: database)
        let best = try row.bids(
            "sequence IN (SELECT MAX(sequence) FROM bids WHERE auction = ? GROUP BY bidder)", in: database)
        let item = try Items.item(row.item, board: board, for: .member(row.seller), library: library, in: database)
        // As long as a report or a case is looked into, nobody pays.
        if let item, item.isFrozen || item.isHidden { return false }
        guard let step = try row.state(in: database).step(bids: best, offers: offers, at: now) else { return false }
        if let last = offers.last { try row.lapse(last, at: now, in: database) }
        switch step {
        // What was taken down is sold to nobody.
        case _ where item?.state != .open && item?.state != .settled:
            try row.turn(.withdrawn, at: now, in: database)
            try AuctionNews.phase(.withdrawn, of: row, at: now, in: database)
        case .end:
            try row.turn(.unsold, at: now, in: database)
            try AuctionNews.phase(.unsold, of: row, at: now, in: database)
        case .offer(let offer):
            try row.turn(.paying, at: now, in: database)
            try row.add(offer, in: database)
            if let bidder = offer.bid.bidder {
                try AuctionNews.turn(of: bidder, offer, on: row.item, at: now, in: database)
            }
            if offers.isEmpty { try AuctionNews.phase(.paying, of: row, at: now, in: database) }
        }
        return true
    }

    /// Takes note that somebody has paid what she had bid, within the payment side's transaction. Told again of the same payment, nothing
    /// happens.
    ///
    /// - Parameter payment: the payment side's name of it; one for one payment.
    /// - Throws: ``AuctionRefusal/passed(until:)`` when it is no longer her turn: then the money goes back.
    package static func paid(
        _ id: HubID, by bidder: AccountID, _ money: Money, payment: String, at now: Int64, in database: Database
    ) throws {
        guard let row = try AuctionRow.find(id, in: database) else { throw AuctionRefusal.notFound }
        let turn = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT auctionOffers.sequence, auctionOffers.until, auctionOffers.state, auctionOffers.payment,
                        bids.amount
                    FROM auctionOffers JOIN bids ON bids.sequence = auctionOffers.bid
                    WHERE auctionOffers.auction = ? AND bids.bidder = ?
                    """), arguments: [row.sequence, bidder])
        guard let turn else { throw AuctionRefusal.notFound }
        if (turn["payment"] as String?) == payment { return }
        // As long as the turn was not passed on it is hers, also some minutes late.
        guard turn["state"] == "open", row.phase == .paying else { throw AuctionRefusal.passed(until: turn["until"]) }
        let needed = Money(turn["amount"], row.start.currency)
        guard money == needed else { throw AuctionRefusal.amount(needed: needed) }
        let sequence: Int64 = turn["sequence"]
        try database.cachedStatement(
            sql: "UPDATE auctionOffers SET state = 'paid', payment = ? WHERE sequence = ? AND state = 'open'"
        ).execute(arguments: [payment, sequence])
        try row.turn(.sold, at: now, in: database)
        try AuctionNews.phase(.sold, of: row, at: now, in: database)
    }

    /// Whose turn it is to pay for an auction, for the payment side: whom to charge, how much, how, and until when.
    package static func turn(of id: HubID, in database: Database) throws -> AuctionOffer? {
        guard let row = try AuctionRow.find(id, in: database), row.phase == .paying else { return nil }
        return try row.offers(in: database).last
    }

    func reading<Value: Sendable>(
        _ body: @Sendable (Database) throws -> Value
    ) async throws(AuctionRefusal) -> Value {
        do { return try await library.reading(body) } catch { throw AuctionRefusal(error) }
    }
}

extension AuctionRow {
    /// All turns to pay so far, the newest last.
    func offers(in database: Database) throws -> [AuctionOffer] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT bids.*, auctionOffers.at AS offered, auctionOffers.until, auctionOffers.isWinner
                    FROM auctionOffers JOIN bids ON bids.sequence = auctionOffers.bid
                    WHERE auctionOffers.auction = ? ORDER BY auctionOffers.sequence
                    """), arguments: [sequence]
        ).map {
            AuctionOffer(bid: bid($0), at: $0["offered"], until: $0["until"], isWinner: $0["isWinner"])
        }
    }

    /// The number of the bid that was paid; nil: none was.
    func paidBid(in database: Database) throws -> Int64? {
        try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT bid FROM auctionOffers WHERE auction = ? AND state = 'paid'"),
            arguments: [sequence])
    }

    func add(_ offer: AuctionOffer, in database: Database) throws {
        try database.cachedStatement(
            sql: "INSERT INTO auctionOffers (auction, bid, at, until, isWinner) VALUES (?, ?, ?, ?, ?)"
        ).execute(arguments: [sequence, offer.bid.sequence, offer.at, offer.until, offer.isWinner])
    }

    /// Somebody has had her time to pay.
    func lapse(_ offer: AuctionOffer, at now: Int64, in database: Database) throws {
        try database.cachedStatement(
            sql: "UPDATE auctionOffers SET state = 'lapsed' WHERE auction = ? AND bid = ? AND state = 'open'"
        ).execute(arguments: [sequence, offer.bid.sequence])
        if let bidder = offer.bid.bidder {
            try AuctionNews.passed(bidder, offer, on: item, at: now, in: database)
        }
    }
}
