/// The name of a clip or a post within the hub, and the secret part of its link.
///
/// 22 letters and digits, without those that look alike (0 O I l), drawn from the system's generator of secure random
/// numbers: 58^22 possibilities are 128.9 bits, so that knowing the address of one clip helps nobody to find another.
package struct HubID: Hashable, Sendable, CustomStringConvertible {
    package let text: String
    package var description: String { text }

    /// Letters.
    package static let length = 22
    private static let alphabet = Array("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".utf8)

    /// Whether a byte is one of them.
    private static let isLetter = (0...255).map { alphabet.contains($0) }

    /// A new one.
    package init() {
        var generator = SystemRandomNumberGenerator()
        var letters: [UInt8] = []
        letters.reserveCapacity(Self.length)
        // Each number from the system is a call of it, and has ten times the six bits that a letter takes.
        while letters.count < Self.length {
            var bits: UInt64 = generator.next()
            for _ in 0..<10 where letters.count < Self.length {
                let place = Int(bits & 63)
                if place < Self.alphabet.count { letters.append(Self.alphabet[place]) }
                bits >>= 6
            }
        }
        text = String(decoding: letters, as: UTF8.self)
    }

    /// Text from outside, or nil when it cannot be the id of anything here. What passes is safe in a path and in a page.
    package init?(_ text: some StringProtocol) {
        // A page reads hundreds of them.
        var text = String(text)
        let isOne = text.withUTF8 { bytes in
            bytes.count == Self.length && bytes.allSatisfy { Self.isLetter[Int($0)] }
        }
        guard isOne else { return nil }
        self.text = text
    }

    /// The id at the end of the address of a clip's page, `…/c/<id>`, or nil for any other address.
    package init?(pageAddress: String) {
        let parts = pageAddress.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count >= 2, parts[parts.count - 2] == "c", let id = Self(parts[parts.count - 1]) else { return nil }
        self = id
    }
}
