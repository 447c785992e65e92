internal import CSodium
internal import Crypto
internal import CryptoExtras
internal import FoundationEssentials

/// The public key of a passkey, as a COSE key (RFC 9053): P-256, Ed25519 or RSA.
struct PasskeyPublicKey: Hashable, Sendable {
    /// What pages offer to authenticators, the best first (COSE algorithms: EdDSA, ES256, RS256; Windows Hello has the last alone).
    package static let algorithms = [-8, -7, -257]

    /// As the authenticator wrote it, and as the tables keep it.
    let encoded: [UInt8]
    private let kind: Kind

    private enum Kind: Hashable, Sendable {
        case p256(x: [UInt8], y: [UInt8])
        case ed25519([UInt8])
        case rsa(modulus: [UInt8], exponent: [UInt8])
    }

    /// - Returns: nil for a key of another kind, and for one under which a signature proves nothing: a point that is not on the curve or of
    ///   small order, a modulus that is even or below 2,048 bits, an exponent that is even or 1.
    init?(_ encoded: some Collection<UInt8>) {
        let bytes = Array(encoded)
        guard let (value, count) = CBORValue.read(bytes[...]), count == bytes.count else { return nil }
        self.init(value, encoded: bytes)
    }

    init?(_ value: CBORValue, encoded: [UInt8]) {
        switch (value[1], value[3]) {
        case (.unsigned(2), .negative(6)):
            guard value[-1] == .unsigned(1), let x = value[-2]?.bytes, let y = value[-3]?.bytes, x.count == 32,
                y.count == 32, (try? P256.Signing.PublicKey(x963Representation: [4] + x + y)) != nil
            else { return nil }
            kind = .p256(x: x, y: y)
        case (.unsigned(1), .negative(7)):
            // For a point of small order one signature fits every message.
            guard value[-1] == .unsigned(6), let x = value[-2]?.bytes, x.count == 32, sodium_init() >= 0,
                crypto_core_ed25519_is_valid_point(x) == 1
            else { return nil }
            kind = .ed25519(x)
        case (.unsigned(3), .negative(256)):
            guard let modulus = value[-1]?.bytes, let exponent = value[-2]?.bytes, (256...512).contains(modulus.count),
                let first = modulus.first, modulus.count > 256 ? first > 0 : first > 127,
                modulus.last.map({ $0 % 2 }) == 1,
                (1...4).contains(exponent.count), exponent.last.map({ $0 % 2 }) == 1, exponent != [1],
                exponent.first != 0
            else { return nil }
            kind = .rsa(modulus: modulus, exponent: exponent)
        default: return nil
        }
        self.encoded = encoded
    }

    /// Whether a signature over some bytes is this key's.
    func verifies(_ signature: [UInt8], of bytes: [UInt8]) -> Bool {
        switch kind {
        case .p256(let x, let y):
            guard let key = try? P256.Signing.PublicKey(x963Representation: [4] + x + y),
                let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature)
            else { return false }
            return key.isValidSignature(signature, for: SHA256.hash(data: bytes))
        case .ed25519(let x):
            guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: x) else { return false }
            return key.isValidSignature(signature, for: bytes)
        case .rsa(let modulus, let exponent):
            guard let key = try? _RSA.Signing.PublicKey(n: modulus, e: exponent) else { return false }
            return key.isValidSignature(
                _RSA.Signing.RSASignature(rawRepresentation: Data(signature)), for: SHA256.hash(data: bytes),
                padding: .insecurePKCS1v1_5)
        }
    }
}
