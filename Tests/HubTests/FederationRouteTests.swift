import ChirpAccounts
import ChirpCommunity
import ChirpFederation
import ChirpHub
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import Testing

/// A hub among other servers, by its addresses and pages (hub.md 8).
@Suite struct FederationRouteTests {
    private let house: HubHousehold
    private let cast: HubCast
    private let activity: HTTPFields = [.accept: ChirpFederation.MediaType.accept]

    init() throws {
        house = try HubHousehold()
        cast = HubCast(house: house)
    }

    private func settings(isOn: Bool = true) throws -> HubSettings {
        var settings = try cast.settings()
        settings.federation.isOn = isOn
        return settings
    }

    /// Posts a clip of somebody's.
    private func clip(of account: AccountID) async throws -> HubPost {
        let id = try await house.save(title: "Blackbird")
        try await house.change("UPDATE clips SET owner = '\(account.rawValue)' WHERE id = '\(id)'")
        var draft = PostDraft(author: account, text: "Blackbird #Chirp", key: "one")
        draft.clip = HubID(id)
        return try await house.library.post(draft)
    }

    /// Whether others get something else at its address.
    private func varies(_ answer: TestResponse) -> Bool {
        (answer.headers[.vary] ?? "").split(separator: ",").contains {
            $0.trimmingCharacters(in: .whitespaces) == "Accept"
        }
    }

    @Test func `a hub speaks with no other servers unless it is told to`() async throws {
        try await cast.member("ann")
        try await house.application(settings(isOn: false)).application().test(.router) { client in
            for path in ["/.well-known/webfinger?resource=acct:ann@clips.example.org", "/nodeinfo/2.1", "/ap/actors/x"]
            {
                #expect(try await client.send(.get, path).status == .notFound)
            }
            #expect(try await client.send(.post, "/ap/inbox", json: "{}").status == .notFound)
            let page = try await client.send(.get, "/@ann", activity)
            #expect(page.headers[.contentType]?.hasPrefix("text/html") == true && !varies(page))
            let browser = try await cast.browser(of: "ann", client)
            #expect(try await !browser.get("/settings/privacy").text.contains("other servers"))
        }
    }

    @Test func `nobody is told of before she has ticked the box, and nobody after she has unticked it`() async throws {
        try await cast.member("ann")
        let finger = "/.well-known/webfinger?resource=acct%3Aann%40clips.example.org"
        try await house.application(settings()).application().test(.router) { client in
            #expect(try await client.send(.get, finger).status == .notFound)
            let browser = try await cast.browser(of: "ann", client)
            #expect(try await browser.get("/settings/privacy").text.contains("other servers"))
            let on = try await browser.submit(
                "/settings/privacy", to: "/settings/privacy/federation", [("federation", "on")])
            #expect(on.status == .seeOther)
            let page = try await browser.get("/settings/privacy").text
            #expect(page.contains("@ann@clips.example.org") && page.contains(" checked"))

            let found = try await client.send(.get, finger)
            #expect(found.status == .ok && found.headers[.contentType]?.hasPrefix("application/jrd+json") == true)
            #expect(try found.facts["subject"] as? String == "acct:ann@clips.example.org")
            let links = try #require(try found.facts["links"] as? [[String: Any]])
            let id = try #require(links.first { $0["rel"] as? String == "self" }?["href"] as? String)
            let path = String(id.dropFirst(HubHousehold.publicURL.count))
            let actor = try await client.send(.get, path, activity)
            #expect(actor.status == .ok && actor.headers[.vary] == "Accept")
            #expect(try actor.facts["id"] as? String == id)
            #expect(actor.headers[.contentType]?.hasPrefix("application/activity+json") == true)
            // The same at her page, which people get.
            #expect(try await client.send(.get, "/@ann", activity).facts["id"] as? String == id)
            let people = try await client.send(.get, "/@ann", [.accept: "text/html"])
            #expect(people.text.contains("<h1") && varies(people))
            #expect(try await client.send(.get, path, [.accept: "text/html"]).status == .seeOther)

            _ = try await browser.submit("/settings/privacy", to: "/settings/privacy/federation")
            #expect(try await client.send(.get, finger).status == .notFound)
            #expect(try await client.send(.get, path, activity).status == .gone)
        }
    }

    @Test func `a clip is a note where people get its page, and stands in the outbox`() async throws {
        let ann = try await cast.member("ann").id
        try await house.library.federate(ann, key: try ActorKey().pem)
        let post = try await clip(of: ann)
        let page = "/c/\(try #require(post.clip).id)"
        let kept = try #require(try await house.library.federationActor(of: ann))
        try await house.application(settings()).application().test(.router) { client in
            let note = try await client.send(.get, page, activity)
            #expect(try note.facts["type"] as? String == "Note" && varies(note))
            let id = try #require(try note.facts["id"] as? String)
            #expect(
                try await client.send(.get, String(id.dropFirst(HubHousehold.publicURL.count)), activity).text
                    == note.text)
            #expect(try await client.send(.get, page).headers[.contentType]?.hasPrefix("text/html") == true)
            let outbox = try await client.send(.get, "/ap/actors/\(kept.id)/outbox")
            #expect(try outbox.facts["totalItems"] as? Int == 1)
            let first = try #require(try outbox.facts["first"] as? String)
            let items = try await client.send(.get, String(first.dropFirst(HubHousehold.publicURL.count))).facts
            #expect((items["orderedItems"] as? [Any])?.count == 1)
            let followers = try await client.send(.get, "/ap/actors/\(kept.id)/followers").facts
            #expect(followers["totalItems"] as? Int == 0 && followers["first"] == nil)
            let info = try await client.send(.get, "/nodeinfo/2.1")
            #expect(try info.facts["version"] as? String == "2.1")
        }
    }

    @Test func `what is not signed is refused, also at an inbox that is nobody's`() async throws {
        try await house.application(settings()).application().test(.router) { client in
            for path in ["/ap/inbox", "/ap/actors/nobody/inbox"] {
                let answer = try await client.send(.post, path, json: "{\"type\":\"Follow\"}")
                #expect(answer.status == .unauthorized)
            }
        }
    }

    @Test func `moderators block a domain, and the owner alone chooses the list of allowed ones`() async throws {
        try await cast.member("ann")
        try await house.change("UPDATE accounts SET role = 'moderator' WHERE handle = 'ann'")
        try await house.application(settings()).application().test(.router) { client in
            let browser = try await cast.browser(of: "ann", client)
            let page = "/moderation/domains"
            let wrong = try await browser.submit(page, [("domain", "no domain"), ("rule", "blocked"), ("why", "x")])
            #expect(wrong.status == .unprocessableContent && wrong.text.contains("example.org"))
            let done = try await browser.submit(
                page, [("domain", "Spam.Example"), ("rule", "blocked"), ("why", "It sends nothing else")])
            #expect(done.status == .seeOther)
            let text = try await browser.get(page).text
            #expect(text.contains("spam.example") && text.contains("It sends nothing else"))
            #expect(!text.contains("allow-list"))
            let refused = try await browser.submit(page, to: "/moderation/domains/allow-list", [("allow-list", "on")])
            #expect(refused.status == .forbidden)
            #expect(try await browser.get("/moderation/log").text.contains("Server blocked"))
        }
        #expect(try await !house.library.serverRules().lets("spam.example"))
    }
}
