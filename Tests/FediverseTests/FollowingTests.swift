import ChirpAccounts
import ChirpCommunity
import ChirpFederation
import ChirpFediverse
import ChirpHTTP
import Foundation
import HubHousehold
import Testing

/// Two hubs whose people follow each other (hub.md 8, decision 1902).
@Suite struct FollowingTests {
    private func isAsked(_ side: HubPair.Side, _ other: PostAuthor) async throws -> Bool? {
        let stands = try await side.reader.relationships(to: [other.id]).first
        return stands?.isFollowing == true ? stands?.isAsked : nil
    }

    @Test func `somebody at another hub is found by name, asked, and has accepted`() async throws {
        let pair = try await HubPair()
        let bob = try await pair.near.follow("@\(pair.far.name)")
        #expect(bob.handle == "bob@far.example" && bob.isElsewhere)
        #expect(try await isAsked(pair.near, bob) == true)
        await pair.settle()
        #expect(try await isAsked(pair.near, bob) == false)
        #expect(try await pair.far.library.remoteFollowerCount(of: pair.far.person) == 1)
        // Found again she is the same, and asked once.
        #expect(try await pair.near.follow(pair.far.name) == bob)
        await pair.settle()
        #expect(pair.wire.asked.filter { $0.hasSuffix("/inbox") }.count == 2, "a follow and its acceptance")
        try await pair.near.library.unfollow(bob.id, by: pair.near.person)
        await pair.settle()
        #expect(try await pair.far.library.remoteFollowerCount(of: pair.far.person) == 0)
    }

    @Test func `who goes is followed by nobody and follows nobody there`() async throws {
        let pair = try await HubPair()
        let bob = try await pair.near.follow(pair.far.name)
        try await pair.far.follow(pair.near.name)
        await pair.settle()
        _ = try await pair.far.library.accounts().delete(pair.far.person)
        await pair.settle()
        #expect(try await isAsked(pair.near, bob) == nil)
        #expect(try await pair.near.reader.people(.these([bob.id]), limit: 1).isEmpty)
        #expect(try await pair.near.library.remoteFollowerCount(of: pair.near.person) == 0)
    }

    @Test(arguments: [
        ("bob", FindingRefusal.noName), ("@", .noName), ("bob@", .noName), ("a@b@c", .noName),
        ("ann@near.example", .isHere), ("bob@bad.example", .notLet(host: "bad.example")),
        ("bob@NEAR.example", .isHere),
    ]) func `what is no name of another server asks nobody`(name: String, refusal: FindingRefusal) async throws {
        let pair = try await HubPair()
        try await pair.near.library.set(
            .blocked, for: "bad.example", why: "Spam", by: pair.near.library.owner.id)
        await #expect(throws: refusal) { try await pair.near.hub.fediverse.find(name) }
        #expect(pair.wire.asked.isEmpty)
    }

    @Test(arguments: [
        HTTPResponse(status: 404), HTTPResponse(status: 302, headers: ["Location": "http://10.0.0.1/finger"]),
        HTTPResponse(
            status: 200, headers: ["Content-Type": "application/jrd+json"],
            body: Array(String(repeating: "[", count: 2_000_000).utf8)),
        HTTPResponse(
            status: 200, headers: ["Content-Type": "application/jrd+json"],
            body: Array(
                """
                {"links":[{"rel":"self","type":"application/activity+json","href":"https://169.254.169.254/bob"}]}
                """.utf8)),
    ]) func `nobody is found by an answer that is none, and nothing inside the network is asked`(
        answer: HTTPResponse
    ) async throws {
        let pair = try await HubPair()
        let question = try #require(WebFinger.question(for: pair.far.name))
        pair.wire.answer(question.text, answer, answer)
        await #expect(throws: FindingRefusal.self) { try await pair.near.hub.fediverse.find(pair.far.name) }
        #expect(pair.wire.asked == [question.text])
        #expect(try await pair.near.reader.people(.matching("bob"), limit: 9).isEmpty)
    }

    @Test func `an answer that leads back here, or to a blocked server, finds nobody`() async throws {
        let pair = try await HubPair()
        let ann = try #require(try await pair.near.hub.fediverse.actor(named: "ann"))
        let bob = try #require(try await pair.far.hub.fediverse.actor(named: "bob"))
        let leads = { (to: LocalActor) in
            HTTPResponse(
                status: 200, headers: ["Content-Type": "application/jrd+json"],
                body: WebFinger.document(of: to, host: "other.example").bytes)
        }
        let question = try #require(WebFinger.question(for: "eve@other.example"))
        pair.wire.answer(question.text, leads(ann), leads(bob))
        await #expect(throws: FindingRefusal.isHere) { try await pair.near.hub.fediverse.find("eve@other.example") }
        try await pair.near.library.set(
            .blocked, for: "far.example", why: "Spam", by: pair.near.library.owner.id)
        await #expect(throws: FindingRefusal.notLet(host: "far.example")) {
            try await pair.near.hub.fediverse.find("eve@other.example")
        }
    }
}
