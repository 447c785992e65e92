import ChirpAccounts
import ChirpBeats
import ChirpCommunity
import ChirpOrders
import Foundation
import HubHousehold
import Testing

@Suite struct AuctionStateTests {
    private let minute: Int64 = 60_000
    private let hour: Int64 = 3_600_000
    private let auction = HubID()
    private let seller = AccountID(rawValue: "seller")
    private let ann = AccountID(rawValue: "ann")
    private let bob = AccountID(rawValue: "bob")
    /// An auction from 0 that ends after a day, begins with 10.00 and goes up by 1.00.
    private var fresh: AuctionState {
        AuctionState(seller: seller, start: DealCast.euros(1000), step: 100, ends: 24 * hour)
    }

    private func binding(
        _ amount: Int64, _ card: CardUse = .hold, version: Int = 1, _ currency: Currency = DealCast.euro
    ) -> BidBinding {
        BidBinding(auction: auction, version: version, money: Money(amount, currency), card: card)
    }

    private func refusal(
        _ state: AuctionState, _ binding: BidBinding, by bidder: AccountID, at now: Int64
    ) -> BidRefusal? {
        var state = state
        let before = state
        do {
            _ = try state.take(binding, by: bidder, at: now)
            return nil
        } catch {
            #expect(state == before, "what is refused has changed something")
            return error
        }
    }

    @Test func `every refusal says what is needed`() throws {
        var led = fresh
        _ = try led.take(binding(2000), by: ann, at: hour)
        var full = fresh
        _ = try full.take(binding(Money.most), by: ann, at: hour)
        let end = 24 * hour
        func phase(_ phase: AuctionState.Phase) -> AuctionState {
            var state = fresh
            state.phase = phase
            return state
        }
        func expect(
            _ name: String, _ state: AuctionState, _ binding: BidBinding, _ bidder: AccountID, _ now: Int64,
            _ expected: BidRefusal?
        ) {
            #expect(refusal(state, binding, by: bidder, at: now) == expected, "\(name)")
        }
        expect("first at the start", fresh, binding(1000), ann, hour, nil)
        expect("first below", fresh, binding(999), ann, hour, .tooLow(needed: DealCast.euros(1000)))
        expect("nothing", fresh, binding(0), ann, hour, .tooLow(needed: DealCast.euros(1000)))
        expect("below nothing", fresh, binding(.min), ann, hour, .tooLow(needed: DealCast.euros(1000)))
        expect("by the step", led, binding(2100), bob, hour, nil)
        expect("below the step", led, binding(2099), bob, hour, .tooLow(needed: DealCast.euros(2100)))
        expect("the same again", led, binding(2000), ann, hour, .tooLow(needed: DealCast.euros(2100)))
        expect("more by the same", led, binding(2100), ann, hour, nil)
        expect("far too much", led, binding(.max), bob, hour, .tooHigh(most: DealCast.euros(Money.most)))
        expect("above all", full, binding(Money.most), bob, hour, .tooLow(needed: DealCast.euros(Money.most + 100)))
        expect("by the seller", led, binding(2100), seller, hour, .own)
        expect("in dollars", led, binding(2100, .hold, DealCast.dollar), bob, hour, .currency(needed: DealCast.euro))
        expect("of other terms", led, binding(2100, version: 2), bob, hour, .changed(version: 1))
        expect("one ms before the end", led, binding(2100), bob, end - 1, nil)
        expect("at the end", led, binding(2100), bob, end, .over(at: end))
        expect("after the end", led, binding(2100), bob, end + hour, .over(at: end))
        expect("by the seller after the end", led, binding(2100), seller, end, .over(at: end))
        expect("when it is paid for", phase(.paying), binding(2100), bob, hour, .over(at: end))
        expect("when it is sold", phase(.sold), binding(2100), bob, hour, .over(at: end))
        expect("when nobody wanted it", phase(.unsold), binding(2100), bob, hour, .over(at: end))
        expect("when it was taken back", phase(.withdrawn), binding(2100), bob, hour, .withdrawn)
        expect("the card is kept near the end", fresh, binding(1000, .keep), bob, hour, .card(.hold))
    }

    private func binding(_ amount: Int64, _ card: CardUse, _ currency: Currency) -> BidBinding {
        binding(amount, card, version: 1, currency)
    }

    /// Ms before the end, and by how many the end moves.
    private static let late: [(before: Int64, moved: Int64)] = [
        (86_400_000, 0), (300_001, 0), (300_000, 300_000), (299_999, 300_000), (1, 300_000),
    ]

