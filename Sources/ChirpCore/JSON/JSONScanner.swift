/// Reads a document of JSON (RFC 8259) from its beginning to its end, each byte once. ``UntrustedJSON`` has bounded its depth before.
struct JSONScanner {
    private let bytes: [UInt8]
    private var index = 0

    /// The longest number, in bytes. What is longer is no quantity, and converting it takes more than one pass.
    private static let longestNumber = 1000

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        // A mark may be passed over (section 8.1).
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    }

    mutating func document() throws(UntrustedJSON.Fault) -> ParsedJSON {
        let value = try value()
        skipSpace()
        guard index == bytes.count else { throw .notJSON }
        return value
    }

    private mutating func value() throws(UntrustedJSON.Fault) -> ParsedJSON {
        skipSpace()
        guard index < bytes.count else { throw .notJSON }
        switch bytes[index] {
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try list()
        case UInt8(ascii: "\""): return .text(try text())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        default: return .number(try number())
        }
    }

    private mutating func object() throws(UntrustedJSON.Fault) -> ParsedJSON {
        var members: [String: ParsedJSON] = [:]
        index += 1
        if takes(UInt8(ascii: "}")) { return .object(members) }
        repeat {
            skipSpace()
            guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else { throw .notJSON }
            let name = try text()
            guard takes(UInt8(ascii: ":")) else { throw .notJSON }
            members[name] = try value()
        } while takes(UInt8(ascii: ","))
        guard takes(UInt8(ascii: "}")) else { throw .notJSON }
        return .object(members)
    }

    private mutating func list() throws(UntrustedJSON.Fault) -> ParsedJSON {
        var items: [ParsedJSON] = []
        index += 1
        if takes(UInt8(ascii: "]")) { return .list(items) }
        repeat { items.append(try value()) } while takes(UInt8(ascii: ","))
        guard takes(UInt8(ascii: "]")) else { throw .notJSON }
        return .list(items)
    }

    private mutating func literal(_ text: StaticString, _ value: ParsedJSON) throws(UntrustedJSON.Fault) -> ParsedJSON {
        let end = index + text.utf8CodeUnitCount
        guard end <= bytes.count, text.withUTF8Buffer({ bytes[index..<end].elementsEqual($0) }) else { throw .notJSON }
        index = end
        return value
    }

    /// The grammar of section 6.
    private mutating func number() throws(UntrustedJSON.Fault) -> String {
        let start = index
        if isNext(UInt8(ascii: "-")) { index += 1 }
        let isZero = isNext(UInt8(ascii: "0"))
        let whole = digits()
        guard whole == 1 || whole > 1 && !isZero else { throw .notJSON }
        if isNext(UInt8(ascii: ".")) {
            index += 1
            guard digits() > 0 else { throw .notJSON }
        }
        if isNext(UInt8(ascii: "e")) || isNext(UInt8(ascii: "E")) {
            index += 1
            if isNext(UInt8(ascii: "+")) || isNext(UInt8(ascii: "-")) { index += 1 }
            guard digits() > 0 else { throw .notJSON }
        }
        guard index - start <= Self.longestNumber else { throw .notJSON }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func digits() -> Int {
        let start = index
        while index < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) { index += 1 }
        return index - start
    }

    /// A text with its quotes (section 7).
    private mutating func text() throws(UntrustedJSON.Fault) -> String {
        index += 1
        let start = index
        var hasEscapes = false
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            guard bytes[index] >= 0x20 else { throw .notJSON }
            if bytes[index] == UInt8(ascii: "\\") {
                hasEscapes = true
                index += 1
            }
            index += 1
        }
        guard index < bytes.count else { throw .notJSON }
        let content = bytes[start..<index]
        index += 1
        let plain = hasEscapes ? try Self.unescaped(content) : content
        guard let text = String(validating: plain, as: UTF8.self) else { throw .notJSON }
        return text
    }

    private static func unescaped(_ content: ArraySlice<UInt8>) throws(UntrustedJSON.Fault) -> ArraySlice<UInt8> {
        var plain: [UInt8] = []
        plain.reserveCapacity(content.count)
        var rest = content
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                plain.append(byte)
                continue
            }
            switch rest.popFirst() {
            case UInt8(ascii: "\""): plain.append(UInt8(ascii: "\""))
            case UInt8(ascii: "\\"): plain.append(UInt8(ascii: "\\"))
            case UInt8(ascii: "/"): plain.append(UInt8(ascii: "/"))
            case UInt8(ascii: "b"): plain.append(0x08)
            case UInt8(ascii: "f"): plain.append(0x0C)
            case UInt8(ascii: "n"): plain.append(0x0A)
            case UInt8(ascii: "r"): plain.append(0x0D)
            case UInt8(ascii: "t"): plain.append(0x09)
            case UInt8(ascii: "u"): plain += String(try scalar(&rest)).utf8
            default: throw .notJSON
            }
        }
        return plain[...]
    }

    /// Of one `\uXXXX`, or of the two of a surrogate pair.
    private static func scalar(_ rest: inout ArraySlice<UInt8>) throws(UntrustedJSON.Fault) -> Unicode.Scalar {
        let first = try unit(&rest)
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard UTF16.isLeadSurrogate(first), rest.popFirst() == UInt8(ascii: "\\"), rest.popFirst() == UInt8(ascii: "u")
        else { throw .notJSON }
        let second = try unit(&rest)
        guard UTF16.isTrailSurrogate(second) else { throw .notJSON }
        let code = 0x10000 + (UInt32(first & 0x3FF) << 10 | UInt32(second & 0x3FF))
        guard let scalar = Unicode.Scalar(code) else { throw .notJSON }
        return scalar
    }

    private static func unit(_ rest: inout ArraySlice<UInt8>) throws(UntrustedJSON.Fault) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            switch rest.popFirst() {
            case let digit? where (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit):
                unit = unit << 4 | UInt16(digit - UInt8(ascii: "0"))
            case let digit? where (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(digit | 0x20):
                unit = unit << 4 | UInt16((digit | 0x20) - UInt8(ascii: "a") + 10)
            default: throw .notJSON
            }
        }
        return unit
    }

    // MARK: moving on

    private func isNext(_ byte: UInt8) -> Bool { index < bytes.count && bytes[index] == byte }

    /// Passes over white space and a mark, when it is the next.
    private mutating func takes(_ mark: UInt8) -> Bool {
        skipSpace()
        guard isNext(mark) else { return false }
        index += 1
        return true
    }

    private mutating func skipSpace() {
        while index < bytes.count, bytes[index] == 0x20 || (0x09...0x0D).contains(bytes[index]),
            bytes[index] != 0x0B, bytes[index] != 0x0C
        {
            index += 1
        }
    }
}
