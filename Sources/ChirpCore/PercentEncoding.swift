/// Percent-encoding (RFC 3986 section 2) and the form encoding of queries and bodies.
public enum PercentEncoding {
    /// Everything but unreserved characters is encoded, byte by byte of UTF-8; spaces as `%20`, which queries and forms
    /// understand too.
    public static func encode(_ text: String) -> String {
        var out: [UInt8] = []
        out.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
                out.append(byte)
            default:
                out.append(0x25)
                out.append(digit(byte >> 4))
                out.append(digit(byte & 15))
            }
        }
        return String(decoding: out, as: UTF8.self)
    }

    /// The opposite; a `%` that begins no code stays as it is. With `plusIsSpace` as in forms.
    public static func decode(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String {
        decode(Array(text.utf8)[...], plusIsSpace: plusIsSpace)
    }

    private static func decode(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool) -> String {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            if bytes[index] == 0x25, index + 2 < bytes.endIndex, let high = value(bytes[index + 1]),
                let low = value(bytes[index + 2])
            {
                out.append(high << 4 | low)
                index += 3
            } else {
                out.append(plusIsSpace && bytes[index] == 0x2B ? 0x20 : bytes[index])
                index += 1
            }
        }
        // Names become keys, and values are compared: see there.
        return StreamSafeText.cut(String(decoding: out, as: UTF8.self))
    }

    /// `name=value&name=value`, in order: a query, or a body of type `application/x-www-form-urlencoded`.
    public static func form(_ fields: [(name: String, value: String)]) -> String {
        fields.map { encode($0.name) + "=" + encode($0.value) }.joined(separator: "&")
    }

    /// The fields of a query, decoded, in order. A query is as short as the first line of a request.
    public static func fields(of query: some StringProtocol) -> [(name: String, value: String)] {
        split(Array(query.utf8)).map(field)
    }

    /// The fields of a form, decoded, in order (URL standard, section 5.1). Bytes that are no UTF-8 become U+FFFD.
    ///
    /// - Throws: ``TooManyFields`` for more than ``TooManyFields/most``.
    package static func fields(
        ofForm body: some Sequence<UInt8>
    ) throws(TooManyFields) -> [(name: String, value: String)] {
        let fields = split(Array(body))
        guard fields.count <= TooManyFields.most else { throw TooManyFields() }
        return fields.map(field)
    }

    private static func split(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] { bytes.split(separator: 0x26) }

    private static func field(_ bytes: ArraySlice<UInt8>) -> (name: String, value: String) {
        let name = bytes.prefix { $0 != 0x3D }
        return (decode(name, plusIsSpace: true), decode(bytes[name.endIndex...].dropFirst(), plusIsSpace: true))
    }

    private static func digit(_ nibble: UInt8) -> UInt8 { nibble < 10 ? 0x30 + nibble : 0x37 + nibble }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x41...0x46: digit - 0x37
        case 0x61...0x66: digit - 0x57
        default: nil
        }
    }
}

/// More fields than any form has. Every one costs memory and time before anybody knows who has sent them.
package struct TooManyFields: Error, Hashable {
    /// Every form that the hub shows has far fewer, so that nobody who fills one in meets this bound.
    package static let most = 1000

    package init() {}
}
