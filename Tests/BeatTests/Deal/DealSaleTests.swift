import ChirpAccounts
import ChirpBeats
import ChirpCommunity
import ChirpOrders
import Foundation
import GRDB
import HubHousehold
import Testing

/// What was won or agreed on is paid and brought like all that is bought (AR-5, AR-6).
@Suite struct DealSaleTests {
    private func deals(_ cast: SaleCast) -> DealDesk {
        DealDesk(
            library: cast.beats.library, links: HubLinks(publicURL: HubHousehold.publicURL), money: cast.sales.deals)
    }

    private func order(of buyer: AccountID, _ cast: SaleCast) async throws -> Order {
        try #require(try await cast.sales.orders.store.orders(of: buyer, as: .buyer).first)
    }

    @Test func `whoever wins an auction pays by hand, and gets files and an exclusive licence`() async throws {
        let cast = try await SaleCast()
        let (deals, uma) = (deals(cast), cast.beats.uma)
        let terms = AuctionTerms(
            start: DealCast.euros(5000), step: 100, ends: cast.house.now.addingTimeInterval(7200))
        let auction = try await deals.auctions.open(terms, of: cast.track.id, by: cast.beats.pia, key: "k")
        let binding = try await deals.auctions.binding(of: DealCast.euros(6000), upon: auction, by: uma)
        guard case .placed = try await deals.bid(binding, by: uma, key: "k") else {
            Issue.record("by hand it binds at once")
            return
        }
        let bound = try await order(of: uma, cast)
        let purchase = try #require(try await cast.sales.purchases.purchase(of: bound))
        #expect(purchase.auction == auction && purchase.terms.kind == .exclusive)
        cast.house.wait(7200)
        #expect(await deals.settle() == [])
        #expect(try await order(of: uma, cast).state == .reserved)
        let paid = try await cast.sales.markPaid(bound.id, by: cast.beats.pia)
        #expect(paid.state == .delivered && paid.terms.price == DealCast.euros(6000))
        #expect(try await deals.auctions.auction(of: cast.track.id, for: .member(uma))?.phase == .sold)
        #expect(
            try await cast.beats.track(cast.track.id, for: .member(cast.beats.pia)).item.outcome == TrackOutcome.sold)
        #expect(try await cast.letters(to: uma).contains { $0.contains("licence.pdf") })
        #expect(await deals.settle() == [])
    }

    @Test func `what several bring at once comes once, and who comes later changes nothing`() async throws {
        let cast = try await SaleCast()
        let (deals, uma) = (deals(cast), cast.beats.uma)
        let auction = try await deals.auctions.open(
            AuctionTerms(start: DealCast.euros(5000), step: 100, ends: cast.house.now.addingTimeInterval(7200)),
            of: cast.track.id, by: cast.beats.pia, key: "k")
        let exclusive = try await cast.offer(.exclusive)
        _ = try await deals.bid(
            try await deals.auctions.binding(of: DealCast.euros(6000), upon: auction, by: uma), by: uma, key: "k")
        await #expect(throws: PurchaseRefusal.promised) { try await cast.buy(exclusive, by: cast.beats.rob) }
        cast.house.wait(7200)
        #expect(await deals.settle() == [])
        let order = try await order(of: uma, cast)
        try await ByHand(library: cast.beats.library) { $0.text }.mark(order.id, .paid, by: cast.beats.pia)
        let paid = try await cast.sales.orders.look(at: order.id)
        #expect(paid.state == .paid)
        async let one = cast.sales.look(at: order.id)
        async let other = cast.sales.look(at: order.id)
        _ = try? await (one, other)
        _ = try await cast.sales.sweep()
        await #expect(throws: OrderRefusal.self) { try await cast.sales.orders.deliver(paid) }
        #expect(await deals.settle() == [])
        #expect(try await cast.sales.sweep() == [])
        #expect(try await self.order(of: uma, cast).state == .delivered)
        #expect(try await cast.sales.purchases.purchase(of: order)?.over == nil)
        let grant = try #require(try await cast.sales.grants.grant(ofOrder: order.id))
        #expect(try await cast.sales.grants.verdict(on: grant.id).verdict == .valid)
        #expect(try await cast.letters(to: uma).count == 1)
    }

    @Test func `a request is paid before there is a track, and delivered with it`() async throws {
        let cast = try await SaleCast()
        let (deals, uma, pia) = (deals(cast), cast.beats.uma, cast.beats.pia)
        let id = try await deals.requests.ask(RequestDraft(to: pia, words: "Slow", key: "k"), by: uma)
        try await deals.requests.act(.price(DealCast.euros(4000)), on: id, seen: 0, by: pia)
        try await deals.requests.act(.agree(DealCast.euros(4000)), on: id, seen: 1, by: uma)
        let agreed = try #require(try await deals.requests.request(id, for: uma))
        await #expect(throws: DealRefusal.notYourTurn) { _ = try await deals.pay(agreed, by: pia) }
        let order = try await deals.pay(agreed, by: uma)
        #expect(try await deals.pay(agreed, by: uma).id == order.id)
        #expect(order.address?.contains("/beats/purchases/") == true && order.terms.price == DealCast.euros(4000))
        #expect(try await cast.sales.markPaid(order.id, by: pia).state == .paid)
        let paid = try #require(try await deals.requests.request(id, for: pia))
        #expect(paid.state.phase == .paid)
        try await deals.deliver(cast.track.id, for: paid, by: pia)
        #expect(try await deals.requests.request(id, for: uma)?.state.phase == .delivered)
        #expect(try await self.order(of: uma, cast).state == .delivered)
        #expect(try await cast.letters(to: uma).contains { $0.contains("licence.pdf") })
    }

    @Test func `nobody bids while somebody buys the work outright, not even with a card that was kept before`()
        async throws
    {
        let cast = try await SaleCast()
        let (deals, uma) = (deals(cast), cast.beats.uma)
        let auction = try await deals.auctions.open(
            AuctionTerms(start: DealCast.euros(5000), step: 100, ends: cast.house.now.addingTimeInterval(7200)),
            of: cast.track.id, by: cast.beats.pia, key: "k")
        let binding = try await deals.auctions.binding(of: DealCast.euros(6000), upon: auction, by: uma)
        // Her card is being asked for.
        let tried = try await deals.auctions.attempt(binding, by: uma, key: "k")
        let order = try await cast.buy(try await cast.offer(.exclusive), by: cast.beats.rob)
        let until = try #require(order.until)
        await #expect(throws: BidRefusal.taken(until: until)) { try await deals.auctions.place(tried) }
        await #expect(throws: BidRefusal.taken(until: until)) {
            try await deals.auctions.binding(of: DealCast.euros(7000), upon: auction, by: cast.beats.ari)
        }
        _ = try await cast.sales.markUnpaid(order.id, by: cast.beats.pia)
        #expect(try await deals.auctions.place(tried).bid.money == DealCast.euros(6000))
        await #expect(throws: PurchaseRefusal.promised) {
            try await cast.buy(try await cast.sales.offers.offers(of: cast.track.work)[0], by: cast.beats.rob, key: "r")
        }
    }

    @Test func `bids that wait are looked at a part after the other`() async throws {
        let cast = try await SaleCast()
        let deals = deals(cast)
        let auction = try await deals.auctions.open(
            AuctionTerms(start: DealCast.euros(5000), step: 100, ends: cast.house.now.addingTimeInterval(7200)),
            of: cast.track.id, by: cast.beats.pia, key: "k")
        for (number, bidder) in [cast.beats.uma, cast.beats.rob, cast.beats.ari].enumerated() {
            let binding = try await deals.auctions.binding(
                of: DealCast.euros(6000 + 1000 * Int64(number)), upon: auction, by: bidder)
            _ = try await deals.bid(binding, by: bidder, key: "k")
        }
        let first = try await deals.auctions.tries([.placed], limit: 2)
        let rest = try await deals.auctions.tries([.placed], after: first.last?.sequence ?? 0, limit: 2)
        #expect(first.map(\.bidder) == [cast.beats.uma, cast.beats.rob] && rest.map(\.bidder) == [cast.beats.ari])
    }
}
