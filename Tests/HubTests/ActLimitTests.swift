import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpHub
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import Testing

/// Follows, marks and blocks: each is a row, and one account makes so many of them in an hour, by whatever way.
@Suite struct ActLimitTests {
    private let house: HubHousehold
    private let cast: HubCast

    init() throws {
        house = try HubHousehold(boards: Boards.tables)
        cast = HubCast(house: house)
    }

    private static let acts: [(act: String, most: Double)] = [
        ("follow", 300), ("follow, page", 300), ("block", 600), ("favourite", 600), ("bookmark", 600),
        ("like, page", 600), ("bookmark, page", 600), ("archive", 600), ("archive, page", 600),
    ]

    @Test(arguments: acts)
    func `one account has one bucket for what it does to others' things, and others have theirs`(
        act: String, most: Double
    ) async throws {
        let (ann, eve) = (try await cast.member("ann"), try await cast.member("eve"))
        let bob = try await house.person("bob")
        _ = try await house.post("Listen")
        let post = try #require(try await house.library.seen(by: .visitor).posts(limit: 1).first).sequence
        let track = try await cast.beat(by: try await cast.member("max"))
        func send<R>(_ client: RouterClient<R>, by account: HubAccount) async throws -> HTTPResponse.Status {
            func form(_ path: String, _ fields: [(name: String, value: String)]) async throws -> HTTPResponse.Status {
                let session = try await cast.accounts.signIn(
                    name: account.handle.text, password: Secret(HubCast.password), agent: ""
                ).token.secret.reveal()
                let visitor = Visitor(client)
                let token = try await visitor.hidden(on: "/reset").filter { $0.name == "token" }
                return try await visitor.post(
                    path, token + fields, [.cookie: "\(visitor.allCookies); __Host-session=\(session)"]
                ).status
            }
            func program(_ method: HTTPRequest.Method, _ path: String) async throws -> HTTPResponse.Status {
                let token = try await cast.token(of: account)
                return try await client.send(method, path, json: method == .post ? "{}" : nil, token: token).status
            }
            switch act {
            case "follow", "block": return try await program(.post, "/api/v1/accounts/\(bob.rawValue)/\(act)")
            case "follow, page": return try await form("/follow", [("handle", "bob")])
            case "favourite", "bookmark": return try await program(.post, "/api/v1/statuses/\(post)/\(act)")
            case "archive": return try await program(.put, "/api/hub/v1/beats/\(track)/archive")
            case "archive, page": return try await form("/beats/\(track)/archive", [("on", "1")])
            default: return try await form("/posts/\(post)/\(act.prefix { $0 != "," })", [])
            }
        }
        // So that the bucket holds three.
        try await house.application(cast.settings(limitScale: 3 / most)).application().test(.router) { client in
            for _ in 0..<3 {
                let status = try await send(client, by: ann)
                #expect(status == .ok || status == .seeOther, "\(act): \(status)")
            }
            #expect(try await send(client, by: ann) == .tooManyRequests, "\(act)")
            #expect(try await send(client, by: eve) != .tooManyRequests, "\(act)")
        }
    }

    @Test func `no route puts a follow, a mark or a block past the limit`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources")
        let files = try #require(FileManager.default.enumerator(atPath: root.path()))
        var found: Set<String> = []
        for case let name as String in files where name.hasSuffix(".swift") && !name.hasPrefix("ChirpCommunity/") {
            let text = try String(contentsOf: root.appending(path: name), encoding: .utf8)
            let calls = text.matches(of: #/library\.(mark|follow|block)\([^\n]*/#).filter { !$0.0.contains("under:") }
            if !calls.isEmpty { found.insert(name) }
            #expect(calls.count <= text.matches(of: /consumeMark\(by/).count, "\(name)")
        }
        #expect(found.count >= 3)
    }

    @Test func `who follows as many as one may is told so, and follows another one after leaving one`() async throws {
        let ann = try await cast.member("ann")
        let (bob, carl) = (try await house.person("bob"), try await house.person("carl"))
        try await house.crowd(HubLibrary.mostFollowed - 1, followedBy: ann.id)
        let token = try await cast.token(of: ann)
        try await house.application(cast.settings(limitScale: 100)).application().test(.router) { client in
            func send(_ act: String, _ other: AccountID) async throws -> HTTPResponse.Status {
                let path = "/api/v1/accounts/\(other.rawValue)/\(act)"
                return try await client.send(.post, path, json: "{}", token: token).status
            }
            #expect(try await send("follow", bob) == .ok)
            #expect(try await send("follow", carl) == .unprocessableContent)
            try await house.library.follow(carl, by: ann.id)
            let reader = house.library.seen(by: .member(ann.id))
            #expect(try await reader.relationships(to: [carl]).map(\.isFollowing) == [false])
            #expect(try await send("unfollow", bob) == .ok)
            #expect(try await send("follow", carl) == .ok)
        }
    }

    @Test func `the page of whom to hear lists five hundred, says so, and lists who is chosen beside them`()
        async throws
    {
        try await house.application(cast.settings(limitScale: 1e6)).application().test(.router) { client in
            let visitor = Visitor(client)
            try await visitor.join("lena", house)
            let lena = try #require(try await house.library.seen(by: .visitor).person(named: "lena")).id
            try await house.crowd(500, followedBy: lena)
            func listed() async throws -> (count: Int, saysSo: Bool) {
                let text = try await visitor.get("/live").text
                return (text.matches(of: /id="account-/).count, text.contains("The first 500 of those you follow"))
            }
            #expect(try await listed() == (500, false))
            // The last one by name.
            let zoe = try await house.person("zoe")
            try await house.library.follow(zoe, by: lena)
            #expect(try await listed() == (500, true))
            let begun = try await visitor.submit(
                "/live", [("account", zoe.rawValue), ("for", "10m"), ("do", "start")])
            #expect(begun.status == .seeOther)
            #expect(try await listed() == (501, false))
        }
    }
}

extension HubHousehold {
    /// People whom an account follows.
    fileprivate func crowd(_ count: Int, followedBy account: AccountID) async throws {
        try await change(
            """
            INSERT INTO accounts (id, handle, skeleton, name, role, state, created)
            WITH RECURSIVE some (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM some WHERE n < \(count))
            SELECT 'crowd' || n, 'crowd' || n, 'crowd' || n, 'One of many', 'member', 'active', 0 FROM some;
            INSERT INTO follows (follower, followed, created)
            SELECT '\(account.rawValue)', id, 0 FROM accounts WHERE id LIKE 'crowd%'
            """)
    }
}
