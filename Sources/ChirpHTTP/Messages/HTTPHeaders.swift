/// Header fields in order. Names compare without case (RFC 9110 section 5.1).
public struct HTTPHeaders: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    public struct Field: Hashable, Sendable {
        public let name: String
        public let value: String
    }

    public private(set) var fields: [Field] = []

    public init() {}

    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { append(value, for: name) }
    }

    /// The first value of a field. Setting replaces all of that name; nil removes them.
    public subscript(name: String) -> String? {
        get { fields.first { sameName($0.name, name) }?.value }
        set {
            fields.removeAll { sameName($0.name, name) }
            if let newValue { append(newValue, for: name) }
        }
    }

    /// Adds a field after those of the same name.
    ///
    /// Line ends and NUL in a value would let it smuggle in further fields (RFC 9110 section 5.5), so they become spaces.
    public mutating func append(_ value: String, for name: String) {
        let isForbidden = { (byte: UInt8) in byte == 0x0D || byte == 0x0A || byte == 0 }
        let safe =
            value.utf8.contains(where: isForbidden)
            ? String(decoding: value.utf8.map { isForbidden($0) ? 0x20 : $0 }, as: UTF8.self) : value
        fields.append(Field(name: name, value: safe))
    }
}

/// ASCII comparison without case and without allocation.
func sameName(_ a: String, _ b: String) -> Bool {
    let a = a.utf8
    let b = b.utf8
    return a.count == b.count && zip(a, b).allSatisfy { lowered($0) == lowered($1) }
}

private func lowered(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
