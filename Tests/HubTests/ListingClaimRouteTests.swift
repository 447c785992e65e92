import ChirpAccounts
import ChirpCommunity
import ChirpHub
import ChirpListings
import ChirpPlaces
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import NIOCore
import Testing

/// Claims, messages, matches and saved searches of Lost & Found, as people without script and programs meet them.
@Suite struct ListingClaimRouteTests {
    private let cast: HubCast
    private var house: HubHousehold { cast.house }
    private static let board = HubCast.listings.page
    private static let api = HubCast.listings.api

    init() throws { cast = try .withListings() }

    @discardableResult
    private func place(
        by account: AccountID, _ side: Listing.Side = .found, title: String = "A wallet", clip: HubID? = nil
    ) async throws -> HubID {
        var draft = ListingDraft(side: side, category: .wallets, title: title)
        draft.text = "Black, with a sticker of a fox"
        draft.question = "What <b>ticket</b> is in it?"
        draft.point = GeoPoint(latitude: 50.7374, longitude: 7.0982)
        draft.happenedFrom = house.now.addingTimeInterval(-3600)
        draft.happenedTo = draft.happenedFrom
        draft.clip = clip
        return try await ListingStore(library: house.library).create(draft, by: account, key: UUID().uuidString)
    }

    /// Sends the form of a claim.
    private func send<R>(
        _ page: String, answer: String, voice: String = "", by visitor: Visitor<R>
    ) async throws -> TestResponse {
        try await visitor.submitFiles(page, [("answer", answer)], files: [("voice", voice)])
    }

