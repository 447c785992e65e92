import Crypto
import Foundation

/// An identity of NATS: a pair of Ed25519 keys that signs for others. What `nsc` does, as far as tests need it.
///
/// Keys are written in base32 with a prefix that tells what they are for and a checksum (github.com/nats-io/nkeys); tokens are
/// JWTs of version 2 (github.com/nats-io/jwt).
struct NatsIdentity {
    enum Role: String {
        case `operator`, account, user

        /// The first letter of the public key.
        fileprivate var prefix: UInt8 {
            switch self {
            case .operator: 14 << 3
            case .account: 0
            case .user: 20 << 3
            }
        }
    }

    let role: Role
    private let key = Curve25519.Signing.PrivateKey()

    init(_ role: Role) { self.role = role }

    /// As others know it.
    var name: String { Self.text([role.prefix] + key.publicKey.rawRepresentation) }

    /// The secret.
    var seed: String {
        let kind: UInt8 = 18 << 3
        return Self.text([kind | role.prefix >> 5, (role.prefix & 31) << 3] + key.rawRepresentation)
    }

    /// A token that says who somebody is and what is allowed.
    func token(for subject: NatsIdentity, _ claims: [String: Any]) throws -> String {
        var nats = claims
        nats["type"] = subject.role.rawValue
        nats["version"] = 2
        let body: [String: Any] = [
            "jti": UUID().uuidString, "iat": 1_700_000_000, "iss": name, "name": subject.role.rawValue,
            "sub": subject.name, "nats": nats,
        ]
        let parts = [["typ": "JWT", "alg": "ed25519-nkey"], body]
        let text = try parts.map { Self.base64(try JSONSerialization.data(withJSONObject: $0)) }.joined(separator: ".")
        return text + "." + Self.base64(try key.signature(for: Data(text.utf8)))
    }

    /// The file that a user keeps, as `nsc` writes it.
    func credentials(_ token: String) -> String {
        """
        -----BEGIN NATS USER JWT-----
        \(token)
        ------END NATS USER JWT------

        ************************* IMPORTANT *************************
        NKEY Seed printed below can be used to sign and prove identity.

        -----BEGIN USER NKEY SEED-----
        \(seed)
        ------END USER NKEY SEED------

        """
    }

    private static func base64(_ data: some DataProtocol) -> String {
        Data(data).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Base32 (RFC 4648) without padding, a CRC-16 (XMODEM) behind it.
    private static func text(_ bytes: [UInt8]) -> String {
        var sum: UInt16 = 0
        for byte in bytes {
            sum ^= UInt16(byte) << 8
            for _ in 0..<8 { sum = sum & 0x8000 == 0 ? sum << 1 : sum << 1 ^ 0x1021 }
        }
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        var (text, rest, bits) = ("", 0, 0)
        for byte in bytes + [UInt8(sum & 255), UInt8(sum >> 8)] {
            rest = rest << 8 | Int(byte)
            bits += 8
            while bits >= 5 {
                text.append(letters[rest >> (bits - 5) & 31])
                bits -= 5
            }
            rest &= (1 << bits) - 1
        }
        if bits > 0 { text.append(letters[rest << (5 - bits) & 31]) }
        return text
    }
}
