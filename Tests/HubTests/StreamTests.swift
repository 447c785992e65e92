import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpHub
import ChirpTestKit
import ChirpWeb
import Foundation
import HTTPTypes
import HubHousehold
import Testing

/// Mastodon's streams: what is public, and what a member may have.
@Suite struct StreamTests {
    private static let url = "http://127.0.0.1:4747"

    private func places(_ lines: [String]) -> [String] {
        lines.filter { $0.hasPrefix("id: ") }.map { String($0.dropFirst(4)) }
    }

    @Test func `the public stream has public posts alone, as statuses with ids`() async throws {
        let house = try HubHousehold()
        let ann = try await StreamMember(house, "ann")
        try await withLiveHub(house, publicURL: Self.url) { port in
            let answer = try #require(OpenAnswer(port: port, path: "/api/v1/streaming/public"))
            #expect(await answer.lines { $0 == ":)" } != nil)
            try await ann.post("for followers", .followers)
            try await ann.post("by its link", .unlisted)
            let post = try await ann.post("for all", .published)
            let lines = try #require(await answer.lines { $0.hasPrefix("data: ") })
            #expect(places(lines) == ["\(post.sequence)"] && lines.contains("event: update"))
            let data = try #require(lines.last?.dropFirst(6))
            let status = try #require(try JSONSerialization.jsonObject(with: Data(data.utf8)) as? [String: Any])
            #expect(status["id"] as? String == "\(post.sequence)" && status["favourited"] == nil)
        }
    }

