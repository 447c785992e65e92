package import FoundationEssentials

/// JSON from outside (RFC 8259): the one way from bytes of strangers to values.
///
/// Size, depth and number of values are counted over the bytes, in one pass, before anything is built. So the length of a document bounds
/// its cost: Foundation's decoder throws and catches an error for each kind that a value is not, and each of these errors costs
/// as much as the value lies deep.
package enum UntrustedJSON {
    /// How large a document may be.
    package struct Limits: Hashable, Sendable {
        package var bytes: Int
        /// Lists and objects within each other.
        package var depth: Int
        /// Values of lists and members of objects, on all levels, and empty places between commas.
        package var values: Int

        package init(bytes: Int, depth: Int, values: Int) {
            (self.bytes, self.depth, self.values) = (bytes, depth, values)
        }

        /// An answer of a service: hundreds of posts with all that belongs to them.
        package static let answer = Limits(bytes: 16 << 20, depth: 64, values: 200_000)
        /// One statement: a token, a notification, a message of a payment service.
        package static let statement = Limits(bytes: 1 << 20, depth: 32, values: 5000)
    }

    /// Why a document cannot be read. No case holds any of it.
    package enum Fault: Error, Hashable {
        case tooLarge(limit: Int)
        case tooDeep(limit: Int)
        case tooMany(limit: Int)
        /// It is no JSON, or not of the type that is expected.
        case notJSON
    }

    /// A document as a type.
    ///
    /// - Parameter prepare: sets how dates and numbers are written.
    package static func decode<T: Decodable>(
        _ type: T.Type, from bytes: [UInt8], _ limits: Limits, prepare: (JSONDecoder) -> Void = { _ in }
    ) throws(Fault) -> T {
        try check(bytes, limits)
        let decoder = JSONDecoder()
        prepare(decoder)
        guard let value = try? decoder.decode(type, from: Data(bytes)) else { throw .notJSON }
        return value
    }

    /// A document of which no type is known.
    package static func value(of bytes: [UInt8], _ limits: Limits) throws(Fault) -> ParsedJSON {
        try check(bytes, limits)
        var scanner = JSONScanner(bytes)
        return try scanner.document()
    }

    /// Depth and number of values are known from the marks outside of texts.
    private static func check(_ bytes: [UInt8], _ limits: Limits) throws(Fault) {
        guard bytes.count <= limits.bytes else { throw .tooLarge(limit: limits.bytes) }
        var (depth, values, isText, isEscaped) = (0, 1, false, false)
        for byte in bytes {
            // JSON has no such byte; in UTF-16 and UTF-32, which are not taken (section 8.1), every mark has one.
            if byte == 0 { throw .notJSON }
            if isText {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isText = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isText = true
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                values += 1
                guard depth <= limits.depth else { throw .tooDeep(limit: limits.depth) }
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            case UInt8(ascii: ","): values += 1
            default: break
            }
            guard values <= limits.values else { throw .tooMany(limit: limits.values) }
        }
        // Names become keys of dictionaries, also within Foundation.
        if StreamSafeText.hasLongRun(inJSON: bytes) { throw .notJSON }
    }
}
