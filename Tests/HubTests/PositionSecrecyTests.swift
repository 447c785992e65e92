import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpHub
import ChirpListings
import ChirpPlaces
import ChirpTestKit
import ChirpWeb
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import NIOCore
import Testing

/// Position never leaks (LF-2): every declared address is asked as a visitor, as a member who has to do with a listing, and as a
/// moderator, and no answer holds the place.
@Suite(.tags(.computing)) struct PositionSecrecyTests {
    /// Somebody's way of asking: the cookies, and the token of forms.
    private struct Asker: Sendable {
        let name: String
        let cookies: String
        let form: String
    }

    private let scene: PositionScene
    private var house: HubHousehold { scene.house }
    private var cast: HubCast { scene.cast }

    init() async throws { scene = try await PositionScene() }

    private func asker<R>(_ name: String?, _ client: RouterClient<R>) async throws -> Asker {
        let visitor = Visitor(client)
        let page = try await visitor.get("/signout").text
        let form = String(try #require(page.firstMatch(of: #/name="token" value="([^"]*)"/#)?.1))
        let visit = "__Host-visit=\(try #require(visitor.cookie("visit")))"
        guard let name else { return Asker(name: "visitor", cookies: visit, form: form) }
        let session = try await cast.accounts.signIn(name: name, password: Secret(HubCast.password), agent: "")
        return Asker(
            name: name, cookies: "\(visit); __Host-session=\(session.token.secret.reveal())", form: form)
    }

    /// The addresses that a declaration stands for here.
    private func paths(_ route: WebRoute) -> [String] {
        let isBoard = route.path.contains("lost-and-found")
        var paths = [""]
        for part in route.path.split(separator: "/") {
            let values =
                part.first == ":" ? values(of: part.dropFirst(), isBoard: isBoard, route.path) : [String(part)]
            paths = paths.flatMap { path in values.map { "\(path)/\($0)" } }
        }
        if route.path == "/" { paths = ["/"] }
        // `/@{handle}` is declared with its braces.
        paths = paths.map { $0.replacing("{handle}", with: "ann") }
        guard route.method == .get, isBoard, !route.path.contains(":") || route.path.contains(":name") else {
            return paths
        }
        return paths.flatMap { path in queries.map { "\(path)\($0)" } }
    }

    private func values(of parameter: Substring, isBoard: Bool, _ path: String) -> [String] {
        switch parameter {
        case "id" where isBoard || path.contains("items"): ["\(scene.near)", "\(scene.town)", "\(scene.own)"]
        case "id": ["\(scene.near)", scene.thread]
        case "other": ["\(scene.near)", "\(scene.own)"]
        case "handle": ["ann"]
        case "claim": ["\(scene.claim)"]
        case "alert": ["\(scene.alert)"]
        case "name": ["keys"]
        case "file" where path.hasPrefix("/pictures"): ["\(scene.picture)-large.jpg"]
        default: ["999999"]
        }
    }

    /// How a list is asked for around where things are shown. In small windows a map's ways would come near the place by chance.
    private var queries: [String] {
        let (latitude, longitude) = (scene.shown.latitude, scene.shown.longitude)
        let at = "\(latitude),\(longitude)"
        let box = "\(latitude - 0.02),\(longitude - 0.03),\(latitude + 0.02),\(longitude + 0.03)"
        return [
            "", "?at=\(at)&within=1&order=nearest", "?box=\(box)&zoom=14", "?at=\(at)&zoom=13&q=keys",
            "?q=fox&side=lost&category=keys", "?box=50,6,52,8&zoom=9",
        ]
    }

    private var fields: [(name: String, value: String)] {
        [
            ("text", "Hello"), ("answer", "A whistle"), ("reason", "spam"), ("q", "fox"), ("place", ""),
            ("at", "\(scene.shown.latitude),\(scene.shown.longitude)"), ("within", "5"), ("greeting", "Hello"),
            ("on", "yes"), ("key", "k"), ("outcome", "found"), ("sure", "yes"), ("side", "lost"),
            ("category", "keys"), ("title", "Others"), ("precision", "near"), ("details", "It is mine"),
        ]
    }

    /// A request as a page or a program sends it.
    private func request(
        _ route: WebRoute, by asker: Asker
    ) throws -> (headers: HTTPFields, body: ByteBuffer?) {
        var headers: HTTPFields = [.cookie: asker.cookies]
        if case .programs = route.audience {
            headers[.formToken] = asker.form
            guard route.method != .get, route.method != .delete else { return (headers, nil) }
            headers[.contentType] = "application/json"
            let fields = Dictionary(fields.map { ($0.name, $0.value) }) { first, _ in first }
            return (headers, ByteBuffer(bytes: try JSONSerialization.data(withJSONObject: fields)))
        }
        guard route.method != .get else { return (headers, nil) }
        let all = [(name: "token", value: asker.form)] + fields
        switch route.body {
        case .files:
            headers[.contentType] = "multipart/form-data; boundary=limit5f3a"
            let parts = all.map {
                "--limit5f3a\r\nContent-Disposition: form-data; name=\"\($0.name)\"\r\n\r\n\($0.value)\r\n"
            }
            return (headers, ByteBuffer(string: parts.joined() + "--limit5f3a--\r\n"))
        default:
            headers[.contentType] = "application/x-www-form-urlencoded"
            return (headers, ByteBuffer(string: PercentEncoding.form(all)))
        }
    }

    private func hub() throws -> HubApplication { try house.application(cast.settings(limitScale: 1e6)) }

    /// Asks all that is read, and gives what came by who asked and where.
    private func readAll<R>(
        _ routes: [WebRoute], by askers: [Asker], _ client: RouterClient<R>, isHunting: Bool = false
    ) async throws -> [String: TestResponse] {
        var answers: [String: TestResponse] = [:]
        for asker in askers {
            for route in routes where route.method == .get {
                for path in paths(route) {
                    let (headers, _) = try request(route, by: asker)
                    let answer = try await client.glance(uri: path, method: .get, headers: headers, body: nil)
                    if isHunting { expectNothing(in: answer, "\(asker.name): GET \(path)") }
                    answers["\(asker.name) \(path)"] = answer
                }
            }
        }
        return answers
    }

    private func expectNothing(in answer: TestResponse, _ what: String) {
        for hunt in scene.hunts {
            let isFound = hunt.finds(in: answer)
            #expect(!isFound, "\(what) gives a place away")
        }
    }

    @Test func `no answer holds the place, and none changes when the place does`() async throws {
        let hub = try hub()
        let routes = try hub.declaredRoutes()
        try await hub.application().test(.router) { client in
            // What is looked for would be found: its author sees it.
            let own = try await cast.browser(of: "ann", client).get("/api/hub/v1/lost-and-found/\(scene.near)")
            #expect(scene.hunts[0].finds(in: own))

            var askers: [Asker] = []
            for name in [nil, "bob", "max"] { askers.append(try await asker(name, client)) }
            // The first time some things are new, such as notices.
            _ = try await readAll(routes, by: askers, client)
            let before = try await readAll(routes, by: askers, client, isHunting: true)
            // Bob's own is shown where it is.
            let move = "UPDATE itemPlaces SET lat = lat + 0.0137, lon = lon - 0.0219 WHERE precision <> 'exact'"
            let back = "UPDATE itemPlaces SET lat = lat - 0.0137, lon = lon + 0.0219 WHERE precision <> 'exact'"
            try await house.change(move)
            let after = try await readAll(routes, by: askers, client)
            try await house.change(back)
            let again = try await readAll(routes, by: askers, client)
            let board = before.filter { $0.key.contains("lost-and-found") }
            #expect(board.values.count { $0.text.contains("rusty keys") } > 50, "the board was seen")
            for (path, answer) in before where answer.isLike(again[path]) {
                let isSame = answer.isLike(after[path])
                #expect(isSame, "\(path) depends on the place")
            }
            for (path, answer) in board {
                let isSame = answer.isLike(again[path])
                #expect(isSame, "\(path) is never the same")
            }
        }
    }

    @Test func `no act's answer holds the place, and it stands in one table alone`() async throws {
        let hub = try hub()
        let routes = try hub.declaredRoutes().filter { $0.method != .get }
        try await hub.application().test(.router) { client in
            for name in [nil, "bob"] {
                for route in routes {
                    for path in paths(route) {
                        // A new session each time: some of these acts end it.
                        let (headers, body) = try request(route, by: try await asker(name, client))
                        let answer = try await client.glance(
                            uri: path, method: route.method, headers: headers, body: body)
                        expectNothing(in: answer, "\(name ?? "visitor"): \(route.method) \(path)")
                    }
                }
            }
        }
        for hunt in scene.hunts { #expect(try scene.tables(with: hunt) == ["itemPlaces"]) }
    }

    @Test func `neither another's export nor a letter or a notice holds the place`() async throws {
        try await hub().application().test(.router) { client in
            let bob = try await cast.browser(of: "bob", client)
            let export = try await bob.submit("/settings/export", [("password", HubCast.password)])
            #expect(export.status == .ok && export.text.contains("alerts.json"))
            expectNothing(in: export, "Bob's export")
            let hers = try await cast.browser(of: "ann", client).submit(
                "/settings/export", [("password", HubCast.password)])
            #expect(scene.hunts.allSatisfy { $0.finds(in: hers) }, "Ann takes her own along")
            #expect(try await bob.get("/notices").text.contains("rusty keys"))
            let letters = house.folder.path("hub/mail")
            for name in (try? FileManager.default.contentsOfDirectory(atPath: letters)) ?? [] {
                let letter = try Data(contentsOf: URL(filePath: "\(letters)/\(name)"))
                for hunt in scene.hunts { #expect(!hunt.finds(in: letter), "\(name)") }
            }
        }
        for hunt in scene.hunts { #expect(try scene.tables(with: hunt) == ["itemPlaces"]) }
    }
}
