/// A value of CBOR (RFC 8949), as authenticators write it: definite lengths, no tags, no floating point (CTAP 2.1, section 8).
///
/// Authenticators are strangers' devices, so depth and number are bounded, and nothing is allocated by what a head promises.
enum CBORValue: Hashable, Sendable {
    case unsigned(UInt64)
    /// The number -1 - n.
    case negative(UInt64)
    case bytes([UInt8])
    case text(String)
    case array([CBORValue])
    case map([CBORValue: CBORValue])
    case flag(Bool)
    case null

    /// Of values within values; attestation statements have four levels.
    private static let deepest = 8
    /// Of all values together.
    private static let most = 512

    /// Reads one value at the beginning of some bytes.
    ///
    /// - Returns: the value, and how many bytes it took; nil for what is none.
    static func read(_ bytes: ArraySlice<UInt8>) -> (value: CBORValue, count: Int)? {
        var reader = Reader(rest: bytes, left: most)
        guard let value = reader.value(depth: 0) else { return nil }
        return (value, bytes.count - reader.rest.count)
    }

    /// What a map holds under a number, as COSE keys do; nil for none, and for what is no map.
    subscript(_ key: Int64) -> CBORValue? {
        guard case .map(let members) = self else { return nil }
        return members[key < 0 ? .negative(UInt64(-1 - key)) : .unsigned(UInt64(key))]
    }

    /// What a map holds under a name.
    subscript(_ key: String) -> CBORValue? {
        guard case .map(let members) = self else { return nil }
        return members[.text(key)]
    }

    var bytes: [UInt8]? {
        guard case .bytes(let bytes) = self else { return nil }
        return bytes
    }

    private struct Reader {
        var rest: ArraySlice<UInt8>
        var left: Int

        mutating func value(depth: Int) -> CBORValue? {
            guard depth < CBORValue.deepest, left > 0, let head = rest.popFirst() else { return nil }
            left -= 1
            guard let number = argument(head & 31) else { return nil }
            switch head >> 5 {
            case 0: return .unsigned(number)
            case 1: return .negative(number)
            case 2: return take(number).map { .bytes(Array($0)) }
            case 3: return take(number).flatMap { String(validating: $0, as: UTF8.self) }.map { .text($0) }
            case 4:
                guard number <= UInt64(left) else { return nil }
                var items: [CBORValue] = []
                for _ in 0..<number {
                    guard let item = value(depth: depth + 1) else { return nil }
                    items.append(item)
                }
                return .array(items)
            case 5:
                guard number <= UInt64(left) else { return nil }
                var members: [CBORValue: CBORValue] = [:]
                for _ in 0..<number {
                    // A key that comes twice makes a map ambiguous (RFC 8949, section 5.6).
                    guard let key = value(depth: depth + 1), members[key] == nil,
                        let member = value(depth: depth + 1)
                    else { return nil }
                    members[key] = member
                }
                return .map(members)
            case 7:
                switch number {
                case 20: return .flag(false)
                case 21: return .flag(true)
                case 22: return .null
                default: return nil
                }
            default: return nil
            }
        }

        /// The number behind a head (RFC 8949, section 3).
        private mutating func argument(_ short: UInt8) -> UInt64? {
            guard short >= 24 else { return UInt64(short) }
            guard short <= 27, let bytes = take(UInt64(1) << (short - 24)) else { return nil }
            return bytes.reduce(0) { $0 << 8 | UInt64($1) }
        }

        private mutating func take(_ count: UInt64) -> ArraySlice<UInt8>? {
            guard count <= UInt64(rest.count) else { return nil }
            let taken = rest.prefix(Int(count))
            rest = rest.dropFirst(taken.count)
            return taken
        }
    }
}
