import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpFederation
import ChirpFediverse
import ChirpHTTP
import Foundation
import HubHousehold
import Synchronization
import Testing

/// A hub where Ann can be followed, and another server beside it.
struct FediverseWorld {
    let house: HubHousehold
    let peer: PeerServer
    let fediverse: Fediverse
    let ann: AccountID
    /// Her actor's id.
    let actor: ObjectID

    /// Making one takes some tenths of a second, so all tests share them.
    static let keys = Result { try (0..<3).map { _ in try ActorKey() } }

    /// - Parameter clock: what waiting is measured with.
    init(clock: any Clock<Duration> = ContinuousClock()) async throws {
        let house = try HubHousehold()
        self.house = house
        peer = PeerServer { house.now }
        let links = try #require(FediverseLinks(publicURL: HubHousehold.publicURL))
        fediverse = Fediverse(
            library: house.library, links: links, transport: peer, allowsLoopback: false, clock: clock, say: { _ in })
        ann = try await house.person("ann")
        try await house.library.federate(ann, key: try Self.keys.get()[0].pem)
        let kept = try #require(try await house.library.federationActor(of: ann))
        actor = links.actor(kept.id)
        let fediverse = fediverse
        peer.trust { keyID in
            guard let id = links.actorID(ObjectID(keyID.address)),
                let kept = try? await house.library.federationActor(id)
            else { return nil }
            // Of who is gone a server knows the key still.
            if let local = try? await fediverse.documents.actor(kept) { return local.publicPEM }
            return (try? ActorKey(pem: kept.key))?.publicPEM
        }
        for (place, name) in ["bob", "eve"].enumerated() { try put(name, at: "one.example", key: place + 1) }
    }

    /// Somebody at another server, with her document there.
    ///
    /// - Parameter more: what her document has beside what is usual.
    func put(
        _ name: String, at host: String, key: Int, owner: String? = nil, _ more: [String: DocumentValue] = [:]
    ) throws {
        let id = "https://\(host)/users/\(name)"
        let usual: [String: DocumentValue] = [
            "@context": "https://www.w3.org/ns/activitystreams", "id": .text(id), "type": "Person",
            "preferredUsername": .text(name), "inbox": .text("\(id)/inbox"),
            "endpoints": ["sharedInbox": .text("https://\(host)/inbox")],
            "publicKey": [
                "id": .text("\(id)#main-key"), "owner": .text(owner ?? id),
                "publicKeyPem": .text(try Self.keys.get()[key].publicPEM),
            ],
        ]
        peer.put(.object(usual.merging(more) { $1 }), at: id)
    }

    /// Has Ann ask somebody there whether she may follow him.
    ///
    /// - Returns: by whom she follows him here.
    func ask(_ name: String = "bob", key: Int = 1) async throws -> AccountID {
        // By what he does he is known here.
        let like = activity("Like", by: name, ["object": .text(fediverse.links.note("none").text)])
        #expect(try await send(like.bytes, by: name, key: key) == .accepted)
        let person = try #require(try await house.library.remotePerson(at: "https://one.example/users/\(name)"))
        let account = try #require(try await house.library.introduce(person)).id
        try await house.library.follow(account, by: ann)
        return account
    }

    func activity(_ type: String, by name: String = "bob", _ members: [String: DocumentValue]) -> DocumentValue {
        var all = members
        all["@context"] = "https://www.w3.org/ns/activitystreams"
        all["type"] = .text(type)
        if all["actor"] == nil { all["actor"] = .text("https://one.example/users/\(name)") }
        if all["id"] == nil { all["id"] = .text("https://one.example/activities/\(UUID().uuidString)") }
        return .object(all)
    }

    /// As another server sends it.
    ///
    /// - Parameters:
    ///   - keyID: nil: of the name.
    ///   - change: of what was signed, on the way.
    func send(
        _ content: [UInt8], by name: String = "bob", key: Int = 1, keyID: String? = nil,
        _ scheme: SignatureScheme? = .cavage, clock: Double = 0, change: (inout [UInt8]) -> Void = { _ in }
    ) async throws -> InboxDesk.Answer {
        let address = fediverse.links.sharedInbox
        var request = HTTPRequest(.post, address, headers: ["Content-Type": MediaType.activity], body: .bytes(content))
        if let scheme {
            let id = try #require(ObjectID(keyID ?? "https://one.example/users/\(name)#main-key"))
            let now = house.now.addingTimeInterval(clock)
            try Signer(key: try Self.keys.get()[key], keyID: id).sign(&request, content: content, scheme, now: now)
        }
        var body = content
        change(&body)
        return try await fediverse.inbox.receive(
            IncomingRequest(method: "POST", address: address, headers: request.headers, body: body))
    }

    func followers() async throws -> Int { try await house.library.remoteFollowerCount(of: ann) }

    /// Posts a clip.
    @discardableResult
    func clip(_ title: String) async throws -> HubPost {
        let id = try await house.save(title: title)
        try await house.change("UPDATE clips SET owner = '\(ann.rawValue)' WHERE id = '\(id)'")
        var draft = PostDraft(author: ann, text: "\(title) #Chirp", key: UUID().uuidString)
        draft.clip = HubID(id)
        return try await house.library.post(draft)
    }
}

extension InboxDesk.Answer {
    var isRefusal: Bool {
        switch self {
        case .unproved, .forbidden, .malformed: true
        case .accepted, .busy: false
        }
    }
}
