/// A number in a file's header: what a generator of hostile files puts odd values into.
public struct HostileField: Hashable, Sendable {
    public enum Coding: Hashable, Sendable {
        case little
        case big
        /// Seven bits a byte, the highest first (ID3v2).
        case syncsafe
        /// An IEEE double, big-endian.
        case double
    }

    public var name: String
    /// From the start of its part.
    public var offset: Int
    /// In bytes, 1...8.
    public var width: Int
    public var coding: Coding

    /// The largest value that fits.
    var largest: UInt64 { width >= 8 ? .max : (1 << (8 * UInt64(width))) - 1 }

    /// What stands there; 0 where the part ends too early.
    func read(from bytes: [UInt8]) -> UInt64 {
        guard offset + width <= bytes.count else { return 0 }
        let own = bytes[offset..<offset + width]
        switch coding {
        case .little: return own.reversed().reduce(0) { $0 << 8 | UInt64($1) }
        case .big, .double: return own.reduce(0) { $0 << 8 | UInt64($1) }
        case .syncsafe: return own.reduce(0) { $0 << 7 | UInt64($1 & 0x7F) }
        }
    }

    /// Puts the low bytes of a value there.
    func write(_ value: UInt64, to bytes: inout [UInt8]) {
        for index in 0..<width where offset + index < bytes.count {
            let place = UInt64(coding == .little ? index : width - 1 - index)
            bytes[offset + index] = UInt8(
                truncatingIfNeeded: coding == .syncsafe ? value >> (7 * place) & 0x7F : value >> (8 * place))
        }
    }
}
