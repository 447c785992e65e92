import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpHTTP
import ChirpOrders
import ChirpTestKit
import Foundation
import GRDB
import LoopbackService
import Testing

/// Accounts that sellers connect, at a service that fails (boards.md 4.4).
@Suite struct SellerCardTests {
    private let sue = AccountID(rawValue: "id-sue")

    @Test
    func
        `an account is made with the hub's key for its seller, filled in on the service's pages, and may be charged then`()
        async throws
    {
        let world = try await OrderWorld()
        try await world.person("sue")
        #expect(try await world.payee("sue") == nil)
        let address = try #require(try await world.begin("sue"))
        let made = try #require(world.stripe.requests.first { $0.path == "/v1/accounts" })
        #expect(made.form == ["type": "standard", "metadata[seller]": "id-sue"])
        #expect(made.headers["Idempotency-Key"] == "seller-id-sue-1")
        #expect(world.stripe.requests.allSatisfy { $0.headers["Stripe-Account"] == nil })
        #expect(try await world.card("sue")?.state == .begun)
        #expect(try await world.payee("sue") == nil)
        #expect(world.stripe.fillIn(at: address) == OrderWorld.back)
        #expect(world.stripe.fillIn(at: address) == nil, "its pages open once")
        try await world.cards.look(at: sue)
        let account = try #require(world.stripe.accounts.first?.id)
        #expect(try await world.payee("sue") == .connected(account))
        #expect(try await world.begin("sue") == nil, "there is nothing to say any more")
    }

    @Test func `the address of its pages is written nowhere`() async throws {
        let world = try await OrderWorld()
        try await world.person("sue")
        let address = try #require(try await world.begin("sue"))
        let name = try #require(address.split(separator: "/").last)
        try await world.library.reading { database in
            for table in try String.fetchAll(database, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'") {
                let rows = try Row.fetchAll(database, sql: "SELECT * FROM \"\(table)\"")
                #expect(!rows.contains { "\($0)".contains(name) }, "\(table)")
            }
        }
    }

    @Test func `a second press, also at the same time, makes no second account`() async throws {
        let world = try await OrderWorld()
        try await world.person("sue")
        try await withThrowingTaskGroup { group in
            for _ in 0..<8 { group.addTask { try await world.begin("sue") } }
            try await group.waitForAll()
        }
        #expect(world.stripe.accounts.map(\.metadata) == [["seller": "id-sue"]])
        #expect(try await world.card("sue")?.account == world.stripe.accounts.first?.id)
    }

    @Test func `who dies between the call and the row is followed by one that finds the same account`() async throws {
        let world = try await OrderWorld()
        try await world.person("sue")
        let dying = EventfulTransport(path: "/v1/accounts") { () async throws(HTTPError) in throw .cancelled }
        let dead = try await OrderWorld(after: world, transport: dying)
        await #expect(throws: OrderRefusal.self) { try await dead.begin("sue") }
        #expect(world.stripe.accounts.count == 1)
        let other = try await OrderWorld(after: world)
        #expect(try await other.card("sue")?.account == nil)
        other.wait(61)
        #expect(try await other.cards.sweep().isEmpty)
        #expect(try await other.card("sue")?.account == world.stripe.accounts.first?.id)
        #expect(try await other.begin("sue") != nil)
        #expect(world.stripe.accounts.count == 1)
    }

