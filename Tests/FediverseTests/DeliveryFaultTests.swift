import ChirpCommunity
import ChirpFederation
import ChirpFediverse
import ChirpHTTP
import Foundation
import HubHousehold
import Testing

/// Whatever another server does with what it is told: it hears of it once, under one id, and it has the hub ask nobody else (hub.md 8).
@Suite struct DeliveryFaultTests {
    private static let inbox = "https://one.example/inbox"

    private func followed(clock: any Clock<Duration> = ContinuousClock()) async throws -> FediverseWorld {
        let world = try await FediverseWorld(clock: clock)
        let follow = world.activity("Follow", ["object": .text(world.actor.text)])
        #expect(try await world.send(follow.bytes) == .accepted)
        await world.fediverse.deliveries.round()
        #expect(told(world) == ["Accept"])
        return world
    }

    private func told(_ world: FediverseWorld) -> [String] { world.peer.delivered.map(\.type) }

    /// Tells of a clip, which is not taken at first, and mends what is wrong then.
    private func isTaken(_ world: FediverseWorld, after mend: () -> Void = {}) async throws {
        try await world.clip("Blackbird")
        let waiting = try #require(try await world.house.library.nextDelivery(to: "one.example"))
        await world.fediverse.deliveries.round()
        #expect(told(world) == ["Accept"])
        #expect(try await world.house.library.nextDelivery(to: "one.example")?.tries == 1)
        mend()
        world.house.wait(601)
        await world.fediverse.deliveries.round()
        #expect(told(world) == ["Accept", "Create"])
        #expect(world.peer.delivered.last?.id == world.fediverse.links.activity(waiting.activityID).text)
        #expect(try await world.house.library.nextDelivery() == nil)
    }

    @Test(arguments: [13.0, -13]) func `a server whose clock is wrong believes nothing until it is right`(
        hours: Double
    ) async throws {
        let world = try await followed()
        world.peer.set(fast: hours * 3600)
        try await isTaken(world) { world.peer.set(fast: 0) }
    }

    @Test func `a server that knows another key of hers believes nothing until it knows the right one`() async throws {
        let world = try await followed()
        let kept = try #require(try await world.house.library.federationActor(of: world.ann))
        let right = try #require(try await world.fediverse.documents.actor(kept)).publicPEM
        let old = try FediverseWorld.keys.get()[2].publicPEM
        world.peer.trust { _ in old }
        try await isTaken(world) { world.peer.trust { _ in right } }
    }

    @Test func `a server that reads something else, fails, or answers without end hears of it later`() async throws {
        let huge = Array(repeating: UInt8(0x5B), count: 2 << 20)
        for faults in [
            [.mishears, .mishears], [.answers(401), .answers(401)], [.answers(500)], [.answers(408)], [.breaks],
            [.answers(200, body: huge)],
        ] as [[PeerServer.Fault]] {
            let world = try await followed()
            for fault in faults { world.peer.fail(Self.inbox, fault) }
            try await isTaken(world)
        }
    }

    @Test func `a server that is slower than anybody waits hears of it later`() async throws {
        let clock = PatienceClock()
        let world = try await followed(clock: clock)
        world.peer.fail(Self.inbox, .outlasts(clock))
        try await isTaken(world)
    }

    @Test(
        arguments: [301, 302, 307, 308],
        ["http://10.0.0.1/inbox", "https://169.254.169.254/inbox", "https://two.example/inbox"])
    func `an inbox that leads elsewhere is not followed, and keeps nothing else back`(
        status: Int, place: String
    ) async throws {
        let world = try await followed()
        world.peer.fail(Self.inbox, .answers(status, ["Location": place]))
        try await world.clip("Blackbird")
        try await world.clip("Robin")
        await world.fediverse.deliveries.round()
        #expect(told(world) == ["Accept", "Create"])
        #expect(world.peer.asked.allSatisfy { $0.hasPrefix("https://one.example/") })
        #expect(try await world.house.library.nextDelivery() == nil)
    }

    @Test func `an answer is not read, however deep or odd it is`() async throws {
        let world = try await followed()
        let deep = Array(String(repeating: "[", count: 50_000).utf8)
        world.peer.fail(Self.inbox, .answers(202, ["Content-Type": MediaType.activity], body: deep), .answers(204))
        for title in ["Blackbird", "Robin"] { try await world.clip(title) }
        await world.fediverse.deliveries.round()
        #expect(try await world.house.library.nextDelivery() == nil)
    }
}
