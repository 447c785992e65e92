import ChirpAccounts
import ChirpCommunity
import ChirpFederation
import ChirpFediverse
import ChirpHTTP
import Foundation
import HubHousehold
import Testing

/// Who moves to another server takes those along who follow her, when the other place says so too (hub.md 8).
@Suite struct MoveTests {
    private static let bob = "https://one.example/users/bob"
    private static let new = "https://two.example/users/bob"

    /// A world in which Ann follows Bob, who may be found at two.example as well.
    private func followed(
        alsoKnownAs: DocumentValue? = .text(MoveTests.bob), clock: any Clock<Duration> = ContinuousClock()
    ) async throws -> FediverseWorld {
        let world = try await FediverseWorld(clock: clock)
        _ = try await world.ask()
        _ = try await sent(world)
        var more: [String: DocumentValue] = [:]
        if let alsoKnownAs { more["alsoKnownAs"] = alsoKnownAs }
        try world.put("bob", at: "two.example", key: 2, more)
        return world
    }

    private func move(_ world: FediverseWorld, to target: String = MoveTests.new) -> [UInt8] {
        world.activity("Move", ["object": .text(Self.bob), "target": .text(target)]).bytes
    }

    /// Whom the hub has asked whether somebody may follow since this was looked at last.
    private func sent(_ world: FediverseWorld) async throws -> [String] {
        var targets: [String] = []
        for host in try await world.house.library.dueHosts(most: 9) {
            while let next = try await world.house.library.nextDelivery(to: host) {
                targets.append("\(next.kind) \(next.target)")
                try await world.house.library.deliveryEnded(next, wasSent: true)
            }
        }
        return targets
    }

    private func notices(_ world: FediverseWorld) async throws -> [Notice.Remote?] {
        try await world.house.library.seen(by: .member(world.ann)).notices(limit: 20).map(\.remote)
    }