    @Test func `a service that fails leaves what can be tried again`() async throws {
        let world = try await OrderWorld()
        try await world.person("sue")
        world.stripe.answer(
            [.json(500, "{}"), .json(429, "{}"), .json(200, "no JSON"), .json(200, "{}").lost], at: "/v1/accounts")
        for _ in 0..<3 { await #expect(throws: OrderRefusal.self) { try await world.begin("sue") } }
        _ = try? await world.begin("sue")
        world.stripe.answer([.json(503, "{}")], at: "/v1/account_links")
        await #expect(throws: OrderRefusal.self) { try await world.begin("sue") }
        #expect(try await world.begin("sue") != nil)
        #expect(world.stripe.accounts.count == 1)
    }

    @Test func `where nobody may connect accounts that is said, and once they may it goes on`() async throws {
        let world = try await OrderWorld()
        try await world.person("sue")
        world.stripe.setPlatform(false)
        for _ in 0..<2 {
            do {
                try await world.begin("sue")
                Issue.record("an account was made")
            } catch {
                guard case OrderRefusal.payment(.refused) = error else { throw error }
            }
        }
        let api = try #require(WebAddress(world.stripe.base))
        let service = StripeConnect(CurlTransport(), api: api, key: .init(LoopbackStripe.key))
        #expect(try await !service.isPossible())
        world.stripe.setPlatform(true)
        #expect(try await service.isPossible())
        #expect(try await world.begin("sue") != nil)
        let stranger = StripeConnect(CurlTransport(), api: api, key: .init("pk_wrong"))
        await #expect(throws: PaymentError.self) { try await stranger.isPossible() }
    }

    @Test func `an answer about somebody else's account, or about none, names nobody's`() async throws {
        let world = try await OrderWorld()
        try await world.person("sue")
        for answer in [
            #"{"id":"acct_1","metadata":{"seller":"id-mia"}}"#, #"{"id":"acct_1"}"#,
            #"{"id":"acct_1/../x","metadata":{"seller":"id-sue"}}"#, #"{"id":"cus_1","metadata":{"seller":"id-sue"}}"#,
        ] {
            world.stripe.answer([.json(200, answer)], at: "/v1/accounts")
            await #expect(throws: OrderRefusal.self) { try await world.begin("sue") }
            #expect(try await world.card("sue")?.account == nil)
        }
        world.stripe.answer([.json(200, #"{"url":"javascript:alert(1)"}"#)], at: "/v1/account_links")
        await #expect(throws: OrderRefusal.self) { try await world.begin("sue") }
    }

    @Test func `messages tell what to ask, twice, late, in any order, and forged ones tell nothing`() async throws {
        let world = try await OrderWorld()
        let account = try await world.connect("sue")
        let told = world.stripe.messages.count
        world.stripe.set(account, mayBeCharged: false)
        world.stripe.set(account, mayBeCharged: true)
        world.stripe.set(account, mayBeCharged: false)
        let messages = Array(world.stripe.messages.dropFirst(told))
        #expect(messages.map(\.account) == [account, account, account])
        for message in messages { #expect(await world.take(message, fault: .forged) != nil) }
        #expect(try await world.card("sue")?.state == .ready)
        // The one in the middle says that it may be charged.
        for message in messages.reversed() + messages { #expect(await world.take(message) == nil) }
        #expect(try await world.card("sue")?.state == .begun)
        #expect(try await world.payee("sue") == nil)
        for message in messages {
            #expect(try await world.store.event(message.id, of: "stripe")?.outcome == "applied: account")
        }
        // Those of the hub's own account are signed by another secret, which is as good.
        world.stripe.set(account, mayBeCharged: true)
        let last = try #require(world.stripe.messages.last)
        #expect(await world.take(.init(id: last.id, type: last.type, content: last.content)) == nil)
        #expect(try await world.card("sue")?.state == .ready)
    }

    @Test func `messages about accounts that nobody here has change nothing`() async throws {
        let world = try await OrderWorld()
        let account = try await world.connect("sue")
        let content =
            #"{"id":"evt_x","type":"account.updated","account":"acct_9","data":{"object":{"id":"\#(account)","object":"account","charges_enabled":false}}}"#
        let message = LoopbackStripe.Message(
            id: "evt_x", type: "account.updated", content: Array(content.utf8), account: "acct_9")
        #expect(await world.take(message) == nil)
        #expect(try await world.store.event("evt_x", of: "stripe")?.outcome == "refused: no such account")
        #expect(try await world.card("sue")?.state == .ready)
    }

    @Test func `a message whose answer does not come is applied by the sweep`() async throws {
        let world = try await OrderWorld()
        let account = try await world.connect("sue")
        world.stripe.set(account, mayBeCharged: false)
        world.stripe.answer([.json(503, "{}")], at: "/v1/accounts/\(account)")
        #expect(await world.take(try #require(world.stripe.messages.last)) == nil)
        #expect(try await world.card("sue")?.state == .ready)
        let other = try await OrderWorld(after: world)
        other.wait(121)
        try await other.sweep()
        #expect(try await other.card("sue")?.state == .begun)
    }

    @Test func `an account that is connected no more is followed by another one`() async throws {
        let world = try await OrderWorld()
        let account = try await world.connect("sue")
        world.stripe.disconnect(account)
        await world.deliverMessages()
        #expect(try await world.card("sue")?.state == .gone)
        #expect(try await world.payee("sue") == nil)
        let other = try await world.connect("sue")
        #expect(other != account && world.stripe.accounts.map(\.id) == [account, other])
        #expect(try await world.payee("sue") == .connected(other))
        // Its last message comes again.
        await world.deliverMessages()
        #expect(try await world.payee("sue") == .connected(other))
    }

    @Test func `who presses before that is known gets another one at once`() async throws {
        let world = try await OrderWorld()
        let account = try await world.connect("sue")
        world.stripe.disconnect(account)
        #expect(try await world.begin("sue") != nil)
        #expect(world.stripe.accounts.count == 2)
        #expect(try await world.card("sue")?.account != account)
    }

    @Test func `who has ended it is paid by hand, and takes up the same account again`() async throws {
        let world = try await OrderWorld()
        let account = try await world.connect("sue")
        for _ in 0..<2 { try await world.cards.end(sue) }
        #expect(try await world.card("sue")?.state == .ended)
        #expect(try await world.payee("sue") == nil)
        world.stripe.set(account, mayBeCharged: true)
        await world.deliverMessages()
        world.wait(3 * 86_400)
        #expect(try await world.cards.sweep().isEmpty)
        #expect(try await world.card("sue")?.state == .ended)
        #expect(try await world.begin("sue") == nil)
        #expect(try await world.payee("sue") == .connected(account))
        #expect(world.stripe.accounts.count == 1)
    }

    @Test func `an answer that was overtaken is not written down`() async throws {
        let world = try await OrderWorld()
        let account = try await world.connect("sue")
        let ends = EventfulTransport(path: "/v1/accounts/\(account)") { [sue] () async throws(HTTPError) in
            try? await world.cards.end(sue)
        }
        let slow = try await OrderWorld(after: world, transport: ends)
        #expect(try await slow.cards.look(at: sue)?.state == .ended)
        #expect(try await world.card("sue")?.state == .ended)
    }

    @Test func `each account is asked about once a day, since messages get lost`() async throws {
        let world = try await OrderWorld()
        let account = try await world.connect("sue")
        world.stripe.set(account, mayBeCharged: false)
        #expect(try await world.cards.sweep().isEmpty)
        #expect(try await world.card("sue")?.state == .ready)
        world.wait(86_401)
        world.stripe.answer([.json(503, "{}")], at: "/v1/accounts/\(account)")
        #expect(try await world.cards.sweep().count == 1)
        world.wait(121)
        #expect(try await world.cards.sweep().isEmpty)
        #expect(try await world.card("sue")?.state == .begun)
    }

    @Test func `she is told once that buyers can pay by card, once that they cannot any more, and anew when they can`()
        async throws
    {
        let world = try await OrderWorld()
        let account = try await world.connect("sue")
        func told() async throws -> [Notice.Kind] {
            try await world.library.seen(by: .member(sue)).notices(limit: 20).reversed().map(\.kind)
        }
        for _ in 0..<3 { try await world.cards.look(at: sue) }
        await world.deliverMessages()
        #expect(try await told() == [.cardsTaken])
        // A payment that is refused there is a doubt, and no news once it is settled.
        try await world.library.transact {
            try $0.execute(sql: "UPDATE sellerCards SET isReady = 0, version = version + 1")
        }
        #expect(try await world.card("sue")?.state == .begun)
        try await world.cards.look(at: sue)
        #expect(try await world.card("sue")?.state == .ready)
        #expect(try await told() == [.cardsTaken])
        world.stripe.set(account, mayBeCharged: false)
        for _ in 0..<2 { await world.deliverMessages() }
        try await OrderWorld(after: world).cards.look(at: sue)
        #expect(try await told() == [.cardsTaken, .cardsRefused])
        world.stripe.set(account, mayBeCharged: true)
        await world.deliverMessages()
        world.stripe.disconnect(account)
        for _ in 0..<2 { await world.deliverMessages() }
        #expect(try await told() == [.cardsTaken, .cardsRefused, .cardsTaken, .cardsRefused])
        // What she ends herself she knows.
        _ = try await world.connect("sue")
        try await world.cards.end(sue)
        let all = try await told()
        #expect(all.count == 5 && all.last == .cardsTaken)
    }

    @Test func `her export has the account, and nothing of it is left when she is erased`() async throws {
        let world = try await OrderWorld()
        let account = try await world.connect("sue")
        let export = try await world.library.export(of: sue)
        let bytes = try #require(export.documents.first { $0.name == "cards.json" }?.bytes)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains(account) && text.contains("ready"))
        try await world.library.transact { try $0.execute(sql: "DELETE FROM accounts WHERE id = 'id-sue'") }
        let left = try await world.library.reading { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM sellerCards") }
        #expect(left == 0)
        #expect(try await world.payee("sue") == nil)
    }

    @Test(arguments: [
        "UPDATE sellerCards SET account = 'acct_evil'", "UPDATE sellerCards SET seller = 'id-mia'",
        "INSERT INTO sellerCards (seller, account, round, since) SELECT 'id-mia', account, 1, 0 FROM sellerCards",
        "UPDATE sellerCards SET round = 0", "UPDATE sellerCards SET account = NULL, round = round + 1",
    ])
    func `the library itself keeps whose account is whose`(_ sql: String) async throws {
        let world = try await OrderWorld()
        _ = try await world.connect("sue")
        try await world.person("mia")
        await #expect(throws: (any Error).self) { try await world.library.transact { try $0.execute(sql: sql) } }
    }
}
