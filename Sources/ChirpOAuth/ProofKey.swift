internal import ChirpCore
internal import Crypto

/// What proves that the code of a sign-in is redeemed by the program that asked for it (PKCE, RFC 7636, method S256).
public struct ProofKey: Sendable {
    /// 43 characters of base64url: 256 random bits. Secret until the code is redeemed.
    let verifier: String
    /// What the authorization page is told: base64url of the verifier's SHA-256, without padding.
    public let challenge: String

    /// A new one, from the system's randomness.
    public init() {
        var generator = SystemRandomNumberGenerator()
        self.init(verifier: (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }.base64URL)
    }

    package init(verifier: String) {
        self.verifier = verifier
        challenge = SHA256.hash(data: Array(verifier.utf8)).base64URL
    }
}
