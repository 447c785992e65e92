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

/// Selling as people without script and programs meet it, paid by hand and at a Stripe of our own (AR-5, AR-11, AR-12, AR-16, AR-17).
@Suite struct BeatSaleTests {
    private let cast: HubCast
    private var house: HubHousehold { cast.house }
    private static let api = "/api/hub/v1/beats"
    private static let wave = Array("RIFF\u{24}\0\0\0WAVEfmt a beat".utf8)
    private static let secret = "whsec_loopback"

    init() throws { cast = HubCast(house: try HubHousehold(boards: Boards.tables)) }

    private func application(_ stripe: LoopbackStripe? = nil) throws -> HubApplication {
        var settings = try cast.settings(limitScale: 1000)
        if let stripe {
            settings.payments.cards = HubPayments.Cards(
                key: Secret(LoopbackStripe.key), signing: [Secret(Self.secret)], api: stripe.base, pages: stripe.base)
        }
        return try house.application(settings)
    }

    /// A track of somebody's in the shop whose file is a WAV.
    private func offered<R>(
        by seller: AccountID, _ token: String, _ client: RouterClient<R>, title: String = "Rain"
    ) async throws -> String {
        try await house.change(
            "INSERT OR IGNORE INTO beatRoles (account, role, since) VALUES ('\(seller)', 'producer', 0)")
        let master = try #require(HubID(try await house.track(of: seller).text))
        try Data(Self.wave).write(to: URL(filePath: house.library.master(master)))
        let answer = try await client.send(
            .post, Self.api, json: "{\"kind\":\"beat\",\"title\":\"\(title)\",\"master\":\"\(master)\"}", token: token)
        return try #require(try answer.facts["id"] as? String)
    }

    private func licence<R>(
        _ template: String, of track: String, _ price: String, _ token: String, _ client: RouterClient<R>
    ) async throws -> String {
        let answer = try await client.send(
            .post, "\(Self.api)/\(track)/licences",
            json: "{\"template\":\"\(template)\",\"files\":[\"wav\"],\(price)}", token: token)
        #expect(answer.status == .created, "\(answer.text)")
        return try #require(try answer.facts["id"] as? String)
    }