    @Test func `a claim is answered aloud, heard by the author alone, accepted, and talked about`() async throws {
        let (ann, _) = (try await cast.member("ann"), try await cast.member("bob"))
        try await cast.member("eve")
        let id = try await place(by: ann.id)
        let page = "\(Self.board)/\(id)"
        let hub = try house.application(cast.settings(limitScale: 100), intake: .levelling())
        try await hub.application().test(.router) { client in
            let visitor = Visitor(client)
            #expect(try await visitor.get("\(page)/claim").location.hasPrefix("/signin?to="))
            #expect(try await visitor.get(page).text.contains("\(page)/claim"))
            let (annie, bob) = (try await cast.browser(of: "ann", client), try await cast.browser(of: "bob", client))
            let eve = try await cast.browser(of: "eve", client)
            let form = try await bob.get("\(page)/claim").text
            #expect(form.contains("What &lt;b&gt;ticket&lt;/b&gt; is in it?") && form.contains("type=\"file\""))
            #expect(try await send("\(page)/claim", answer: " ", by: bob).status == .unprocessableContent)
            let sent = try await send("\(page)/claim", answer: "To <i>Rome</i>", voice: "spoken", by: bob)
            #expect(sent.status == .seeOther && sent.location == page, "\(sent.status) \(sent.text.prefix(2000))")
            #expect(try await send("\(page)/claim", answer: "Again", by: bob).status == .conflict)
            #expect(try await send("\(page)/claim", answer: "Mine", by: annie).status == .forbidden)

            let claims = try await annie.get("\(page)/claims").text
            #expect(claims.contains("To &lt;i&gt;Rome&lt;/i&gt;") && claims.contains("What &lt;b&gt;ticket"))
            #expect(try await annie.get(page).text.contains("1 claim waits"))
            let sound = String(try #require(claims.firstMatch(of: #/src="([^"]*sound\.mp3)"/#)?.1))
            let heard = try await annie.get(sound)
            #expect(heard.text == "levelled spoken" && heard.headers[.accessControlAllowOrigin] == nil)
            #expect(heard.headers[.cacheControl] == "private, no-cache")
            #expect(try await bob.get(sound).status == .ok)
            #expect(try await eve.get(sound).status == .notFound)
            #expect(try await visitor.get(sound).location.hasPrefix("/signin"))
            #expect(try await eve.get("\(page)/claims").status == .notFound)
            #expect(!(try await eve.get(page).text.contains("Rome")))
            let act = sound.replacing("sound.mp3", with: "acceptance")
            #expect(try await eve.submit("\(page)/claim", to: act).status == .notFound)
            #expect(try await bob.submit("\(Self.board)/claims", to: act).status == .notFound)
            // What is shown is some hundred metres away, and may have one of the two by chance.
            let shown = try await bob.get(page).text
            #expect(!shown.contains("50.7374") || !shown.contains("7.0982"))
            let accepted = try await annie.submit("\(page)/claims", to: act, [("greeting", "Come by")])
            #expect(accepted.location.hasPrefix("/messages/"), "\(accepted.status) \(accepted.text.prefix(2000))")
            #expect(try await annie.submit("\(Self.board)/claims", to: act).status == .conflict)
            let talk = try await bob.get("/messages").text
            #expect(talk.contains("Come by"))
            #expect(try await bob.get(page).text.contains("accepted your claim"))
            #expect(try await bob.get("/notices").text.contains("A wallet"))
        }
    }

    @Test func `programs claim and decide, and read nothing that is not for them`() async throws {
        let (ann, bob, eve) = (try await cast.member("ann"), try await cast.member("bob"), try await cast.member("eve"))
        let tokens = (try await cast.token(of: ann), try await cast.token(of: bob), try await cast.token(of: eve))
        let id = try await place(by: ann.id)
        try await house.application(cast.settings(limitScale: 100)).application().test(.router) { client in
            let path = "\(Self.api)/\(id)/claims"
            let made = try await client.send(.post, path, json: "{\"answer\":\"To Rome\"}", token: tokens.1)
            #expect(made.status == .created)
            let claim = try #require(try made.facts["id"] as? String)
            #expect(try await client.send(.post, path, json: "{\"answer\":\"x\"}", token: tokens.1).status == .conflict)
            #expect(try await client.send(.post, path, json: "{}", token: tokens.2).status == .unprocessableContent)
            let hers = try await client.send(.get, path, token: tokens.0).facts["claims"] as? [[String: Any]]
            #expect(hers?.first?["answer"] as? String == "To Rome" && hers?.first?["from"] as? String == "bob")
            let theirs = try await client.send(.get, path, token: tokens.2).facts["claims"] as? [[String: Any]]
            #expect(theirs?.isEmpty == true)
            let act = "\(Self.api)/claims/\(claim)"
            #expect(try await client.send(.post, "\(act)/acceptance", token: tokens.2).status == .notFound)
            #expect(try await client.send(.post, "\(act)/acceptance", token: tokens.1).status == .notFound)
            let accepted = try await client.send(.post, "\(act)/acceptance", token: tokens.0)
            #expect(try accepted.facts["state"] as? String == "accepted")
            #expect(try await client.send(.post, "\(act)/acceptance", token: tokens.0).status == .conflict)
            #expect(try await client.send(.post, "\(act)/withdrawal", token: tokens.1).status == .ok)
        }
    }

    @Test func `a message quotes the listing, is looked at, and its links are text until the writer is followed`()
        async throws
    {
        let (ann, bob) = (try await cast.member("ann"), try await cast.member("bob"))
        let id = try await place(by: ann.id)
        try await house.application(cast.settings(limitScale: 100)).application().test(.router) { client in
            let (annie, his) = (try await cast.browser(of: "ann", client), try await cast.browser(of: "bob", client))
            let page = "\(Self.board)/\(id)/message"
            #expect(try await his.submit(page, [("text", "  ")]).status == .unprocessableContent)
            let words = "Send me a GIFT-card, then look at https://evil.example/x"
            let sent = try await his.submit(page, [("text", words)])
            #expect(sent.location.hasPrefix("/messages/"), "\(sent.status) \(sent.text.prefix(2000))")
            let thread = sent.location
            let shown = try await annie.get(thread).text
            #expect(
                shown.contains("\(HubHousehold.publicURL)\(Self.board)/\(id)")
                    && shown.contains("class=\"problem caution\""))
            #expect(shown.contains("https://evil.example/x") && !shown.contains("href=\"https://evil.example"))
            // To himself he is no stranger.
            #expect(try await !his.get(thread).text.contains("caution"))
            let token = try await cast.token(of: ann)
            let threads = "/api/hub/v1/threads/\(thread.split(separator: "/").last ?? "")"
            let read = try await client.send(.get, threads, token: token).facts["messages"] as? [[String: Any]]
            #expect(read?.first?["caution"] as? Bool == true)
            let link = "href=\\\"https://evil.example"
            let told = try await client.send(.get, "/api/v1/conversations", token: token).text
            #expect(told.contains("https://evil.example/x") && !told.contains(link))
            #expect(told.contains("href=\\\"\(HubHousehold.publicURL)\(Self.board)/\(id)"), "this hub's own are links")
            try await house.library.follow(bob.id, by: ann.id)
            #expect(try await client.send(.get, "/api/v1/conversations", token: token).text.contains(link))
            let followed = try await annie.get(thread).text
            #expect(followed.contains("href=\"https://evil.example") && !followed.contains("caution"))
            #expect(try await annie.submit(page, [("text", "Hello")]).status == .forbidden)
        }
    }

