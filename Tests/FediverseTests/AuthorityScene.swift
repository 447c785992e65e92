import ChirpAccounts
import ChirpCommunity
import ChirpFederation
import ChirpFediverse
import Foundation
import HubHousehold
import Testing

/// Ann of this hub, Eve and Zoe elsewhere, what is between them, and Bob, who is at Eve's server and speaks of what is not his.
struct AuthorityScene {
    /// What Bob may speak of: each belongs to another.
    struct Thing: Sendable {
        enum Kind: Sendable { case actor, note, act(String, about: String), collection }
        let id: String
        let kind: Kind
        let owner: String
    }

    /// How something stands in an activity.
    enum Form: CaseIterable {
        case id, whole, list
        /// As Bob's own.
        case claimed
        /// As if it were about Bob.
        case turned
    }

    static let bob = "https://one.example/users/bob"
    static let eve = "https://one.example/users/eve"
    static let zoe = "https://two.example/users/zoe"
    static let everybody = "https://www.w3.org/ns/activitystreams#Public"

    let world: FediverseWorld
    let note: String
    private(set) var things: [Thing] = []

    init() async throws {
        let world = try await FediverseWorld()
        self.world = world
        try world.put("zoe", at: "two.example", key: 2)
        let note = world.fediverse.links.note(try await world.clip("Blackbird").id).text
        self.note = note
        for person in [Self.eve, Self.zoe] { try await settle(person) }
        try await say("Accept", by: Self.eve, .object(["type": "Follow", "actor": .text(world.actor.text)]), "accept")
        // A clip of Zoe's, whom Ann has asked.
        let clip = Thing(id: "https://two.example/notes/clip", kind: .note, owner: Self.zoe)
        try await say("Create", by: Self.zoe, value(clip, .whole, inReplyTo: nil), "clip")
        let actor = world.actor.text
        for path in ["", "/outbox", "/followers"] {
            let kind = path.isEmpty ? Thing.Kind.actor : .collection
            things.append(Thing(id: actor + path, kind: kind, owner: actor))
        }
        things += [Thing(id: note, kind: .note, owner: actor), clip]
        for (address, activity) in try await follows() {
            let id = world.fediverse.links.activity(activity).text
            things.append(Thing(id: id, kind: .act("Follow", about: address), owner: actor))
        }
        things.append(Thing(id: "https://three.example/nothing", kind: .note, owner: "https://three.example/users/x"))
    }

    /// Somebody follows Ann, likes, shares and answers her clip, and is asked by her.
    private mutating func settle(_ person: String) async throws {
        let ann = world.actor.text
        let reply = Thing(id: "\(person)/reply", kind: .note, owner: person)
        for (type, about) in [("Follow", ann), ("Like", note), ("Announce", note)] {
            try await say(type, by: person, .text(about), type.lowercased())
            let id = "\(person)/\(type.lowercased())"
            things.append(Thing(id: id, kind: .act(type, about: about), owner: person))
        }
        try await say("Create", by: person, value(reply, .whole), "create")
        things += [
            reply, Thing(id: person, kind: .actor, owner: person),
            Thing(id: "\(person)/followers", kind: .collection, owner: person),
        ]
        let known = try #require(try await world.house.library.remotePerson(at: person))
        let account = try #require(try await world.house.library.introduce(known)).id
        try await world.house.library.follow(account, by: world.ann)
    }

    /// Whom Ann has asked, and the end of the address of what asked.
    private func follows() async throws -> [(address: String, activity: String)] {
        let rows = try await world.house.texts(
            "SELECT address || ' ' || activity FROM remoteFollows JOIN remoteActors ON id = actor ORDER BY address")
        return rows.map { row in
            let parts = row.split(separator: " ").map(String.init)
            return (parts[0], parts[1])
        }
    }

    /// Somebody says something of their own, and is believed.
    func say(_ type: String, by person: String, _ object: DocumentValue, _ id: String) async throws {
        let document: DocumentValue = [
            "id": .text("\(person)/\(id)"), "type": .text(type), "actor": .text(person), "object": object,
        ]
        #expect(try await world.send(document.bytes, key: 2, keyID: "\(person)#main-key") == .accepted, "\(type)")
    }

    /// - Parameter inReplyTo: of a note; nil: of none.
    func value(_ thing: Thing, _ form: Form, inReplyTo: String? = "") -> DocumentValue {
        if form == .id { return .text(thing.id) }
        let owner: DocumentValue = .text(form == .claimed ? Self.bob : thing.owner)
        var members: [String: DocumentValue] = ["id": .text(thing.id)]
        switch thing.kind {
        case .actor:
            members["type"] = "Person"
            members["preferredUsername"] = "changed"
            members["inbox"] = .text("\(thing.id)/inbox")
            members["alsoKnownAs"] = [.text(Self.bob)]
            members["publicKey"] = [
                "id": .text("\(thing.id)#main-key"), "owner": .text(form == .claimed ? Self.bob : thing.id),
                "publicKeyPem": .text((try? FediverseWorld.keys.get()[1].publicPEM) ?? ""),
            ]
        case .note:
            members["type"] = "Note"
            members["attributedTo"] = owner
            members["content"] = .text("changed \(form) #Chirp")
            members["to"] = [.text(Self.everybody)]
            members["tag"] = [["type": "Hashtag", "name": "#Chirp"]]
            members["attachment"] = [
                ["type": "Audio", "mediaType": "audio/mpeg", "url": .text("\(thing.id).mp3")]
            ]
            if let inReplyTo { members["inReplyTo"] = .text(inReplyTo.isEmpty ? note : inReplyTo) }
        case .act(let type, let about):
            members["type"] = .text(type)
            members["actor"] = owner
            members["object"] = .text(form == .turned ? Self.bob : about)
        case .collection:
            members["type"] = "OrderedCollection"
            members["attributedTo"] = owner
            members["orderedItems"] = [.text(Self.bob)]
        }
        return form == .list ? [.object(members)] : .object(members)
    }

    /// All that is kept of everybody but Bob.
    func kept() async throws -> [String] {
        let others = "actor NOT IN (SELECT id FROM remoteActors WHERE address = '\(Self.bob)')"
        return try await world.house.texts(
            """
            SELECT 'person ' || address || handle || name || page || inbox || keyID || keyText FROM remoteActors
                WHERE address <> '\(Self.bob)'
            UNION ALL SELECT 'follower ' || account || actor || activity FROM remoteFollowers WHERE \(others)
            UNION ALL SELECT 'follow ' || account || actor || activity || state FROM remoteFollows WHERE \(others)
            UNION ALL SELECT 'mark ' || post || actor || kind || activity FROM remoteMarks WHERE \(others)
            UNION ALL SELECT 'block ' || account || actor FROM remoteBlocks WHERE \(others)
            UNION ALL SELECT 'reply ' || address || post || actor || text || page FROM remoteReplies WHERE \(others)
            UNION ALL SELECT 'clip ' || address || actor || sound || title || text FROM remoteClips WHERE \(others)
            UNION ALL SELECT 'follows ' || follower || followed FROM follows
            UNION ALL SELECT 'post ' || id || account || text || visibility || state FROM posts
            UNION ALL SELECT 'account ' || id || handle || COALESCE(name, '') || state || COALESCE(role, '') FROM accounts
            UNION ALL SELECT 'actor ' || id || isOn || key FROM federationActors WHERE isHub = 0
            ORDER BY 1
            """)
    }
}
