import ChirpAccounts
import ChirpBeats
import ChirpCommunity
import ChirpOrders
import Foundation
import GRDB
import HubHousehold
import Testing

/// A track whose exclusive licence was given back is offered again when its seller says so (AR-17).
@Suite struct ReopeningTests {
    private func sum(_ cast: SaleCast) async throws -> Int64? {
        try await cast.beats.library.reading { try Int64.fetchOne($0, sql: "SELECT SUM(amount) FROM orderLedger") }
    }

    @Test func `it comes back by its seller's word once all money has gone back, and is sold anew`() async throws {
        let cast = try await SaleCast()
        let (pia, id) = (cast.beats.pia, cast.track.id)
        let (lease, exclusive) = (try await cast.offer(), try await cast.offer(.exclusive))
        let held = try await cast.sales.markPaid(try await cast.buy(lease, by: cast.beats.ari).id, by: pia)
        let order = try await cast.buy(exclusive, by: cast.beats.uma, key: "e")
        await #expect(throws: TrackRefusal.self) { try await cast.sales.reopen(id, by: pia) }
        _ = try await cast.sales.markPaid(order.id, by: pia)
        await #expect(throws: TrackRefusal.item(.state(.settled))) { try await cast.sales.reopen(id, by: pia) }
        #expect(try await cast.sales.refund(order.id, by: pia, reason: "a mistake").state == .refunding)
        await #expect(throws: TrackRefusal.item(.state(.settled)), "the money is not there yet") {
            try await cast.sales.reopen(id, by: pia)
        }
        #expect(try await cast.sales.refund(order.id, by: pia, reason: "").state == .refunding)
        await #expect(throws: TrackRefusal.item(.state(.settled)), "its buyer has not said so") {
            try await cast.sales.reopen(id, by: pia)
        }
        #expect(try await cast.sales.confirmRefund(order.id, by: cast.beats.uma).state == .refunded)
        #expect(try await cast.beats.track(id, for: .visitor).item.state == .settled, "not without her word")
        await #expect(throws: TrackRefusal.self) { try await cast.sales.reopen(id, by: cast.beats.rob) }
        try await cast.sales.reopen(id, by: pia)
        #expect(try await cast.beats.track(id, for: .visitor).item.state == .open)
        await #expect(throws: TrackRefusal.self, "once") { try await cast.sales.reopen(id, by: pia) }

        // The lease of before is named to the next buyer; each sale has its own rows.
        #expect(try await cast.sales.earlier(cast.track.work).grants.count == 1)
        let again = try await cast.buy(exclusive, by: cast.beats.rob, named: "Rob", key: "r")
        #expect(try await cast.sales.markPaid(again.id, by: pia).state == .delivered)
        #expect(try await cast.beats.track(id, for: .visitor).item.outcome == TrackOutcome.sold)
        let grants = try await cast.sales.grants.grants(of: pia, as: .licensor)
        #expect(grants.count == 3 && grants.filter { $0.isInForce(at: cast.house.now) }.count == 2)
        #expect(try await cast.sales.grants.grant(ofOrder: held.id)?.isInForce(at: cast.house.now) == true)
        let sums = try await cast.sales.orders.store.sums(of: pia)
        #expect(sums.map(\.paid.amount) == [3 * 2990] && sums.map(\.back.amount) == [2990])
        #expect(try await sum(cast) == 0)
    }

    @Test func `what an auction has sold and taken back can be auctioned and bought again`() async throws {
        let cast = try await SaleCast()
        let (pia, uma, id) = (cast.beats.pia, cast.beats.uma, cast.track.id)
        let deals = DealDesk(
            library: cast.beats.library, links: HubLinks(publicURL: HubHousehold.publicURL), money: cast.sales.deals)
        let exclusive = try await cast.offer(.exclusive)
        func terms() -> AuctionTerms {
            AuctionTerms(start: DealCast.euros(5000), step: 100, ends: cast.house.now.addingTimeInterval(7200))
        }
        let auction = try await deals.auctions.open(terms(), of: id, by: pia, key: "k")
        _ = try await deals.bid(
            try await deals.auctions.binding(of: DealCast.euros(6000), upon: auction, by: uma), by: uma, key: "k")
        cast.house.wait(7200)
        #expect(await deals.settle() == [])
        let order = try #require(try await cast.sales.orders.store.orders(of: uma, as: .buyer).first)
        #expect(try await cast.sales.markPaid(order.id, by: pia).state == .delivered)
        _ = try await cast.sales.refund(order.id, by: pia, reason: "a mistake")
        _ = try await cast.sales.confirmRefund(order.id, by: uma)
        try await cast.sales.reopen(id, by: pia)
        #expect(try await deals.auctions.auction(of: id, for: .member(uma))?.phase == .unsold)
        #expect(await deals.settle() == [], "nobody's turn comes again")
        #expect(try await cast.buy(exclusive, by: cast.beats.rob, key: "r").state == .reserved)
        cast.house.wait(4 * 86_400)
        _ = try await cast.sales.sweep()
        _ = try await deals.auctions.open(terms(), of: id, by: pia, key: "again")
        #expect(try await deals.auctions.auction(of: id, for: .member(uma))?.phase == .running)
    }

    @Test func `whoever bids is told which licences stay valid`() async throws {
        let cast = try await SaleCast()
        let deals = cast.sales.deals
        #expect(try await deals.earlier(cast.track.work).isEmpty)
        let lease = try await cast.offer()
        _ = try await cast.sales.markPaid(try await cast.buy(lease, by: cast.beats.ari).id, by: cast.beats.pia)
        _ = try await cast.buy(lease, by: cast.beats.rob, key: "r")
        let earlier = try await deals.earlier(cast.track.work)
        #expect(earlier.grants.map(\.licenceName) == ["WAV lease"] && earlier.coming == 1 && !earlier.isEmpty)
        #expect(try await earlier == cast.sales.earlier(cast.track.work))
        #expect(try await DealMoney(orders: cast.sales.orders).earlier(cast.track.work) == .none)
    }
}