    @Test func `who follows somebody follows her where she has gone, once, and is told`() async throws {
        let world = try await followed()
        let first = move(world)
        for _ in 1...3 { #expect(try await world.send(first) == .accepted) }
        #expect(try await world.send(move(world)) == .accepted)
        #expect(try await sent(world) == ["follow \(Self.new)"])
        #expect(world.peer.asked.filter { $0 == Self.new }.count == 1, "it is asked once")
        let told = try await notices(world)
        #expect(told.count == 1 && told.first??.handle == "bob@two.example")
        #expect(told.first??.deed == .move(from: "bob@one.example"))
        let people = try await world.house.library.seen(by: .member(world.ann)).people(
            .followed(by: world.ann), limit: 9)
        #expect(people.map(\.author.handle) == ["bob@one.example", "bob@two.example"])
        // Whoever takes it back later is not asked again.
        let new = try #require(people.last).author.id
        try await world.house.library.unfollow(new, by: world.ann)
        world.house.wait(31 * 86_400)
        #expect(try await world.send(move(world)) == .accepted)
        #expect(try await sent(world) == ["unfollow \(Self.new)"])
    }

    @Test(
        arguments: [
            nil, .text("https://one.example/users/eve"), .text(MoveTests.new), ["https://two.example/users/eve"], "bob",
            1,
        ] as [DocumentValue?]) func `a place that does not say so is none`(alsoKnownAs: DocumentValue?) async throws
    {
        let world = try await followed(alsoKnownAs: alsoKnownAs)
        #expect(try await world.send(move(world)) == .accepted)
        #expect(try await sent(world).isEmpty)
        #expect(try await notices(world).isEmpty)
    }

    @Test(arguments: [
        PeerServer.Fault.answers(404), .answers(410), .answers(403), .answers(302, ["Location": "http://10.0.0.1/bob"]),
        .answers(302, ["Location": "https://three.example/users/bob"]),
        .answers(200, ["Content-Type": "text/html"], body: Array("<p>hello".utf8)),
        .answers(200, ["Content-Type": MediaType.activity], body: Array(String(repeating: "[", count: 100_000).utf8)),
        .answers(
            200, ["Content-Type": MediaType.activity],
            body: Array(#"{"id":"https://three.example/users/bob","alsoKnownAs":"https://one.example/users/bob"}"#.utf8)
        ),
    ]) func `a place that gives no actor of its own is none`(fault: PeerServer.Fault) async throws {
        let world = try await followed()
        world.peer.fail(Self.new, fault, fault)
        #expect(try await world.send(move(world)) == .accepted)
        #expect(try await sent(world).isEmpty)
        #expect(try await notices(world).isEmpty)
        #expect(!world.peer.asked.contains { $0.contains("10.0.0.1") })
    }

    @Test func `a place that cannot be asked now is asked when it is said again`() async throws {
        let world = try await followed()
        world.peer.fail(Self.new, .answers(500), .breaks)
        let said = move(world)
        for _ in 1...2 { #expect(try await world.send(said) == .busy) }
        #expect(try await sent(world).isEmpty)
        #expect(try await world.send(said) == .accepted)
        #expect(try await sent(world) == ["follow \(Self.new)"])
    }

    @Test func `a place that is slower than anybody waits is asked when it is said again`() async throws {
        let clock = PatienceClock()
        let world = try await followed(clock: clock)
        world.peer.fail(Self.new, .outlasts(clock))
        let said = move(world)
        #expect(try await world.send(said) == .busy)
        #expect(try await world.send(said) == .accepted)
        #expect(try await sent(world) == ["follow \(Self.new)"])
    }

    @Test func `places inside the network, of blocked servers, here, and the same one are not asked`() async throws {
        let world = try await followed()
        let owner = world.house.library.owner.id
        try await world.house.library.set(.blocked, for: "bad.example", why: "Spam", by: owner)
        let before = world.peer.asked.count
        for target in [
            Self.bob, world.actor.text, "https://bad.example/users/bob", "https://a.bad.example/bob",
            "http://10.0.0.1/bob", "https://localhost/bob", "https://169.254.169.254/bob",
        ] {
            #expect(try await world.send(move(world, to: target)) == .accepted, "\(target)")
        }
        #expect(world.peer.asked.count == before)
        #expect(try await sent(world).isEmpty)
    }

    @Test func `nobody is moved by another, and of whom nobody follows no place is asked`() async throws {
        let world = try await followed()
        let eve = world.activity("Move", by: "eve", ["object": .text(Self.bob), "target": .text(Self.new)])
        #expect(try await world.send(eve.bytes, by: "eve", key: 2).isRefusal)
        let own = world.activity(
            "Move", by: "eve", ["object": "https://one.example/users/eve", "target": .text(Self.new)])
        #expect(try await world.send(own.bytes, by: "eve", key: 2) == .accepted)
        #expect(!world.peer.asked.contains(Self.new))
        #expect(try await sent(world).isEmpty)
    }

    @Test func `a place that has moved on is none, and chains and loops end at one move within thirty days`()
        async throws
    {
        let world = try await followed()
        let three = "https://three.example/users/bob"
        try world.put("bob", at: "three.example", key: 0, ["alsoKnownAs": .text(Self.new), "movedTo": .text(three)])
        try world.put("bob", at: "two.example", key: 2, ["alsoKnownAs": .text(Self.bob), "movedTo": .text(three)])
        #expect(try await world.send(move(world)) == .accepted)
        #expect(try await sent(world).isEmpty)
        try world.put("bob", at: "two.example", key: 2, ["alsoKnownAs": .text(Self.bob)])
        #expect(try await world.send(move(world)) == .accepted)
        #expect(try await sent(world) == ["follow \(Self.new)"])

        // From there back, and further on.
        try world.put("bob", at: "one.example", key: 1, ["alsoKnownAs": .text(Self.new)])
        try world.put("bob", at: "three.example", key: 0, ["alsoKnownAs": .text(Self.new)])
        for target in [Self.bob, three] {
            let on = world.activity(
                "Move",
                [
                    "actor": .text(Self.new), "object": .text(Self.new), "target": .text(target),
                    "id": .text("https://two.example/\(target.count)"),
                ])
            #expect(try await world.send(on.bytes, key: 2, keyID: "\(Self.new)#main-key") == .accepted)
        }
        #expect(try await sent(world).isEmpty)
        world.house.wait(31 * 86_400)
        let on = world.activity(
            "Move",
            [
                "actor": .text(Self.new), "object": .text(Self.new), "target": .text(three),
                "id": "https://two.example/later",
            ])
        #expect(try await world.send(on.bytes, key: 2, keyID: "\(Self.new)#main-key") == .accepted)
        #expect(try await sent(world) == ["follow \(three)"])
    }

    @Test func `a follower who moves follows from where he asks again`() async throws {
        let world = try await FediverseWorld()
        let follow = world.activity("Follow", ["object": .text(world.actor.text)])
        #expect(try await world.send(follow.bytes) == .accepted)
        try world.put("bob", at: "two.example", key: 2, ["alsoKnownAs": .text(Self.bob)])
        #expect(try await world.send(move(world)) == .accepted)
        #expect(try await world.followers() == 1)
        #expect(!world.peer.asked.contains(Self.new))
    }
}
