import ChirpAccounts
import ChirpBeats
import ChirpCommunity
import ChirpOrders
import Foundation
import GRDB
import HubHousehold
import Testing

/// Bids whose cards are asked for first, over a provider that tests play (AR-5, AR-11).
@Suite struct DealDeskTests {
    private static let links = HubLinks(publicURL: HubHousehold.publicURL)

    private struct World {
        let cast: BeatCast
        let cards = CardDesk()
        let orders: OrderDesk
        let deals: DealDesk
        let item: HubID
        let auction: HubID

        init(hours: Double) async throws {
            cast = try await BeatCast()
            item = try await cast.offer("Rain", by: cast.pia)
            let library = cast.library
            let master = try #require(try await cast.track(item, for: .member(cast.pia)).master)
            try Data(SaleCast.wave).write(to: URL(filePath: library.master(master)))
            let sales = SaleDesk(
                library: library, links: DealDeskTests.links,
                payments: SalePayments(cards: cards))
            orders = sales.orders
            deals = DealDesk(library: library, links: DealDeskTests.links, money: sales.deals)
            let terms = AuctionTerms(
                start: DealCast.euros(1000), step: 100, ends: cast.house.now.addingTimeInterval(hours * 3600))
            auction = try await deals.auctions.open(terms, of: item, by: cast.pia, key: "k")
        }

        func bid(_ cents: Int64, by bidder: AccountID, key: String = "k") async throws -> BidStep {
            let binding = try await deals.auctions.binding(of: DealCast.euros(cents), upon: auction, by: bidder)
            return try await deals.bid(binding, by: bidder, key: key)
        }

        /// Her newest order.
        func order(_ bidder: AccountID) async throws -> Order {
            guard let order = try await orders.store.orders(of: bidder, as: .buyer).first else { throw Unexpected() }
            return order
        }

        /// She bids and gives her card.
        func bidWhole(_ cents: Int64, by bidder: AccountID, key: String = "k") async throws {
            guard case .card = try await bid(cents, by: bidder, key: key) else { throw Unexpected() }
            cards.give(try await order(bidder).id)
            cast.house.wait(60)
            _ = await deals.settle()
        }

        func seen(by account: AccountID) async throws -> Auction {
            guard let auction = try await deals.auctions.auction(of: item, for: .member(account)) else {
                throw Unexpected()
            }
            return auction
        }
    }

    @Test(arguments: [(hours: 24.0, method: Order.Method.hold), (hours: 24.0 * 10, method: .card)])
    func `a bid counts when its card was given; money is held where the end is near`(
        _ given: (hours: Double, method: Order.Method)
    ) async throws {
        let world = try await World(hours: given.hours)
        let (cast, uma) = (world.cast, world.cast.uma)
        guard case .card(let address) = try await world.bid(1000, by: uma) else {
            Issue.record("a card is asked for")
            return
        }
        let order = try await world.order(uma)
        #expect(address == "https://pay.example/\(order.id)" && order.method == given.method)
        #expect(order.terms.licence == .exclusive)
        #expect(try await world.seen(by: uma).bidCount == 0)
        // The same again asks for the same card.
        guard case .card(let again) = try await world.bid(1000, by: uma) else { throw Unexpected() }
        #expect(again == address)
        world.cards.give(order.id)
        cast.house.wait(30)
        #expect(await world.deals.settle() == [])
        #expect(try await world.seen(by: uma).isLeading)
        let same = BidBinding(
            auction: world.auction, version: 1, money: DealCast.euros(1000),
            card: given.method == .hold ? .hold : .keep)
        guard case .placed(let receipt) = try await world.deals.bid(same, by: uma, key: "k") else {
            Issue.record("it counts")
            return
        }
        #expect(receipt.bid.money == DealCast.euros(1000))
        #expect(try await world.seen(by: uma).bidCount == 1)
    }

    @Test func `whoever is outbid gets her card back, and the winner is charged what was shown`() async throws {
        let world = try await World(hours: 2)
        let (uma, ari) = (world.cast.uma, world.cast.ari)
        try await world.bidWhole(1000, by: uma)
        try await world.bidWhole(1500, by: ari)
        let (lost, won) = (try await world.order(uma), try await world.order(ari))
        #expect(world.cards.letGo == [lost.id] && lost.state == .released)
        world.cast.house.wait(2 * 3600)
        #expect(await world.deals.settle() == [])
        #expect(world.cards.charges == [won.id])
        #expect(try await world.order(ari).state == .paid)
        _ = try await world.orders.sweep()
        #expect(try await world.order(ari).state == .delivered)
        let sold = try await world.seen(by: ari)
        #expect(sold.phase == .sold && sold.isLeading)
        #expect(await world.deals.settle() == [])
        #expect(world.cards.letGo == [lost.id])
    }

    @Test func `a bid whose card comes too late binds nobody, and extends nothing`() async throws {
        let world = try await World(hours: 1.5)
        let (uma, ari) = (world.cast.uma, world.cast.ari)
        guard case .card = try await world.bid(1000, by: uma) else { throw Unexpected() }
        let ends = try await world.seen(by: uma).ends
        try await world.bidWhole(1000, by: ari)
        world.cards.give(try await world.order(uma).id)
        _ = await world.deals.settle()
        // Somebody had bid as much by then.
        #expect(try await world.order(uma).state == .released)
        let after = try await world.seen(by: uma)
        #expect(after.bidCount == 1 && after.own == nil && after.ends == ends)
    }

