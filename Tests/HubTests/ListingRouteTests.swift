import ChirpAccounts
import ChirpCommunity
import ChirpHub
import ChirpListings
import ChirpWeb
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import NIOCore
import Testing

/// Lost & Found as people without script and programs meet it: the walk, and who may do what (LF-1 to LF-19).
@Suite struct ListingRouteTests {
    private let cast: HubCast
    private var house: HubHousehold { cast.house }
    private static let board = HubCast.listings.page
    private static let api = HubCast.listings.api

    init() throws { cast = try .withListings() }

    /// What is typed into the form.
    private static func typed(_ changes: [String: String] = [:]) -> [(name: String, value: String)] {
        var fields = [
            "side": "lost", "category": "keys", "title": "A bunch of keys", "text": "Five of them, and a whistle.",
            "pin-place": "50.73390,7.09970", "pin-at": "50.73390,7.09970", "pin-zoom": "14", "precision": "near",
            "from": "2027-01-14T10:00", "to": "", "offset": "60", "handover": "agree", "reward": "10 Euro",
            "phone": "0228 123456", "question": "What hangs on it?",
        ]
        fields.merge(changes) { $1 }
        return fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    private func place<R>(_ visitor: Visitor<R>, _ changes: [String: String] = [:]) async throws -> String {
        let answer = try await visitor.submitFiles("\(Self.board)/new", Self.typed(changes))
        #expect(answer.status == .seeOther, "\(answer.status): \(answer.text.prefix(3000))")
        return answer.location
    }

    private func people<R>(_ client: RouterClient<R>) async throws -> (ann: Visitor<R>, bob: Visitor<R>) {
        try await cast.member("ann")
        try await cast.member("bob")
        return (try await cast.browser(of: "ann", client), try await cast.browser(of: "bob", client))
    }

    @Test func `the walk: place, find, open, edit, renew, settle, without script`() async throws {
        try await house.application(cast.settings()).application().test(.router) { client in
            let (ann, bob) = try await people(client)
            let visitor = Visitor(client)
            let page = try await place(ann)
            #expect(page.hasPrefix("\(Self.board)/"))

            let found = try await visitor.get("\(Self.board)?q=whistle&at=50.75,7.1&within=10&side=lost")
            #expect(found.text.contains("A bunch of keys") && found.text.contains("Keys") && found.status == .ok)
            #expect(found.headers[.permissionsPolicy]?.contains("geolocation=(self)") == true)
            #expect(try await !visitor.get("\(Self.board)?q=whistle&at=48.1,11.5&within=10").text.contains("A bunch"))
            #expect(try await !visitor.get("\(Self.board)?side=found").text.contains("A bunch"))
            #expect(try await visitor.get("\(Self.board)/category/keys").text.contains("A bunch"))
            #expect(try await !visitor.get("\(Self.board)/category/pets").text.contains("A bunch"))
            // A place that nobody knows has nothing near it, neither in the list nor on the map.
            let nowhere = try await visitor.get("\(Self.board)?place=Nowhereatall").text
            #expect(!nowhere.contains("Five of them") && !nowhere.contains("map-mark"))
            #expect(try await visitor.get(Self.board).text.contains("map-mark"))
            let categories = try await visitor.get("\(Self.board)/categories").text
            #expect(categories.contains(">Keys</a> <span>1</span>"))

            let shown = try await visitor.get(page)
            #expect(shown.text.contains("Five of them") && shown.text.contains("10 Euro"))
            #expect(shown.text.contains("2027-01-14T09:00:00Z"), "an hour ahead of UTC")
            // Its digits alone are in a map too, by chance; so is one number of the place, which is shown some way off.
            let told = shown.text.replacing(" ", with: "")
            #expect(!told.contains("0228123456") && !(told.contains("50.7339") && told.contains("7.0997")))
            #expect(!shown.text.contains("/closure") && shown.text.contains("/signin?to=\(page)"))
            let own = try await ann.get(page)
            #expect(own.text.contains("\(page)/closure") && own.headers[.cacheControl] == "private, no-store")
            #expect(try await bob.get(page).text.contains("\(page)/telephone"))

            let edit = try await ann.get("\(page)/edit").text
            #expect(
                edit.contains("0228 123456") && edit.contains("50.73390,7.09970") && edit.contains("2027-01-14T09:00"))
            let edited = try await ann.submitFiles("\(page)/edit", Self.typed(["title": "Six keys", "offset": "0"]))
            #expect(edited.location == page)
            #expect(try await visitor.get(page).text.contains("<h1 dir=\"auto\">Six keys</h1>"))
            // The same version again: somebody changed it meanwhile.
            let late = try await ann.submitFiles("\(page)/edit", Self.typed(["title": "Late", "version": "1"]))
            #expect(late.status == .conflict && late.text.contains("value=\"Late\""))

            house.wait(24 * 3600)
            #expect(try await ann.get("\(page)/renewal").text.contains("60 days"))
            #expect(try await ann.submit("\(page)/renewal").location == page)
            #expect(try await ann.submit("\(page)/closure", [("outcome", "")]).status == .unprocessableContent)
            #expect(try await ann.submit("\(page)/closure", [("outcome", "found")]).location == page)
            #expect(try await visitor.get(page).text.contains("It was found again"))
            #expect(try await !visitor.get("\(Self.board)?q=keys").text.contains("Six keys"))
            #expect(try await visitor.get("/@ann").text.contains("Six keys"))
            #expect(try await visitor.get("\(Self.board)/by/ann").text.contains("Six keys"))
            #expect(try await ann.get("\(page)/edit").status == .conflict)
            #expect(try await ann.submitFiles("\(page)/edit", Self.typed()).status == .unsupportedMediaType, "no token")
        }
    }

