import ChirpAccounts
import ChirpBeats
import ChirpOrders
import Testing

@Suite struct AuctionSettlingTests {
    private let end: Int64 = 1_000_000
    private let days2: Int64 = 48 * 3_600_000
    private let seller = AccountID(rawValue: "seller")

    private func bid(_ sequence: Int64, _ bidder: String?, _ cents: Int64) -> Bid {
        Bid(
            sequence: sequence, bidder: bidder.map { AccountID(rawValue: $0) }, money: DealCast.euros(cents),
            card: .hold, at: 0)
    }

    private func state(_ phase: AuctionState.Phase = .running, last: Bid?) -> AuctionState {
        AuctionState(
            seller: seller, start: DealCast.euros(1000), step: 100, ends: end, phase: phase, last: last)
    }

    /// Who has a turn, how much she pays, and whether without being asked; "end" where nobody is left.
    private func told(_ step: AuctionState.Step?) -> String {
        switch step {
        case nil: "-"
        case .end: "end"
        case .offer(let offer):
            "\(offer.bid.bidder?.rawValue ?? "?") \(offer.bid.money.amount) \(offer.isWinner ? "winner" : "next")"
        }
    }

    @Test func `the highest bidder pays what she has bid, and whoever is next after 48 hours`() {
        let bids = [bid(1, "ann", 1000), bid(2, "bob", 1500), bid(3, "ann", 1700), bid(4, "cem", 2500)]
        #expect(told(state(last: bids[3]).step(bids: bids, offers: [], at: end - 1)) == "-")
        var offers: [AuctionOffer] = []
        var now = end
        var seen: [String] = []
        var phase = AuctionState.Phase.running
        while case .offer(let offer)? = state(phase, last: bids[3]).step(bids: bids, offers: offers, at: now) {
            seen.append(told(.offer(offer)))
            #expect(offer.until == now + days2)
            offers.append(offer)
            phase = .paying
            // To the last instant of it, it is her turn.
            #expect(state(phase, last: bids[3]).step(bids: bids, offers: offers, at: now + days2) == nil)
            now += days2 + 1
        }
        #expect(seen == ["cem 2500 winner", "ann 1700 next", "bob 1500 next"])
        #expect(state(phase, last: bids[3]).step(bids: bids, offers: offers, at: now) == .end)
    }

    @Test func `only the winner's money is taken without asking again`() {
        let bids = [bid(1, "ann", 1000), bid(2, "bob", 1500)]
        guard case .offer(let first)? = state(last: bids[1]).step(bids: bids, offers: [], at: end),
            case .offer(let second)? = state(.paying, last: bids[1]).step(
                bids: bids, offers: [first], at: end + days2 + 1)
        else {
            Issue.record("nobody has a turn")
            return
        }
        #expect(first.collection == .capture)
        #expect(second.collection == nil)
    }

    @Test func `whose account is gone wins nothing, and who follows is asked`() {
        let bids = [bid(1, "ann", 1000), bid(2, nil, 1500)]
        #expect(told(state(last: bids[1]).step(bids: bids, offers: [], at: end)) == "ann 1000 next")
        #expect(told(state(last: bids[1]).step(bids: [bids[1]], offers: [], at: end)) == "end")
        // She goes while it is her turn.
        let offer = AuctionOffer(bid: bids[1], at: end, until: end + days2, isWinner: true)
        #expect(told(state(.paying, last: bids[1]).step(bids: bids, offers: [offer], at: end + 1)) == "ann 1000 next")
    }

    @Test func `an auction that nobody wanted ends, and what has ended stays so`() {
        #expect(told(state(last: nil).step(bids: [], offers: [], at: end)) == "end")
        for phase in [AuctionState.Phase.sold, .unsold, .withdrawn] {
            let bids = [bid(1, "ann", 1000)]
            #expect(state(phase, last: bids[0]).step(bids: bids, offers: [], at: end + 10 * days2) == nil)
        }
    }
}
