internal import ChirpCore
package import ChirpHTTP

/// Finding an actor by a name like that of a mailbox (RFC 7033), in both directions.
package enum WebFinger {
    /// Whom somebody asks for.
    package enum Subject: Hashable, Sendable {
        /// `acct:ann@hub.example`; the host in lower case, with its port where it has one.
        case account(handle: String, host: String)
        /// An actor's id or page.
        case address(WebAddress)
    }

    /// What answers are.
    package static let mediaType = "application/jrd+json"

    /// The value of `resource`, decoded; nil for what is neither an account nor an address, or longer than 2 KiB.
    package static func subject(_ resource: String) -> Subject? {
        guard resource.utf8.count <= ObjectID.mostBytes else { return nil }
        guard resource.lowercased().hasPrefix("acct:") else { return WebAddress(resource).map(Subject.address) }
        return account(String(resource.dropFirst(5))).map { .account(handle: $0.handle, host: $0.address.authority) }
    }

    /// The answer (JRD), of type ``mediaType``.
    ///
    /// - Parameter host: the hub's name, with its port where that is not the usual one.
    package static func document(of actor: LocalActor, host: String) -> DocumentValue {
        [
            "subject": .text("acct:\(actor.handle)@\(host)"),
            "aliases": [.text(actor.page.text), .text(actor.id.text)],
            "links": [
                [
                    "rel": "http://webfinger.net/rel/profile-page", "type": "text/html",
                    "href": .text(actor.page.text),
                ],
                ["rel": "self", "type": .text(MediaType.activity), "href": .text(actor.id.text)],
            ],
        ]
    }

    /// Where to ask for an account; nil for what is none.
    ///
    /// - Parameters:
    ///   - account: `ann@hub.example`, with or without an `@` before it.
    ///   - isPlain: by plain http, to this machine, for tests.
    package static func question(for account: String, isPlain: Bool = false) -> WebAddress? {
        guard let (handle, address) = Self.account(account, isPlain: isPlain) else { return nil }
        return address.replacing(path: "/.well-known/webfinger")
            .adding(["resource": "acct:\(handle)@\(address.authority)"])
    }

    /// The actor that an answer names.
    package static func actor(in bytes: [UInt8]) throws(DocumentError) -> ObjectID {
        let document = try DocumentValue(reading: bytes)
        guard let links = document["links"] else { throw .missing("links") }
        let own = links.items.prefix(100).first {
            $0["rel"]?.text == "self" && MediaType.isActivity($0["type"]?.text)
        }
        guard let own else { throw .missing("self") }
        guard let id = own["href"]?.id else { throw .malformed("href") }
        return id
    }

    /// Handle and root of the server.
    private static func account(_ text: String, isPlain: Bool = false) -> (handle: String, address: WebAddress)? {
        let name = text.hasPrefix("@") ? text.dropFirst() : text[...]
        let parts = name.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, RemoteActor.isHandle(parts[0]),
            parts[1].utf8.allSatisfy({ $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }),
            let address = WebAddress((isPlain ? "http://" : "https://") + parts[1].lowercased())
        else { return nil }
        return (String(parts[0]), address)
    }
}
