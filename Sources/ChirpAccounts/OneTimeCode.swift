internal import Crypto
package import FoundationEssentials

/// Codes of an authenticator (TOTP, RFC 6238, with the parameters that all of them know: SHA-1, 30 s, six digits).
package struct OneTimeCode: Sendable {
    /// 160 bits, as RFC 4226, section 4, recommends.
    let key: [UInt8]

    static let period = 30.0

    /// A new key, from the system's source of randomness.
    init() {
        var generator = SystemRandomNumberGenerator()
        key = (0..<20).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    package init(key: [UInt8]) { self.key = key }

    /// The key that ``text`` has shown; nil for anything else.
    package init?(text: some StringProtocol) {
        guard text.utf8.count == 32 else { return nil }
        var key: [UInt8] = []
        var (value, bits) = (0, 0)
        for byte in text.utf8 {
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit = byte - UInt8(ascii: "A")
            case UInt8(ascii: "2")...UInt8(ascii: "7"): digit = byte - UInt8(ascii: "2") + 26
            default: return nil
            }
            value = (value << 5 | Int(digit)) & 0xFFF
            bits += 5
            if bits >= 8 {
                bits -= 8
                key.append(UInt8(value >> bits & 0xFF))
            }
        }
        self.key = key
    }

    /// What an authenticator reads from a picture, or by hand: `otpauth://totp/...`.
    ///
    /// - Parameters:
    ///   - account: shown there; without colons.
    ///   - issuer: the hub's name; letters and digits.
    package func address(account: String, issuer: String) -> String {
        "otpauth://totp/\(issuer):\(account)?secret=\(text)&issuer=\(issuer)"
    }

    /// The key in base 32 (RFC 4648, section 6), for typing.
    package var text: String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        var result = ""
        var bits = 0
        var value = 0
        for byte in key {
            value = (value << 8 | Int(byte)) & 0xFFFF
            bits += 8
            while bits >= 5 {
                bits -= 5
                result.append(alphabet[value >> bits & 31])
            }
        }
        return result
    }

    /// The step of the clock that an instant lies in.
    package static func step(at date: Date) -> Int64 {
        Int64(exactly: (date.timeIntervalSince1970 / period).rounded(.down)) ?? 0
    }

    /// Six digits (RFC 4226, section 5.3).
    package func code(atStep step: Int64) -> String {
        let counter = (0..<8).map { UInt8(truncatingIfNeeded: step >> (56 - 8 * $0)) }
        let mac = Array(
            HMAC<Insecure.SHA1>.authenticationCode(for: Data(counter), using: SymmetricKey(data: Data(key))))
        let offset = Int(mac[mac.count - 1] & 15)
        let number = mac[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } & 0x7FFF_FFFF
        let digits = String(number % 1_000_000)
        return String(repeating: "0", count: 6 - digits.count) + digits
    }

    /// The step for which somebody has typed the code; nil when it is wrong or not newer than `last`. A clock may be off by a step.
    func step(of typed: String, at date: Date, after last: Int64) -> Int64? {
        let digits = String(typed.filter { !$0.isWhitespace })
        guard digits.utf8.count == 6 else { return nil }
        let now = Self.step(at: date)
        // All are compared, and each in full, so that the time tells nothing.
        var found: Int64?
        for step in now - 1...now + 1 {
            let difference = zip(code(atStep: step).utf8, digits.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) }
            if difference == 0, step > last { found = step }
        }
        return found
    }
}
