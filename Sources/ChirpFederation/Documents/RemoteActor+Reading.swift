internal import ChirpCore
internal import ChirpHTTP

extension RemoteActor {
    /// - Parameter keyID: which of several keys is wanted; nil takes the first.
    /// - Throws: an actor without id, type, handle or inbox; or whose inbox is elsewhere.
    package init(_ document: DocumentValue, keyID: ObjectID? = nil) throws(DocumentError) {
        let id = try document.neededID("id")
        guard let kind = try document.types().compactMap(Kind.init).first else { throw .malformed("type") }
        let handle = document["preferredUsername"]?.text ?? ""
        guard Self.isHandle(handle) else { throw .malformed("preferredUsername") }
        guard let inbox = document.link("inbox") else { throw .missing("inbox") }
        guard WebOrigin(inbox) == id.origin else { throw .foreign("inbox") }
        let name = document.plain("name", limit: 200)
        self.init(
            id: id, kind: kind, handle: handle, name: name.isEmpty ? handle : name,
            summary: document.plainHTML("summary", limit: 5000), inbox: inbox,
            sharedInbox: document["endpoints"]?.link("sharedInbox").flatMap { WebOrigin($0) == id.origin ? $0 : nil },
            outbox: document.link("outbox"),
            followers: document.id("followers").flatMap { $0.origin == id.origin ? $0 : nil },
            page: document.page, icon: document.link("icon"),
            approvesFollowers: document["manuallyApprovesFollowers"]?.bool ?? false,
            isDiscoverable: document["discoverable"]?.bool ?? false,
            key: Self.key(document, of: id, keyID), movedTo: document.id("movedTo"),
            alsoKnownAs: (document["alsoKnownAs"]?.items ?? []).prefix(32).compactMap(\.id))
    }

    /// 1 to 100 letters, digits, `_`, `-` and `.`, as Mastodon takes them.
    static func isHandle(_ text: some StringProtocol) -> Bool {
        (1...100).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
                default: false
                }
            }
    }

    /// A key that is the actor's own: it says so, and lies at the same origin.
    private static func key(_ document: DocumentValue, of owner: ObjectID, _ wanted: ObjectID?) -> Key? {
        let keys = (document["publicKey"]?.items ?? []).prefix(16).compactMap { value -> Key? in
            guard let id = value["id"]?.id, id.origin == owner.origin, let pem = value["publicKeyPem"]?.text,
                pem.utf8.count <= Key.mostBytes, value["owner"].map({ $0.id == owner }) ?? true
            else { return nil }
            return Key(id: id, pem: pem)
        }
        guard let wanted else { return keys.first }
        return keys.first { $0.id == wanted }
    }
}
