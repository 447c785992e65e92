/// What a picture looks like, in 256 bits (PDQ).
package struct PicturePrint: Hashable, Sendable {
    /// 32 bytes.
    package let bits: [UInt8]
    /// 0...100: how much there is to be seen in it.
    package let quality: Int

    /// As PDQ's authors advise: so many different bits and no more are the same picture, and below that quality nothing can be said.
    package static let mostDifferent = 31
    package static let leastQuality = 50

    /// Nil for other than 32 bytes.
    package init?(bits: [UInt8], quality: Int) {
        guard bits.count == 32, (0...100).contains(quality) else { return nil }
        (self.bits, self.quality) = (bits, quality)
    }

    /// - Parameter digits: 64 hexadecimal ones.
    package init?(digits: String, quality: Int) {
        let values = digits.compactMap(\.hexDigitValue)
        guard values.count == 64, digits.utf8.count == 64 else { return nil }
        self.init(
            bits: stride(from: 0, to: 64, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }, quality: quality)
    }

    /// 64 hexadecimal digits.
    package var digits: String {
        let letters = Array("0123456789abcdef")
        return String(bits.flatMap { [letters[Int($0 >> 4)], letters[Int($0 & 15)]] })
    }

    /// In how many bits two prints differ, 0...256.
    package func distance(to other: PicturePrint) -> Int {
        zip(bits, other.bits).reduce(0) { $0 + ($1.0 ^ $1.1).nonzeroBitCount }
    }

    /// Whether both are made of one picture, as far as that can be said.
    package func isLike(_ other: PicturePrint) -> Bool {
        min(quality, other.quality) >= Self.leastQuality && distance(to: other) <= Self.mostDifferent
    }
}
