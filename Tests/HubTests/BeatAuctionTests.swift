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

/// Auctions as people without script and programs meet them (AR-5, AR-11).
@Suite struct BeatAuctionTests {
    private let cast: HubCast
    private var house: HubHousehold { cast.house }
    private static let api = "/api/hub/v1/beats"

    init() throws { cast = HubCast(house: try HubHousehold(boards: Boards.tables)) }

    /// As a form has an instant so many hours from now.
    private func hours(_ count: Double) -> String {
        String(house.now.addingTimeInterval(count * 3600).formatted(.iso8601).prefix(16))
    }

    private func letters(to handle: String) async throws -> [WaitingLetter] {
        try await cast.accounts.waitingLetters().filter { $0.letter.recipient.text == "\(handle)@example.org" }
    }

    @Test func `an auction is opened, bid at, outbid, closed and paid`() async throws {
        let pia = try await cast.member("pia")
        let (ann, bob) = (try await cast.member("ann"), try await cast.member("bob"))
        let page = "/beats/\(try await cast.beat(by: pia))"
        let hub = try cast.dealHub()
        try await hub.application.application().test(.router) { client in
            let producer = try await cast.browser(of: "pia", client)
            let (first, second) = (try await cast.browser(of: "ann", client), try await cast.browser(of: "bob", client))
            let stranger = Visitor(client)
            #expect(try await !stranger.get(page).text.contains("id=\"auction\""))
            // Nobody but the author opens one.
            #expect(try await first.get("\(page)/auction").status == .notFound)
            let wrong = try await producer.submit(
                "\(page)/auction", [("start", "x"), ("step", "1"), ("ends", hours(24))])
            #expect(wrong.status == .unprocessableContent && wrong.text.contains("aria-invalid=\"true\""))
            let opened = try await producer.submit(
                "\(page)/auction", [("start", "10"), ("step", "1,50"), ("currency", "EUR"), ("ends", hours(24))])
            #expect(opened.location == "\(page)#auction", "\(opened.text.suffix(1500))")
            #expect(try await stranger.get(page).text.contains("Nobody has bid yet. It begins at 10.00 EUR."))
            #expect(
                try await client.send(.get, "\(Self.api)\(page.dropFirst(6))/auction").text.contains(
                    "\"needed\":\"10.00\""))

            // What it binds to is said before it is placed, and what is too little is told with what is needed.
            let low = try await first.get("\(page)/bid?amount=9")
            #expect(low.status == .unprocessableContent && low.text.contains("10.00 EUR or more is needed"))
            let ask = try await first.get("\(page)/bid?amount=10").text
            #expect(
                ask.contains("If you bid 10.00 EUR and yours is the highest bid") && ask.contains("48 hours to pay"))
            #expect(try await first.submit("\(page)/bid?amount=10").location == "\(page)#auction")
            #expect(try await first.get(page).text.contains("Your bid of 10.00 EUR is the highest."))
            #expect(try await producer.get("\(page)/bid?amount=20").status == .forbidden)

