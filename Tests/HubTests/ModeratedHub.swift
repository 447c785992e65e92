import ChirpAccounts
import ChirpCommunity
import ChirpHub
import Foundation
import HubHousehold
import Hummingbird
import Testing

/// A hub with members and somebody who moderates, for suites about reports and what is decided.
protocol ModeratedHub {
    var house: HubHousehold { get }
}

extension ModeratedHub {
    func settings(holdFirstPosts: Int = 0) throws -> HubSettings {
        var settings = try HubHousehold.settings(.open)
        settings.holdFirstPosts = holdFirstPosts
        return settings
    }

    var library: HubLibrary { house.library }

    func id(_ handle: String) async throws -> AccountID {
        try #require(try await library.seen(by: .visitor).person(named: handle)).id
    }

    func post(by handle: String, _ text: String = "Listen to this") async throws -> HubPost {
        try await library.post(PostDraft(author: try await id(handle), text: text, key: UUID().uuidString))
    }

    /// Members Ann and Bob, and Mia, who moderates.
    func people<R>(_ client: RouterClient<R>) async throws -> (
        ann: Visitor<R>, bob: Visitor<R>, mia: Visitor<R>
    ) {
        let (ann, bob, mia) = (Visitor(client), Visitor(client), Visitor(client))
        try await ann.join("ann", house)
        try await bob.join("bob", house)
        try await mia.join("mia", house)
        try await library.setRole(of: try await id("mia"), to: .moderator, by: library.owner.id)
        try await signIn(mia, "mia")
        return (ann, bob, mia)
    }

    func signIn<R>(_ visitor: Visitor<R>, _ name: String) async throws {
        _ = try await visitor.submit(
            "/signin", [("username", name), ("password", "correct horse battery")])
    }

    /// The hub's owner, signed in by a link of the command line.
    func owner<R>(_ client: RouterClient<R>) async throws -> Visitor<R> {
        let owner = Visitor(client)
        let link = HubPages(publicURL: "").ownerSignIn(try await library.accounts().ownerLink())
        _ = try await owner.submit(link)
        #expect(owner.has("session"))
        return owner
    }

    func waiting() async throws -> [ModerationCase] {
        try await library.cases(waiting: true, for: library.owner.id)
    }

    /// What the forms of a page carry.
    func token(in page: String) -> String? {
        page.firstMatch(of: #/name="token" value="([^"]*)"/#).map { String($0.1) }
    }
}
