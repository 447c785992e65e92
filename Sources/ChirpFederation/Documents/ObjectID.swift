package import ChirpHTTP

/// The id of something in the fediverse: an http or https address that may end in a fragment (ActivityPub, section 3.1).
///
/// Two ids are the same when their texts are; ``address`` is where the document is fetched.
package struct ObjectID: Hashable, Sendable, CustomStringConvertible {
    /// As its server writes it, fragment included; at most ``mostBytes`` of printable ASCII.
    package let text: String
    /// Without the fragment.
    package let address: WebAddress

    /// Far above what servers make, and what an index of a table takes.
    package static let mostBytes = 2048

    /// Nil for what is no http or https address, longer than ``mostBytes``, or of a host with a dot at its end: DNS finds the same server by
    /// that name (RFC 1034, section 3.1), which would be two servers here, one of them blocked and the other not.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.mostBytes, let address = WebAddress(text), !address.host.hasSuffix(".") else {
            return nil
        }
        self.text = text
        self.address = address
    }

    package init(_ address: WebAddress) {
        text = address.text
        self.address = address
    }

    /// Scheme, host and port: who may speak for it.
    package var origin: WebOrigin { WebOrigin(address) }
    package var host: String { address.host }
    package var description: String { text }

    /// With a fragment, in place of the one that it has.
    ///
    /// - Parameter fragment: letters, digits, `-` and `/`.
    package func fragment(_ fragment: String) -> ObjectID {
        ObjectID("\(address.text)#\(fragment)") ?? self
    }
}
