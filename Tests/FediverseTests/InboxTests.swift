import ChirpCommunity
import ChirpFederation
import ChirpFediverse
import ChirpHTTP
import Foundation
import HubHousehold
import Testing

/// Nothing is accepted that should not be (hub.md 8).
@Suite struct InboxTests {
    private func follow(_ world: FediverseWorld, by name: String = "bob") -> [UInt8] {
        world.activity("Follow", by: name, ["object": .text(world.actor.text)]).bytes
    }

    @Test(arguments: SignatureScheme.allCases) func `a follow that is signed either way is done and accepted there`(
        scheme: SignatureScheme
    ) async throws {
        let world = try await FediverseWorld()
        let content = follow(world)
        for _ in 1...3 { #expect(try await world.send(content, scheme) == .accepted) }
        #expect(try await world.followers() == 1)
        #expect(world.peer.asked == ["https://one.example/users/bob"], "the key is fetched once, by a signed request")
        await world.fediverse.deliveries.round()
        #expect(world.peer.delivered.map(\.type) == ["Accept"])
        let accept = try #require(world.peer.delivered.first)
        #expect(accept.path == "https://one.example/users/bob/inbox")
        #expect(accept.document["object"]?["id"]?.text == (try DocumentValue(reading: content))["id"]?.text)
        #expect(accept.document["actor"]?.text == world.actor.text)
    }

    @Test func `what is not signed, signed by another, too old, of the future or changed on the way is refused`()
        async throws
    {
        let world = try await FediverseWorld()
        let content = follow(world)
        let hours = 3600.0
        for answer in [
            try await world.send(content, nil),
            try await world.send(content, key: 2),
            try await world.send(content, clock: -13 * hours),
            try await world.send(content, clock: 13 * hours),
            try await world.send(content) { $0[$0.count / 2] ^= 1 },
            try await world.send(content, .messageSignatures) { $0.append(0x20) },
            // Eve signs for Bob.
            try await world.send(content, key: 2, keyID: "https://one.example/users/eve#main-key"),
            // Somebody at another server does.
            try await world.send(content, keyID: "https://two.example/users/bob#main-key"),
            try await world.send(content, keyID: "https://clips.example.org/ap/actors/x#main-key"),
            try await world.send(content, keyID: "http://127.0.0.1/users/bob#main-key"),
        ] {
            #expect(answer.isRefusal, "\(answer)")
        }
        #expect(try await world.followers() == 0)
        #expect(!world.peer.asked.contains { $0.hasPrefix("http:") || $0.contains("clips.example.org") })
    }

    @Test func `a key that says it is another's is no key`() async throws {
        let world = try await FediverseWorld()
        try world.put("mal", at: "one.example", key: 1, owner: "https://one.example/users/eve")
        #expect(try await world.send(follow(world, by: "mal"), by: "mal").isRefusal)
        #expect(try await world.followers() == 0)
    }

    @Test(arguments: [true, false])
    func `a key with an address of its own is its owner's, when she says so too`(_ isNamed: Bool) async throws {
        let world = try await FediverseWorld()
        let (bob, key) = ("https://one.example/users/bob", "https://one.example/users/bob/key")
        let pem = try FediverseWorld.keys.get()[2].publicPEM
        let document: DocumentValue = ["id": .text(key), "owner": .text(bob), "publicKeyPem": .text(pem)]
        world.peer.put(document, at: key)
        if isNamed {
            world.peer.put(
                [
                    "id": .text(bob), "type": "Person", "preferredUsername": "bob", "inbox": .text("\(bob)/inbox"),
                    "publicKey": document,
                ], at: bob)
        }
        #expect(try await world.send(follow(world), key: 2, keyID: key).isRefusal == !isNamed)
        #expect(try await world.followers() == (isNamed ? 1 : 0))
    }

    @Test func `a key that was changed is fetched anew, once`() async throws {
        let world = try await FediverseWorld()
        #expect(try await world.send(follow(world)) == .accepted)
        try world.put("bob", at: "one.example", key: 2)
        let like = world.activity("Block", ["object": .text(world.actor.text)]).bytes
        #expect(try await world.send(like, key: 2) == .accepted)
        #expect(try await world.followers() == 0)
        #expect(world.peer.asked.count == 2)
        // The old one is none any more.
        #expect(try await world.send(follow(world), key: 1).isRefusal)
    }

    @Test(arguments: [
        PeerServer.Fault.answers(404), .answers(500), .breaks,
        .answers(302, ["Location": "http://10.0.0.1/key"]),
        .answers(302, ["Location": "https://two.example/users/bob"]),
        .answers(200, ["Content-Type": "text/html"], body: Array("<p>hello".utf8)),
        .answers(200, ["Content-Type": MediaType.activity], body: Array(String(repeating: "[", count: 100_000).utf8)),
        .answers(200, ["Content-Type": MediaType.activity], body: Array("{}".utf8)),
        .answers(200, ["Content-Type": MediaType.activity], body: Array(repeating: 0x20, count: 2 << 20)),
        .answers(410), .answers(401),
    ]) func `without a key nothing is believed`(fault: PeerServer.Fault) async throws {
        let world = try await FediverseWorld()
        world.peer.fail("https://one.example/users/bob", fault, fault, fault, fault)
        #expect(try await world.send(follow(world)).isRefusal)
        #expect(try await world.followers() == 0)
        #expect(!world.peer.asked.contains { $0.contains("10.0.0.1") })
    }

    @Test func `a server that gives its keys to new signatures alone is asked once more`() async throws {
        let world = try await FediverseWorld()
        world.peer.fail("https://one.example/users/bob", .believesOnly(.messageSignatures))
        #expect(try await world.send(follow(world)) == .accepted)
        #expect(try await world.followers() == 1)
        #expect(world.peer.asked.count == 2)
    }

    @Test func `a key that takes longer than anybody waits is none, until it comes`() async throws {
        let clock = PatienceClock()
        let world = try await FediverseWorld(clock: clock)
        world.peer.fail("https://one.example/users/bob", .outlasts(clock))
        #expect(try await world.send(follow(world)).isRefusal)
        #expect(try await world.followers() == 0)
        #expect(try await world.send(follow(world)) == .accepted)
        #expect(try await world.followers() == 1)
    }

    @Test func `a key whose document names an owner elsewhere is nobody's`() async throws {
        let world = try await FediverseWorld()
        let key = "https://one.example/keys/1"
        let pem = try FediverseWorld.keys.get()[2].publicPEM
        world.peer.put(
            ["id": .text(key), "owner": "https://two.example/users/bob", "publicKeyPem": .text(pem)], at: key)
        #expect(try await world.send(follow(world), key: 2, keyID: key).isRefusal)
        #expect(try await world.followers() == 0)
        #expect(world.peer.asked == [key])
    }

    @Test func `deep, broken and empty documents are refused`() async throws {
        let world = try await FediverseWorld()
        let deep = String(repeating: "{\"a\":", count: 5000) + "1" + String(repeating: "}", count: 5000)
        let huge = "{\"type\":\"Follow\",\"a\":\"\(String(repeating: "a", count: 2 << 20))\"}"
        for content in [deep, huge, "", "[]", "{", "{\"type\":\"Follow\"}", "\u{0}"] {
            #expect(try await world.send(Array(content.utf8)).isRefusal, "\(content.prefix(20))")
        }
    }

    @Test func `who is gone is forgotten, and who was never known leaves nothing`() async throws {
        let world = try await FediverseWorld()
        #expect(try await world.send(follow(world)) == .accepted)
        let bob = "https://one.example/users/bob"
        let delete = world.activity("Delete", ["object": .text(bob)]).bytes
        #expect(try await world.send(delete) == .accepted)
        #expect(try await world.followers() == 0)
        let never = "https://one.example/users/never"
        world.peer.fail(never, .answers(410), .answers(410))
        let gone = world.activity("Delete", by: "never", ["object": .text(never)]).bytes
        #expect(try await world.send(gone, by: "never") == .accepted)
        #expect(try await world.house.library.remotePerson(at: never) == nil)
    }

    @Test func `a blocked server is refused before anything is asked of it`() async throws {
        let world = try await FediverseWorld()
        let owner = world.house.library.owner.id
        try await world.house.library.set(.blocked, for: "one.example", why: "Spam", by: owner)
        #expect(try await world.send(follow(world)).isRefusal)
        #expect(world.peer.asked.isEmpty)
    }

    @Test(arguments: ["one.example.", "one.example.:443", "one.example:443", "ONE.example", "a.one.example"])
    func `a blocked server is refused under every spelling of its name`(host: String) async throws {
        let world = try await FediverseWorld()
        let owner = world.house.library.owner.id
        try await world.house.library.set(.blocked, for: "one.example", why: "Spam", by: owner)
        try world.put("bob", at: host, key: 1)
        let members: [String: DocumentValue] = [
            "actor": .text("https://\(host)/users/bob"), "id": .text("https://\(host)/activities/1"),
            "object": .text(world.actor.text),
        ]
        let content = world.activity("Follow", members).bytes
        let inbox = world.fediverse.links.sharedInbox
        var request = HTTPRequest(.post, inbox, headers: ["Content-Type": MediaType.activity], body: .bytes(content))
        let keyID = try #require(ObjectID("https://one.example/users/bob#main-key"))
        try Signer(key: try FediverseWorld.keys.get()[1], keyID: keyID).sign(
            &request, content: content, .cavage, now: world.house.now)
        // Of which key it is stands beside what is signed.
        let signature = try #require(request.headers["Signature"])
        request.headers["Signature"] = signature.replacing("//one.example/", with: "//\(host)/")
        let answer = try await world.fediverse.inbox.receive(
            IncomingRequest(method: "POST", address: inbox, headers: request.headers, body: content))
        #expect(answer.isRefusal, "\(answer)")
        #expect(try await world.followers() == 0)
        await #expect(throws: (any Error).self) { try await world.fediverse.find("bob@\(host)") }
        #expect(world.peer.asked.isEmpty)
    }

    @Test func `an answer for everybody is a notice, one to somebody alone stays where it is`() async throws {
        let world = try await FediverseWorld()
        let post = try await world.clip("Blackbird")
        let everybody = "https://www.w3.org/ns/activitystreams#Public"
        for (number, to) in [everybody, world.actor.text].enumerated() {
            let note: DocumentValue = [
                "id": .text("https://one.example/notes/\(number)"), "type": "Note",
                "attributedTo": "https://one.example/users/bob", "to": [.text(to)],
                "inReplyTo": .text(world.fediverse.links.note(post.id).text),
                "content": "<p>Lovely &amp; <script>alert(1)</script>clear</p>",
            ]
            let create = world.activity("Create", ["object": note, "to": [.text(to)]])
            #expect(try await world.send(create.bytes) == .accepted)
        }
        let notices = try await world.house.library.seen(by: .member(world.ann)).notices(limit: 9)
        #expect(notices.count == 1)
        let text = notices.first?.remote?.reply?.text ?? ""
        #expect(text.hasPrefix("Lovely &") && !text.contains("<"), "\(text)")
    }

    @Test func `an activity that is not known is taken and does nothing`() async throws {
        let world = try await FediverseWorld()
        #expect(try await world.send(world.activity("Dance", ["object": .text(world.actor.text)]).bytes) == .accepted)
        #expect(try await world.house.library.seen(by: .member(world.ann)).notices(limit: 9).isEmpty)
    }
}