    /// Where a page or a message leads to, by a part of the address.
    private func link(_ part: String, in text: String) -> String? {
        text.matches(of: #/\/beats\/[A-Za-z0-9\/._%-]+/#).map { String($0.0) }.first { $0.contains(part) }
    }

    @Test func `the walk by hand: offer, buy, wait, paid, file and paper in the inbox, checked by anybody`()
        async throws
    {
        let ann = try await cast.member("ann")
        try await cast.member("bob")
        try await cast.member("eve")
        let token = try await cast.token(of: ann)
        try await application().application().test(.router) { client in
            let track = try await offered(by: ann.id, token, client)
            let (seller, buyer) = (try await cast.browser(of: "ann", client), try await cast.browser(of: "bob", client))
            let (other, visitor) = (try await cast.browser(of: "eve", client), Visitor(client))
            let page = "/beats/\(track)"
            let wrong = try await seller.submit(
                "\(page)/licences", [("name", "WAV lease"), ("price", "amount"), ("amount", "much")])
            #expect(wrong.status == .unprocessableContent && wrong.text.contains("href=\"#amount\""))
            let offer = try await seller.submit(
                "\(page)/licences?template=wav",
                [
                    ("name", "WAV <b>lease</b>"), ("price", "amount"), ("amount", "29,90"), ("currency", "EUR"),
                    ("files", "wav"), ("years", "2"), ("text", try await leaseText()),
                ])
            #expect(offer.location == "\(page)/licences", "\(offer.text.prefix(3000))")
            #expect(try await other.get("\(page)/licences").status == .notFound)
            let shown = try await visitor.get(page)
            #expect(shown.text.contains("WAV &lt;b&gt;lease") && shown.text.contains("29.90 EUR"))
            let buy = try #require(link("/purchase", in: shown.text))
            #expect(try await visitor.get(buy).status == .seeOther, "a visitor signs in first")
            #expect(try await seller.get(buy).status == .forbidden)
            let unnamed = try await buyer.submit(buy, [("name", "  ")])
            #expect(unnamed.status == .unprocessableContent)
            let bought = try await buyer.submit(buy, [("name", "Bob Größe")])
            #expect(bought.status == .seeOther, "\(bought.text.prefix(2000))")
            let purchase = bought.location
            #expect(try await buyer.get(purchase).text.contains("data-sale-state=\"reserved\""))
            #expect(try await other.get(purchase).status == .notFound)
            let order = try #require(purchase.split(separator: "/").last.map(String.init))
            #expect(try await buyer.submit("/beats/sales", to: "/beats/sales/\(order)/payment").status == .notFound)
            #expect(try await seller.submit("/beats/sales", to: "/beats/sales/\(order)/payment").status == .seeOther)
            let delivered = try await buyer.get(purchase).text
            #expect(delivered.contains("data-sale-state=\"delivered\""))
            let file = try #require(link("/files/", in: delivered))
            let paper = try #require(link("licence.pdf", in: delivered))
            let check = try #require(link("/beats/licences/", in: delivered))
            let sound = try await buyer.get(file)
            #expect(sound.status == .ok && Array(sound.body.readableBytesView) == Self.wave)
            let part = try await buyer.get(file, [.range: "bytes=0-3"])
            #expect(part.status == .partialContent && part.text == "RIFF")
            let pdf = try await buyer.get(paper)
            #expect(pdf.text.hasPrefix("%PDF"))
            #expect(try await seller.get(paper).status == .ok)
            for stranger in [other, seller] { #expect(try await stranger.get(file).status == .notFound) }
            #expect(try await other.get(paper).status == .notFound)
            #expect(try await buyer.get(file.replacing("Rain", with: "..%2f..%2fhub")).status == .notFound)
            #expect(try await visitor.get(file).status == .seeOther)
            let said = try await visitor.get(check)
            #expect(said.text.contains("data-paper-verdict=\"valid\"") && said.text.contains("Bob Größe"))
            let bytes = String(decoding: pdf.body.readableBytesView, as: Unicode.UTF8.self)
            let changed = try await visitor.submitFiles(check, [], files: [("paper", "\(bytes) ")])
            #expect(changed.text.contains("data-paper-verdict=\"changed\""))
            let digest = try #require(said.text.firstMatch(of: #/data-paper="([0-9a-f]{64})"/#)?.1)
            let api = "\(Self.api)/licences/\(check.split(separator: "/").last ?? "")"
            #expect(try await client.send(.get, "\(api)?sha256=\(digest)").text.contains("\"verdict\":\"valid\""))
            #expect(try await visitor.get("/beats/licences/keys.pem").text.contains("BEGIN PUBLIC KEY"))
            let inbox = try await buyer.get("/messages")
            #expect(inbox.text.contains("Rain"))
            #expect(try await seller.get("/beats/sales").text.contains("29.90"))
            // By hand it goes back when the buyer says so.
            for _ in 0..<2 { _ = try await seller.submit("/beats/sales", to: "/beats/sales/\(order)/refund") }
            #expect(try await buyer.get(purchase).text.contains("data-sale-state=\"refunding\""))
            #expect(try await buyer.get(file).status == .ok)
            #expect(try await other.submit("/beats/sales", to: "\(purchase)/refund").status == .notFound)
            #expect(try await buyer.submit(purchase, to: "\(purchase)/refund").location == purchase)
            #expect(try await buyer.get(purchase).text.contains("data-sale-state=\"refunded\""))
            #expect(try await buyer.get(file).status == .notFound)
            #expect(try await visitor.get(check).text.contains("the money was given back"))
        }
    }

    /// A Stripe whose clock is the household's.
    private func stripe() throws -> LoopbackStripe {
        let stripe = try LoopbackStripe()
        stripe.set(now: Int64(house.now.timeIntervalSince1970))
        return stripe
    }

    /// What the hub's owner sells, by cards where there are any: her token, and where it is bought for 12.50.
    private func offeredByOwner<R>(_ client: RouterClient<R>) async throws -> (token: String, page: String) {
        let owner = try #require(try await house.accounts.account(house.library.owner.id))
        let token = try await cast.token(of: owner)
        let track = try await offered(by: owner.id, token, client)
        let licence = try await licence("wav", of: track, #""amount":"12.50""#, token, client)
        return (token, "/beats/\(track)/licences/\(licence)/purchase")
    }

    private func leaseText() async throws -> String {
        try await LicenceTextStore(library: house.library).template(.wav, in: .english).id.text
    }

    @Test func `at Stripe: paid once though it says so three times, delivered once, forged messages do nothing`()
        async throws
    {
        let stripe = try stripe()
        let bob = try await cast.member("bob")
        let other = try await cast.token(of: bob)
        try await application(stripe).application().test(.router) { client in
            let (one, page) = try await offeredByOwner(client)
            let buyer = try await cast.browser(of: "bob", client)
            let policy = try await buyer.get(page).headers[.contentSecurityPolicy]
            #expect(policy?.contains("form-action 'self' \(stripe.base)") == true)
            let bought = try await buyer.submit(page, [("name", "Bob")])
            #expect(bought.status == .seeOther && bought.location.hasPrefix("http"), "\(bought.text.prefix(2000))")
            #expect(stripe.pay(at: bought.location))
            let message = try #require(stripe.messages.first)
            func tell(_ fault: LoopbackStripe.Fault) async throws -> HTTPResponse.Status {
                let delivery = LoopbackStripe.delivery(
                    of: message, secret: Self.secret, at: Int64(house.now.timeIntervalSince1970), fault: fault)
                var headers: HTTPFields = [:]
                headers[try #require(HTTPField.Name("Stripe-Signature"))] = delivery.signature
                return try await client.execute(
                    uri: "/api/hub/v1/payments/stripe", method: .post, headers: headers,
                    body: ByteBuffer(bytes: delivery.content)
                ).status
            }
            #expect(try await tell(.forged) == .badRequest)
            #expect(try await tell(.unsigned) == .badRequest)
            #expect(try await client.send(.get, "\(Self.api)/purchases", token: other).text.contains("reserved"))
            for _ in 0..<3 { #expect(try await tell(.none) == .noContent) }
            let mine = try await client.send(.get, "\(Self.api)/purchases", token: other)
            #expect(mine.text.contains("\"state\":\"delivered\"") && mine.text.contains("/files/Rain.wav"))
            let reader = house.library.seen(by: .member(bob.id))
            #expect(try await reader.threads().flatMap(\.posts).count == 1)
            let sold = try await client.send(.get, "\(Self.api)/sales", token: one)
            #expect(sold.text.contains("\"paid\":1250") && sold.text.contains("\"count\":1"))
        }
    }

    @Test func `whoever comes back from paying sees a page at once, which asks for itself while the service is silent`()
        async throws
    {
        let stripe = try stripe()
        let bob = try await cast.member("bob")
        let other = try await cast.token(of: bob)
        try await application(stripe).application().test(.router) { client in
            let page = try await offeredByOwner(client).page
            let buyer = try await cast.browser(of: "bob", client)
            // What is read before it is signed has no gaps but those that signing fills.
            let contract = try await buyer.get(page).text
            #expect(contract.contains("<h3>1. Parties and subject</h3>") && !contract.contains("{work}"))
            let bought = try await buyer.submit(page, [("name", "Bob")])
            #expect(stripe.pay(at: bought.location))
            let session = try #require(bought.location.split(separator: "/").last)
            stripe.stall("/v1/checkout/sessions/\(session)")
            let order = try #require(
                try await OrderStore(library: house.library).orders(of: bob.id, as: .buyer).first?.id)
            let back = try await buyer.get("/beats/purchases/\(order)/paid")
            #expect(back.location == "/beats/purchases/\(order)?back=yes", "\(back.status)")
            let asking = try await buyer.get(back.location).text
            #expect(asking.contains("data-beat-asking=\"/api/hub/v1/beats/purchases/\(order)/look\""))
            #expect(!asking.contains("Pay now"))
            stripe.stall("/v1/checkout/sessions/\(session)", false)
            let looked = try await client.send(.post, "\(Self.api)/purchases/\(order)/look", token: other)
            #expect(looked.text.contains("\"state\":\"delivered\""))
            #expect(try await !buyer.get(back.location).text.contains("data-beat-asking"))
            #expect(try await buyer.get("/beats/purchases").text.contains("<ul class=\"beat-like\" role=\"list\"><li>"))
            // In the inbox each address leads there, although he does not follow the seller.
            let thread = try #require(try await house.library.seen(by: .member(bob.id)).threads().first?.id)
            let message = try await buyer.get("/messages/\(thread)").text
            #expect(message.contains("/licence.pdf\" rel=") && message.contains("/files/Rain.wav\" rel="))
        }
    }

    @Test func `a buyer of the same track is told of earlier licences, and of nothing that opens them`() async throws {
        let ann = try await cast.member("ann")
        let (bob, eve) = (try await cast.member("bob"), try await cast.member("eve"))
        let token = try await cast.token(of: ann)
        let (buying, asking) = (try await cast.token(of: bob), try await cast.token(of: eve))
        try await application().application().test(.router) { client in
            let track = try await offered(by: ann.id, token, client)
            let lease = try await licence("wav", of: track, #""amount":"5""#, token, client)
            let exclusive = try await licence("exclusive", of: track, #""amount":"500""#, token, client)
            let path = "\(Self.api)/\(track)/licences/\(lease)/purchase"
            let order = try await client.send(.post, path, json: #"{"name":"Bob Secret"}"#, token: buying).facts
            let id = try #require(order["id"] as? String)
            _ = try await client.send(.post, "\(Self.api)/sales/\(id)/payment", json: "{}", token: token)
            let grant = try await client.send(.get, "\(Self.api)/purchases/\(id)", token: buying).facts["grant"]
            let number = try #require(grant as? String)
            #expect(try await client.send(.get, "\(Self.api)/licences/\(number)").text.contains("Bob Secret"))
            let browser = try await cast.browser(of: "eve", client)
            for licence in [lease, exclusive] {
                let path = "/\(track)/licences/\(licence)/purchase"
                let answer = try await client.send(.get, "\(Self.api)\(path)", token: asking)
                let earlier = try answer.facts["earlier"] as? [Any]
                #expect(earlier?.count == (licence == lease ? 0 : 1))
                #expect(!answer.text.contains(number) && !answer.text.contains(id), "\(answer.text)")
                let page = try await browser.get("/beats\(path)").text
                #expect(page.contains("name=\"seen\"") && !page.contains(number) && !page.contains(id))
            }
        }
    }

    @Test func `an exclusive: the second buyer is told before paying, and programs are told why`() async throws {
        let ann = try await cast.member("ann")
        let (bob, eve) = (try await cast.member("bob"), try await cast.member("eve"))
        let token = try await cast.token(of: ann)
        let (one, other) = (try await cast.token(of: bob), try await cast.token(of: eve))
        try await application().application().test(.router) { client in
            let track = try await offered(by: ann.id, token, client)
            let licence = try await licence("exclusive", of: track, #""amount":"500""#, token, client)
            let path = "\(Self.api)/\(track)/licences/\(licence)/purchase"
            func buy(_ token: String) async throws -> TestResponse {
                let seen = try await client.send(.get, path, token: token).facts["seen"] as? String ?? ""
                return try await client.send(
                    .post, path, json: "{\"name\":\"A name\",\"seen\":\"\(seen)\",\"key\":\"k\"}", token: token)
            }
            let unseen = try await client.send(.post, path, json: #"{"name":"A"}"#, token: one)
            #expect(unseen.status == .conflict)
            #expect(try await buy(one).status == .created)
            let late = try await buy(other)
            #expect(late.status == .conflict && late.text.contains("free again at"), "\(late.text)")
            #expect(try await Visitor(client).get("/beats/\(track)").text.contains("free again at"))
            #expect(try await client.send(.post, "\(Self.api)/\(track)/closure", token: token).status == .conflict)
            // What nobody here reads is refused before it is read: this is no JSON.
            for body in ["{}", "{"] {
                #expect(try await client.send(.post, "/api/hub/v1/payments/stripe", json: body).status == .notFound)
            }
        }
    }

    @Test func `five exclusives wait for one buyer's money, by pages and programs together, until one is free`()
        async throws
    {
        let ann = try await cast.member("ann")
        let bob = try await cast.member("bob")
        let (token, buying) = (try await cast.token(of: ann), try await cast.token(of: bob))
        try await application().application().test(.router) { client in
            let buyer = try await cast.browser(of: "bob", client)
            var exclusives: [String] = []
            var lease = ""
            for number in 0..<8 {
                let track = try await offered(by: ann.id, token, client, title: "Rain \(number)")
                let id = try await licence("exclusive", of: track, #""amount":"500""#, token, client)
                exclusives.append("/\(track)/licences/\(id)/purchase")
                guard number == 7 else { continue }
                let wav = try await licence("wav", of: track, #""amount":"5""#, token, client)
                lease = "/\(track)/licences/\(wav)/purchase"
            }
            func byProgram(_ path: String) async throws -> HTTPResponse.Status {
                let path = "\(Self.api)\(path)"
                let seen = try await client.send(.get, path, token: buying).facts["seen"] as? String ?? ""
                return try await client.send(
                    .post, path, json: "{\"name\":\"Bob\",\"seen\":\"\(seen)\"}", token: buying
                ).status
            }
            func byPage(_ path: String) async throws -> TestResponse {
                try await buyer.submit("/beats\(path)", [("name", "Bob")])
            }
            let first = try await byPage(exclusives[0])
            #expect(first.status == .seeOther, "\(first.text.prefix(2000))")
            for number in 1..<5 {
                if number % 2 == 0 {
                    #expect(try await byPage(exclusives[number]).status == .seeOther)
                } else {
                    #expect(try await byProgram(exclusives[number]) == .created)
                }
            }
            for _ in 0..<2 {
                let refused = try await byPage(exclusives[5])
                #expect(refused.status == .conflict && refused.text.contains("wait to be paid"))
                #expect(try await byProgram(exclusives[5]) == .conflict)
            }
            // A lease keeps no other buyer away.
            #expect(try await byProgram(lease) == .created)
            _ = try await buyer.submit(first.location, to: "\(first.location)/cancellation")
            let orders = try await OrderStore(library: house.library).orders(of: bob.id, as: .buyer, limit: 100)
            #expect(orders.count { $0.state == .reserved && $0.terms.licence == .exclusive } == 4)
            #expect(try await byProgram(exclusives[5]) == .created)
            #expect(try await byPage(exclusives[6]).status == .conflict)
            house.wait(3 * 86_400 + 1)
            #expect(try await byProgram(exclusives[6]) == .created)
        }
    }

    @Test func `reserving is limited by the service that reserves, so on the page as for programs`() async throws {
        let ann = try await cast.member("ann")
        let bob = try await cast.member("bob")
        let (token, buying) = (try await cast.token(of: ann), try await cast.token(of: bob))
        // Ten a day, and one wrong password in a quarter of an hour.
        try await house.application(cast.settings(limitScale: 0.1)).application().test(.router) { client in
            let track = try await offered(by: ann.id, token, client)
            let wav = try await licence("wav", of: track, #""amount":"5""#, token, client)
            let path = "/\(track)/licences/\(wav)/purchase"
            let buyer = try await cast.browser(of: "bob", client)
            for number in 0..<10 {
                if number % 2 == 0 {
                    #expect(try await buyer.submit("/beats\(path)", [("name", "Bob")]).status == .seeOther)
                } else {
                    let answer = try await client.send(
                        .post, "\(Self.api)\(path)", json: #"{"name":"Bob"}"#, token: buying)
                    #expect(answer.status == .created)
                }
            }
            for answer in [
                try await buyer.submit("/beats\(path)", [("name", "Bob")]),
                try await client.send(.post, "\(Self.api)\(path)", json: #"{"name":"Bob"}"#, token: buying),
            ] {
                #expect(answer.status == .tooManyRequests && answer.headers[.retryAfter] != nil)
            }
        }
    }
}
