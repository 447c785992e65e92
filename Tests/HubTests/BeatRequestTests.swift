import ChirpAccounts
import ChirpBeats
import ChirpCommunity
import ChirpHub
import ChirpOrders
import ChirpWeb
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import NIOCore
import Testing

/// Requests and connections as people without script and programs meet them (AR-6, AR-13).
@Suite struct BeatRequestTests {
    private let cast: HubCast
    private static let api = "/api/hub/v1/beats"

    init() throws { cast = HubCast(house: try HubHousehold(boards: Boards.tables)) }

    @Test func `a request is asked, priced, countered, agreed, paid and delivered`() async throws {
        let (pia, ann) = (try await cast.member("pia"), try await cast.member("ann"))
        try await cast.member("eve")
        let reference = try await cast.beat(by: pia)
        let made = try await cast.beat(by: pia, "Made for you", isDraft: true)
        let hub = try cast.dealHub()
        try await hub.application.application().test(.router) { client in
            let (producer, asker) = (
                try await cast.browser(of: "pia", client), try await cast.browser(of: "ann", client)
            )
            let eve = try await cast.browser(of: "eve", client)
            #expect(try await asker.get("/@pia").text.contains("/beats/ask/pia"))
            #expect(try await asker.get("/beats/\(reference)").text.contains("/beats/ask/pia?like=\(reference)"))
            #expect(try await asker.get("/beats/ask/eve").status == .forbidden)
            let empty = try await asker.submitFiles("/beats/ask/pia?like=\(reference)", [("words", "")])
            #expect(empty.status == .unprocessableContent, "\(empty.status)")
            let asked = try await asker.submitFiles(
                "/beats/ask/pia?like=\(reference)", [("words", "Slow, and @bob sings")])
            #expect(
                asked.status == .seeOther && asked.location.hasPrefix("/beats/requests/"), "\(asked.text.suffix(900))")
            let page = asked.location
            // Nobody else finds it.
            #expect(try await eve.get(page).status == .notFound)
            #expect(try await Visitor(client).get(page).status != .ok)
            #expect(try await cast.press(eve, "\(page)/agreement").status == .notFound)

            // Each side moves in its turn.
            #expect(try await producer.get("/beats/requests").text.contains("You are asked."))
            #expect(try await !asker.get(page).text.contains("\(page)/price"))
            #expect(
                try await cast.press(asker, "\(page)/price", [("amount", "5"), ("seen", "0")]).status == .conflict)
            let bad = try await cast.press(
                producer, "\(page)/price", [("amount", "x"), ("currency", "EUR"), ("seen", "0")])
            #expect(bad.status == .unprocessableContent)
            let priced = try await cast.press(
                producer, "\(page)/price", [("amount", "50"), ("currency", "EUR"), ("seen", "0")])
            #expect(priced.location == page)
            #expect(try await asker.get(page).text.contains("It is to cost 50.00 EUR."))
            let countered = try await cast.press(
                asker, "\(page)/counter-offer",
                [("amount", "40"), ("currency", "EUR"), ("words", "It is short"), ("seen", "1")])
            #expect(countered.location == page, "\(countered.text.suffix(900))")
            let seen = try await producer.get(page).text
            #expect(seen.contains("You are offered 40.00 EUR.") && seen.contains("It is short"))
            #expect(
                try await cast.press(
                    producer, "\(page)/agreement", [("amount", "40"), ("currency", "EUR"), ("seen", "2")]
                )
                .location == page)
            #expect(try await asker.get(page).text.contains("the amount cannot change any more"))
            #expect(try await cast.press(producer, "\(page)/payment").status == .conflict)

            // Paid on agreement, then delivered.
            let paying = try await cast.press(asker, "\(page)/payment")
            #expect(paying.location.contains("/beats/purchases/"), "\(paying.text.suffix(900))")
            let order = try #require(try await hub.sales.orders.store.orders(of: ann.id, as: .buyer).first)
            #expect(order.terms.price.description == "40.00 EUR" && order.item == nil)
            // There is no track yet: it is paid, and waits.
            #expect(try await hub.sales.markPaid(order.id, by: pia.id).state == .paid)
            _ = try await hub.sales.sweep()
            #expect(try await producer.get(page).text.contains("Hand over the track."))
            #expect(
                try await cast.press(producer, "\(page)/delivery", [("track", "\(HubID())")]).status
                    == .unprocessableContent)
            #expect(try await cast.press(producer, "\(page)/delivery", [("track", "\(made)")]).location == page)
            #expect(try await asker.get(page).text.contains("Delivered, for 40.00 EUR."))
            #expect(try await hub.sales.orders.store.order(order.id)?.state == .delivered)

            let token = try await cast.token(of: ann)
            let list = try await client.send(.get, "\(Self.api)/requests", token: token)
            #expect(list.text.contains("\"state\":\"delivered\""))
            let one = try await client.send(.get, "\(Self.api)\(page.dropFirst(6))", token: token).text
            for act in ["price", "counter", "agree", "pay", "deliver"] { #expect(one.contains("\"act\":\"\(act)\"")) }
            #expect(try await client.send(.get, "\(Self.api)\(page.dropFirst(6))").status == .unauthorized)
        }
    }

    @Test func `programs ask, and a declined request has ended`() async throws {
        let (pia, ann) = (try await cast.member("pia"), try await cast.member("ann"))
        _ = try await cast.beat(by: pia)
        let (producer, asker) = (try await cast.token(of: pia), try await cast.token(of: ann))
        try await cast.dealHub().application.application().test(.router) { client in
            let draft = "{\"producer\":\"pia\",\"words\":\"Fast\",\"key\":\"k\"}"
            let asked = try await client.send(.post, "\(Self.api)/requests", json: draft, token: asker)
            #expect(asked.status == .created, "\(asked.text)")
            let id = try #require(try asked.facts["id"] as? String)
            let again = try await client.send(.post, "\(Self.api)/requests", json: draft, token: asker)
            #expect(try again.facts["id"] as? String == id)
            let early = try await client.send(
                .post, "\(Self.api)/requests/\(id)/refusal", json: "{\"seen\":0}", token: asker)
            #expect(early.status == .conflict)
            let declined = try await client.send(
                .post, "\(Self.api)/requests/\(id)/refusal", json: "{\"seen\":0}", token: producer)
            #expect(declined.text.contains("\"state\":\"declined\""), "\(declined.text)")
            let after = try await client.send(
                .post, "\(Self.api)/requests/\(id)/price", json: "{\"seen\":1,\"amount\":\"5\"}", token: producer)
            #expect(after.status == .conflict)
        }
    }

    @Test func `a connection is asked for and accepted, and ends`() async throws {
        let (ann, bob) = (try await cast.member("ann"), try await cast.member("bob"))
        let (one, other) = (try await cast.token(of: ann), try await cast.token(of: bob))
        try await cast.dealHub().application.application().test(.router) { client in
            let (first, second) = (try await cast.browser(of: "ann", client), try await cast.browser(of: "bob", client))
            #expect(try await first.get("/@bob").text.contains("/beats/connections/bob"))
            #expect(try await first.get("/beats/connections/nobody").status == .notFound)
            let page = "/beats/connections/bob"
            #expect(try await cast.press(first, "\(page)/question").location == "/beats/connections")
            #expect(try await first.get(page).text.contains("You have asked"))
            #expect(try await cast.notices(bob, .connection) == 1)
            #expect(try await second.get("/notices").text.contains("href=\"/beats/connections\""))
            #expect(try await cast.press(first, "\(page)/acceptance").status == .conflict)
            let back = "/beats/connections/ann"
            #expect(try await cast.press(second, "\(back)/acceptance").location == "/beats/connections")
            #expect(try await second.get("/@ann").text.contains("You are connected"))
            #expect(try await cast.notices(ann, .connection) == 1)
            let list = try await client.send(.get, "\(Self.api)/connections", token: one)
            #expect(list.text.contains("\"with\":\"bob\"") && list.text.contains("\"state\":\"accepted\""))
            let ended = try await client.send(.post, "\(Self.api)/connections/ann/end", token: other)
            #expect(ended.text.contains("\"state\":\"ended\""), "\(ended.text)")
            #expect(try await client.send(.get, "\(Self.api)/connections", token: one).text.contains("bob") == false)
        }
    }
}
