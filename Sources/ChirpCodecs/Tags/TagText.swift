internal import ChirpCore

/// Text and pictures out of tags.
enum TagText {
    /// The longest text kept, in characters.
    static let longest = 2000

    /// Decodes an ID3v2 string: 0 ISO 8859-1, 1 UTF-16 with byte order mark, 2 UTF-16 big-endian, 3 UTF-8.
    ///
    /// - Returns: nil when nothing is left of it.
    static func decode(_ bytes: ArraySlice<UInt8>, encoding: UInt8) -> String? {
        // Bounded first: a character has at most a few dozen bytes of any encoding that means something.
        let bytes = bytes.prefix(longest * 16)
        switch encoding {
        case 1, 2:
            var units: [UInt16] = []
            var index = bytes.startIndex
            while index + 1 < bytes.endIndex {
                units.append(UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1]))
                index += 2
            }
            if units.first == 0xFFFE {
                units = units.dropFirst().map(\.byteSwapped)
            } else if units.first == 0xFEFF {
                units.removeFirst()
            }
            return clean(String(decoding: units, as: UTF16.self))
        case 3: return clean(String(decoding: bytes, as: UTF8.self))
        default: return plain(bytes)
        }
    }

    /// Text whose encoding nobody tells: UTF-8 when it is that, else ISO 8859-1.
    static func plain(_ bytes: ArraySlice<UInt8>) -> String? {
        let bytes = bytes.prefix { $0 != 0 }.prefix(longest * 4)
        if let text = String(validating: bytes, as: UTF8.self) { return clean(text) }
        var text = String.UnicodeScalarView()
        for byte in bytes { text.append(Unicode.Scalar(byte)) }
        return clean(String(text))
    }

    /// Safe to show; nil for nothing.
    static func clean(_ text: String) -> String? {
        let text = PlainText(text.prefix { $0 != "\0" }, limit: longest)
        return text.isEmpty ? nil : text.value
    }

    /// Whether bytes begin as a JPEG or PNG file does, whatever the tag says they are.
    static func isPicture(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.count > 64 && (bytes.starts(with: [0xFF, 0xD8, 0xFF]) || bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    }
}
