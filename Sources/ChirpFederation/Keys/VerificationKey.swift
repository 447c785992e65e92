internal import Crypto
internal import CryptoExtras
internal import FoundationEssentials

/// A stranger's public key, read from the PEM of an actor.
package struct VerificationKey: Sendable {
    enum Material: Sendable {
        case rsa(_RSA.Signing.PublicKey)
        case p256(P256.Signing.PublicKey)
        case ed25519(Curve25519.Signing.PublicKey)
        /// For the examples of RFC 9421 alone: no actor's document leads here.
        case shared([UInt8])
    }

    let material: Material

    /// - Parameter pem: a SubjectPublicKeyInfo or, for RSA, PKCS #1; of RSA with 2,048 to 8,192 bits, of P-256 or of Ed25519.
    package init(pem: String) throws(KeyError) {
        throw .unreadable
    }
}
