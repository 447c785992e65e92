import ChirpCore
import Crypto
import Foundation

/// An authenticator in memory (Web Authentication, level 2, section 6), which says and signs what a test wants.
package struct SoftAuthenticator: Sendable {
    package let credential: [UInt8]
    private let key = P256.Signing.PrivateKey()
    /// How often it was used; 0: it does not count.
    package var count: UInt32 = 0
    /// Present, verified, synced: section 6.1.
    package var flags: UInt8 = 0x01 | 0x04 | 0x08 | 0x10
    package var userHandle = ""
    /// What it calls its public key, where that is not the key it signs with: a COSE key.
    package var claimedKey: [UInt8]?

    package init() {
        var generator = SystemRandomNumberGenerator()
        credential = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    /// What a browser sends on, base64url.
    package struct Answer: Sendable {
        package var client = ""
        package var attestation = ""
        package var credential = ""
        package var authenticator = ""
        package var signature = ""
        package var user = ""
    }

    /// Makes a passkey.
    ///
    /// - Parameters:
    ///   - party: the host.
    ///   - origin: of the page that asks.
    package func register(challenge: String, party: String, origin: String) -> Answer {
        let point = [UInt8](key.publicKey.x963Representation)
        // {1: 2, 3: -7, -1: 1, -2: x, -3: y}
        let own: [UInt8] =
            [0xA5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20] + point[1..<33] + [0x22, 0x58, 0x20]
            + point[33..<65]
        let cose = claimedKey ?? own
        let data = head(party, flags | 0x40) + [UInt8](repeating: 0, count: 16) + [0, 32] + credential + cose
        // {"fmt": "none", "attStmt": {}, "authData": data}
        let object: [UInt8] =
            [0xA3, 0x63] + Array("fmt".utf8) + [0x64] + Array("none".utf8) + [0x67] + Array("attStmt".utf8) + [0xA0]
            + [0x68] + Array("authData".utf8) + [0x59, UInt8(data.count >> 8), UInt8(data.count & 255)] + data
        return Answer(
            client: client("webauthn.create", challenge, origin).base64URL, attestation: object.base64URL,
            credential: credential.base64URL)
    }

    /// Shows it.
    package func show(challenge: String, party: String, origin: String) throws -> Answer {
        let client = client("webauthn.get", challenge, origin)
        let data = head(party, flags)
        let signature = try key.signature(for: SHA256.hash(data: data + SHA256.hash(data: client)))
        return Answer(
            client: client.base64URL, credential: credential.base64URL, authenticator: data.base64URL,
            signature: signature.derRepresentation.base64URL, user: userHandle)
    }

    private func head(_ party: String, _ flags: UInt8) -> [UInt8] {
        Array(SHA256.hash(data: Data(party.utf8))) + [flags]
            + [UInt8(count >> 24), UInt8(count >> 16 & 255), UInt8(count >> 8 & 255), UInt8(count & 255)]
    }

    private func client(_ type: String, _ challenge: String, _ origin: String) -> [UInt8] {
        Array(#"{"type":"\#(type)","challenge":"\#(challenge)","origin":"\#(origin)","crossOrigin":false}"#.utf8)
    }
}
