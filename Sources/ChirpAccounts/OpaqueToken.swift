package import ChirpCore
internal import Crypto
internal import FoundationEssentials

/// A secret that stands for a session, a link or a program: 256 random bits. The database knows only its ``digest``, so that a
/// copy of the database signs nobody in.
package struct OpaqueToken: Sendable {
    /// What its holder shows: 43 letters, digits, `-` and `_` (RFC 4648, section 5).
    package let secret: Secret
    /// SHA-256 of ``secret``; the secret is random, so no salt or slow hash is needed.
    package let digest: [UInt8]

    /// A new one, from the system's source of randomness.
    package init() {
        var generator = SystemRandomNumberGenerator()
        var bytes: [UInt8] = []
        for _ in 0..<4 { withUnsafeBytes(of: generator.next()) { bytes += $0 } }
        self.init(bytes: bytes)
    }

    /// What somebody has shown; nil when it cannot be one.
    package init?(shown text: some StringProtocol) {
        guard text.utf8.count == 43, text.utf8.allSatisfy(Self.isAllowed) else { return nil }
        secret = Secret(String(text))
        digest = Self.digest(of: String(text))
    }

    /// One of 32 bytes that nobody can guess.
    init(bytes: [UInt8]) {
        let text = bytes.base64URL
        secret = Secret(text)
        digest = Self.digest(of: text)
    }

    private static func digest(of text: String) -> [UInt8] { Array(SHA256.hash(data: Data(text.utf8))) }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