    @Test func `what swindlers ask for is warned of however it is written, and nothing is kept back`() async throws {
        let (ann, bob) = (try await cast.member("ann"), try await cast.member("bob"))
        let asks = [
            "the verification code", "a GIFT-CARD", "Pay first", "gift\u{200B}card", "ｇｉｆｔ ｃａｒｄ",
            "g\u{AD}ift ca\u{AD}rd",
            "gift сard", "Bestätigungscode", "eine Gutscheinkarte", "du musst zuerst bezahlen",
            "Besta\u{308}tigungscode",
        ]
        let harmless = ["A gift, and a card", "He will pay the first of May", "Ein Code steht am Halsband"]
        for text in asks + harmless {
            var draft = PostDraft(author: bob.id, text: "@ann \(text)", key: text)
            draft.visibility = .direct
            _ = try await house.library.post(draft, under: PostingPolicy(scale: 1000))
        }
        let thread = try #require(try await house.library.seen(by: .member(ann.id)).threads().first)
        try await house.application(cast.settings(limitScale: 100)).application().test(.router) { client in
            let annie = try await cast.browser(of: "ann", client)
            for (language, word) in [("en", "Take care"), ("de", "Vorsicht")] {
                let headers = HTTPFields(dictionaryLiteral: (.acceptLanguage, language))
                let items = try await annie.get("/messages/\(thread.id)", headers).text.split(
                    separator: "<li class=\"post"
                ).dropFirst()
                #expect(items.count == asks.count + harmless.count)
                let warned = items.map { $0.contains("class=\"problem caution\">\(word)") }
                #expect(warned == asks.map { _ in true } + harmless.map { _ in false }, "\(language): \(warned)")
            }
        }
    }

    @Test func `after ten strangers in a day the eleventh is told when to come again`() async throws {
        let bob = try await cast.member("bob")
        var listings: [HubID] = []
        for number in 0..<11 {
            listings.append(
                try await place(by: try await house.person("owner\(number)"), .lost, title: "Dog \(number)"))
        }
        house.wait(8 * 86_400)
        let token = try await cast.token(of: bob)
        try await house.application(cast.settings(limitScale: 100)).application().test(.router) { client in
            for id in listings.prefix(10) {
                let sent = try await client.send(
                    .post, "\(Self.api)/\(id)/messages", json: "{\"text\":\"I have it\"}", token: token)
                #expect(sent.status == .ok, "\(sent.text)")
            }
            let late = try await client.send(
                .post, "\(Self.api)/\(listings[10])/messages", json: "{\"text\":\"I have it\"}", token: token)
            #expect(late.status == .tooManyRequests)
            #expect((86_000...86_400).contains(Int(late.headers[.retryAfter] ?? "") ?? 0))
            // Nor by the messages' own ways.
            let other = try await client.send(
                .post, "/api/hub/v1/threads", json: "{\"to\":[\"owner10\"],\"text\":\"I have it\"}", token: token)
            #expect(other.status == .tooManyRequests)
        }
    }

