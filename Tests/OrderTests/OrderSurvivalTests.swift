import ChirpAccounts
import ChirpCommunity
import ChirpHTTP
import ChirpOrders
import Foundation
import LoopbackService
import Synchronization
import Testing

/// A process that is killed at any step leaves what another one brings to its end: money moves once, and what is paid is delivered once.
@Suite struct OrderSurvivalTests {
    /// Ends with the process: from the request of that number on nothing comes back, and that one may or may not have been carried out.
    private final class Dying: HTTPTransport {
        let base = CurlTransport()
        let last: Int
        let isDone: Bool
        let count = Mutex(0)

        init(last: Int, isDone: Bool) {
            self.last = last
            self.isDone = isDone
        }

        func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
            let number = count.withLock { count in
                count += 1
                return count
            }
            guard number > last || (number == last && !isDone) else {
                let answer = try await base.send(request)
                if number < last { return answer }
                throw .cancelled
            }
            throw .cancelled
        }
    }

    /// What is done until the process ends; what does not come back is no error here.
    private func all(_ acts: [() async throws -> Void]) async {
        for act in acts { try? await act() }
    }

    @Test(arguments: 1...5, [true, false])
    func `a purchase`(_ last: Int, _ isDone: Bool) async throws {
        let first = try await OrderWorld()
        let item = try await first.item()
        let draft = try first.draft(item, licence: .exclusive, key: "form")
        let dying = try await OrderWorld(after: first, transport: Dying(last: last, isDone: isDone))
        await all([
            { _ = try await dying.desk.buy(draft) },
            {
                let order = try await dying.store.orders(of: draft.buyer, as: .buyer).first
                if let address = order?.address { dying.stripe.pay(at: address) }
            },
            { await dying.deliverMessages() }, { _ = try await dying.desk.sweep() },
        ])
        let next = try await OrderWorld(after: first)
        let order = try await next.desk.buy(draft)
        if let address = order.address { next.stripe.pay(at: address) }
        for _ in 0..<3 {
            next.wait(130)
            try await next.sweep()
        }
        #expect(try await next.states() == [.delivered: 1])
        #expect(next.stripe.balance("eur") == 1250)
        #expect(try await next.earned() == 1250)
        #expect(try await Parcels.counts(next) == (all: 1, orders: 1, unpaid: 0))
    }

    @Test func `a purchase whose page was made without an answer is paid there as long as it is open`() async throws {
        let first = try await OrderWorld()
        let draft = try first.draft(try await first.item(), licence: .exclusive, key: "form")
        let dying = try await OrderWorld(after: first, transport: Dying(last: 1, isDone: true))
        await all([{ _ = try await dying.desk.buy(draft) }])
        let next = try await OrderWorld(after: first)
        next.wait(10 * 60)
        let order = try await next.desk.buy(draft)
        #expect(order.state == .reserved)
        next.stripe.pay(at: try #require(order.address))
        #expect(try await next.desk.look(at: order.id).state == .paid)
        #expect(next.stripe.count(of: "checkout.session") == 1)
    }

    @Test(arguments: 1...4, [true, false])
    func `money that goes back`(_ last: Int, _ isDone: Bool) async throws {
        let first = try await OrderWorld()
        let order = try await first.desk.buy(first.draft(try await first.item()))
        first.stripe.pay(at: try #require(order.address))
        await first.deliverMessages()
        let dying = try await OrderWorld(after: first, transport: Dying(last: last, isDone: isDone))
        await all([{ _ = try await dying.desk.refund(order.id, by: AccountID(rawValue: "id-ann"), reason: "sorry") }])
        let next = try await OrderWorld(after: first)
        for _ in 0..<3 {
            next.wait(130)
            try await next.sweep()
        }
        #expect(try await next.states() == [.refunded: 1])
        #expect(next.stripe.balance("eur") == 0)
        #expect(next.stripe.count(of: "refund") == 1)
        #expect(try await next.earned() == 0)
        #expect(try await Parcels.counts(next).all == 0)
    }

    @Test(arguments: 1...6, [3.0, 30])
    func `an auction`(_ last: Int, _ days: Double) async throws {
        let first = try await OrderWorld()
        let item = try await first.item()
        let ends = Date(timeIntervalSince1970: Double(first.now) + days * 86_400)
        var bids: [Order] = []
        for buyer in ["bob", "cat"] {
            let bid = try await first.desk.bid(
                first.draft(item, by: buyer, kind: .bid, licence: .exclusive, "80.00"), ends: ends)
            first.stripe.pay(at: try #require(bid.address))
            bids.append(bid)
        }
        await first.deliverMessages()
        let dying = try await OrderWorld(after: first, transport: Dying(last: last, isDone: last % 2 == 0))
        let (winner, loser) = (bids[0].id, bids[1].id)
        await all([{ _ = try await dying.desk.win(winner) }, { _ = try await dying.desk.lose(loser) }])
        let next = try await OrderWorld(after: first)
        for _ in 0..<4 {
            next.wait(300)
            try await next.sweep()
        }
        #expect(try await next.order(winner).state == .delivered)
        #expect(try await next.order(loser).state == .released)
        #expect(next.stripe.balance("eur") == 8000)
        #expect(next.stripe.count(of: "payment_intent", where: "requires_capture") == 0)
        #expect(try await Parcels.counts(next) == (all: 1, orders: 1, unpaid: 0))
    }

    @Test func `a message that was written down only`() async throws {
        let first = try await OrderWorld()
        let order = try await first.desk.buy(first.draft(try await first.item()))
        first.stripe.pay(at: try #require(order.address))
        let message = try #require(first.stripe.messages.last)
        let delivery = LoopbackStripe.delivery(of: message, secret: OrderWorld.secret, at: first.now)
        for event in try first.provider.events(delivery.content, signature: delivery.signature) {
            #expect(try await first.store.record(event, of: "stripe"))
        }
        let next = try await OrderWorld(after: first)
        // It comes again, and is known; the sweep does what it asked for.
        #expect(await next.take(message) == nil)
        #expect(try await next.order(order.id).state == .reserved)
        try await next.sweep()
        #expect(try await next.order(order.id).state == .delivered)
    }
}
