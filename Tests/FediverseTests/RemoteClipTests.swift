import ChirpAccounts
import ChirpCommunity
import ChirpFederation
import ChirpFediverse
import ChirpHTTP
import Foundation
import HubHousehold
import Testing

/// A clip is heard wherever it was posted, once, in order (hub.md 8, decision 1902).
@Suite struct RemoteClipTests {
    private func followed(clock: any Clock<Duration> = LeisurelyClock()) async throws -> HubPair {
        let pair = try await HubPair(clock: clock)
        try await pair.near.follow(pair.far.name)
        await pair.settle()
        return pair
    }

    @Test func `clips of another hub are heard in order, by those who follow, and by nobody else`() async throws {
        let pair = try await followed()
        for title in ["Blackbird", "Robin", "Wren"] { try await pair.far.clip(title) }
        try await pair.near.clip("Lark")
        await pair.settle()
        let home = try await pair.near.home()
        #expect(home.map { $0.clip?.title } == ["Lark", "Blackbird", "Robin", "Wren"])
        #expect(home.last?.author.handle == "bob@far.example" && home.last?.text == "Wren #Chirp")
        #expect(try pair.near.sound(of: home.last) == "sound of Wren")
        #expect(home.last?.clip?.sound?.seconds == 2)
        let cid = try await pair.near.hub.house.person("cid")
        for viewer in [Viewer.visitor, .member(cid)] {
            let reader = pair.near.library.seen(by: viewer)
            #expect(try await reader.posts(limit: 9).map { $0.clip?.title } == ["Lark"])
            #expect(try await reader.post(home[1].sequence) == nil)
            #expect(try await reader.posts(.by(home[1].author.id), limit: 9).isEmpty)
        }
        // It goes out to nobody from here.
        #expect(try await pair.near.library.nextDelivery() == nil)
    }

    @Test func `what the author changes and removes is changed and removed`() async throws {
        let pair = try await followed()
        let post = try await pair.far.clip("Blackbird")
        await pair.settle()
        try await pair.far.hub.house.change("UPDATE posts SET text = 'A thrush #Chirp' WHERE id = '\(post.id)'")
        await pair.settle()
        #expect(try await pair.near.home().map(\.text) == ["A thrush #Chirp"])
        _ = try await pair.far.library.removePost(post.sequence, by: pair.far.person)
        await pair.settle()
        #expect(try await pair.near.home().isEmpty)
    }

    @Test func `a clip that is told of again comes once, and one that was removed before it came does not`()
        async throws
    {
        let pair = try await followed()
        let post = try await pair.far.clip("Blackbird")
        await pair.settle()
        // As a hub that was killed before it wrote down the answer, and one that has forgotten all about it.
        try await pair.far.hub.house.change("UPDATE federationDeliveries SET state = 'waiting'")
        try await pair.far.hub.house.change("UPDATE posts SET state = 'hidden'; UPDATE posts SET state = 'shown'")
        try await pair.near.hub.house.change("DELETE FROM federationSeen")
        try await pair.far.hub.house.change("DELETE FROM federationActivities WHERE kind = 'delete'")
        await pair.settle()
        #expect(try await pair.near.home().map(\.text) == ["Blackbird #Chirp"])

        let address = try #require(try await pair.far.actor()).text
        let bob = try #require(try await pair.near.library.remotePerson(at: address))
        let later = pair.far.hub.fediverse.links.note("later").text
        let draft = RemoteClip.Draft(
            address: later, sound: "https://far.example/media/\(try #require(post.clip).id).mp3", title: "Later",
            words: RemoteClip.Words(text: "#Chirp"), page: later, published: nil)
        try await pair.near.library.apply(.remove(address: later), by: bob, activity: "https://far.example/1")
        try await pair.near.library.apply(.clip(draft), by: bob, activity: "https://far.example/2")
        await pair.settle()
        #expect(try await pair.near.home().count == 1)
    }

    @Test func `what is of nobody who is followed, old, too much, or without sound or tag is not taken`() async throws {
        let pair = try await followed()
        let address = try #require(try await pair.far.actor()).text
        let bob = try #require(try await pair.near.library.remotePerson(at: address))
        let eve = try await pair.near.library.keep(stranger)
        func draft(_ number: Int, age: Double = 0) -> RemoteClip.Draft {
            RemoteClip.Draft(
                address: "https://far.example/n/\(number)", sound: "https://far.example/media/\(number).mp3", title: "",
                words: RemoteClip.Words(text: "#Chirp"), page: "",
                published: pair.near.hub.house.now.addingTimeInterval(-age))
        }
        try await pair.near.library.apply(.clip(draft(1)), by: eve, activity: "https://two.example/1")
        try await pair.near.library.apply(.clip(draft(2, age: 8 * 86_400)), by: bob, activity: "https://far.example/2")
        #expect(try await pair.near.library.dueRemoteClips(limit: 9).isEmpty)
        for number in 3..<(RemoteClip.mostADay + 10) {
            try await pair.near.library.apply(
                .clip(draft(number, age: -1e6)), by: bob, activity: "https://far.example/\(number)")
        }
        let count = try await pair.near.hub.house.texts("SELECT COUNT(*) FROM remoteClips")
        #expect(count == ["\(RemoteClip.mostADay)"])
        #expect(try await pair.near.library.dueRemoteClips(limit: 9).count == 1, "of one person one at a time")
    }

