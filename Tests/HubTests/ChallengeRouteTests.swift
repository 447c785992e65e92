import ChirpAccounts
import ChirpCommunity
import ChirpHub
import ChirpRecords
import ChirpWeb
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import NIOCore
import Testing

/// Challenges as people without script and programs meet them (OU-1, OU-3, OU-4, OU-16, OU-18).
@Suite struct ChallengeRouteTests {
    private let cast: HubCast
    private var house: HubHousehold { cast.house }
    private static let board = "/challenges"
    private static let api = "/api/hub/v1/challenges"

    init() throws { cast = HubCast(house: try HubHousehold(boards: Boards.tables)) }

    /// What is typed into the form beside what the template has filled in.
    private static func typed(_ changes: [String: String] = [:]) -> [(name: String, value: String)] {
        var fields = [
            "title": "Claps <b>in</b> a minute", "category": "skill", "text": "With both hands.", "unit": "x",
            "better": "more", "decimals": "0", "low": "1", "high": "1000", "step": "1", "invalid": "One hand\nA drum",
            "where": "anywhere", "begins": "", "ends": "", "grace": "0", "place": "", "precision": "near",
            "pin-place": "50.73390,7.09970", "pin-at": "50.73390,7.09970", "pin-zoom": "14",
        ]
        fields.merge(changes) { $1 }
        return fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    private func set<R>(_ visitor: Visitor<R>, _ changes: [String: String] = [:]) async throws -> String {
        let answer = try await visitor.submitFiles(
            "\(Self.board)/new?template=mostInAMinute", Self.typed(changes))
        #expect(answer.status == .seeOther, "\(answer.status): \(answer.text.prefix(3000))")
        return answer.location
    }

    @Test func `the walk: set, list, look for, map, open, save, edit, withdraw, without script`() async throws {
        try await cast.member("ann")
        try await house.application(cast.settings()).application().test(.router) { client in
            let (ann, visitor) = (try await cast.browser(of: "ann", client), Visitor(client))
            #expect(try await ann.get("\(Self.board)/new").text.contains("template=fastest"))
            let page = try await set(ann)
            let id = String(page.dropFirst("\(Self.board)/".count))

            for path in [
                "", "?feed=popular", "?feed=global", "?q=hands", "?category=skill", "?at=50.75,7.1&within=10",
                "?feed=local&at=50.75,7.1&within=10", "/map", "/map?q=hands",
            ] {
                let text = try await visitor.get("\(Self.board)\(path)").text
                #expect(text.contains("Claps &lt;b&gt;in&lt;/b&gt; a minute"), "\(path)")
            }
            for path in ["?feed=events", "?feed=coming", "?q=drum", "?category=food", "?feed=local&at=48.1,11.5"] {
                let answer = try await visitor.get("\(Self.board)\(path)")
                #expect(answer.status == .ok && !answer.text.contains("Claps &lt;b"), "\(path)")
            }
            #expect(try await visitor.get("\(Self.board)/map").text.contains("map-mark"))
            let markers = try await client.send(.get, "\(Self.api)/markers?box=50,6,52,8&zoom=9")
            #expect(markers.text.contains(id))

            let shown = try await visitor.get(page)
            #expect(shown.status == .ok)
            for piece in ["One hand<br>A drum", "With both hands.", "\(page)/try", "map-mark", "/signin?to="] {
                #expect(shown.text.contains(piece), "\(piece)")
            }
            #expect(!(shown.text.contains("50.7339") && shown.text.contains("7.0997")))
            #expect(!shown.text.contains("\(page)/edit"))

            let own = try await ann.get(page).text
            #expect(own.contains("\(page)/edit") && own.contains("\(page)/rule") && !own.contains("\(page)/merger"))
            #expect(try await ann.submit(page, to: "\(page)/save", [("on", "yes")]).location == page)
            #expect(try await ann.get("\(Self.board)/saved").text.contains("Claps &lt;b"))
            let edited = try await ann.submitFiles(
                "\(page)/edit",
                [("title", "Claps"), ("category", "sound"), ("text", ""), ("place", ""), ("precision", "near")])
            #expect(edited.location == page, "\(edited.text.prefix(2000))")
            #expect(try await visitor.get(page).text.contains("<h1 dir=\"auto\">Claps</h1>"))

            #expect(try await ann.submit("\(page)/withdrawal").status == .unprocessableContent)
            #expect(try await ann.submit("\(page)/withdrawal", [("sure", "yes")]).status == .seeOther)
            #expect(try await visitor.get(page).status == .gone)
        }
    }

    @Test func `the introduction comes once, on the way in by the front door, and local is kept`() async throws {
        try await cast.member("ann")
        try await house.application(cast.settings()).application().test(.router) { client in
            let ann = try await cast.browser(of: "ann", client)
            #expect(try await Visitor(client).get(Self.board).status == .ok, "visitors find the front page")
            #expect(try await ann.get(Self.board).location == "\(Self.board)/introduction")
            #expect(try await ann.get("\(Self.board)/introduction/3").status == .ok)
            #expect(try await ann.get("\(Self.board)/introduction/4").status == .notFound)
            #expect(try await ann.submit("\(Self.board)/introduction").location == Self.board)
            #expect(try await ann.get(Self.board).status == .ok)
            _ = try await set(ann)
            let chosen = try await ann.submit(
                "\(Self.board)?feed=local&at=50.75,7.1&within=20", to: "\(Self.board)/local", [])
            #expect(chosen.location == "\(Self.board)?feed=local")
            let local = try await ann.get("\(Self.board)?feed=local").text
            #expect(local.contains("Claps") && local.contains("value=\"20\""))
        }
    }

    @Test func `what is wrong is said beside its field, and a rule stays once somebody has tried it`() async throws {
        let (ann, bob) = (try await cast.member("ann"), try await cast.member("bob"))
        let token = try await cast.token(of: ann)
        try await house.application(cast.settings()).application().test(.router) { client in
            let visitor = try await cast.browser(of: "ann", client)
            let wrong = try await visitor.submitFiles(
                "\(Self.board)/new?template=fastest",
                Self.typed([
                    "title": "", "unit": "s", "low": "much", "begins": "soon", "ends": "2027-02-01T10:00",
                ]))
            #expect(wrong.status == .unprocessableContent)
            for field in ["title", "low"] { #expect(wrong.text.contains("id=\"\(field)-problem\""), "\(field)") }
            #expect(wrong.text.contains("value=\"much\""))

            let page = try await set(visitor)
            let id = String(page.dropFirst("\(Self.board)/".count))
            let changed = try await client.send(
                .put, "\(Self.api)/\(id)/rule", json: #"{"high": "500", "version": 1}"#, token: token)
            #expect(changed.status == .ok && changed.text.contains("\"version\":2"), "\(changed.text)")

            let hub = try #require(HubID(id))
            var draft = AttemptDraft(score: "42", done: house.now, version: 2)
            draft.media = [.video]
            _ = try await AttemptStore(library: house.library).begin(draft, at: hub, by: bob.id, key: "k")
            for (method, part) in [(HTTPRequest.Method.put, "rule"), (.post, "closure"), (.post, "withdrawal")] {
                let answer = try await client.send(
                    method, "\(Self.api)/\(id)/\(part)", json: #"{"high": "400", "sure": true, "reason": ""}"#,
                    token: token)
                #expect(answer.status == .conflict, "\(part): \(answer.text)")
            }
            #expect(try await visitor.get("\(page)/rule").status == .conflict)
            let put = #"{"title": "Still claps", "category": "skill"}"#
            #expect(try await client.send(.put, "\(Self.api)/\(id)", json: put, token: token).status == .ok)
        }
    }

    @Test func `moderators merge two, edit any, and choose who verifies`() async throws {
        try await cast.member("ann")
        try await cast.member("moss")
        try await cast.member("sid")
        try await house.change("UPDATE accounts SET role = 'moderator' WHERE handle = 'moss'")
        try await house.change("UPDATE accounts SET state = 'suspended', until = \(Int64.max) WHERE handle = 'sid'")
        try await house.application(cast.settings()).application().test(.router) { client in
            let (ann, mod) = (try await cast.browser(of: "ann", client), try await cast.browser(of: "moss", client))
            let (one, other) = (try await set(ann), try await set(ann, ["title": "Clapping"]))
            #expect(try await ann.get("\(one)/merger").status == .forbidden)
            #expect(try await mod.submit("\(one)/merger", [("into", "x")]).status == .unprocessableContent)
            let merged = try await mod.submit("\(one)/merger", [("into", "https://hub.example\(other)?level=world")])
            #expect(merged.location == one, "\(merged.text.prefix(1500))")
            #expect(try await Visitor(client).get(one).text.contains("href=\"\(other)\""))
            #expect(try await mod.submit("\(one)/parting").location == one)
            let edit = try await mod.submitFiles(
                "\(other)/edit",
                [("title", "Applause"), ("category", "skill"), ("text", ""), ("place", ""), ("precision", "near")])
            #expect(edit.location == other, "\(edit.text.prefix(1500))")
            #expect(try await mod.submit("\(one)/verifiers", [("handle", "nobody")]).status == .unprocessableContent)
            let suspended = try await mod.submit("\(one)/verifiers", [("handle", "sid")])
            #expect(suspended.status == .forbidden, "\(suspended.text.prefix(500))")
            #expect(try await mod.submit("\(one)/verifiers", [("handle", "@ann")]).status == .seeOther)
            #expect(try await mod.get("\(one)/verifiers").text.contains("/@ann"))
        }
    }
}
