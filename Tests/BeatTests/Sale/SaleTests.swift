import ChirpAccounts
import ChirpBeats
import ChirpCommunity
import ChirpOrders
import ChirpTestKit
import Foundation
import GRDB
import HubHousehold
import Testing

/// From a licence to file and paper in the inbox (AR-5, AR-12, AR-16, AR-17).
@Suite struct SaleTests {
    @Test func `what is paid by hand is delivered once, with a paper that holds and a file that stays`() async throws {
        let cast = try await SaleCast()
        let order = try await cast.buy(try await cast.offer(), by: cast.beats.uma)
        #expect(order.state == .reserved && order.terms.price.description == "29.90 EUR")
        #expect(order.address == "\(HubHousehold.publicURL)/beats/purchases/\(order.id)")
        #expect(try await cast.letters(to: cast.beats.uma).isEmpty)
        await #expect(throws: OrderRefusal.notFound) {
            try await cast.sales.markPaid(order.id, by: cast.beats.rob)
        }
        let delivered = try await cast.sales.markPaid(order.id, by: cast.beats.pia)
        #expect(delivered.state == .delivered)
        for _ in 0..<3 { _ = try? await cast.sales.markPaid(order.id, by: cast.beats.pia) }
        _ = try await cast.sales.look(at: order.id)
        #expect(try await cast.sales.sweep().isEmpty)
        let letters = try await cast.letters(to: cast.beats.uma)
        #expect(letters.count == 1)
        let grant = try #require(try await cast.sales.grants.grant(ofOrder: order.id))
        for part in ["@uma", "/beats/grants/\(grant.id)/licence.pdf", "/beats/licences/\(grant.id)", "Slow-rain.wav"] {
            #expect(letters.first?.contains(part) == true, "\(part)")
        }
        #expect(grant.says.licensee == "Uma Jones" && grant.says.licensor == "Pia")
        #expect(try await cast.sales.grants.verdict(on: grant.id).verdict == .valid)
        let file = try #require(grant.says.files.first)
        #expect(file.bytes == Int64(SaleCast.wave.count))
        let kept = cast.house.folder.path("hub/sold/\(file.sha256)")
        #expect(try Data(contentsOf: URL(filePath: kept)) == Data(SaleCast.wave))
    }

    @Test func `a price that changes during a purchase does not change it`() async throws {
        let cast = try await SaleCast()
        let first = try await cast.offer()
        let order = try await cast.buy(first, by: cast.beats.uma)
        _ = try await cast.offer(at: .amount(LicenceAmount(9900, "EUR", decimals: 2)), instead: first.id)
        #expect(try await cast.buy(first, by: cast.beats.uma) == order, "the same form is the same order")
        _ = try await cast.sales.markPaid(order.id, by: cast.beats.pia)
        let grant = try #require(try await cast.sales.grants.grant(ofOrder: order.id))
        #expect(grant.says.terms.price == first.terms.price)
        await #expect(throws: PurchaseRefusal.changed) {
            try await cast.buy(first, by: cast.beats.rob, key: "later")
        }
    }

    @Test func `what is free skips payment, and a price to agree on is not bought`() async throws {
        let cast = try await SaleCast()
        let order = try await cast.buy(try await cast.offer(at: .free), by: cast.beats.uma)
        #expect(order.state == .delivered && order.method == .none)
        #expect(try await cast.letters(to: cast.beats.uma).count == 1)
        let open = try await cast.offer(.unlimited, at: .offer)
        await #expect(throws: PurchaseRefusal.onlyByOffer) { try await cast.buy(open, by: cast.beats.uma, key: "2") }
    }

    @Test func `an exclusive names earlier licences first, has one winner, and takes the track out of the shop`()
        async throws
    {
        let cast = try await SaleCast()
        let (lease, exclusive) = (try await cast.offer(), try await cast.offer(.exclusive))
        let seen = try await cast.sales.earlier(cast.track.work)
        let sold = try await cast.sales.markPaid(
            try await cast.buy(lease, by: cast.beats.ari, named: "Ari").id, by: cast.beats.pia)
        await #expect(throws: PurchaseRefusal.moreLicences) {
            try await cast.sales.buy(
                exclusive, of: cast.track, by: cast.beats.uma, named: "Uma", seen: seen.digest, key: "e")
        }
        #expect(try await cast.sales.earlier(cast.track.work).grants.count == 1)
        let order = try await cast.buy(exclusive, by: cast.beats.uma, key: "e")
        let until = try #require(order.until)
        await #expect(throws: PurchaseRefusal.order(.taken(until: until))) {
            try await cast.buy(exclusive, by: cast.beats.rob, key: "r")
        }
        await #expect(throws: TrackRefusal.self, "what somebody pays for stays in the shop") {
            var parts = BeatParts()
            parts.sell(by: cast.sales)
            try await TrackStore(library: cast.beats.library, hold: parts.hold).retire(
                cast.track.id, by: cast.beats.pia)
        }
        _ = try await cast.sales.markPaid(order.id, by: cast.beats.pia)
        #expect(try await cast.beats.track(cast.track.id, for: .visitor).item.outcome == TrackOutcome.sold)
        await #expect(throws: PurchaseRefusal.order(.sold)) { try await cast.buy(lease, by: cast.beats.rob, key: "r") }
        let earlier = try #require(try await cast.sales.grants.grant(ofOrder: sold.id))
        #expect(earlier.isInForce(at: cast.house.now), "leases stay valid")
    }

    @Test func `a reservation that nobody has paid in time is free for the next, although nobody has swept`()
        async throws
    {
        let cast = try await SaleCast()
        let exclusive = try await cast.offer(.exclusive)
        let first = try await cast.buy(exclusive, by: cast.beats.uma)
        cast.house.wait(4 * 86_400)
        let second = try await cast.buy(exclusive, by: cast.beats.rob, key: "r")
        #expect(second.state == .reserved)
        #expect(try await cast.sales.orders.store.order(first.id)?.state == .expired)
    }

    @Test func `money that has gone back ends the licence, and the statement adds up`() async throws {
        let cast = try await SaleCast()
        let offer = try await cast.offer()
        let orders = [
            try await cast.buy(offer, by: cast.beats.uma), try await cast.buy(offer, by: cast.beats.rob),
        ]
        for order in orders { _ = try await cast.sales.markPaid(order.id, by: cast.beats.pia) }
        let back = try await cast.sales.refund(orders[0].id, by: cast.beats.pia, reason: "by mistake")
        #expect(back.state == .refunding)
        #expect(try await cast.sales.confirmRefund(orders[0].id, by: cast.beats.uma).state == .refunded)
        let grant = try #require(try await cast.sales.grants.grant(ofOrder: orders[0].id))
        #expect(grant.ending?.why == .refunded && !grant.isInForce(at: cast.house.now))
        let sums = try await cast.sales.orders.store.sums(of: cast.beats.pia)
        #expect(sums.map(\.paid.amount) == [5980] && sums.map(\.back.amount) == [2990] && sums.map(\.count) == [2])
        #expect(try await cast.sales.orders.store.sums(of: cast.beats.uma).isEmpty)
    }

    @Test func `nobody has paid, says the seller, and it is free`() async throws {
        let cast = try await SaleCast()
        let exclusive = try await cast.offer(.exclusive)
        let order = try await cast.buy(exclusive, by: cast.beats.uma)
        #expect(try await cast.sales.markUnpaid(order.id, by: cast.beats.pia).state == .failed)
        #expect(try await cast.buy(exclusive, by: cast.beats.rob, key: "r").state == .reserved)
    }

    @Test func `whoever is erased while she waits gets nothing and nobody keeps her name`() async throws {
        let cast = try await SaleCast()
        let order = try await cast.buy(try await cast.offer(), by: cast.beats.uma, named: "Uma Von Secret")
        try await cast.beats.library.transact { try Beats.tables.erase(cast.beats.uma, $0) }
        #expect(try await cast.house.traces(of: ["Uma Von Secret"]).isEmpty)
        _ = try await cast.sales.orders.store.order(order.id)
        let left = try await cast.sales.markPaid(order.id, by: cast.beats.pia)
        #expect(left.state == .paid, "the account is still there, the name is not")
        _ = try await cast.sales.sweep()
        #expect(try await cast.sales.orders.store.order(order.id)?.state == .refunding)
    }

    @Test func `a form that was refused is looked at anew when it is sent again`() async throws {
        let cast = try await SaleCast()
        let (lease, exclusive) = (try await cast.offer(), try await cast.offer(.exclusive))
        let first = try await cast.buy(exclusive, by: cast.beats.uma)
        let seen = try await cast.sales.earlier(cast.track.work).digest
        @Sendable func again() async throws {
            _ = try await cast.sales.buy(
                exclusive, of: cast.track, by: cast.beats.rob, named: "Rob", seen: seen, key: "r")
        }
        let until = try #require(first.until)
        await #expect(throws: PurchaseRefusal.order(.taken(until: until))) { try await again() }
        _ = try await cast.sales.markUnpaid(first.id, by: cast.beats.pia)
        _ = try await cast.buy(lease, by: cast.beats.ari)
        await #expect(throws: PurchaseRefusal.moreLicences) { try await again() }
        _ = try await cast.offer(
            .exclusive, at: .amount(LicenceAmount(99_000, "EUR", decimals: 2)), instead: exclusive.id)
        await #expect(throws: PurchaseRefusal.changed) { try await again() }
        #expect(try await cast.sales.orders.store.orders(of: cast.beats.rob, as: .buyer).isEmpty)
    }

    @Test
    func `whoever asks again for what she has bought is answered as before, although the track has left the shop`()
        async throws
    {
        let cast = try await SaleCast()
        let exclusive = try await cast.offer(.exclusive)
        let order = try await cast.buy(exclusive, by: cast.beats.uma)
        _ = try await cast.sales.markPaid(order.id, by: cast.beats.pia)
        let sold = try await cast.beats.track(cast.track.id, for: .member(cast.beats.uma))
        let again = try await cast.sales.buy(
            exclusive, of: sold, by: cast.beats.uma, named: "Uma Jones", seen: "", key: "form-1")
        #expect(again.id == order.id && again.state == .delivered)
        await #expect(throws: PurchaseRefusal.order(.sold)) {
            try await cast.sales.buy(exclusive, of: sold, by: cast.beats.rob, named: "Rob", seen: "", key: "r")
        }
    }

    @Test func `whoever gets the exclusive was told of every lease, also of those that are bought at the same moment`()
        async throws
    {
        let cast = try await SaleCast()
        let (lease, exclusive) = (try await cast.offer(), try await cast.offer(.exclusive))
        let (sales, store, work) = (cast.sales, cast.sales.orders.store, cast.track.work)
        for round in 0..<30 {
            let seen = try await sales.earlier(work)
            let other = Task { try await cast.buy(lease, by: cast.beats.ari, key: "lease \(round)") }
            let won: Order
            do {
                won = try await sales.buy(
                    exclusive, of: cast.track, by: cast.beats.uma, named: "Uma", seen: seen.digest, key: "all \(round)")
            } catch {
                #expect(error == .moreLicences)
                _ = try await other.value
                continue
            }
            #expect(try await store.leases(of: work.text, earlier: won).count == seen.coming)
            let until = try #require(won.until)
            await #expect(throws: PurchaseRefusal.order(.taken(until: until))) { try await other.value }
            _ = try await sales.markUnpaid(won.id, by: cast.beats.pia)
        }
    }
}