    @Test func `what is taken back is gone, and says what and when (LF-4)`() async throws {
        try await house.application(cast.settings()).application().test(.router) { client in
            let (ann, bob) = try await people(client)
            let page = try await place(ann)
            let asked = try await ann.submit("\(page)/withdrawal", [("reason", "By mistake")])
            #expect(asked.status == .unprocessableContent && asked.text.contains("By mistake"), "not sure yet")
            let unreasoned = try await ann.submit("\(page)/withdrawal", [("sure", "yes")])
            #expect(unreasoned.status == .unprocessableContent)
            #expect(try await bob.get("\(page)/withdrawal").status == .notFound)
            let done = try await ann.submit("\(page)/withdrawal", [("reason", "By mistake"), ("sure", "yes")])
            #expect(done.location == "\(Self.board)/mine")
            for reader in [Visitor(client), bob] {
                let gone = try await reader.get(page)
                #expect(gone.status == .gone && gone.text.contains("took it back") && gone.text.contains("<time"))
                #expect(!gone.text.contains("keys") && !gone.text.contains("By mistake"))
                let told = try await reader.get("\(Self.api)/\(page.dropFirst(Self.board.count + 1))")
                #expect(told.status == .gone && told.text.contains("withdrawn"))
            }
            #expect(try await ann.get(page).text.contains("By mistake"))
            #expect(try await ann.get("\(Self.board)/mine").text.contains("taken back"))
        }
    }

    @Test func `what does not do is told beside its field, and everything typed stays`() async throws {
        try await house.application(cast.settings()).application().test(.router) { client in
            let (ann, _) = try await people(client)
            let wrong = try await ann.submitFiles(
                "\(Self.board)/new",
                Self.typed([
                    "title": "", "category": "dragons", "phone": "none", "from": "yesterday", "reward": "A <b>cake</b>",
                    "text": "Write to ann@example.org",
                ]))
            #expect(wrong.status == .unprocessableContent)
            for field in ["title", "category", "phone", "from", "text"] {
                #expect(wrong.text.contains("id=\"\(field)-problem\""), "\(field)")
                #expect(wrong.text.contains("href=\"#\(field)\""), "\(field)")
            }
            #expect(wrong.text.contains("A &lt;b&gt;cake&lt;/b&gt;") && wrong.text.contains("value=\"none\""))
            #expect(wrong.text.contains("name=\"pin-place\" value=\"50.73390,7.09970\""))
            // Nobody has said where: neither a name nor a pin.
            let nowhere = try await ann.submitFiles(
                "\(Self.board)/new", Self.typed(["pin-place": "", "pin-at": "0,0", "pin-zoom": "1"]))
            #expect(nowhere.status == .unprocessableContent && nowhere.text.contains("id=\"place-problem\""))
            #expect(try await !Visitor(client).get(Self.board).text.contains("A bunch"))
        }
    }

    @Test func `the map of the form is pressed and moved without script, and nothing is placed by that`() async throws {
        try await house.application(cast.settings()).application().test(.router) { client in
            let (ann, _) = try await people(client)
            let pressed = try await ann.submitFiles(
                "\(Self.board)/new", Self.typed(["title": "", "pin-place": "", "pin.x": "120", "pin.y": "120"]))
            #expect(pressed.status == .ok && pressed.text.contains("name=\"pin-place\" value=\"50.73"))
            #expect(pressed.text.contains("Five of them") && !pressed.text.contains("title-problem"))
        }
    }

