package import ChirpAccounts
package import ChirpCommunity
package import ChirpOrders

/// What a bid binds its bidder to. It is shown before the bid is placed, and is what is placed: if it is no longer what
/// holds, the bid is refused and the bidder looks again.
package struct BidBinding: Hashable, Sendable {
    package let auction: HubID
    /// Of the seller's terms, as the bidder has read them.
    package let version: Int
    /// What the winner pays: her own bid, whatever the others have bid.
    package let money: Money
    /// What happens to the bidder's card now.
    package let card: CardUse

    package init(auction: HubID, version: Int, money: Money, card: CardUse) {
        self.auction = auction
        self.version = version
        self.money = money
        self.card = card
    }
}

/// What the payment side does with a card when a bid is accepted.
package enum CardUse: String, Hashable, Sendable, CaseIterable {
    /// The amount is authorised now and captured at the close.
    case hold
    /// The card is kept, and charged at the close.
    case keep

    /// An authorisation that the card's owner does not start herself ends after 4 days and 18 hours at Visa
    /// (docs.stripe.com/payments/place-a-hold-on-a-payment-method). A hold is asked for only within this, in ms; the rest is room for extensions.
    package static let longestHold: Int64 = 4 * 86_400_000
    /// From then on a hold counts as lapsed, in ms.
    package static let holdLasts: Int64 = 4 * 86_400_000 + 17 * 3_600_000

    /// Whoever was shown that her card is kept has so long to place the bid, although it would be held by then; in ms.
    package static let timeToPlace: Int64 = 3_600_000

    /// Whether a card may be used so by a bid at an instant.
    func holds(bidAt now: Int64, ends: Int64) -> Bool {
        switch self {
        case .hold: ends - now <= Self.longestHold
        case .keep: ends - now > Self.longestHold - Self.timeToPlace
        }
    }

    /// For a bid at an instant upon an auction that ends at another, both in ms.
    package static func of(bidAt now: Int64, ends: Int64) -> CardUse { ends - now <= longestHold ? .hold : .keep }

    /// How a bid's amount is collected at an instant in ms: a hold that late bids have outlasted is charged like a card that was kept.
    package func collection(bidAt: Int64, at now: Int64) -> Collection {
        self == .hold && now - bidAt <= Self.holdLasts ? .capture : .charge
    }

    package enum Collection: Hashable, Sendable { case capture, charge }
}

/// A bid that was accepted. It is never changed.
package struct Bid: Hashable, Sendable {
    /// Its place among all bids: the order in which the server took them.
    package let sequence: Int64
    /// Nil: whose account is gone. Such a bid still counts for what is needed, and cannot win.
    package let bidder: AccountID?
    package let money: Money
    package let card: CardUse
    /// By the server's clock, in ms.
    package let at: Int64

    package init(sequence: Int64, bidder: AccountID?, money: Money, card: CardUse, at: Int64) {
        self.sequence = sequence
        self.bidder = bidder
        self.money = money
        self.card = card
        self.at = at
    }
}

/// The answer to a bid that was taken.
package struct BidReceipt: Hashable, Sendable {
    package let bid: Bid
    /// When the auction ends now, in ms.
    package let ends: Int64
    /// The bid has moved the end.
    package let isExtending: Bool

    package init(bid: Bid, ends: Int64, isExtending: Bool) {
        self.bid = bid
        self.ends = ends
        self.isExtending = isExtending
    }

    /// The same bid at its place among all.
    func numbered(_ sequence: Int64) -> BidReceipt {
        BidReceipt(
            bid: Bid(sequence: sequence, bidder: bid.bidder, money: bid.money, card: bid.card, at: bid.at), ends: ends,
            isExtending: isExtending)
    }
}
