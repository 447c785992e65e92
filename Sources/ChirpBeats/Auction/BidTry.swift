package import ChirpAccounts
internal import ChirpCommunity
internal import ChirpOrders
internal import FoundationEssentials
internal import GRDB

/// A bid whose card is asked for first: it is written down before, so that a bid whose bidder comes back late, or whose process has died, is
/// placed or refused all the same.
package struct BidTry: Hashable, Sendable {
    package let sequence: Int64
    package let binding: BidBinding
    package let bidder: AccountID?
    package let key: String
    package let state: State
    package let at: Int64
    let auction: AuctionRow.Facts
    let bid: Int64?

    package enum State: String, Hashable, Sendable, CaseIterable {
        /// Its card is asked for.
        case waiting
        /// It counts.
        case placed
        /// It has won, and is being charged.
        case won
        /// It was not taken, or its card was not given.
        case refused
        /// Nothing is to be done for it any more.
        case over
    }

    /// The key of its order: one for a try.
    package var purchase: String { "bid:\(sequence)" }
}

extension AuctionRow {
    /// What an order says of an auction.
    struct Facts: Hashable, Sendable {
        let id: HubID
        let item: HubID
        let seller: AccountID
        let ends: Int64
        /// What is exclusive: the work of the track, or the item where the board knows none.
        let scope: String
    }

    func facts(in database: Database) throws -> Facts {
        let work = try String.fetchOne(
            database.cachedStatement(sql: "SELECT work FROM tracks WHERE item = ?"), arguments: [item.text])
        return Facts(id: id, item: item, seller: seller, ends: ends, scope: work ?? item.text)
    }
}

extension AuctionStore {
    /// Writes a try down, once for its bidder and key.
    ///
    /// - Throws: ``BidRefusal`` where such a bid would not be taken now.
    package func attempt(
        _ binding: BidBinding, by bidder: AccountID, key: String
    ) async throws(BidRefusal) -> BidTry {
        do {
            return try await library.transact { database in
                if let known = try Row.fetchOne(
                    database.cachedStatement(sql: "SELECT * FROM bidTries WHERE bidder = ? AND key = ?"),
                    arguments: [bidder, key]
                ).flatMap({ try read($0, in: database) }) {
                    guard known.binding == binding else { throw BidRefusal.keyUsed }
                    return known
                }
                guard !key.isEmpty, key.utf8.count <= Self.longestKey else {
                    throw BidRefusal.key(most: Self.longestKey)
                }
                let now = Accounts.milliseconds(library.now())
                let (row, before) = try state(of: binding.auction, for: bidder, at: now, in: database)
                var state = before
                _ = try state.take(binding, by: bidder, at: now)
                try database.cachedStatement(
                    sql: """
                        INSERT INTO bidTries (auction, bidder, key, amount, card, version, at)
                        VALUES (?, ?, ?, ?, ?, ?, ?)
                        """
                ).execute(arguments: [
                    row.sequence, bidder, key, binding.money.amount, binding.card.rawValue, binding.version, now,
                ])
                guard let made = try tried(database.lastInsertedRowID, in: database) else { throw BidRefusal.notFound }
                return made
            }
        } catch { throw BidRefusal(error) }
    }

    /// Its card is there: places the bid, and notes that it was.
    package func place(_ tried: BidTry) async throws(BidRefusal) -> BidReceipt {
        do {
            return try await library.transact { database in
                guard let bidder = tried.bidder else { throw BidRefusal.noAccount }
                let receipt = try place(tried.binding, by: bidder, key: tried.key, in: database)
                try database.cachedStatement(
                    sql: "UPDATE bidTries SET state = 'placed', bid = ? WHERE sequence = ? AND state = 'waiting'"
                ).execute(arguments: [receipt.bid.sequence, tried.sequence])
                return receipt
            }
        } catch { throw BidRefusal(error) }
    }

    /// Goes on to another state; where it is there, or further, nothing happens.
    package func turn(_ tried: BidTry, to state: BidTry.State) async throws(AuctionRefusal) {
        try await refusing { database in
            try database.cachedStatement(
                sql: "UPDATE bidTries SET state = ? WHERE sequence = ? AND state = ?"
            ).execute(arguments: [state.rawValue, tried.sequence, tried.state.rawValue])
        }
    }

    /// Tries that something may be to be done for, the oldest first.
    ///
    /// - Parameters:
    ///   - bidder: nil: everybody's.
    ///   - sequence: of the last of those before; those that lead stay, and nobody has to wait behind them.
    package func tries(
        _ states: Set<BidTry.State>, of bidder: AccountID? = nil, after sequence: Int64 = 0, limit: Int = 500
    ) async throws(AuctionRefusal) -> [BidTry] {
        let wanted = states.map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ")
        return try await reading { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT * FROM bidTries WHERE state IN (\(wanted)) AND (bidder = ?1 OR ?1 IS NULL)
                            AND sequence > ?2 ORDER BY sequence LIMIT ?3
                        """), arguments: [bidder, sequence, max(0, limit)]
            ).compactMap { try read($0, in: database) }
        }
    }

    /// How a bid that counts stands.
    package enum Standing: Hashable, Sendable {
        /// It is the highest of a running auction, or is paid.
        case leading
        /// It has won, and it is its turn to pay until an instant in ms.
        case winning(until: Int64)
        case lost
    }

    package func standing(of tried: BidTry) async throws(AuctionRefusal) -> Standing {
        try await reading { database in
            guard let row = try AuctionRow.find(tried.binding.auction, in: database), let bid = tried.bid else {
                return .lost
            }
            switch row.phase {
            case .running: return try row.state(in: database).last?.sequence == bid ? .leading : .lost
            // Perhaps to somebody who has bid less: whoever has won had not paid.
            case .sold: return try row.paidBid(in: database) == bid ? .leading : .lost
            case .paying:
                guard let offer = try row.offers(in: database).last, offer.isWinner, offer.bid.sequence == bid else {
                    return .lost
                }
                return .winning(until: offer.until)
            case .unsold, .withdrawn: return .lost
            }
        }
    }

    private func tried(_ sequence: Int64, in database: Database) throws -> BidTry? {
        try Row.fetchOne(
            database.cachedStatement(sql: "SELECT * FROM bidTries WHERE sequence = ?"), arguments: [sequence]
        ).flatMap { try read($0, in: database) }
    }

    private func read(_ row: Row, in database: Database) throws -> BidTry? {
        let found = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT * FROM auctions WHERE sequence = ?"),
            arguments: [row["auction"] as Int64])
        guard let auction = found.flatMap(AuctionRow.init), let state = BidTry.State(rawValue: row["state"]),
            let card = CardUse(rawValue: row["card"])
        else { return nil }
        return BidTry(
            sequence: row["sequence"],
            binding: BidBinding(
                auction: auction.id, version: row["version"], money: Money(row["amount"], auction.start.currency),
                card: card), bidder: row["bidder"], key: row["key"], state: state, at: row["at"],
            auction: try auction.facts(in: database), bid: row["bid"])
    }
}
