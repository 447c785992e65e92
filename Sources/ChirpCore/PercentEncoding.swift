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
        var out: [UInt8] = []
        let bytes = Array(text.utf8)
        var index = 0
        while index < bytes.count {
            if bytes[index] == 0x25, index + 2 < bytes.count, let high = value(bytes[index + 1]),
                let low = value(bytes[index + 2])
            {
                out.append(high << 4 | low)
                index += 3
            } else {
                out.append(plusIsSpace && bytes[index] == 0x2B ? 0x20 : bytes[index])
                index += 1
            }
        }
        return String(decoding: out, as: UTF8.self)
    }

    /// `name=value&name=value`, in order: a query, or a body of type `application/x-www-form-urlencoded`.
    public static func form(_ fields: [(name: String, value: String)]) -> String {
        fields.map { encode($0.name) + "=" + encode($0.value) }.joined(separator: "&")
    }

    /// The fields of a query or form, decoded, in order.
    public static func fields(of form: some StringProtocol) -> [(name: String, value: String)] {
        form.split(separator: "&").map { field in
            let name = field.prefix { $0 != "=" }
            return (decode(name, plusIsSpace: true), decode(field.dropFirst(name.count + 1), plusIsSpace: true))
        }
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