    private var stranger: RemotePerson.Facts {
        RemotePerson.Facts(
            address: "https://two.example/eve", host: "two.example", handle: "eve@two.example", name: "Eve", page: "",
            inbox: "https://two.example/eve/inbox", keyID: "https://two.example/eve#main-key", keyText: "PEM")
    }

    @Test(arguments: [
        HTTPResponse(status: 404), HTTPResponse(status: 302, headers: ["Location": "http://10.0.0.1/clip.mp3"]),
        HTTPResponse(status: 401), HTTPResponse(status: 410),
        HTTPResponse(status: 307, headers: ["Location": "https://169.254.169.254/clip.mp3"]),
        HTTPResponse(status: 302, headers: ["Location": "https://localhost/clip.mp3"]),
        HTTPResponse(status: 200, headers: ["Content-Type": "text/html"], body: Array("<p>".utf8)),
        HTTPResponse(status: 200, body: Array("noise".utf8)),
        HTTPResponse(status: 200, body: Array(repeating: 1, count: 65 << 20)),
    ]) func `sound that cannot be had is left out, and what comes behind is heard`(answer: HTTPResponse) async throws {
        let pair = try await followed()
        let post = try await pair.far.clip("Blackbird")
        let address = "https://far.example/media/\(try #require(post.clip).id).mp3"
        pair.wire.answer(address, answer)
        try await pair.far.clip("Robin")
        await pair.settle()
        await pair.settle()
        #expect(try await pair.near.home().map { $0.clip?.title } == ["Robin"])
        #expect(
            !pair.wire.asked.contains { address in
                ["10.0.0.1", "localhost", "169.254"].contains { address.contains($0) }
            })
        let left = try FileManager.default.contentsOfDirectory(atPath: "\(pair.near.library.folder)/fetched")
        #expect(left.isEmpty)
    }

    @Test func `sound that comes slowly and without end is given up, and tried again five times`() async throws {
        let clock = PatienceClock()
        let pair = try await followed(clock: clock)
        let post = try await pair.far.clip("Blackbird")
        let address = "https://far.example/media/\(try #require(post.clip).id).mp3"
        pair.wire.drip(address, clock)
        try await pair.far.clip("Robin")
        for _ in 1...5 {
            #expect(try await pair.near.home().isEmpty)
            await pair.settle()
            pair.near.hub.house.wait(3600)
        }
        #expect(pair.wire.asked.filter { $0 == address }.count == 5)
        await pair.settle()
        #expect(try await pair.near.home().map { $0.clip?.title } == ["Robin"])
        let left = try FileManager.default.contentsOfDirectory(atPath: "\(pair.near.library.folder)/fetched")
        #expect(left.isEmpty)
    }

    @Test func `sound that lies at a blocked server is not asked for`() async throws {
        let pair = try await followed()
        let address = try #require(try await pair.far.actor()).text
        let bob = try #require(try await pair.near.library.remotePerson(at: address))
        let draft = RemoteClip.Draft(
            address: "https://far.example/n/1", sound: "https://files.bad.example/1.mp3", title: "One",
            words: RemoteClip.Words(text: "#Chirp"), page: "", published: nil)
        try await pair.near.library.set(
            .blocked, for: "bad.example", why: "Spam", by: pair.near.library.owner.id)
        try await pair.near.library.apply(.clip(draft), by: bob, activity: "https://far.example/1")
        await pair.settle()
        #expect(try await pair.near.home().isEmpty)
        #expect(!pair.wire.asked.contains { $0.contains("bad.example") })
    }

    @Test func `a server that is busy is asked again, and its clips stay in order`() async throws {
        let pair = try await followed()
        let post = try await pair.far.clip("Blackbird")
        let address = "https://far.example/media/\(try #require(post.clip).id).mp3"
        pair.wire.answer(address, HTTPResponse(status: 503, headers: ["Retry-After": "600"]))
        try await pair.far.clip("Robin")
        await pair.settle()
        #expect(try await pair.near.home().isEmpty)
        pair.near.hub.house.wait(599)
        await pair.settle()
        #expect(try await pair.near.home().isEmpty)
        pair.near.hub.house.wait(2)
        await pair.settle()
        #expect(try await pair.near.home().map { $0.clip?.title } == ["Blackbird", "Robin"])
    }

    @Test func `a hub that was killed at any step makes one clip of it`() async throws {
        let pair = try await followed()
        try await pair.far.clip("Blackbird")
        for _ in 1...3 { for side in [pair.near, pair.far] { await side.hub.fediverse.deliveries.round() } }
        let waiting = try #require(try await pair.near.library.dueRemoteClips(limit: 1).first)
        // The file was there, and its row was not.
        try Data("half".utf8).write(to: URL(filePath: "\(pair.near.hub.house.mediaFolder)/\(waiting.clip).mp3"))
        await pair.settle()
        let made = try await pair.near.home()
        #expect(try pair.near.sound(of: made.first) == "sound of Blackbird")
        // The post was there, and whoever fetched has not heard of it.
        let clip = try #require(made.first?.clip)
        #expect(try await pair.near.library.receive(waiting, as: clip) == nil)
        #expect(try await pair.near.home().count == 1)
    }

    @Test func `clips go with their time, and with their server when that is blocked`() async throws {
        for isBlocked in [false, true] {
            let pair = try await followed()
            try await pair.far.clip("Blackbird")
            await pair.settle()
            let clip = try #require(try await pair.near.home().first?.clip)
            if isBlocked {
                try await pair.near.library.set(
                    .blocked, for: "far.example", why: "Spam", by: pair.near.library.owner.id)
            } else {
                pair.near.hub.house.wait(RemoteClip.lasting + 1)
            }
            _ = try await pair.near.library.sweep(at: pair.near.hub.house.now)
            #expect(try await pair.near.home().isEmpty)
            #expect(try await pair.near.library.unfilteredClip(clip.id) == nil)
        }
    }

    @Test func `what is posted while it works is fetched at once`() async throws {
        let pair = try await followed()
        let work = Task { await pair.near.hub.fediverse.clips?.run() }
        defer { work.cancel() }
        for (place, title) in ["Blackbird", "Robin"].enumerated() {
            try await pair.far.clip(title)
            await pair.far.hub.fediverse.deliveries.round()
            while try await pair.near.home().count == place { await Task.yield() }
        }
        #expect(try await pair.near.home().map { $0.clip?.title } == ["Blackbird", "Robin"])
    }

    /// What other servers send.
    @Test func `a note is a clip when it has the tag and a sound, or a link to one, and everybody may see it`()
        async throws
    {
        let world = try await FediverseWorld()
        let bob = world.activity("Follow", ["object": .text(world.actor.text)])
        #expect(try await world.send(bob.bytes) == .accepted)
        let person = try #require(try await world.house.library.remotePerson(at: "https://one.example/users/bob"))
        let account = try #require(try await world.house.library.introduce(person))
        try await world.house.library.follow(account.id, by: world.ann)
        let everybody: DocumentValue = "https://www.w3.org/ns/activitystreams#Public"
        let sound: DocumentValue = [
            "type": "Document", "mediaType": "audio/mpeg", "url": "https://files.example/1.mp3", "name": "A bird",
        ]
        let tag: DocumentValue = ["type": "Hashtag", "name": "#Chirp"]
        func note(_ number: Int, _ members: [String: DocumentValue]) -> DocumentValue {
            var all: [String: DocumentValue] = [
                "id": .text("https://one.example/notes/\(number)"), "type": "Note",
                "attributedTo": "https://one.example/users/bob", "to": [everybody], "tag": [tag],
                "attachment": [sound], "content": "<p>A bird <b>sings</b></p>",
            ]
            for (name, value) in members { all[name] = value }
            return .object(all)
        }
        let notes: [DocumentValue] = [
            note(1, [:]),
            note(2, ["tag": []]),
            note(3, ["attachment": []]),
            note(4, ["to": ["https://one.example/users/bob/followers"]]),
            note(5, ["attributedTo": "https://one.example/users/eve"]),
            note(
                6,
                [
                    "attachment": [], "tag": [],
                    "content":
                        "<p>Hear <a href=\"https://drive.google.com/file/d/abcdefghij0123/view\">it</a> #chirp</p>",
                ]),
            note(
                7, ["type": "Audio", "attachment": [], "url": "https://files.example/7.ogg", "mediaType": "audio/ogg"]),
        ]
        for note in notes {
            let create = world.activity("Create", ["object": note, "to": [everybody]]).bytes
            for _ in 1...3 { _ = try await world.send(create) }
        }
        // A share of one that is known is no second one.
        let share = world.activity("Announce", ["object": "https://one.example/notes/1", "to": [everybody]])
        #expect(try await world.send(share.bytes) == .accepted)
        let kept = try await world.house.texts(
            "SELECT address || ' ' || sound || ' ' || text FROM remoteClips ORDER BY 1")
        #expect(
            kept == [
                "https://one.example/notes/1 https://files.example/1.mp3 A bird sings #Chirp",
                "https://one.example/notes/6 https://drive.google.com/file/d/abcdefghij0123/view "
                    + "Hear https://drive.google.com/file/d/abcdefghij0123/view #chirp",
                "https://one.example/notes/7 https://files.example/7.ogg A bird sings #Chirp",
            ])
    }
}

extension HubPair.Side {
    /// The id by which others know this person.
    func actor() async throws -> ObjectID? {
        try await library.federationActor(of: person).map { hub.fediverse.links.actor($0.id) }
    }
}