    @Test func `visitors are sent to sign in, others see no door, and no page is wrong for them`() async throws {
        try await house.application(cast.settings()).application().test(.router) { client in
            let (ann, bob) = try await people(client)
            let page = try await place(ann)
            let visitor = Visitor(client)
            for act in ["edit", "closure", "renewal", "withdrawal"] {
                #expect(try await visitor.get("\(page)/\(act)").location.hasPrefix("/signin"), "\(act)")
                #expect(try await bob.get("\(page)/\(act)").status == .notFound, "\(act)")
                #expect(try await ann.get("\(page)/\(act)").status == .ok, "\(act)")
            }
            #expect(try await visitor.get("\(Self.board)/new").location.hasPrefix("/signin"))
            for path in ["mine", "saved", "viewed"] {
                #expect(try await visitor.get("\(Self.board)/\(path)").location.hasPrefix("/signin"))
                #expect(try await bob.get("\(Self.board)/\(path)").status == .ok)
            }
            for path in ["1", String(repeating: "a", count: 22), "..%2F..%2Fetc", "category/dragons", "by/nobody"] {
                #expect(try await visitor.get("\(Self.board)/\(path)").status == .notFound, "\(path)")
            }
            for query in [
                "?q=%22*&at=91,0", "?at=nan,inf&zoom=99", "?box=1,2,3", "?within=-5&order=x&after=zz", "?place=%00%1b",
                "?placeId=9223372036854775808&side=DROP", "?at=0,0&zoom=-1",
                "?q=\(String(repeating: "a%20", count: 400))",
            ] {
                #expect(try await visitor.get("\(Self.board)\(query)").status == .ok, "\(query)")
                #expect(try await visitor.get("\(Self.api)\(query)").status == .ok, "\(query)")
            }
        }
    }

    @Test func `saved and viewed are one's own (LF-10), and the number is shown ten times a day (LF-15)`() async throws
    {
        try await house.application(cast.settings()).application().test(.router) { client in
            let (ann, bob) = try await people(client)
            let page = try await place(ann)
            #expect(try await bob.submit(page, to: "\(page)/save", [("on", "yes")]).location == page)
            #expect(try await bob.get("\(Self.board)/saved").text.contains("A bunch"))
            #expect(try await bob.get("\(Self.board)/viewed").text.contains("A bunch"))
            #expect(try await !ann.get("\(Self.board)/viewed").text.contains("A bunch"))
            _ = try await bob.submit("\(Self.board)/viewed", to: "\(Self.board)/viewed/removal")
            #expect(try await !bob.get("\(Self.board)/viewed").text.contains("A bunch"))
            _ = try await bob.submit("\(Self.board)/viewed", to: "\(Self.board)/viewed/keeping", [("on", "")])
            _ = try await bob.get(page)
            #expect(try await bob.get("\(Self.board)/viewed").text.contains("is not kept"))

            for _ in 1...10 {
                let shown = try await bob.submit(page, to: "\(page)/telephone")
                #expect(shown.status == .ok && shown.text.contains("tel:0228123456"))
                #expect(shown.headers[.cacheControl] == "private, no-store")
            }
            let more = try await bob.submit(page, to: "\(page)/telephone")
            #expect(more.status == .tooManyRequests && more.headers[.retryAfter] != nil)
            #expect(try await ann.get(page).text.contains("shown 10 times"))
            #expect(try await Visitor(client).submit(page, to: "\(page)/telephone").status == .forbidden)
        }
    }

