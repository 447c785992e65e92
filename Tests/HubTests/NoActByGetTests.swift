import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpHub
import ChirpTestKit
import ChirpWeb
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import Testing

/// A link on a page of another site makes a browser read any address here, with its cookies. So reading one does nothing: every declared address,
/// as each kind of viewer and with what is really there, is read while the library tells of each statement that writes.
@Suite struct NoActByGetTests {
    private let house: HubHousehold
    private let cast: HubCast

    init() throws {
        house = try HubHousehold(boards: Boards.tables)
        cast = HubCast(house: house)
    }

    private static let viewed =
        "what members have looked at is kept for them alone, if they wish, and counted for the author"

    /// What may be written by reading, and why.
    private static let written: [(path: String, sql: String, why: String)] = [
        ("*", "UPDATE sessions SET expires", "a session lasts on after a visit"),
        ("/frame", "UPDATE frames SET visited", "a frame is known to be there"),
        ("/api/hub/v1/frame", "UPDATE frames SET visited", "a frame is known to be there"),
        ("/api/hub/v1/frame/*", "UPDATE frames SET visited", "a frame is known to be there"),
        ("/api/hub/v1/frame/*", "UPDATE frames SET cursor", "updates are written down before the screen is told"),
        ("/api/hub/v1/frame/*", "INSERT INTO frameUpdates", "updates are written down before the screen is told"),
        ("/api/hub/v1/frame/*", "DELETE FROM frameUpdates", "updates are written down before the screen is told"),
        ("/frame", "DELETE FROM frameKeys", "the frame's own attempt, which was begun by a press, has come back"),
        ("/frame/back", "DELETE FROM frameKeys", "the same, from another network"),
        ("/frame/back/*", "DELETE FROM frameKeys", "the same, from another network"),
        ("/lost-and-found/*", "INSERT INTO itemMarks", Self.viewed),
        ("/lost-and-found/*", "DELETE FROM itemMarks", Self.viewed),
        ("/lost-and-found/*", "-- INSERT INTO itemTallies", Self.viewed),
        ("/api/hub/v1/lost-and-found/*", "INSERT INTO itemMarks", Self.viewed),
        ("/api/hub/v1/lost-and-found/*", "DELETE FROM itemMarks", Self.viewed),
        ("/api/hub/v1/lost-and-found/*", "-- INSERT INTO itemTallies", Self.viewed),
        (
            "/challenges/*", "INSERT INTO attemptCodes",
            "the page of an attempt shows its person a fresh code, which opens nothing"
        ),
        ("/challenges/*", "DELETE FROM attemptCodes", "codes that are over make room for it"),
        ("/beats/*", "INSERT INTO licenceTexts", "the hub's own texts are written down when a seller first sees them"),
        (
            "/api/hub/v1/live", "UPDATE liveSessions SET runs",
            "the process that is asked drives the person's session from now on"
        ),
        ("/signin/back", "DELETE FROM identityAttempts", "the browser's own attempt, begun by a press, has come back"),
        ("/signin/back/*", "DELETE FROM identityAttempts", "the same, from a Mastodon server"),
    ]

    /// The cookies that reading may set or end, and why.
    private static let baked: [(path: String, cookie: String, why: String)] = [
        ("*", "visit", "holds what forms are checked by, and opens nothing"),
        ("/frame", "frame", "the one that the browser has, for 400 days more"),
    ]

    /// - Parameter listed: a path, or with `*` at its end all that begin as it does.
    private static func isListed(_ path: String, _ listed: String) -> Bool {
        listed.hasSuffix("*") ? path.hasPrefix(listed.dropLast()) : path == listed
    }

    @Test func `nothing is done by reading an address`() async throws {
        let scene = try await scene()
        let hub = try house.application(cast.settings(limitScale: 1e6))
        let routes = try hub.declaredRoutes().filter { $0.method == .get }
        let statements = Mutexed<[String]>([])
        var (asked, found) = (0, Set<String>())
        try await hub.application().test(.router) { client in
            let links = try await links()
            try await house.library.onWriting { sql in statements.change { $0.append(sql) } }
            for (viewer, cookies) in scene.viewers {
                for path in routes.flatMap({ scene.addresses(of: $0.path, links) }) + scene.further {
                    statements.change { $0 = [] }
                    let answer = try await client.glance(
                        uri: path, method: .get, headers: [.cookie: cookies], body: nil)
                    asked += 1
                    let bare = String(path.prefix { $0 != "?" })
                    for sql in statements.value
                    where !Self.written.contains(where: { Self.isListed(bare, $0.path) && sql.hasPrefix($0.sql) }) {
                        found.insert("\(viewer): GET \(bare) writes: \(sql.prefix(100))")
                    }
                    for field in answer.headers[values: .setCookie] {
                        let name = field.prefix { $0 != "=" }.split(separator: "-").last ?? ""
                        if !Self.baked.contains(where: { Self.isListed(bare, $0.path) && $0.cookie == name }) {
                            found.insert("\(viewer): GET \(bare) sets the cookie \(name)")
                        }
                    }
                }
            }
        }
        #expect(found.isEmpty, "\(found.sorted().joined(separator: "\n"))")
        #expect(asked > 3 * routes.count)
        print("no act by GET: \(asked) requests to \(routes.count) declared addresses")
    }