            // She is outbid: on the page, by a notice and by a letter; by whom is told to the author alone.
            let before = try await letters(to: "ann").count
            #expect(try await second.submit("\(page)/bid?amount=12").location == "\(page)#auction")
            #expect(try await first.get(page).text.contains("You were outbid: your highest bid is 10.00 EUR."))
            #expect(try await first.get("/notices").text.contains("There is news of an auction"))
            #expect(try await cast.notices(ann, .bid) == 1)
            let told = try await letters(to: "ann")
            #expect(told.count == before + 1)
            let letter = String(
                decoding: LetterMessage(try #require(told.last), publicURL: HubHousehold.publicURL).bytes, as: UTF8.self
            )
            #expect(letter.contains("Somebody has bid more than you") && letter.contains(page))
            for visitor in [stranger, first] { #expect(try await !visitor.get(page).text.contains("@bob")) }
            #expect(try await producer.get(page).text.contains("@bob"))
            #expect(try await stranger.get(page).text.contains("Highest bid: 12.00 EUR (2 bids)"))
            let own = try await first.get("/beats/bids").text
            #expect(own.contains("You were outbid") && own.contains("<ol class=\"beat-deals\" role=\"list\"><li>"))
            let late = try await first.get("\(page)/bid?amount=13")
            #expect(late.status == .unprocessableContent && late.text.contains("13.50 EUR or more"))
            // Somebody has bid: nothing changes any more, and the track stays.
            #expect(
                try await producer.submit("\(page)/auction", to: "\(page)/auction/withdrawal").status == .conflict)
            #expect(try await producer.submit("\(page)/closure").status == .conflict)

            // It closes by the hub's clock. Bob has won, and pays what was shown.
            house.wait(24 * 3600 + 1)
            #expect(await hub.deals.settle() == [])
            #expect(try await second.get(page).text.contains("It is your turn: pay <b>12.00 EUR</b>"))
            #expect(try await !first.get(page).text.contains("/auction/payment"))
            #expect(try await cast.press(first, "\(page)/auction/payment").status == .conflict)
            let over = try await first.get("\(page)/bid?amount=99")
            #expect(over.status == .conflict && over.text.contains("The auction ended at"))
            let paying = try await cast.press(second, "\(page)/auction/payment")
            #expect(
                paying.status == .seeOther && paying.location.contains("/beats/purchases/"),
                "\(paying.text.suffix(900))")
            let order = try #require(try await hub.sales.orders.store.orders(of: bob.id, as: .buyer).first)
            #expect(order.terms.price.description == "12.00 EUR" && order.state == .reserved)
            #expect(try await second.get("/beats/purchases/\(order.id)").text.contains("Rain"))
            #expect(try await cast.press(producer, "/beats/sales/\(order.id)/payment").status == .seeOther)
            #expect(try await second.get("/beats/purchases/\(order.id)").text.contains("data-sale-state=\"delivered\""))
            #expect(try await second.get(page).text.contains("You have won and paid."))
            #expect(try await stranger.get(page).text.contains("is sold"))
            // Ann's card was let go when she was outbid.
            #expect(await hub.deals.settle() == [])
            #expect(try await hub.sales.orders.store.orders(of: ann.id, as: .buyer).map(\.state) == [.released])
        }
    }

    @Test func `which licences stay valid is read before a bid, and again before paying`() async throws {
        let (pia, ann) = (try await cast.member("pia"), try await cast.member("ann"))
        let (bob, eve) = (try await cast.member("bob"), try await cast.member("eve"))
        let id = try await cast.beat(by: pia)
        let (page, hub) = ("/beats/\(id)", try cast.dealHub())
        guard case .track(let track)? = try await TrackStore(library: house.library).track(id, for: .visitor) else {
            Issue.record("it is there")
            return
        }
        let text = try await hub.sales.texts.template(.wav, in: .english)
        let lease = try await hub.sales.offers.offer(
            OfferDraft(
                name: "WAV lease", text: text.id, terms: LicenceTerms(kind: .lease, files: [.wav], price: .free)),
            of: track.work, instead: nil, files: [.wav], by: pia.id)
        func sell(to buyer: HubAccount) async throws {
            let order = try await hub.sales.buy(lease, of: track, by: buyer.id, named: "A buyer", seen: "", key: "k")
            #expect(order.state == .delivered)
        }
        let euro = try #require(Currency("EUR"))
        let terms = AuctionTerms(start: Money(1000, euro), step: 100, ends: house.now.addingTimeInterval(7200))
        _ = try await hub.deals.auctions.open(terms, of: id, by: pia.id, key: "k")
        try await hub.application.application().test(.router) { client in
            let bidder = try await cast.browser(of: "ann", client)
            #expect(try await bidder.get("\(page)/bid?amount=10").text.contains("Nobody holds another licence of it."))
            try await sell(to: bob)
            let asked = try await bidder.get("\(page)/bid?amount=10").text
            #expect(asked.contains("Licences that stay valid") && asked.contains("<bdi>WAV lease</bdi>"))
            #expect(try await bidder.submit("\(page)/bid?amount=10").location == "\(page)#auction")
            house.wait(7201)
            #expect(await hub.deals.settle() == [])
            #expect(try await bidder.get("\(page)/auction/payment").text.contains("<bdi>WAV lease</bdi>"))
            // While she has time to pay, nothing else is sold; whoever sends what she has not read reads it first.
            await #expect(throws: PurchaseRefusal.self) { try await sell(to: eve) }
            let seen = type(of: bidder).hidden(in: try await bidder.get("\(page)/auction/payment").text)
            let unread = seen.map { ($0.name, $0.name == "seen" ? "0" : $0.value) }
            let again = try await bidder.post("\(page)/auction/payment", unread)
            #expect(again.status == .conflict && again.text.contains("Another licence was sold meanwhile"))
            #expect(again.text.ranges(of: "<bdi>WAV lease</bdi>").count == 1)
            let paying = try await bidder.submit("\(page)/auction/payment")
            #expect(paying.location.contains("/beats/purchases/"), "\(paying.text.suffix(900))")
        }
        #expect(try await hub.sales.orders.store.orders(of: ann.id, as: .buyer).map(\.state) == [.reserved])
    }

    @Test func `whoever does not pay within 48 hours loses the turn to the next one`() async throws {
        let pia = try await cast.member("pia")
        let bidders = [try await cast.member("ann"), try await cast.member("bob")]
        let id = try await cast.beat(by: pia)
        let hub = try cast.dealHub()
        let auctions = hub.deals.auctions
        let euro = try #require(Currency("EUR"))
        let terms = AuctionTerms(start: Money(1000, euro), step: 100, ends: house.now.addingTimeInterval(7200))
        let auction = try await auctions.open(terms, of: id, by: pia.id, key: "k")
        for (bidder, amount) in zip(bidders, [1000, 2000] as [Int64]) {
            let binding = try await auctions.binding(of: Money(amount, euro), upon: auction, by: bidder.id)
            for _ in 1...2 {
                guard case .placed(let receipt) = try await hub.deals.bid(binding, by: bidder.id, key: "once") else {
                    Issue.record("it counts at once")
                    continue
                }
                #expect(receipt.bid.money.amount == amount)
            }
        }
        house.wait(7201)
        await hub.deals.settle()
        #expect(try await auctions.turn(of: auction)?.bid.bidder == bidders[1].id)
        house.wait(48 * 3600 + 1)
        await hub.deals.settle()
        let turn = try #require(try await auctions.turn(of: auction))
        #expect(turn.bid.bidder == bidders[0].id && !turn.isWinner && turn.bid.money.amount == 1000)
        try await hub.application.application().test(.router) { client in
            let (ann, bob) = (try await cast.browser(of: "ann", client), try await cast.browser(of: "bob", client))
            #expect(try await cast.press(bob, "/beats/\(id)/auction/payment").status == .conflict)
            let paying = try await cast.press(ann, "/beats/\(id)/auction/payment")
            #expect(paying.location.contains("/beats/purchases/"))
            let order = try #require(try await hub.sales.orders.store.orders(of: bidders[0].id, as: .buyer).first)
            #expect(order.terms.kind == .offer && order.terms.price.amount == 1000)
            // Pressed again it is the same order.
            #expect(
                try await cast.press(ann, "/beats/\(id)/auction/payment").location == paying.location)
        }
    }

    @Test func `programs open, bid and read the same, each what is theirs to know`() async throws {
        let (pia, ann) = (try await cast.member("pia"), try await cast.member("ann"))
        let bob = try await cast.member("bob")
        let tokens = (
            pia: try await cast.token(of: pia), ann: try await cast.token(of: ann), bob: try await cast.token(of: bob)
        )
        let path = "\(Self.api)/\(try await cast.beat(by: pia))/auction"
        try await cast.dealHub(paysByHand: false).application.application().test(.router) { client in
            #expect(try await client.send(.get, path).status == .notFound)
            let terms = "{\"start\":\"5\",\"step\":\"1\",\"currency\":\"USD\",\"ends\":\"\(hours(2))Z\"}"
            #expect(try await client.send(.put, path, json: terms, token: tokens.ann).status == .notFound)
            let opened = try await client.send(.put, path, json: terms, token: tokens.pia)
            #expect(opened.status == .ok && opened.text.contains("\"state\":\"running\""), "\(opened.text)")
            let binding = try await client.send(.get, "\(path)/binding?amount=5", token: tokens.ann)
            let facts = try binding.facts
            #expect((facts["says"] as? String)?.contains("If you bid 5.00 USD") == true)
            let card = try #require(facts["card"] as? String)
            func bid(_ amount: String, _ token: String, version: Int = 1, key: String = "k") async throws
                -> TestResponse
            {
                try await client.send(
                    .post, "\(path)/bids",
                    json: "{\"amount\":\"\(amount)\",\"version\":\(version),\"card\":\"\(card)\",\"key\":\"\(key)\"}",
                    token: token)
            }
            for _ in 1...2 { #expect(try await bid("5", tokens.ann).text.contains("\"state\":\"placed\"")) }
            #expect(try await bid("6", tokens.ann).status == .conflict, "the key has placed another bid")
            let low = try await bid("5.50", tokens.bob)
            #expect(low.status == .unprocessableContent && low.text.contains("\"needed\":\"6.00\""), "\(low.text)")
            #expect(try await bid("7", tokens.bob, version: 9).status == .conflict)
            #expect(try await bid("7", tokens.bob).status == .created)
            #expect(try await client.send(.get, path).text.contains("\"bids\":2"))
            let all = try await client.send(.get, "\(path)/bids", token: tokens.pia).text
            #expect(all.contains("\"ann\"") && all.contains("\"bob\""))
            let own = try await client.send(.get, "\(path)/bids", token: tokens.ann).text
            #expect(own.contains("\"ann\"") && !own.contains("bob"))
            #expect(
                try await client.send(.get, "\(Self.api)/bids", token: tokens.ann).text.contains("\"own\":\"5.00\""))
            #expect(try await client.send(.delete, path, token: tokens.pia).status == .conflict)
            #expect(try await client.send(.post, "\(path)/payment", token: tokens.bob).status == .conflict)
        }
    }
}