    @Test func `everything a page does is in the interface (LF-17)`() async throws {
        try await house.application(cast.settings()).application().test(.router) { client in
            let account = try await cast.member("ann")
            let token = try await cast.token(of: account)
            let other = try await cast.token(of: try await cast.member("bob"))
            let sent = """
                {"side": "found", "category": "pets", "title": "A hedgehog", "text": "Small", "at": "50.7339,7.0997", \
                "precision": "near", "from": "2027-01-14T10:00:00+01:00", "phone": "0228 123456", "key": "k"}
                """
            let made = try await client.send(.post, Self.api, json: sent, token: token)
            #expect(made.status == .created, "\(made.text)")
            let facts = try made.facts
            let id = try #require(facts["id"] as? String)
            #expect(facts["side"] as? String == "found" && facts["hasPhone"] as? Bool == true)
            #expect(facts["from"] as? String == "2027-01-14T09:00:00Z" && !made.text.contains("0228 123456"))
            let again = try await client.send(.post, Self.api, json: sent, token: token)
            #expect(try again.facts["id"] as? String == id, "once for its key")

            let wrong = try await client.send(
                .post, Self.api, json: #"{"side": "x", "title": "", "from": "soon"}"#, token: token,
                [.acceptLanguage: "de"])
            #expect(wrong.status == .unprocessableContent)
            let errors = try #require(try wrong.facts["errors"] as? [String: String])
            #expect(Set(errors.keys) == ["side", "category", "title", "text", "place", "from"])
            #expect(errors["title"] == "Please fill this in", "programs are told in English")

            let seen = try await client.send(.get, "\(Self.api)/\(id)", token: other)
            // One number of where it is shown may be that of the place by chance.
            #expect(!(seen.text.contains("50.7339") && seen.text.contains("7.0997")))
            #expect(seen.text.contains("\"precision\":\"near\""))
            #expect(try await client.send(.get, "\(Self.api)/\(id)", token: token).text.contains("50.7339"))
            let list = try await client.send(.get, "\(Self.api)?q=hedgehog&at=50.74,7.1&within=5")
            #expect(try (list.facts["listings"] as? [Any])?.count == 1)
            let markers = try await client.send(.get, "\(Self.api)/markers?box=50.5,6.8,51,7.4&zoom=10&side=found")
            #expect(markers.text.contains("A hedgehog"))
            #expect(!(markers.text.contains("50.7339") && markers.text.contains("7.0997")))
            #expect(try await client.send(.get, "\(Self.api)/markers?box=1").status == .unprocessableContent)
            #expect(try await client.send(.get, "\(Self.api)/categories").text.contains(#""category":"pets","open":1"#))

            let put = sent.replacing("A hedgehog", with: "Two hedgehogs")
            #expect(try await client.send(.put, "\(Self.api)/\(id)", json: put, token: other).status == .notFound)
            #expect(try await client.send(.put, "\(Self.api)/\(id)", json: put, token: token).text.contains("Two hed"))
            let call = "\(Self.api)/\(id)/telephone"
            #expect(try await client.send(.post, call, token: other).text.contains("0228 123456"))
            #expect(try await client.send(.post, call).status == .unauthorized)
            #expect(try await client.send(.put, "\(Self.api)/\(id)/save", token: other).status == .ok)
            let saved = try await client.send(.get, "\(Self.api)/saved", token: other)
            #expect(saved.text.contains("Two hed") && saved.headers[.cacheControl] == "private, no-store")
            #expect(try await client.send(.post, "\(Self.api)/\(id)/renewal", token: token).status == .ok)
            let closure = "\(Self.api)/\(id)/closure"
            let outcome = #"{"outcome": "returned"}"#
            #expect(try await client.send(.post, closure, json: outcome, token: other).status == .notFound)
            #expect(try await client.send(.post, closure, json: outcome, token: token).text.contains("settled"))
            #expect(try await client.send(.post, closure, json: outcome, token: token).status == .conflict)
            #expect(try await client.send(.get, "\(Self.api)/mine", token: token).text.contains("returned"))
        }
    }

    @Test func `a list by distance says to people and programs that there is more farther away`() async throws {
        try await house.application(cast.settings()).application().test(.router) { client in
            let (ann, _) = try await people(client)
            for number in 0..<3 { _ = try await place(ann, ["title": "Keys \(number)"]) }
            let visitor = Visitor(client)
            let query = "?at=50.73,7.1&within=10&order=nearest"
            // As if 998 had been told already, of 1,000.
            for (after, isCut) in [("", false), ("&after=d0-0-998", true)] {
                let page = try await visitor.get("\(Self.board)\(query)\(after)").text
                #expect(page.contains("There is more, farther away.") == isCut)
                let document = try await visitor.get("\(Self.api)\(query)\(after)").text
                #expect(document.contains("\"further\":true") == isCut, "\(document)")
                #expect(!document.contains("\"next\""))
            }
        }
    }

    /// The page about a hub with some boards, and what it answers at this one's address.
    private func about(_ boards: [String]) async throws -> (text: String, board: HTTPResponse.Status) {
        var settings = try cast.settings()
        settings.boards = boards
        let application = try house.application(settings).application()
        return try await application.test(.router) { client -> (text: String, board: HTTPResponse.Status) in
            let visitor = Visitor(client)
            let board = try await visitor.get(Self.board).status
            return (try await visitor.get("/about").text, board)
        }
    }

    @Test func `a board that is not wanted is not there`() async throws {
        let (with, without) = (try await about(["lost-and-found"]), try await about([]))
        #expect(with.board == .ok && with.text.contains("href=\"/lost-and-found\""))
        #expect(without.board == .notFound && !without.text.contains("lost-and-found"))
    }

    @Test func `the board speaks German to who likes it best`() async throws {
        try await house.application(cast.settings()).application().test(.router) { client in
            let page = try await Visitor(client).get(Self.board, [.acceptLanguage: "de"])
            #expect(page.text.contains("Verloren &amp; gefunden") && page.text.contains("Im Umkreis von"))
            #expect(!page.text.contains(">listing.") && !page.text.contains("HTML(text:"))
        }
    }
}
