/// A size in bytes; exact. Reads as "3.2 MB" (decimal units, as stores and disks count).
///
/// Sizes come from services too. A sum or difference that 64 bits do not hold is the nearest that they do.
public struct ByteCount: Hashable, Sendable, Comparable, Codable, CustomStringConvertible {
    public var bytes: Int64

    public init(_ bytes: Int64) { self.bytes = bytes }
    public init(_ bytes: Int) { self.bytes = Int64(bytes) }

    public static func < (a: Self, b: Self) -> Bool { a.bytes < b.bytes }
    public static func + (a: Self, b: Self) -> Self {
        let (sum, isTooLarge) = a.bytes.addingReportingOverflow(b.bytes)
        return Self(isTooLarge ? (b.bytes < 0 ? .min : .max) : sum)
    }

    public static func - (a: Self, b: Self) -> Self {
        let (difference, isTooLarge) = a.bytes.subtractingReportingOverflow(b.bytes)
        return Self(isTooLarge ? (b.bytes < 0 ? .max : .min) : difference)
    }

    /// A size that a service has written in decimal digits. More than 64 bits hold is the most that they hold; nil for what is
    /// no size, a negative one included.
    public init?(decimal text: String) {
        guard (1...400).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        self.init(Int64(text) ?? .max)
    }

    public var description: String {
        let units = ["kB", "MB", "GB", "TB", "PB"]
        guard bytes.magnitude >= 1000 else { return "\(bytes) bytes" }
        var tenths = bytes / 100  // tenths of a kilobyte
        var unit = 0
        while tenths.magnitude >= 10_000 && unit < units.count - 1 {
            tenths /= 1000
            unit += 1
        }
        return "\(tenths / 10).\(tenths.magnitude % 10) \(units[unit])"
    }
}

extension ByteCount {
    public static func += (a: inout Self, b: Self) { a = a + b }

    /// So many blocks of a size, as `statvfs(3)` counts what is free; at most what 64 bits hold.
    public init(blocks: UInt64, of size: UInt64) {
        let (bytes, isTooMuch) = blocks.multipliedReportingOverflow(by: size)
        self.init(isTooMuch ? .max : Int64(clamping: bytes))
    }
}

/// The door for a size, a length or an offset that somebody else names: a file's header, a peer, the file system. Nothing is added
/// to it, multiplied with it or converted from it before it has passed.
///
/// What has passed is within 0...``limit``, so that sums of 8000 such numbers, and products with numbers up to 8000, are `Int`s.
public enum UntrustedSize {
    /// 2^50, a thousand terabytes: a recording of 24 h in the largest format that is read takes less than three.
    public static let limit = 1 << 50

    /// What lies beyond the limit counts as the limit, what is negative as 0. For numbers that are promises only.
    public static func clamping(_ number: some BinaryInteger) -> Int { min(limit, Int(clamping: max(0, number))) }

    /// Nil when the number is negative or lies beyond the limit. For numbers that must be true.
    public static func exactly(_ number: some BinaryInteger) -> Int? {
        number < 0 || number > limit ? nil : Int(number)
    }
}
