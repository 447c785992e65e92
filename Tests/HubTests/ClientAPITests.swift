import ChirpAccounts
import ChirpCommunity
import ChirpHub
import ChirpTestKit
import ChirpWeb
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import Testing

/// Mastodon's client API as programs meet it (hub.md 2, 13).
@Suite struct ClientAPITests {
    private let house: HubHousehold

    init() throws { house = try HubHousehold() }

    private func settings() throws -> HubSettings { try HubHousehold.settings(.open) }

    private struct Status: Decodable {
        struct Account: Decodable { let id, acct: String }
        struct Media: Decodable { let type, url: String }
        let id, content, visibility, url: String
        let favourited, bookmarked: Bool
        let favourites_count, replies_count: Int
        let in_reply_to_id: String?
        let account: Account
        let media_attachments: [Media]
    }
    private struct Failure: Decodable { let error: String }
    private struct Named: Decodable { let id: String }

    private func decoded<T: Decodable>(_ type: T.Type, _ answer: TestResponse) throws -> T {
        try JSONDecoder().decode(type, from: Data(answer.text.utf8))
    }

    @Test func `a post is written once for its key, read, marked, answered and removed`() async throws {
        try await house.application(settings()).application().test(.router) { client in
            let (ann, bob) = (Visitor(client), Visitor(client))
            try await ann.join("ann", house)
            try await bob.join("bob", house)
            let key: HTTPFields = [.idempotencyKey: "one"]
            let draft = #"{"status": "Hello <b> \"you\" #Chirp\nsecond", "visibility": "public", "language": "en"}"#
            let first = try decoded(Status.self, try await ann.call(.post, "/api/v1/statuses", draft, key))
            let again = try decoded(Status.self, try await ann.call(.post, "/api/v1/statuses", draft, key))
            #expect(first.id == again.id && first.visibility == "public" && first.account.acct == "ann")
            #expect(first.content.contains("&lt;b&gt; &quot;you&quot;") && first.content.contains("<br>second"))
            #expect(first.content.contains("class=\"mention hashtag\""))
            let path = "/api/v1/statuses/\(first.id)"
            let liked = try decoded(Status.self, try await bob.call(.post, "\(path)/favourite"))
            #expect(liked.favourited && liked.favourites_count == 1 && !liked.bookmarked)
            #expect(try decoded(Status.self, try await bob.call(.post, "\(path)/bookmark")).bookmarked)
            let answer = try decoded(
                Status.self,
                try await bob.call(.post, "/api/v1/statuses", #"{"status": "yes", "in_reply_to_id": "\#(first.id)"}"#))
            #expect(answer.in_reply_to_id == first.id)
            struct Context: Decodable { let ancestors, descendants: [Status] }
            let context = try decoded(Context.self, try await ann.get("\(path)/context"))
            #expect(context.descendants.map(\.id) == [answer.id] && context.ancestors.isEmpty)
            struct Told: Decodable { let type: String }
            let notices = try decoded([Told].self, try await ann.get("/api/v1/notifications"))
            #expect(notices.map(\.type) == ["mention", "favourite"])
            // Only its author removes it.
            #expect(try await bob.call(.delete, path).status == .notFound)
            #expect(try await ann.call(.delete, path).status == .ok)
            #expect(try await ann.get(path).status == .notFound)
            #expect(try await ann.get("/api/v1/statuses/\(answer.id)").status == .ok)
        }
    }

    @Test func `a timeline has whom one follows, page by page, each post once`() async throws {
        try await house.application(settings()).application().test(.router) { client in
            let (ann, bob) = (Visitor(client), Visitor(client))
            try await ann.join("ann", house)
            try await bob.join("bob", house)
            for number in 1...5 {
                let visibility = number == 3 ? "private" : "public"
                _ = try await ann.call(
                    .post, "/api/v1/statuses", #"{"status": "number \#(number)", "visibility": "\#(visibility)"}"#)
            }
            #expect(try decoded([Status].self, try await bob.get("/api/v1/timelines/home")).isEmpty)
            let her = try decoded(Named.self, try await bob.get("/api/v1/accounts/lookup?acct=ann")).id
            struct Tie: Decodable { let following: Bool }
            #expect(try decoded(Tie.self, try await bob.call(.post, "/api/v1/accounts/\(her)/follow")).following)
            var seen: [String] = []
            var path: String? = "/api/v1/timelines/home?limit=2"
            while let next = path {
                let answer = try await bob.get(next)
                let page = try decoded([Status].self, answer)
                seen += page.map { $0.content }
                path = answer.headers[.link].flatMap { link in
                    link.firstMatch(of: #/<https://clips\.example\.org([^>]*)>; rel="next"/#).map { String($0.1) }
                }
                if page.isEmpty { path = nil }
            }
            #expect(seen == (1...5).reversed().map { "<p>number \($0)</p>" })
            // A stranger sees neither those for followers nor a home.
            let eve = Visitor(client)
            #expect(try decoded([Status].self, try await eve.get("/api/v1/timelines/public")).count == 4)
            #expect(try await eve.get("/api/v1/timelines/home").status == .unauthorized)
            let oldest = try decoded([Status].self, try await bob.get("/api/v1/timelines/home?limit=40")).last
            let after = try decoded(
                [Status].self, try await bob.get("/api/v1/timelines/home?limit=2&min_id=\(oldest?.id ?? "")"))
            #expect(after.map(\.content) == ["<p>number 3</p>", "<p>number 2</p>"])
        }
    }

    @Test func `a session alone, a strange form and rubbish change nothing`() async throws {
        try await house.application(settings()).application().test(.router) { client in
            let ann = Visitor(client)
            try await ann.join("ann", house)
            let path = "/api/v1/statuses"
            // One character of 25 bytes.
            let family = "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}\u{1F466}"
            // Another site's page may have the browser send the session, but not the proof.
            #expect(try await ann.call(.post, path, "{}", [.formToken: "x"]).status == .unauthorized)
            #expect(
                try await ann.call(.post, path, #"{"status": "x"}"#, [.origin: "https://evil.example"]).status
                    == .unauthorized)
            for (json, field) in [
                (#"{"status": ""}"#, "blank"), (#"{"status": "\#(String(repeating: "x", count: 1001))"}"#, "limit"),
                (#"{"status": "\#(String(repeating: family, count: 161))"}"#, "limit"),
                (#"{"status": "a", "visibility": "all"}"#, "Visibility"),
                (#"{"status": "a", "language": "<>"}"#, "Language"),
                (#"{"status": "a", "poll": {"options": ["b"]}}"#, "Polls"),
            ] {
                let answer = try await ann.call(.post, path, json)
                #expect(answer.status == .unprocessableContent, "\(json.prefix(60))")
                #expect(try decoded(Failure.self, answer).error.contains("Validation") && answer.text.contains(field))
            }
            for json in [
                "", "[", "[1]", "7", String(repeating: "[", count: 5000), #"{"a": {"b": {"c": {"d": {"e": 1}}}}}"#,
            ] {
                let status = try await ann.call(.post, path, json).status
                #expect(status == .badRequest || status == .unprocessableContent, "\(json.prefix(20)) \(status)")
            }
            #expect(try await ann.call(.post, path, #"{"status": "a", "in_reply_to_id": "99"}"#).status == .notFound)
            #expect(try await ann.call(.post, path, #"{"status": "a", "media_ids": ["nothing"]}"#).status == .notFound)
            #expect(try await ann.get("/api/v1/timelines/public?max_id=x").status == .badRequest)
            #expect(try decoded([Status].self, try await ann.get("/api/v1/timelines/home")).isEmpty)
            let refused = try await ann.call(.put, "/api/hub/v1/clips/abc")
            #expect(refused.status == .methodNotAllowed && refused.headers[.contentType] == "application/problem+json")
            #expect(refused.headers[.allow] == "DELETE, GET, HEAD")
        }
    }

    @Test func `instants and texts are written as JSON has them`() throws {
        for seconds in [-11_644_473_600.0, -1.5, 0, 951_782_400, 1_709_164_800, 4_102_444_799.999, 253_402_300_799] {
            let date = Date(timeIntervalSince1970: seconds)
            let formatter = ISO8601DateFormatter()
            formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
            #expect(InstantText.iso(date) == formatter.string(from: date), "\(seconds)")
        }
        var json = JSONText()
        let hostile = "\u{0}\u{1F}\"\\\n\u{7F}é\u{1F600}\u{2028}"
        json.object { json in
            json.field("a", hostile)
            json.none("b")
            json.field("c") { $0.array([1, 2]) { json, number in json.object { $0.field("n", number) } } }
            json.field("d", seconds: .nan)
        }
        struct Document: Decodable {
            struct Item: Decodable { let n: Int }
            let a: String
            let b: [Int]
            let c: [Item]
            let d: Double?
        }
        let read = try JSONDecoder().decode(Document.self, from: Data(json.bytes))
        #expect(read.a == hostile && read.b.isEmpty && read.c.map(\.n) == [1, 2] && read.d == nil)
    }

    @Test func `no field of a request says who acts, or what somebody is`() async throws {
        let names = [
            "account", "account_id", "accountId", "acct", "actor", "as", "author", "by", "created_by", "handle",
            "owner", "owner_id", "ownerId", "person", "user", "user_id", "userId", "username",
        ]
        let ranks = [("role", "owner"), ("state", "active"), ("admin", "1"), ("is_staff", "true"), ("scopes", "admin")]
        try await house.application(settings()).application().test(.router) { client in
            let (ann, bob) = (Visitor(client), Visitor(client))
            try await ann.join("ann", house)
            try await bob.join("bob", house)
            let id = try #require(try await house.texts("SELECT id FROM accounts WHERE handle = 'bob'").first)
            let others =
                "SELECT handle || role || state || COALESCE(name, '') FROM accounts WHERE handle <> 'ann' ORDER BY 1"
            let before = try await house.texts(others)
            for value in [id, "bob", "@bob"] {
                let fields = names.map { ($0, value) } + ranks
                let members = fields.map { "\"\($0.0)\": \"\($0.1)\"" }.joined(separator: ", ")
                let query = fields.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
                let posted = try decoded(
                    Status.self,
                    try await ann.call(.post, "/api/v1/statuses?\(query)", "{\"status\": \"\(value)\", \(members)}"))
                #expect(posted.account.acct == "ann")
                let who = try await ann.get("/api/v1/accounts/verify_credentials?\(query)")
                #expect(try who.facts["acct"] as? String == "ann")
                _ = try await ann.submit(
                    "/settings/profile", fields.map { (name: $0.0, value: $0.1) } + [("name", ""), ("bio", "")])
                let marked = try await ann.call(
                    .post, "/api/v1/statuses/\(posted.id)/bookmark?\(query)", "{\(members)}")
                #expect(marked.status == .ok)
                #expect(try await bob.get("/api/v1/bookmarks").text == "[]")
            }
            #expect(try await house.texts(others) == before)
            #expect(
                try await house.texts("SELECT role || state FROM accounts WHERE handle = 'ann'") == ["memberactive"])
        }
    }
}