    @Test func `whoever has won pays however often she asks at the moment at which she is charged`() async throws {
        let world = try await World(hours: 2)
        let uma = world.cast.uma
        try await world.bidWhole(1000, by: uma)
        let bid = try await world.order(uma)
        world.cast.house.wait(2 * 3600)
        try await world.deals.auctions.settle(at: world.cast.house.now)
        let auction = try await world.seen(by: uma)
        let deals = world.deals
        let orders = try await withThrowingTaskGroup(of: Order.self) { group in
            for _ in 0..<8 { group.addTask { try await deals.pay(auction, by: uma) } }
            return try await group.reduce(into: Set()) { $0.insert($1.id) }
        }
        #expect(orders == [bid.id] && world.cards.charges == [bid.id])
        #expect(await world.deals.settle() == [])
        #expect(try await world.order(uma).state == .paid)
    }

    @Test func `a bid that would win what somebody has paid for is let go, and nobody is charged`() async throws {
        let world = try await World(hours: 2)
        let (cast, uma) = (world.cast, world.cast.uma)
        try await world.bidWhole(1000, by: uma)
        let bid = try await world.order(uma)
        let other = try await world.orders.buy(
            OrderDraft(
                key: "other", buyer: cast.ari, seller: cast.pia, item: nil,
                terms: OrderTerms(
                    kind: .buy, scope: bid.terms.scope, licence: .exclusive, price: DealCast.euros(0)),
                provider: world.cards.name))
        #expect(other.state == .paid)
        cast.house.wait(2 * 3600)
        for _ in 0..<2 { #expect(await world.deals.settle() == []) }
        #expect(world.cards.charges.isEmpty && world.cards.letGo == [bid.id])
        #expect(try await world.order(uma).state == .released)
    }

    @Test func `whoever has won and was never charged gets her hold back when it is sold to the next`() async throws {
        let world = try await World(hours: 2)
        let (cast, uma, ari, auction) = (world.cast, world.cast.uma, world.cast.ari, world.auction)
        try await world.bidWhole(1000, by: uma)
        try await world.bidWhole(1500, by: ari)
        let won = try await world.order(ari)
        // The hub stops right after the end, and is away for as long as she had to pay.
        cast.house.wait(2 * 3600)
        try await world.deals.auctions.settle(at: cast.house.now)
        cast.house.wait(48 * 3600 + 1)
        try await world.deals.auctions.settle(at: cast.house.now)
        #expect(try await world.order(ari).state == .bound)
        let now = Int64(cast.house.now.timeIntervalSince1970 * 1000)
        try await cast.library.transact { database in
            try AuctionStore.paid(
                auction, by: uma, DealCast.euros(1000), payment: "p", at: now, in: database)
        }
        #expect(await world.deals.settle() == [])
        #expect(try await world.order(ari).state == .released)
        #expect(world.cards.charges.isEmpty && world.cards.letGo.contains(won.id))
        #expect(try await world.deals.auctions.tries([.placed, .won]).isEmpty)
    }

    @Test func `a bidder who never comes back leaves nothing behind`() async throws {
        let world = try await World(hours: 24)
        guard case .card = try await world.bid(1000, by: world.cast.uma) else { throw Unexpected() }
        world.cast.house.wait(3 * 3600)
        _ = await world.deals.settle()
        #expect(try await world.deals.auctions.tries([.waiting]).isEmpty)
        #expect(try await [.released, .expired].contains(world.order(world.cast.uma).state))
    }

    @Test func `a key tells one bid from another`() async throws {
        let world = try await World(hours: 24)
        _ = try await world.bid(1000, by: world.cast.uma)
        await #expect(throws: BidRefusal.keyUsed) { _ = try await world.bid(1200, by: world.cast.uma) }
        await #expect(throws: BidRefusal.key(most: AuctionStore.longestKey)) {
            _ = try await world.bid(1200, by: world.cast.uma, key: "")
        }
        await #expect(throws: BidRefusal.own) { _ = try await world.bid(1200, by: world.cast.pia, key: "z") }
    }

    @Test func `a request is handed over with a track of its producer's own`() async throws {
        let world = try await World(hours: 24)
        let (cast, requests) = (world.cast, world.deals.requests)
        let others = try await cast.offer("Theirs", by: cast.rob)
        let id = try await requests.ask(RequestDraft(to: cast.pia, words: "Slow", key: "k"), by: cast.uma)
        try await requests.act(.price(DealCast.euros(4000)), on: id, seen: 0, by: cast.pia)
        try await requests.act(.agree(DealCast.euros(4000)), on: id, seen: 1, by: cast.uma)
        await #expect(throws: RequestRefusal.notNow(.deliver, .agreed)) {
            try await requests.bring(world.item, for: id, by: cast.pia)
        }
        try await cast.library.transact { try requests.paid(id, DealCast.euros(4000), payment: "p", in: $0) }
        await #expect(throws: RequestRefusal.notYours) { try await requests.bring(others, for: id, by: cast.pia) }
        await #expect(throws: RequestRefusal.notFound) { try await requests.bring(world.item, for: id, by: cast.uma) }
        try await requests.bring(world.item, for: id, by: cast.pia)
        #expect(try await cast.library.reading { try requests.track(of: id, in: $0) } == world.item)
    }
}