    // MARK: what is there

    /// People, and what they have, by the parameters of addresses.
    private struct Scene: Sendable {
        var viewers: [(name: String, cookies: String)] = []
        /// By the beginning of a declared path, the longest first: what its first parameter is.
        var things: [(path: String, id: String)] = []
        var further: [String] = []

        /// A declared address with what leads to nothing, and with what is there; each with and without what may stand behind it.
        func addresses(of declared: String, _ links: [String: String]) -> [String] {
            let nothing = declared.replacing(#/:\w+|\{\w+\}/#, with: "999999")
            var real = declared.replacing("{handle}", with: "mia_member").replacing(":handle", with: "mia_member")
            if let thing = things.first(where: { declared == $0.path || declared.hasPrefix("\($0.path)/") }) {
                let head = thing.path.replacing(#/:\w+/#, with: thing.id)
                real = head + real.dropFirst(thing.path.count)
            }
            real = real.replacing(#/:\w+|\{\w+\}/#, with: "1")
            let token = links[declared] ?? OpaqueToken().secret.reveal()
            let state = OpaqueToken().secret.reveal()
            let query =
                "token=\(token)&invitation=\(links["invitation"] ?? "")&state=\(state)&code=a&q=rain&limit=5&page=2"
                + "&to=/&answers=declined&response_type=token&confirm=yes&sure=yes&act=delete&read=1&seen=1&lang=de"
            return Array(Set([nothing, real, "\(real)?\(query)"])).sorted()
        }
    }

    /// What links of letters, programs and people lead to.
    private func links() async throws -> [String: String] {
        let mia = try #require(try await cast.accounts.account(Handle(typed: "mia_member")))
        let frame = try await house.library.frameLink(for: mia.id)
        let letter = try await cast.accounts.signUp(
            handle: Handle(typed: "uma_unknown"), mail: MailAddress(typed: "uma@example.org"),
            password: Secret(HubCast.password), registration: .open)
        guard case .confirm(_, let confirm) = letter else { throw HubCast.Unexpected() }
        return [
            "/frame/open": frame.secret.reveal(), "/confirm": confirm.token.secret.reveal(),
            "/signin/owner": try await cast.accounts.ownerLink().token.secret.reveal(),
            "invitation": try await cast.accounts.invitation().token.secret.reveal(),
        ]
    }

    private func scene() async throws -> Scene {
        let mia = try await cast.member("mia_member")
        let bob = try await cast.member("bob_member")
        let token = try await cast.token(of: mia)
        var scene = Scene()
        let clip = try await cast.clip(of: mia)
        var message = PostDraft(author: bob.id, text: "@mia_member hello.", key: "message")
        message.visibility = .direct
        _ = try await house.library.post(message)
        let thread = try #require(try await house.library.seen(by: .member(mia.id)).threads().first)
        let frame = try await cast.frame(of: mia.id, showing: bob.id)
        let post = clip.post.id
        scene.things = [
            ("/c/:id", clip.id.text), ("/api/hub/v1/clips/:id", clip.id.text), ("/p/:id", post),
            ("/posts/:id", post), ("/report/posts/:id", post), ("/api/v1/statuses/:id", post),
            ("/api/v1/accounts/:id", mia.id.rawValue), ("/messages/:id", thread.id),
            ("/api/hub/v1/threads/:id", thread.id), ("/api/hub/v1/frames/:id", frame.frame.id),
            ("/tags/:tag", "rain"), ("/api/v1/timelines/tag/:tag", "rain"),
        ]
        scene.further = [
            "/media/\(clip.id).mp3", "/embed/\(clip.id)", "/card/\(clip.id).png", "/feed.xml", "/feed.json",
            "/@mia_member/feed.xml", "/@mia_member/feed.json", "/health", "/api/v1/posts", "/api/v1/accounts",
            "/oembed?url=\(HubHousehold.publicURL)/c/\(clip.id)", "/feeds/999999.xml", "/manifest.webmanifest",
        ]
        try await house.application(cast.settings(limitScale: 1e6)).application().test(.router) { client in
            for board in BoardSample.all {
                var fields = board.fields.merging(["key": "k"]) { $1 }
                fields.merge(try await board.further(house, token)) { $1 }
                let json = String(decoding: try JSONEncoder().encode(fields), as: UTF8.self)
                let placed = try await client.send(.post, board.api, json: json, token: token)
                let id = try #require(try placed.facts["id"] as? String)
                scene.things += [("\(board.page)/:id", id), ("\(board.api)/:id", id)]
            }
            let away = [
                "__Host-identity=\(OpaqueToken().secret.reveal())",
                "__Host-frame=\(frame.token.secret.reveal())",
            ]
            let owner = try await cast.accounts.signIn(
                byOwnerLink: try await cast.accounts.ownerLink().token, agent: "")
            let member = try await cast.accounts.signIn(
                name: "mia_member", password: Secret(HubCast.password), agent: "")
            scene.viewers = [
                ("visitor", ""), ("visitor with a frame", away.joined(separator: "; ")),
                ("member", (away + ["__Host-session=\(member.token.secret.reveal())"]).joined(separator: "; ")),
                ("owner", "__Host-session=\(owner.token.secret.reveal())"),
            ]
        }
        return scene
    }
}
