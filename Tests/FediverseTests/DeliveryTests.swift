import ChirpAccounts
import ChirpCommunity
import ChirpFederation
import ChirpFediverse
import ChirpHTTP
import Foundation
import HubHousehold
import Testing

/// Nothing is posted twice, and nothing is lost (hub.md 8).
@Suite struct DeliveryTests {
    private static let inbox = "https://one.example/inbox"

    /// A world in which Bob, and Eve at the same server, follow.
    private func followed() async throws -> FediverseWorld {
        let world = try await FediverseWorld()
        for (name, key) in [("bob", 1), ("eve", 2)] {
            let follow = world.activity("Follow", by: name, ["object": .text(world.actor.text)])
            #expect(try await world.send(follow.bytes, by: name, key: key) == .accepted)
        }
        await world.fediverse.deliveries.round()
        #expect(world.peer.delivered.map(\.type) == ["Accept", "Accept"])
        return world
    }

    private func told(_ world: FediverseWorld) -> [PeerServer.Delivered] { Array(world.peer.delivered.dropFirst(2)) }

    @Test func `a clip arrives once as a note with its sound, at the inbox that both share`() async throws {
        let world = try await followed()
        let post = try await world.clip("Blackbird")
        await world.fediverse.deliveries.round()
        await world.fediverse.deliveries.round()
        let create = try #require(told(world).first)
        #expect(told(world).count == 1 && create.path == Self.inbox && create.type == "Create")
        let note = try #require(create.document["object"])
        #expect(note["type"]?.text == "Note" && note["id"]?.text == world.fediverse.links.note(post.id).text)
        let sound = try #require(note["attachment"]?.items.first)
        #expect(sound["type"]?.text == "Document" && sound["mediaType"]?.text == "audio/mpeg")
        #expect(sound["url"]?.text == "https://clips.example.org/media/\(try #require(post.clip).id).mp3")
        #expect(note["tag"]?.items.contains { $0["name"]?.text?.lowercased() == "#chirp" } == true)
        #expect(note["to"]?.items.contains("https://www.w3.org/ns/activitystreams#Public") == true)
    }

    @Test func `a server that believes the other signature alone is knocked at twice, and then once`() async throws {
        let world = try await followed()
        world.peer.fail(Self.inbox, .believesOnly(.messageSignatures))
        try await world.clip("Blackbird")
        await world.fediverse.deliveries.round()
        #expect(told(world).count == 1)
        let before = world.peer.asked.count
        try await world.clip("Robin")
        await world.fediverse.deliveries.round()
        #expect(told(world).count == 2 && world.peer.asked.count == before + 1)
    }

    @Test func `what fails goes out again under the same id within ten minutes, and not before its time`() async throws
    {
        let world = try await followed()
        world.peer.fail(Self.inbox, .answers(500), .breaks)
        try await world.clip("Blackbird")
        await world.fediverse.deliveries.round()
        #expect(told(world).isEmpty)
        let first = try #require(try await world.house.library.nextDelivery())
        #expect((1...600).contains(first.timeIntervalSince(world.house.now)))
        let waiting = try #require(try await world.house.library.nextDelivery(to: "one.example"))
        for _ in 1...2 {
            world.house.wait(1200)
            await world.fediverse.deliveries.round()
        }
        #expect(told(world).map(\.id) == [world.fediverse.links.activity(waiting.activityID).text])
    }

    @Test func `a server is left alone for as long as it asks`() async throws {
        let world = try await followed()
        world.peer.fail(Self.inbox, .answers(429, ["Retry-After": "7200"]))
        try await world.clip("Blackbird")
        await world.fediverse.deliveries.round()
        world.house.wait(7100)
        await world.fediverse.deliveries.round()
        #expect(told(world).isEmpty)
        world.house.wait(200)
        await world.fediverse.deliveries.round()
        #expect(told(world).count == 1)
    }

    @Test func `a hub that was killed before it wrote down the answer tells it again under the same id`() async throws {
        let world = try await followed()
        try await world.clip("Blackbird")
        await world.fediverse.deliveries.round()
        // As if it had died right after the server took it.
        try await world.house.change("UPDATE federationDeliveries SET state = 'waiting' WHERE state = 'sent'")
        let another = Fediverse(
            library: world.house.library, links: world.fediverse.links, transport: world.peer, allowsLoopback: false,
            say: { _ in })
        await another.deliveries.round()
        let creates = told(world).filter { $0.type == "Create" }
        #expect(creates.count == 2 && Set(creates.map(\.id)).count == 1)
        #expect(creates.first?.document == creates.last?.document)
    }

    @Test func `an inbox that is gone is forgotten`() async throws {
        let world = try await followed()
        world.peer.fail(Self.inbox, .answers(410))
        try await world.clip("Blackbird")
        await world.fediverse.deliveries.round()
        #expect(try await world.followers() == 0)
        #expect(try await world.house.library.nextDelivery() == nil)
    }

    @Test func `a clip that was deleted before anybody heard of it is told of no more`() async throws {
        let world = try await followed()
        let post = try await world.clip("Blackbird")
        _ = try await world.house.library.removePost(post.sequence, by: world.ann)
        await world.fediverse.deliveries.round()
        #expect(told(world).map(\.type) == ["Delete"])
        #expect(told(world).first?.document["object"]?["id"]?.text == world.fediverse.links.note(post.id).text)
    }

    @Test func `a farewell is signed by the key of who is gone`() async throws {
        let world = try await followed()
        _ = try await world.house.library.accounts().delete(world.ann)
        await world.fediverse.deliveries.round()
        #expect(told(world).map(\.type) == ["Delete"])
        #expect(told(world).first?.document["object"]?.text == world.actor.text)
    }

    @Test func `what is posted while it works goes out at once`() async throws {
        let world = try await followed()
        let work = Task { await world.fediverse.deliveries.run() }
        defer { work.cancel() }
        for title in ["Blackbird", "Robin"] {
            let count = told(world).count
            try await world.clip(title)
            while told(world).count == count { await Task.yield() }
        }
        #expect(told(world).map(\.type) == ["Create", "Create"])
    }

    @Test func `a server that hangs keeps no other waiting, and the work ends when it is told to`() async throws {
        let world = try await followed()
        try world.put("cid", at: "two.example", key: 1)
        let follow = world.activity(
            "Follow",
            [
                "object": .text(world.actor.text), "actor": "https://two.example/users/cid",
                "id": "https://two.example/1",
            ])
        #expect(try await world.send(follow.bytes, keyID: "https://two.example/users/cid#main-key") == .accepted)
        await world.fediverse.deliveries.round()
        world.peer.fail(Self.inbox, .hangs)
        try await world.clip("Blackbird")
        let work = Task { await world.fediverse.deliveries.run() }
        while !world.peer.delivered.contains(where: { $0.path == "https://two.example/inbox" }) { await Task.yield() }
        work.cancel()
        await work.value
        #expect(try await world.house.library.nextDelivery(to: "one.example")?.kind == .create, "it waits")
    }
}
