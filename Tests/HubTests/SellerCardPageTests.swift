import ChirpAccounts
import ChirpBeats
import ChirpCommunity
import ChirpCore
import ChirpHTTP
import ChirpHub
import ChirpOrders
import ChirpTestKit
import ChirpWeb
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import LoopbackService
import NIOCore
import Testing

/// Sellers who connect accounts of their own, as people without script and programs meet it, at a Stripe of our own (boards.md 4.4).
@Suite struct SellerCardPageTests {
    private let cast: HubCast
    private let stripe: LoopbackStripe
    private var house: HubHousehold { cast.house }
    private static let api = "/api/hub/v1/beats/sales/cards"
    private static let page = "/beats/sales"

    init() throws {
        cast = HubCast(house: try HubHousehold(boards: Boards.tables))
        stripe = try LoopbackStripe()
        stripe.set(now: Int64(house.now.timeIntervalSince1970))
    }

    private func application(connects: Bool = true) throws -> HubApplication {
        var settings = try cast.settings(limitScale: 1000)
        settings.payments.cards = HubPayments.Cards(
            key: Secret(LoopbackStripe.key), signing: [Secret("whsec_own")],
            connectSigning: connects ? [Secret("whsec_connect")] : [], api: stripe.base, pages: stripe.base,
            sellerPages: stripe.base)
        return try house.application(settings)
    }

    /// Where a licence of a track of somebody's is bought for 12.50.
    private func offered<R>(by seller: AccountID, _ token: String, _ client: RouterClient<R>) async throws -> String {
        try await house.change(
            "INSERT OR IGNORE INTO beatRoles (account, role, since) VALUES ('\(seller)', 'producer', 0)")
        let master = try #require(HubID(try await house.track(of: seller).text))
        try Data("RIFF\u{24}\0\0\0WAVEfmt a beat".utf8).write(to: URL(filePath: house.library.master(master)))
        let made = try await client.send(
            .post, "/api/hub/v1/beats", json: "{\"kind\":\"beat\",\"title\":\"Rain\",\"master\":\"\(master)\"}",
            token: token
        )
        let track = try #require(try made.facts["id"] as? String)
        let offer = try await client.send(
            .post, "/api/hub/v1/beats/\(track)/licences",
            json: #"{"template":"wav","files":["wav"],"amount":"12.50"}"#, token: token)
        return "/beats/\(track)/licences/\(try #require(try offer.facts["id"] as? String))/purchase"
    }

    /// What Stripe has told since a message comes to the hub.
    private func tell<R>(_ client: RouterClient<R>, from first: Int = 0, secret: String? = nil) async throws {
        for message in stripe.messages.dropFirst(first) {
            let delivery = LoopbackStripe.delivery(
                of: message, secret: secret ?? (message.account == nil ? "whsec_own" : "whsec_connect"),
                at: Int64(house.now.timeIntervalSince1970))
            var headers: HTTPFields = [:]
            headers[try #require(HTTPField.Name("Stripe-Signature"))] = delivery.signature
            let answer = try await client.execute(
                uri: "/api/hub/v1/payments/stripe", method: .post, headers: headers,
                body: ByteBuffer(bytes: delivery.content))
            #expect(answer.status == (secret == nil ? .noContent : .badRequest))
        }
    }

    @Test func `the walk: she connects an account, is paid there by card, gives back from there, and ends it`()
        async throws
    {
        let ann = try await cast.member("ann")
        try await cast.member("bob")
        let token = try await cast.token(of: ann)
        try await application().application().test(.router) { client in
            let buy = try await offered(by: ann.id, token, client)
            let (seller, buyer) = (try await cast.browser(of: "ann", client), try await cast.browser(of: "bob", client))
            let before = try await seller.get(Self.page)
            #expect(before.text.contains("data-cards=\"none\"") && before.text.contains("Go on to Stripe"))
            #expect(before.headers[.contentSecurityPolicy]?.contains("form-action 'self' \(stripe.base)") == true)
            let german = try await seller.get(Self.page, [.acceptLanguage: "de"])
            #expect(german.text.contains("Weiter zu Stripe"))
            // Until then by hand.
            let hand = try await buyer.submit(buy, [("name", "Bob")])
            #expect(hand.location.hasPrefix("/beats/purchases/"))
            let begun = try await seller.submit(Self.page, to: "\(Self.page)/cards")
            #expect(begun.status == .seeOther && begun.location.hasPrefix("\(stripe.base)/connect/"), "\(begun.text)")
            #expect(begun.headers[.cacheControl]?.contains("no-store") == true)
            #expect(try await seller.get(Self.page).text.contains("data-cards=\"begun\""))
            let back = try #require(stripe.fillIn(at: begun.location))
            let path = try #require(back.range(of: "/beats/").map { String(back[$0.lowerBound...]) })
            #expect(try await seller.get(path).location == "\(Self.page)#cards")
            // The way back waits for Stripe for seconds of the clock alone, which a busy machine has not; the button waits for its answer.
            #expect(try await seller.submit(Self.page, to: "\(Self.page)/cards/look").location == "\(Self.page)#cards")
            let account = try #require(stripe.accounts.first?.id)
            let ready = try await seller.get(Self.page).text
            #expect(ready.contains("data-cards=\"ready\"") && ready.contains(account))
            #expect(try await seller.get("/notices").text.contains("Buyers can pay you by card"))
            #expect(try await seller.get("/settings/notices").text.contains("cards_refused-mail"))
            // She is paid there.
            let bought = try await buyer.submit(buy, [("name", "Bob")])
            #expect(stripe.pay(at: bought.location))
            try await tell(client, secret: "whsec_guessed")
            try await tell(client)
            #expect(stripe.balance("eur", of: account) == 1250 && stripe.balance("eur", of: "") == 0)
            let sold = try await seller.get(Self.page).text
            #expect(sold.contains("Delivered") && sold.contains("12.50"))
            // Whoever ends it is paid by hand from then on, and gives back where it was paid.
            #expect(
                try await seller.submit(Self.page, to: "\(Self.page)/cards/ending").location == "\(Self.page)#cards")
            #expect(try await seller.get(Self.page).text.contains("data-cards=\"ended\""))
            #expect(try await buyer.submit(buy, [("name", "Bob")]).location.hasPrefix("/beats/purchases/"))
            let order = try #require(
                try await OrderStore(library: house.library).orders(of: ann.id, as: .seller).first {
                    $0.provider == "stripe"
                })
            _ = try await seller.submit(Self.page, to: "\(Self.page)/\(order.id)/refund")
            #expect(stripe.balance("eur", of: account) == 0)
            #expect(try await house.traces(of: [begun.location]).isEmpty, "the address is kept nowhere")
        }
    }

