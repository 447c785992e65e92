internal import ChirpCore
package import ChirpHTTP
internal import Crypto

/// Where a browser is reached by its maker's push service, and the keys by which only that browser reads what is sent
/// (RFC 8030; W3C, Push API).
package struct PushSubscription: Hashable, Sendable {
    /// A capability: whoever knows it may send there.
    package let endpoint: WebAddress
    /// The browser's public key: a point on P-256, uncompressed, of 65 bytes.
    package let key: [UInt8]
    /// A secret that the browser and the sender share, of 16 bytes.
    package let secret: [UInt8]

    /// The most characters of an address; those of the known services have up to some 400.
    package static let mostEndpoint = 1000

    /// Checks what a browser has sent.
    ///
    /// - Parameters:
    ///   - key: `p256dh` in base 64 for addresses; padding is taken off, since some libraries write it.
    ///   - secret: `auth`, the same way.
    ///   - allowsLoopback: plain http to this machine too, for tests.
    package init(
        endpoint: String, key: String, secret: String, allowsLoopback: Bool = false
    ) throws(PushSubscriptionFault) {
        guard let key = Self.decode(key) else { throw .key }
        guard let secret = Self.decode(secret) else { throw .secret }
        try self.init(endpoint: endpoint, key: key, secret: secret, allowsLoopback: allowsLoopback)
    }

    /// The same with keys as the tables have them.
    package init(
        endpoint: String, key: [UInt8], secret: [UInt8], allowsLoopback: Bool = false
    ) throws(PushSubscriptionFault) {
        guard endpoint.utf8.count <= Self.mostEndpoint, let address = WebAddress(endpoint),
            address.isSecure || (allowsLoopback && address.isLoopback)
        else { throw .endpoint }
        guard key.count == 65, (try? P256.KeyAgreement.PublicKey(x963Representation: key)) != nil else { throw .key }
        guard secret.count == 16 else { throw .secret }
        self.endpoint = address
        self.key = key
        self.secret = secret
    }

    private static func decode(_ text: String) -> [UInt8]? {
        guard text.utf8.count <= 100 else { return nil }
        var text = text[...]
        while text.last == "=" { text = text.dropLast() }
        return Base64URL.decode(text)
    }
}

/// What is wrong with a subscription that somebody has sent.
package enum PushSubscriptionFault: Error, Hashable, Sendable {
    /// Not an https address, or longer than ``PushSubscription/mostEndpoint``.
    case endpoint
    /// Not a point on P-256.
    case key
    /// Not of 16 bytes.
    case secret
}
