package import ChirpAccounts
package import ChirpCommunity
package import ChirpOrders
internal import FoundationEssentials
package import GRDB

extension AuctionStore {
    /// What a bid of an amount would bind to now: to be shown before it is placed with ``place(_:by:key:)``.
    ///
    /// - Throws: ``BidRefusal`` where such a bid would not be taken; then nothing needs to be agreed to.
    package func binding(
        of money: Money, upon id: HubID, by bidder: AccountID
    ) async throws(BidRefusal) -> BidBinding {
        do {
            return try await library.reading { database in
                let now = Accounts.milliseconds(library.now())
                var state = try state(of: id, for: bidder, at: now, in: database).state
                let binding = BidBinding(
                    auction: id, version: state.version, money: money, card: state.card(at: now))
                _ = try state.take(binding, by: bidder, at: now)
                return binding
            }
        } catch { throw BidRefusal(error) }
    }

    /// Places a bid, once for the bidder and key: asked again, the answer is the one that it had. Whoever is outbid is told in the same
    /// transaction, and who has outbid her is not.
    ///
    /// The order of bids is that in which the server takes them, by its own clock.
    package func place(
        _ binding: BidBinding, by bidder: AccountID, key: String
    ) async throws(BidRefusal) -> BidReceipt {
        do {
            return try await library.transact { try place(binding, by: bidder, key: key, in: $0) }
        } catch { throw BidRefusal(error) }
    }

    /// The same within a transaction, as that in which the payment side notes that the bidder's card is held or kept.
    ///
    /// - Throws: ``BidRefusal``; nothing was written by then.
    package func place(
        _ binding: BidBinding, by bidder: AccountID, key: String, in database: Database
    ) throws -> BidReceipt {
        if let known = try known(binding, by: bidder, key: key, in: database) { return known }
        guard !key.isEmpty, key.utf8.count <= Self.longestKey else { throw BidRefusal.key(most: Self.longestKey) }
        // Within the transaction: whoever comes later in the order is not earlier by the clock.
        let now = Accounts.milliseconds(library.now())
        let (row, before) = try state(of: binding.auction, for: bidder, at: now, in: database)
        var state = before
        let receipt = try state.take(binding, by: bidder, at: now)
        try database.cachedStatement(
            sql: """
                INSERT INTO bids (auction, bidder, key, amount, card, version, at, ends, isExtending)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            row.sequence, bidder, key, receipt.bid.money.amount, receipt.bid.card.rawValue, row.version,
            receipt.bid.at, receipt.ends, receipt.isExtending,
        ])
        let sequence = database.lastInsertedRowID
        if let outbid = before.last, let loser = outbid.bidder, loser != bidder {
            try AuctionNews.outbid(loser, outbid, on: row.item, at: now, in: database)
        }
        return receipt.numbered(sequence)
    }

    /// How an auction stands for who would bid.
    func state(
        of id: HubID, for bidder: AccountID, at now: Int64, in database: Database
    ) throws -> (row: AuctionRow, state: AuctionState) {
        guard let row = try AuctionRow.find(id, in: database),
            let item = try Items.item(row.item, board: board, for: .member(bidder), library: library, in: database)
        else { throw BidRefusal.notFound }
        guard try AccountStanding(of: bidder, at: now, in: database)?.isActive == true else {
            throw BidRefusal.noAccount
        }
        var state = try row.state(in: database)
        // What is taken down, or in a case, is sold to nobody for now.
        if state.phase == .running, item.state != .open || item.isFrozen || item.isHidden { state.phase = .withdrawn }
        if state.phase == .running { try checkFree(row, in: database) }
        return (row, state)
    }

    /// Who bids gives way to whoever buys the work outright, as she would to bids (``isPromised(work:in:)``).
    private func checkFree(_ row: AuctionRow, in database: Database) throws {
        do { try OrderStore.checkFree(try row.facts(in: database).scope, in: database) } catch OrderRefusal.sold {
            throw BidRefusal.taken(until: nil)
        } catch OrderRefusal.taken(let until) { throw BidRefusal.taken(until: until) }
    }

    /// The answer that the same try has had.
    private func known(
        _ binding: BidBinding, by bidder: AccountID, key: String, in database: Database
    ) throws -> BidReceipt? {
        let found = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT * FROM bids WHERE bidder = ? AND key = ?"),
            arguments: [bidder, key])
        guard let found else { return nil }
        guard let row = try AuctionRow.find(binding.auction, in: database), found["auction"] == row.sequence,
            found["version"] == binding.version, row.bid(found).money == binding.money
        else { throw BidRefusal.keyUsed }
        return BidReceipt(bid: row.bid(found), ends: found["ends"], isExtending: found["isExtending"])
    }
}

extension BidRefusal {
    /// What a transaction has thrown.
    init(_ error: any Error) {
        switch error {
        case let error as BidRefusal: self = error
        case let error as LibraryError: self = .library(error)
        default: self = .library(.inputOutput(path: "auctions", reason: "\(error)"))
        }
    }
}