    @Test func `a saved search and what may match are told by a page, and followed by programs`() async throws {
        let (ann, bob) = (try await cast.member("ann"), try await cast.member("bob"))
        try await house.application(cast.settings(limitScale: 100)).application().test(.router) { client in
            let (annie, his) = (try await cast.browser(of: "ann", client), try await cast.browser(of: "bob", client))
            #expect(try await his.get("\(Self.board)?q=fox").text.contains("\(Self.board)/alerts/new?q=fox"))
            #expect(try await his.submit("\(Self.board)/alerts/new", [("q", " ")]).status == .unprocessableContent)
            let saved = try await his.submit(
                "\(Self.board)/alerts/new?q=fox&at=50.74,7.1&within=5", to: "\(Self.board)/alerts/new",
                [("q", "fox"), ("within", "5"), ("side", "lost"), ("category", ""), ("place", "")])
            #expect(saved.location.hasPrefix("\(Self.board)/alerts/"), "\(saved.status) \(saved.text.prefix(2000))")
            #expect(try await annie.get(saved.location).status == .notFound)
            #expect(
                try await annie.submit("\(Self.board)/alerts/new", to: "\(saved.location)/removal").status == .notFound)
            let found = try await place(by: bob.id, title: "Wallet with a fox")
            let lost = try await place(by: ann.id, .lost, title: "My wallet with a fox")
            let hub = try #require(Boards.names.first)
            #expect(hub == "lost-and-found")
            let (mine, theirs) = (try await listing(lost), try await listing(found))
            for one in [mine, theirs] { try await MatchStore(library: house.library).compare(one) }
            try await AlertStore(library: house.library).hear(of: mine)
            #expect(try await his.get("\(Self.board)/alerts").text.contains("1 new"))
            #expect(try await his.get(saved.location).text.contains("My wallet with a fox"))
            #expect(try await his.submit(saved.location, to: "\(saved.location)/seen").status == .seeOther)
            #expect(try await !his.get("\(Self.board)/alerts").text.contains("1 new"))
            let matches = try await annie.get("\(Self.board)/\(lost)/matches").text
            #expect(matches.contains("Wallet with a fox") && matches.contains("Same category"))
            #expect(try await annie.get("\(Self.board)/\(lost)").text.contains("\(lost)/matches"))
            #expect(try await his.get("\(Self.board)/\(lost)/matches").status == .notFound)
            let aside = "\(Self.board)/\(lost)/matches/\(found)/dismissal"
            #expect(try await annie.submit("\(Self.board)/\(lost)/matches", to: aside).status == .seeOther)
            #expect(try await !annie.get("\(Self.board)/\(lost)/matches").text.contains("Wallet with a fox"))
            #expect(
                try await his.submit(saved.location, to: "\(saved.location)/removal").location == "\(Self.board)/alerts"
            )
        }
    }

    @Test func `new spoken listings of an area are followed as posts are`() async throws {
        let ann = try await cast.member("ann")
        let clip = try await cast.clip(of: ann).id
        let spoken = try await place(by: ann.id, title: "Heard", clip: clip)
        let silent = try await place(by: ann.id, title: "Read")
        try await house.application(cast.settings()).application().test(.router) { client in
            let path = "\(Self.api)/spoken?at=50.74,7.1&within=2000"
            let page = try await client.send(.get, path).facts
            let posts = try #require(page["posts"] as? [[String: Any]])
            #expect(posts.compactMap { $0["id"] as? String } == [spoken.text])
            #expect((posts.first?["clip"] as? [String: Any])?["id"] as? String == clip.text)
            let next = try #require(page["next"] as? Int)
            let later = try await client.send(.get, "\(path)&after=\(next)").facts
            #expect((later["posts"] as? [Any])?.isEmpty == true && later["next"] as? Int == next)
            let far = try await client.send(.get, "\(Self.api)/spoken?at=51.74,7.1&within=2000").facts
            #expect((far["posts"] as? [Any])?.isEmpty == true)
            #expect(try await client.send(.get, "\(Self.api)/spoken?at=x&within=2000").status == .badRequest)
            let feed = try await client.send(.get, "\(Self.board)/feed.json?at=50.74,7.1&within=2000").facts
            let items = try #require(feed["items"] as? [[String: Any]])
            #expect(items.compactMap { $0["id"] as? String } == [silent.text, spoken.text])
            #expect(items.compactMap { $0["attachments"] }.count == 1)
        }
    }

    private func listing(_ id: HubID) async throws -> Listing {
        let sight = try await ListingStore(library: house.library).listing(id, for: .visitor)
        guard case .listing(let listing)? = sight else { throw HubCast.Unexpected() }
        return listing
    }
}