    @Test func `programs do the same, each for herself alone`() async throws {
        let (ann, bob) = (try await cast.member("ann"), try await cast.member("bob"))
        let (one, other) = (try await cast.token(of: ann), try await cast.token(of: bob))
        let reads = try await cast.token(of: ann, "read")
        try await application().application().test(.router) { client in
            func state(_ token: String) async throws -> String? {
                try await client.send(.get, Self.api, token: token).facts["state"] as? String
            }
            #expect(try await state(one) == "none")
            #expect(try await client.send(.post, Self.api, token: reads).status == .forbidden)
            #expect(try await client.send(.post, Self.api).status == .unauthorized)
            let begun = try await client.send(.post, Self.api, token: one)
            let address = try #require(try begun.facts["address"] as? String)
            // What somebody types is nobody's account.
            let typed = try await client.send(.post, Self.api, json: #"{"account":"acct_9"}"#, token: other)
            #expect(typed.status == .ok)
            #expect(stripe.accounts.count == 2 && Set(stripe.accounts.compactMap { $0.metadata["seller"] }).count == 2)
            #expect(stripe.fillIn(at: address) != nil)
            #expect(try await client.send(.post, "\(Self.api)/look", token: one).text.contains("\"state\":\"ready\""))
            #expect(try await state(other) == "begun")
            let account = try #require(stripe.accounts.first { $0.metadata["seller"] == ann.id.rawValue }?.id)
            stripe.disconnect(account)
            try await tell(client)
            #expect(try await state(one) == "gone")
            #expect(try await client.send(.delete, Self.api, token: other).status == .noContent)
            #expect(try await state(other) == "ended")
        }
    }

    @Test func `the owner needs none, and where nobody connects any there is nothing of it`() async throws {
        let ann = try await cast.member("ann")
        let owner = try #require(try await house.accounts.account(house.library.owner.id))
        let (one, own) = (try await cast.token(of: ann), try await cast.token(of: owner))
        try await application().application().test(.router) { client in
            let mine = try await client.send(.get, Self.api, token: own)
            #expect(mine.text.contains("\"state\":\"own\""))
            #expect(try await client.send(.post, Self.api, token: own).status == .notFound)
        }
        try await application(connects: false).application().test(.router) { client in
            #expect(try await client.send(.get, Self.api, token: one).text.contains("\"state\":\"unavailable\""))
            #expect(try await client.send(.post, Self.api, token: one).status == .notFound)
            let page = try await cast.browser(of: "ann", client).get(Self.page)
            #expect(page.status == .ok && !page.text.contains("data-cards"))
        }
        #expect(stripe.accounts.isEmpty)
    }

    @Test func `whether sellers can connect accounts is asked of Stripe`() async throws {
        var cards = HubPayments.Cards(key: Secret(LoopbackStripe.key), signing: [], api: stripe.base)
        #expect(await cards.connecting(over: CurlTransport()) == .possible)
        stripe.setPlatform(false)
        #expect(await cards.connecting(over: CurlTransport()) == .impossible)
        cards.key = Secret("wrong")
        guard case .unknown(let reason) = await cards.connecting(over: CurlTransport()) else {
            throw HubCast.Unexpected()
        }
        #expect(!reason.contains("wrong"))
        #expect(stripe.accounts.isEmpty)
    }

    @Test func `a service that fails is said, and nothing is lost`() async throws {
        let ann = try await cast.member("ann")
        let token = try await cast.token(of: ann)
        try await application().application().test(.router) { client in
            let seller = try await cast.browser(of: "ann", client)
            stripe.answer([.json(503, "{}")], at: "/v1/accounts")
            #expect(try await seller.submit(Self.page, to: "\(Self.page)/cards").status == .serviceUnavailable)
            stripe.setPlatform(false)
            let refused = try await client.send(.post, Self.api, token: token)
            #expect(refused.status == .conflict && refused.text.contains("tell the owner"), "\(refused.text)")
            stripe.setPlatform(true)
            #expect(try await client.send(.post, Self.api, token: token).status == .ok)
            #expect(stripe.accounts.count == 1)
        }
    }
}
