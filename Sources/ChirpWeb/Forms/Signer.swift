internal import ChirpCore
internal import Crypto
internal import FoundationEssentials

/// Signs what this server gives to browsers and later takes back, with a secret that stays here (HMAC, RFC 2104, with SHA-256).
package struct Signer: Sendable {
    private let key: SymmetricKey

    /// - Parameter key: at least 32 secret bytes, the same after a restart.
    package init(key: [UInt8]) {
        precondition(key.count >= 32)
        self.key = SymmetricKey(data: Data(key))
    }

    /// The signature of a text: 43 letters, digits, `-` and `_`.
    ///
    /// - Parameter purpose: a signature for one purpose is none for another.
    package func signature(of text: String, for purpose: String) -> String {
        HMAC<SHA256>.authenticationCode(for: Data("\(purpose):\(text)".utf8), using: key).base64URL
    }

    /// Whether a signature is right; compared in constant time.
    package func isRight(_ signature: String, of text: String, for purpose: String) -> Bool {
        let expected = Array(self.signature(of: text, for: purpose).utf8)
        let given = Array(signature.utf8)
        guard expected.count == given.count else { return false }
        return zip(expected, given).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// A name that nobody has chosen, of 192 random bits: 32 letters, digits, `-` and `_`.
    package static func newName() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<24).map { _ in UInt8.random(in: .min ... .max, using: &generator) }.base64URL
    }

    /// Whether a text may be what ``newName()`` has given.
    package static func isName(_ text: some StringProtocol) -> Bool {
        text.utf8.count == 32
            && text.utf8.allSatisfy {
                switch $0 {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}
