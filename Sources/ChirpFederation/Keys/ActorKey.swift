package import ChirpCore
internal import CryptoExtras

/// An actor's key: RSA of 2,048 bits, the one kind that all of the fediverse reads.
package struct ActorKey: Sendable {
    let key: _RSA.Signing.PrivateKey

    /// A new one. It takes some tenths of a second of processor time.
    package init() throws(KeyError) {
        do { key = try _RSA.Signing.PrivateKey(keySize: .bits2048) } catch { throw .notMade }
    }

    /// As it was kept (``pem``).
    package init(pem: Secret) throws(KeyError) {
        do { key = try _RSA.Signing.PrivateKey(pemRepresentation: pem.reveal()) } catch { throw .unreadable }
    }

    /// To keep it (PKCS #8, RFC 5958).
    package var pem: Secret { Secret(key.pkcs8PEMRepresentation) }
    /// For the actor's document (SubjectPublicKeyInfo, RFC 5280).
    package var publicPEM: String { key.publicKey.pemRepresentation }
}

/// Why there is no key.
package enum KeyError: Error, Hashable {
    /// The system has no more memory or randomness.
    case notMade
    /// Not a key in PEM, or of a kind that is not taken.
    case unreadable
    /// Fewer than 2,048 bits, or more than 8,192.
    case size(bits: Int)
}
