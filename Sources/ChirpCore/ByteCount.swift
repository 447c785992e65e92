/// A size in bytes; exact. Reads as "3.2 MB" (decimal units, as stores and disks count).
public struct ByteCount: Hashable, Sendable, Comparable, Codable, CustomStringConvertible {
    public var bytes: Int64

    public init(_ bytes: Int64) { self.bytes = bytes }
    public init(_ bytes: Int) { self.bytes = Int64(bytes) }

    public static func < (a: Self, b: Self) -> Bool { a.bytes < b.bytes }
    public static func + (a: Self, b: Self) -> Self { Self(a.bytes + b.bytes) }
    public static func - (a: Self, b: Self) -> Self { Self(a.bytes - b.bytes) }

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
