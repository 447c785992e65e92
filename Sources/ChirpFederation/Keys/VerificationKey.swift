internal import Crypto
internal import CryptoExtras

/// A stranger's public key, read from the PEM of an actor.
package struct VerificationKey: Sendable {
    private enum Material: Sendable {
        case rsa(_RSA.Signing.PublicKey)
        case p256(P256.Signing.PublicKey)
        case ed25519(Curve25519.Signing.PublicKey)
        case shared([UInt8])
    }

    private let material: Material

    /// - Parameter pem: a SubjectPublicKeyInfo or, for RSA, PKCS #1; of RSA with 2,048 to 8,192 bits, of P-256 or of Ed25519.
    package init(pem: String) throws(KeyError) {
        guard pem.utf8.count <= RemoteActor.Key.mostBytes else { throw .unreadable }
        // Some servers write line ends of other systems, and none at the end.
        let pem = pem.replacing("\r", with: "")
        if let key = try? _RSA.Signing.PublicKey(unsafePEMRepresentation: pem) {
            // 2,048 bits are the least that is secure (NIST SP 800-131A); beyond 8,192 checking takes a stranger's time from others.
            guard (2048...8192).contains(key.keySizeInBits) else { throw .size(bits: key.keySizeInBits) }
            material = .rsa(key)
        } else if let key = try? P256.Signing.PublicKey(pemRepresentation: pem) {
            material = .p256(key)
        } else if let key = try? Curve25519.Signing.PublicKey(pemRepresentation: pem) {
            material = .ed25519(key)
        } else {
            throw .unreadable
        }
    }

    /// A secret that both sides know, for the examples of RFC 9421 alone: no document leads here.
    package init(shared secret: [UInt8]) { material = .shared(secret) }

    /// The algorithms by which it may have signed, where a signature does not name one.
    var algorithms: [SignatureAlgorithm] {
        switch material {
        case .rsa: [.rsaSHA256, .rsaPSSSHA512, .rsaSHA512]
        case .p256: [.ecdsaP256]
        case .ed25519: [.ed25519]
        case .shared: [.hmacSHA256]
        }
    }

    /// Whether it has made a signature; false also for an algorithm that is not for keys of its kind.
    func hasSigned(_ bytes: [UInt8], _ signature: [UInt8], _ algorithm: SignatureAlgorithm) -> Bool {
        switch (material, algorithm) {
        case (.rsa(let key), .rsaSHA256):
            return key.isValidSignature(
                Self.rsa(signature), for: SHA256.hash(data: bytes), padding: .insecurePKCS1v1_5)
        case (.rsa(let key), .rsaSHA512):
            return key.isValidSignature(
                Self.rsa(signature), for: SHA512.hash(data: bytes), padding: .insecurePKCS1v1_5)
        case (.rsa(let key), .rsaPSSSHA512):
            return key.isValidSignature(Self.rsa(signature), for: SHA512.hash(data: bytes), padding: .PSS)
        case (.p256(let key), .ecdsaP256):
            guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: bytes)
        case (.ed25519(let key), .ed25519):
            return key.isValidSignature(signature, for: bytes)
        case (.shared(let secret), .hmacSHA256):
            return HMAC<SHA256>.isValidAuthenticationCode(
                signature, authenticating: bytes, using: SymmetricKey(data: secret))
        default: return false
        }
    }

    private static func rsa(_ signature: [UInt8]) -> _RSA.Signing.RSASignature {
        _RSA.Signing.RSASignature(rawRepresentation: signature)
    }
}

/// How a signature is made.
enum SignatureAlgorithm: Hashable, Sendable {
    case rsaSHA256
    case rsaSHA512
    case rsaPSSSHA512
    case ecdsaP256
    case ed25519
    case hmacSHA256

    /// By the name that RFC 9421 has (section 3.3).
    init?(named name: String) {
        switch name {
        case "rsa-v1_5-sha256": self = .rsaSHA256
        case "rsa-pss-sha512": self = .rsaPSSSHA512
        case "ecdsa-p256-sha256": self = .ecdsaP256
        case "ed25519": self = .ed25519
        case "hmac-sha256": self = .hmacSHA256
        default: return nil
        }
    }
}
