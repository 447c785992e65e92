package import ChirpAccounts
package import ChirpCommunity
package import ChirpOrders
package import FoundationEssentials

/// How an auction stands, and what becomes of a bid: pure rules over values. Instants are in ms by the server's clock.
package struct AuctionState: Hashable, Sendable {
    package let seller: AccountID
    package let start: Money
    package let step: Int64
    /// With all extensions.
    package private(set) var ends: Int64
    /// Of the terms; it rises when the seller changes them.
    package let version: Int
    package var phase: Phase
    /// The highest, which is the last.
    package private(set) var last: Bid?

    package enum Phase: String, Hashable, Sendable, CaseIterable {
        /// Bids are taken until the end.
        case running
        /// It has closed, and somebody has to pay.
        case paying
        case sold
        /// Nobody has bid, nobody has paid, or the money has gone back.
        case unsold
        /// The seller, or a moderator, took it back.
        case withdrawn
    }

    package init(
        seller: AccountID, start: Money, step: Int64, ends: Int64, version: Int = 1, phase: Phase = .running,
        last: Bid? = nil
    ) {
        self.seller = seller
        self.start = start
        self.step = step
        self.ends = ends
        self.version = version
        self.phase = phase
        self.last = last
    }

    /// The least that the next bid is.
    package var needed: Money { last.map { Money($0.money.amount + step, start.currency) } ?? start }

    /// When a bid counts as placed: a clock that was set back does not put it before the one that it outbids.
    private func instant(_ now: Int64) -> Int64 { max(now, last?.at ?? .min) }

    /// What the card is used for by a bid that is placed now.
    package func card(at now: Int64) -> CardUse { .of(bidAt: instant(now), ends: ends) }

    /// Takes a bid, or says why not. What is refused changes nothing, least of all the end.
    ///
    /// - Parameter sequence: the place among all bids that it gets.
    package mutating func take(
        _ binding: BidBinding, by bidder: AccountID, sequence: Int64 = 0, at now: Int64
    ) throws(BidRefusal) -> BidReceipt {
        let instant = instant(now)
        guard phase != .withdrawn else { throw .withdrawn }
        guard phase == .running, instant < ends else { throw .over(at: ends) }
        guard bidder != seller else { throw .own }
        guard binding.version == version else { throw .changed(version: version) }
        guard binding.money.currency == start.currency else { throw .currency(needed: start.currency) }
        guard binding.money.amount >= needed.amount else { throw .tooLow(needed: needed) }
        guard binding.money.amount <= Money.most else { throw .tooHigh(most: Money(Money.most, start.currency)) }
        guard binding.card.holds(bidAt: instant, ends: ends) else { throw .card(card(at: now)) }
        let bid = Bid(sequence: sequence, bidder: bidder, money: binding.money, card: binding.card, at: instant)
        let isExtending = ends - instant <= AuctionTerms.lastMinutes
        if isExtending { ends += AuctionTerms.extensionTime }
        last = bid
        return BidReceipt(bid: bid, ends: ends, isExtending: isExtending)
    }
}

/// Why a bid was not taken.
package enum BidRefusal: Error, Hashable, Sendable {
    /// There is no such auction for who bids.
    case notFound
    /// Suspended, closed or not confirmed.
    case noAccount
    /// Nobody bids for what she sells.
    case own
    case tooLow(needed: Money)
    case tooHigh(most: Money)
    case currency(needed: Currency)
    /// It has ended, in ms.
    case over(at: Int64)
    case withdrawn
    /// Somebody buys it outright, and is paying until then; nil: it is sold.
    case taken(until: Date?)
    /// The seller has changed the terms since: there are others to agree to.
    case changed(version: Int)
    /// The card would be used in another way than was shown.
    case card(CardUse)
    /// What tells one try from another is missing or longer than that many bytes.
    case key(most: Int)
    /// That key has placed another bid.
    case keyUsed
    case library(LibraryError)
}
