/// The turn of somebody to pay.
package struct AuctionOffer: Hashable, Sendable {
    /// What she pays: what she has bid.
    package let bid: Bid
    /// In ms: from when, and until when.
    package let at: Int64
    package let until: Int64
    /// The winner's card is charged, or its hold captured, without asking again. Who gets the turn of somebody that has not paid
    /// is asked first: she may have bought something else by then.
    package let isWinner: Bool

    package init(bid: Bid, at: Int64, until: Int64, isWinner: Bool) {
        self.bid = bid
        self.at = at
        self.until = until
        self.isWinner = isWinner
    }

    /// How the payment side collects the amount.
    package var collection: CardUse.Collection? {
        isWinner ? bid.card.collection(bidAt: bid.at, at: at) : nil
    }
}

extension AuctionState {
    /// What has to be done about an auction; nil: nothing yet.
    package enum Step: Hashable, Sendable {
        /// It is somebody's turn to pay.
        case offer(AuctionOffer)
        /// Nobody is left who could.
        case end
    }

    /// The next step at an instant: at the end it is the highest bidder's turn, and after 48 hours without a payment the next one's.
    ///
    /// - Parameters:
    ///   - bids: at least the highest of each bidder, in any order.
    ///   - offers: all turns so far, the newest last.
    package func step(bids: some Sequence<Bid>, offers: [AuctionOffer], at now: Int64) -> Step? {
        switch phase {
        case .running where now >= ends: break
        // Whoever's account is gone does not pay.
        case .paying where offers.last.map({ now > $0.until || $0.bid.bidder == nil }) ?? true: break
        case .running, .paying, .sold, .unsold, .withdrawn: return nil
        }
        let passed = Set(offers.compactMap(\.bid.bidder))
        let next = bids.filter { bid in bid.bidder.map { !passed.contains($0) } ?? false }
            .max { $0.sequence < $1.sequence }
        guard let next else { return .end }
        return .offer(
            AuctionOffer(
                bid: next, at: now, until: now + AuctionTerms.timeToPay, isWinner: next.sequence == last?.sequence))
    }
}
