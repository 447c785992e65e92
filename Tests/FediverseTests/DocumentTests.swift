import ChirpCommunity
import ChirpCore
import ChirpFederation
import ChirpFediverse
import ChirpHTTP
import ChirpNumbers
import Foundation
import HubHousehold
import Testing

/// What other servers read of this hub: what everybody may see, of those who have switched it on (hub.md 8).
@Suite struct DocumentTests {
    @Test func `somebody is found by her name, her page and her actor, and by nothing else`() async throws {
        let world = try await FediverseWorld()
        let hub = try await world.fediverse.hub.actor()
        for (resource, found) in [
            ("acct:ann@clips.example.org", world.actor.text), ("acct:Ann@Clips.Example.Org", world.actor.text),
            (world.actor.text, world.actor.text), ("https://clips.example.org/@ann", world.actor.text),
            ("acct:clips.example.org@clips.example.org", world.fediverse.links.actor(hub.id).text),
            ("acct:ann@elsewhere.example", nil), ("acct:me@clips.example.org", nil),
            ("https://clips.example.org/@nobody", nil), ("https://elsewhere.example/@ann", nil),
        ] as [(String, String?)] {
            let subject = try #require(WebFinger.subject(resource), "\(resource)")
            #expect(try await world.fediverse.actor(of: subject)?.id.text == found, "\(resource)")
        }
        try await world.house.library.endFederation(of: world.ann)
        let subject = try #require(WebFinger.subject("acct:ann@clips.example.org"))
        #expect(try await world.fediverse.actor(of: subject) == nil)
    }

    @Test func `an actor's document has what others need, and no secret`() async throws {
        let world = try await FediverseWorld()
        let document = try #require(try await world.fediverse.actor(named: "ann")).document
        #expect(document["id"]?.text == world.actor.text && document["preferredUsername"]?.text == "ann")
        #expect(document["endpoints"]?["sharedInbox"]?.text == "https://clips.example.org/ap/inbox")
        #expect(document["publicKey"]?["owner"]?.text == world.actor.text)
        let text = String(decoding: document.bytes, as: UTF8.self)
        #expect(text.contains("BEGIN PUBLIC KEY") && !text.contains("PRIVATE") && !text.contains("id-ann"))
    }

    @Test func `an outbox has public clips alone, page by page`() async throws {
        let world = try await FediverseWorld()
        for number in 1...45 { try await world.clip("Clip \(number)") }
        _ = try await world.house.library.post(PostDraft(author: world.ann, text: "words", key: "words"))
        try await world.house.change("UPDATE posts SET visibility = 'followers' WHERE text LIKE 'Clip 7 %'")
        let kept = try #require(try await world.house.library.federationActor(of: world.ann))
        #expect(try await world.fediverse.posts(of: kept) == 44)
        var (ids, before): (Set<String>, PageCursor?) = ([], .end)
        while let place = before {
            let page = try await world.fediverse.outbox(of: kept, before: place)
            for item in page.items { ids.insert(item["object"]?["id"]?.text ?? item["object"]?.text ?? "") }
            before = page.next
        }
        #expect(ids.count == 44)
    }

    @Test(arguments: HubPost.Visibility.allCases) func `only a public clip is a note`(
        visibility: HubPost.Visibility
    ) async throws {
        let world = try await FediverseWorld()
        let post = try await world.clip("Blackbird")
        try await world.house.change("UPDATE posts SET visibility = '\(visibility.rawValue)' WHERE id = '\(post.id)'")
        let note = try await world.fediverse.note(post.id)
        #expect((note != nil) == (visibility == .published))
    }

    @Test func `addresses of other servers name nothing here`() throws {
        let links = try #require(FediverseLinks(publicURL: "https://example.org/hub"))
        #expect(links.actor("ab").text == "https://example.org/hub/ap/actors/ab" && links.host == "example.org")
        #expect(links.actorID(links.actor("ab")) == "ab" && links.postID(links.note("X1")) == "X1")
        for text in [
            "https://example.org/ap/actors/ab", "https://elsewhere.example/hub/ap/actors/ab",
            "https://example.org/hub/ap/actors/ab/inbox", "https://example.org/hub/ap/actors/",
            "https://example.org/hub/ap/actors/ab?x=1",
        ] {
            #expect(links.actorID(try #require(ObjectID(text))) == nil, "\(text)")
        }
    }
}
