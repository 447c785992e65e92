internal import ChirpCore
internal import Crypto
internal import CryptoExtras
internal import FoundationEssentials

/// A public key by which a service signs (JSON Web Key, RFC 7517 and RFC 7518, section 6). Only those that can check one of the
/// algorithms of ``SignatureAlgorithm``.
package struct WebKey: Sendable {
    private enum Numbers: Sendable {
        case rsa(modulus: [UInt8], exponent: [UInt8])
        case p256(x: [UInt8], y: [UInt8])
    }

    /// By which a token names it.
    let id: String?
    private let numbers: Numbers
    let algorithm: SignatureAlgorithm

    /// - Parameter document: nil comes of other kinds of keys, and of keys for something else than signing.
    init?(_ document: Document) {
        guard document.use.map({ $0 == "sig" }) ?? true else { return nil }
        let kind: SignatureAlgorithm
        switch document.kty {
        case "RSA":
            // 2,048 bits are the least that is secure (NIST SP 800-131A); beyond 8,192 checking takes a stranger's time from others.
            guard let modulus = document.n.flatMap({ Base64URL.decode($0) }), (256...1024).contains(modulus.count),
                let exponent = document.e.flatMap({ Base64URL.decode($0) }), (1...4).contains(exponent.count)
            else { return nil }
            numbers = .rsa(modulus: modulus, exponent: exponent)
            kind = .rs256
        case "EC":
            guard document.crv == "P-256", let x = document.x.flatMap({ Base64URL.decode($0) }), x.count == 32,
                let y = document.y.flatMap({ Base64URL.decode($0) }), y.count == 32
            else { return nil }
            numbers = .p256(x: x, y: y)
            kind = .es256
        default: return nil
        }
        guard document.alg.map({ $0 == kind.rawValue }) ?? true else { return nil }
        algorithm = kind
        id = document.kid
    }

    /// Whether it has made a signature (RFC 7518, sections 3.3 and 3.4).
    func hasSigned(_ bytes: [UInt8], _ signature: [UInt8]) -> Bool {
        switch numbers {
        case .rsa(let modulus, let exponent):
            guard let key = try? _RSA.Signing.PublicKey(n: modulus, e: exponent) else { return false }
            return key.isValidSignature(
                _RSA.Signing.RSASignature(rawRepresentation: Data(signature)), for: SHA256.hash(data: Data(bytes)),
                padding: .insecurePKCS1v1_5)
        case .p256(let x, let y):
            guard let key = try? P256.Signing.PublicKey(rawRepresentation: Data(x + y)),
                let signature = try? P256.Signing.ECDSASignature(rawRepresentation: Data(signature))
            else { return false }
            return key.isValidSignature(signature, for: Data(bytes))
        }
    }

    /// A key as it is written, with the members that are read here.
    struct Document: Decodable {
        var kty, use, alg, kid, n, e, crv, x, y: String?
    }

    /// What a service publishes (RFC 7517, section 5).
    package struct Set: Decodable {
        let keys: [Document]
        /// No service has nearly as many.
        static let most = 100
    }
}

/// How a token may be signed. Neither `none` nor an algorithm with a shared secret is among them: with those, whoever has read the
/// public key could sign (RFC 8725, section 2.1).
enum SignatureAlgorithm: String, Hashable, Sendable {
    case rs256 = "RS256"
    case es256 = "ES256"
}
