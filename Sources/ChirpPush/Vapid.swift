internal import ChirpCore
package import ChirpHTTP
internal import Crypto
package import FoundationEssentials

/// By what a hub proves to push services that it is the one to which a browser has subscribed (VAPID, RFC 8292).
package struct Vapid: Sendable {
    private let key: P256.Signing.PrivateKey
    /// How whoever runs the service reaches whoever runs the hub: an `https` or `mailto` address.
    private let contact: String

    /// How long a proof holds, in seconds; RFC 8292 allows a day.
    package static let lifetime = 12 * 3600.0

    /// Makes the key of the hub's own secret (HKDF, RFC 5869, with SHA-256), so that it needs no file of its own and comes back with
    /// every backup: with another key all browsers would have to subscribe again.
    ///
    /// - Parameters:
    ///   - secret: the hub's, at least 32 bytes.
    ///   - contact: an `https` or `mailto` address.
    package init(secret: [UInt8], contact: String) {
        precondition(secret.count >= 32)
        self.contact = contact
        var (made, round) = (nil as P256.Signing.PrivateKey?, 0)
        // A number that is no key (zero, or above the order of the group) comes once in 2^32 times.
        while made == nil {
            let bytes = HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: secret), info: Array("chirp push key \(round)".utf8),
                outputByteCount: 32)
            made = bytes.withUnsafeBytes { try? P256.Signing.PrivateKey(rawRepresentation: $0) }
            round += 1
        }
        key = made ?? P256.Signing.PrivateKey()
    }

    /// What browsers subscribe with (`applicationServerKey`): an uncompressed point in base 64 for addresses.
    package var publicKey: String { key.publicKey.x963Representation.base64URL }

    /// The value of `Authorization` for one service.
    ///
    /// - Parameter now: when it is sent.
    package func authorization(for endpoint: WebAddress, now: Date) throws -> String {
        let claims = Claims(
            aud: Self.audience(endpoint),
            exp: Int64(clamping: (now.timeIntervalSince1970 + Self.lifetime).rounded(.down)),
            sub: contact)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let head = Array(#"{"alg":"ES256","typ":"JWT"}"#.utf8).base64URL
        let signed = "\(head).\(try encoder.encode(claims).base64URL)"
        let signature = try key.signature(for: Data(signed.utf8)).rawRepresentation.base64URL
        // No space behind the comma: it may stand there (RFC 9110, section 11.4), but some readers do not expect it.
        return "vapid t=\(signed).\(signature),k=\(publicKey)"
    }

    private struct Claims: Encodable {
        let aud: String
        let exp: Int64
        let sub: String
    }

    /// The service as browsers write origins (RFC 6454, section 6.1): with its port where that is not the scheme's own.
    static func audience(_ endpoint: WebAddress) -> String {
        let host = endpoint.host.contains(":") ? "[\(endpoint.host)]" : endpoint.host
        let usual = endpoint.isSecure ? 443 : 80
        let port = endpoint.port.flatMap { $0 == usual ? nil : ":\($0)" } ?? ""
        return "\(endpoint.isSecure ? "https" : "http")://\(host)\(port)"
    }
}