    @Test(arguments: late)
    func `an accepted bid of the last five minutes moves the end by five`(before: Int64, moved: Int64) throws {
        var state = fresh
        let receipt = try state.take(binding(1000), by: ann, at: state.ends - before)
        #expect(state.ends == fresh.ends + moved)
        #expect(receipt.ends == state.ends)
        #expect(receipt.isExtending == (moved > 0))
    }

    @Test func `a bid that is refused never moves the end`() throws {
        var state = fresh
        _ = try state.take(binding(1000), by: ann, at: hour)
        for late in [300_000, 1000, 1] as [Int64] {
            #expect(refusal(state, binding(1050), by: bob, at: state.ends - late) != nil)
            #expect(refusal(state, binding(5000), by: seller, at: state.ends - late) != nil)
            #expect(state.ends == 24 * hour)
        }
    }

    @Test func `late bids go on as long as somebody pays more`() throws {
        var state = fresh
        for number in 0..<50 {
            let before = state.ends
            _ = try state.take(binding(1000 + Int64(number) * 100), by: number % 2 == 0 ? ann : bob, at: before - 1000)
            #expect(state.ends == before + 5 * minute)
        }
        #expect(refusal(state, binding(9000), by: bob, at: state.ends) == .over(at: 24 * hour + 250 * minute))
    }

    @Test func `a clock that is set back puts no bid before another`() throws {
        var state = fresh
        _ = try state.take(binding(1000), by: ann, at: 10 * hour)
        let receipt = try state.take(binding(1100), by: bob, at: hour)
        #expect(receipt.bid.at == 10 * hour)
    }

    private static let spans: [(hours: Double, card: CardUse)] = [
        (96, .hold), (96.001, .keep), (1, .hold), (720, .keep),
    ]

    @Test(arguments: spans)
    func `money is held if the auction ends within four days`(hours: Double, card: CardUse) throws {
        var state = AuctionState(
            seller: seller, start: DealCast.euros(1000), step: 100, ends: Int64(hours * 3_600_000))
        #expect(state.card(at: 0) == card)
        let receipt = try state.take(binding(1000, card), by: ann, at: 0)
        #expect(receipt.bid.card == card)
    }

    @Test func `who was shown that the card is kept has an hour to place the bid`() {
        let state = AuctionState(seller: seller, start: DealCast.euros(1000), step: 100, ends: 4 * 24 * hour + 1)
        #expect(refusal(state, binding(1000, .keep), by: ann, at: hour) == nil)
        #expect(refusal(state, binding(1000, .keep), by: ann, at: hour + 1) == .card(.hold))
        #expect(refusal(state, binding(1000, .hold), by: ann, at: 0) == .card(.keep))
        #expect(refusal(state, binding(1000, .hold), by: ann, at: 1) == nil)
    }

    @Test func `a hold is captured as long as it lasts, and what is kept is charged`() {
        let day: Int64 = 86_400_000
        #expect(CardUse.hold.collection(bidAt: 0, at: 4 * day) == .capture)
        #expect(CardUse.hold.collection(bidAt: 0, at: 4 * day + 17 * hour) == .capture)
        #expect(CardUse.hold.collection(bidAt: 0, at: 4 * day + 18 * hour) == .charge)
        #expect(CardUse.keep.collection(bidAt: 0, at: 1) == .charge)
    }

    @Test func `terms that are none are refused field by field`() {
        let start = HubHousehold.start
        func faults(
            _ amount: Int64 = 1000, _ step: Int64 = 100, seconds: Double = 3600
        ) -> [AuctionTerms.Field: AuctionTerms.Fault] {
            AuctionTerms(start: DealCast.euros(amount), step: step, ends: start.addingTimeInterval(seconds))
                .faults(at: start)
        }
        #expect(faults().isEmpty)
        #expect(faults(0) == [.start: .notPositive])
        #expect(faults(.min, -1) == [.start: .notPositive, .step: .notPositive])
        #expect(
            faults(.max, Money.most + 1) == [.start: .tooMuch(most: Money.most), .step: .tooMuch(most: Money.most)])
        #expect(faults(Money.most, Money.most).isEmpty)
        #expect(faults(seconds: 3599) == [.ends: .tooSoon(least: 3600)])
        #expect(faults(seconds: 30 * 86_400).isEmpty)
        #expect(faults(seconds: 30 * 86_400 + 1) == [.ends: .tooLate(most: 30 * 86_400)])
        #expect(faults(seconds: .infinity) == [.ends: .tooLate(most: 30 * 86_400)])
        #expect(faults(seconds: .nan) == [.ends: .tooLate(most: 30 * 86_400)])
    }
}