    @Test func `who names the last event gets what came since, and a deleted post is told`() async throws {
        let house = try HubHousehold()
        let ann = try await StreamMember(house, "ann")
        for number in 1...5 { try await ann.post("\(number)", .published) }
        try await withLiveHub(house, publicURL: Self.url) { port in
            let answer = try #require(
                OpenAnswer(port: port, path: "/api/v1/streaming/public", headers: ["Last-Event-ID: 2"]))
            let lines = try #require(await answer.lines { $0 == "id: 5" })
            #expect(places(lines) == ["3", "4", "5"])
            let last = try await ann.post("6", .published)
            #expect(await answer.lines { $0 == "id: 6" } != nil)
            try await house.library.removePost(last.id)
            #expect(await answer.lines { $0 == "event: delete" } != nil)
            #expect(await answer.lines { $0 == "data: 6" } != nil)
        }
    }

    @Test func `a member's stream has her home and what is for her, and nothing that she may not see`() async throws {
        let house = try HubHousehold()
        let (ann, bob, eve) = try await (
            StreamMember(house, "ann"), StreamMember(house, "bob"), StreamMember(house, "eve")
        )
        try await house.library.follow(ann.id, by: bob.id)
        try await withLiveHub(house, publicURL: Self.url) { port in
            let path = "/api/v1/streaming/user"
            let hers = try #require(OpenAnswer(port: port, path: path, headers: [bob.cookie]))
            let strangers = try #require(OpenAnswer(port: port, path: path, headers: [eve.cookie]))
            for answer in [hers, strangers] { #expect(await answer.lines { $0 == ":)" } != nil) }
            try await eve.post("of a stranger", .published)
            let first = try await ann.post("for all", .published)
            let second = try await ann.post("for followers", .followers)
            let third = try await ann.post("@bob for one", .direct)
            let fourth = try await bob.post("her own", .published)
            let heard = try #require(await hers.lines { $0 == "id: \(fourth.sequence)" })
            #expect(places(heard) == [first, second, third, fourth].map { "\($0.sequence)" })
            let last = try await eve.post("the stranger's last", .published)
            let heardByStranger = try #require(await strangers.lines { $0 == "id: \(last.sequence)" })
            #expect(places(heardByStranger) == ["1", "\(last.sequence)"])

            // Ties are asked for each post, and again when she comes back.
            try await house.library.unfollow(ann.id, by: bob.id)
            try await ann.post("no longer for her", .followers)
            let own = try await bob.post("her own again", .published)
            let after = try #require(await hers.lines { $0 == "id: \(own.sequence)" })
            #expect(places(after) == ["\(own.sequence)"])
            let back = try #require(OpenAnswer(port: port, path: path, headers: [bob.cookie, "Last-Event-ID: 0"]))
            let again = try #require(await back.lines { $0 == "id: \(own.sequence)" })
            #expect(places(again) == [third, fourth, own].map { "\($0.sequence)" })
        }
    }

    @Test func `a stream ends when its session has ended`() async throws {
        let house = try HubHousehold()
        let ann = try await StreamMember(house, "ann")
        try await withLiveHub(house, clock: HurriedClock(), publicURL: Self.url) { port in
            let answer = try #require(
                OpenAnswer(port: port, path: "/api/v1/streaming/user", headers: [ann.cookie]))
            #expect(await answer.lines { $0 == ":thump" } != nil)
            try await house.library.accounts().signOutEverywhere(ann.id)
            // The last chunk of a whole answer.
            #expect(await answer.lines { $0 == "0" } != nil)
        }
    }

    @Test func `who has signed out everywhere hears nothing of what comes then, before any pulse`() async throws {
        let house = try HubHousehold()
        let ann = try await StreamMember(house, "ann")
        try await withLiveHub(house, publicURL: Self.url) { port in
            let answer = try #require(
                OpenAnswer(port: port, path: "/api/v1/streaming/user", headers: [ann.cookie]))
            #expect(await answer.lines { $0 == ":)" } != nil)
            let first = try await ann.post("before", .published)
            #expect(await answer.lines { $0 == "id: \(first.sequence)" } != nil)
            try await house.library.accounts().signOutEverywhere(ann.id)
            try await ann.post("after", .published)
            // The last chunk of a whole answer.
            let rest = try #require(await answer.lines { $0 == "0" })
            #expect(!rest.contains { $0.hasPrefix("id: ") })
        }
    }

    @Test(arguments: [
        "DELETE FROM tokens", "DELETE FROM apps", "DELETE FROM accounts WHERE handle = 'bob'",
    ])
    func `a stream ends when the token that opened it, its program or its account has ended`(change: String)
        async throws
    {
        let house = try HubHousehold()
        let cast = HubCast(house: house)
        let token = try await cast.token(of: try await cast.member("bob"), "read:statuses")
        try await withLiveHub(house, clock: HurriedClock(), publicURL: Self.url) { port in
            let path = "/api/v1/streaming/user?access_token=\(token)"
            let answer = try #require(OpenAnswer(port: port, path: path))
            #expect(await answer.lines { $0 == ":thump" } != nil)
            try await house.change(change)
            // The last chunk of a whole answer.
            #expect(await answer.lines { $0 == "0" } != nil)
            let again = try #require(OpenAnswer(port: port, path: path))
            #expect(await again.lines { $0.hasPrefix("HTTP/1.1") }?.last?.contains("401") == true)
        }
    }

    @Test func `one account has so many streams, wherever it comes from`() async throws {
        let house = try HubHousehold()
        let ann = try await StreamMember(house, "ann")
        var limits = ConnectionLimits()
        limits.streamsPerAccount = 2
        try await withLiveHub(house, publicURL: Self.url, connections: limits) { port in
            var answers: [OpenAnswer] = []
            for (host, expected) in [("127.0.0.1", "200 OK"), ("127.0.0.2", "200 OK"), ("127.0.0.3", "429")] {
                let answer = try #require(
                    OpenAnswer(port: port, path: "/api/v1/streaming/user", headers: [ann.cookie], from: host))
                let status = try #require(await answer.lines { $0.hasPrefix("HTTP/1.1") }?.first)
                #expect(status.contains(expected), "\(host)")
                if expected == "200 OK" { #expect(await answer.lines { $0 == ":)" } != nil) }
                answers.append(answer)
            }
        }
    }

    @Test func `a member hears of her notices, which leave her place in the feed alone`() async throws {
        let house = try HubHousehold()
        let (ann, bob) = try await (StreamMember(house, "ann"), StreamMember(house, "bob"))
        try await withLiveHub(house, publicURL: Self.url) { port in
            let path = "/api/v1/streaming/user"
            let hers = try #require(OpenAnswer(port: port, path: path, headers: [bob.cookie]))
            let others = try #require(OpenAnswer(port: port, path: path, headers: [ann.cookie]))
            for answer in [hers, others] { #expect(await answer.lines { $0 == ":)" } != nil) }
            try await house.library.follow(bob.id, by: ann.id)
            let lines = try #require(await hers.lines { $0.hasPrefix("data: ") })
            #expect(lines.contains("event: notification") && places(lines).isEmpty)
            let data = try #require(lines.last?.dropFirst(6))
            let told = try #require(try JSONSerialization.jsonObject(with: Data(data.utf8)) as? [String: Any])
            #expect(told["type"] as? String == "follow")
            #expect((told["account"] as? [String: Any])?["username"] as? String == "ann")

            // A post that mentions her, of somebody whom she does not follow, is told by its notice alone.
            let post = try await ann.post("@bob hear this", .published)
            let mention = try #require(await hers.lines { $0.hasPrefix("data: ") })
            #expect(mention.contains("event: notification") && places(mention).isEmpty)
            #expect(mention.last?.contains(#""type":"mention""#) == true)
            let own = try #require(await others.lines { $0 == "id: \(post.sequence)" })
            #expect(!own.contains("event: notification"))
        }
    }

    @Test func `a token in the address opens a stream and nothing else, and says what is told there`() async throws {
        let house = try HubHousehold()
        let cast = HubCast(house: house)
        let (ann, bob) = try await (cast.member("ann"), cast.member("bob"))
        let all = try await cast.token(of: bob)
        let posts = try await cast.token(of: bob, "read:statuses")
        try await withLiveHub(house, publicURL: Self.url) { port in
            let path = "/api/v1/streaming/user?access_token="
            let whole = try #require(OpenAnswer(port: port, path: path + all))
            let part = try #require(OpenAnswer(port: port, path: path + posts))
            for answer in [whole, part] { #expect(await answer.lines { $0 == ":)" } != nil) }
            try await house.library.follow(bob.id, by: ann.id)
            #expect(await whole.lines { $0 == "event: notification" } != nil)
            let draft = PostDraft(author: bob.id, text: "her own", key: "one")
            let post = try await house.library.post(draft)
            let lines = try #require(await part.lines { $0 == "id: \(post.sequence)" })
            #expect(!lines.contains("event: notification"))

            let wrong = try #require(OpenAnswer(port: port, path: path + "nonsense"))
            #expect(await wrong.lines { $0.hasPrefix("HTTP/1.1") }?.last?.contains("401") == true)
            let elsewhere = try #require(
                OpenAnswer(port: port, path: "/api/v1/accounts/verify_credentials?access_token=\(all)"))
            #expect(await elsewhere.lines { $0.hasPrefix("HTTP/1.1") }?.last?.contains("401") == true)
        }
    }

    @Test func `a post that waited for a look reaches those who listen when it is shown`() async throws {
        let house = try HubHousehold()
        let (ann, bob) = try await (StreamMember(house, "ann"), StreamMember(house, "bob"))
        try await withLiveHub(house, publicURL: Self.url) { port in
            let everybody = try #require(OpenAnswer(port: port, path: "/api/v1/streaming/public"))
            let hers = try #require(
                OpenAnswer(port: port, path: "/api/v1/streaming/user", headers: [bob.cookie]))
            for answer in [everybody, hers] { #expect(await answer.lines { $0 == ":)" } != nil) }
            var draft = PostDraft(author: ann.id, text: "@bob my first", key: "held")
            draft.isHeld = true
            let held = try await house.library.post(draft)
            let second = try await bob.post("meanwhile", .published)
            #expect(await everybody.lines { $0 == "id: \(second.sequence)" } != nil)
            let place = try await house.library.admit(
                held.sequence, shows: true, by: house.library.owner.id, why: "Looked at")
            #expect(place > second.sequence)
            let lines = try #require(await everybody.lines { $0.hasPrefix("data: ") && $0.contains("my first") })
            #expect(places(lines).last == "\(place)")
            // Its notice comes with it, and not before.
            let told = try #require(await hers.lines { $0 == "event: notification" })
            #expect(places(told) == ["\(second.sequence)"])
        }
    }

    @Test func `visitors have no home, and streams say that they are there`() async throws {
        let house = try HubHousehold()
        try await house.application().application().test(.router) { client in
            let user = try await client.execute(uri: "/api/v1/streaming/user", method: .get)
            #expect(user.status == .unauthorized)
            let health = try await client.execute(uri: "/api/v1/streaming/health", method: .get)
            #expect(health.status == .ok && health.text == "OK")
        }
    }
}

/// Somebody with an account and a session.
private struct StreamMember: Sendable {
    let id: AccountID
    /// The field that a browser sends.
    let cookie: String
    private let library: HubLibrary

    init(_ house: HubHousehold, _ name: String) async throws {
        library = house.library
        let accounts = house.accounts
        let password = Secret("correct horse battery")
        let letter = try await accounts.signUp(
            handle: Handle(typed: name), mail: MailAddress(typed: "\(name)@example.org"), password: password,
            registration: .open)
        guard case .confirm(_, let link) = letter else { throw CancellationError() }
        _ = try await accounts.confirm(link.token)
        let session = try await accounts.signIn(name: name, password: password, agent: "test")
        id = session.account
        cookie = "Cookie: session=\(session.token.secret.reveal())"
    }

    @discardableResult
    func post(_ text: String, _ visibility: HubPost.Visibility) async throws -> HubPost {
        var draft = PostDraft(author: id, text: text, key: UUID().uuidString)
        draft.visibility = visibility
        return try await library.post(draft)
    }
}
