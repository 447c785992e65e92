/// Bounds how many marks follow one letter, in text from outside.
///
/// Swift compares and hashes texts in a normal form (NFC), for which runs of combining marks are sorted: a run of n marks of alternating classes
/// costs n². 30 are enough for every written language, which is what the Stream-Safe Text Format allows (Unicode TR #15, section 13).
package enum StreamSafeText {
    /// Marks in a row that stay.
    package static let most = 30

    /// A text without the marks behind the thirtieth of a run; the same text where there are none, as nearly always.
    package static func cut(_ text: String) -> String {
        guard hasLongRun(text.unicodeScalars) else { return text }
        var (kept, run) = (String.UnicodeScalarView(), 0)
        for scalar in text.unicodeScalars {
            run = isMark(scalar) ? run + 1 : 0
            if run <= most { kept.append(scalar) }
        }
        return String(kept)
    }

    /// Whether some scalars have a longer run.
    package static func hasLongRun(_ scalars: some Sequence<Unicode.Scalar>) -> Bool {
        var run = 0
        for scalar in scalars {
            guard isMark(scalar) else {
                run = 0
                continue
            }
            run += 1
            if run > most { return true }
        }
        return false
    }

    /// Whether a document of JSON has one in a text or a name, as marks or as `\u` escapes of them.
    ///
    /// - Parameter bytes: in UTF-8; what is none counts as no mark.
    static func hasLongRun(inJSON bytes: [UInt8]) -> Bool {
        // Most documents have neither: two looks at the bytes, without decoding them.
        guard bytes.contains(where: { $0 >= 0x80 }) || bytes.contains(UInt8(ascii: "\\")) else { return false }
        var (run, index) = (0, 0)
        let scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
        while index < scalars.count {
            var scalar: Unicode.Scalar? = scalars[index]
            if scalar == "\\" {
                if let unit = unit(at: index, in: scalars) {
                    index += 5
                    scalar = Unicode.Scalar(unit)
                    if (0xD800..<0xDC00).contains(unit), let low = self.unit(at: index + 1, in: scalars),
                        (0xDC00..<0xE000).contains(low)
                    {
                        index += 6
                        scalar = Unicode.Scalar(0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(low) - 0xDC00))
                    }
                } else {
                    // Another escape, with the character that it is of.
                    index += 1
                    scalar = nil
                }
            }
            index += 1
            run = scalar.map(isMark) == true ? run + 1 : 0
            if run > most { return true }
        }
        return false
    }

    /// The unit of UTF-16 that an escape stands for; nil where no such escape begins.
    private static func unit(at index: Int, in scalars: [Unicode.Scalar]) -> UInt16? {
        guard index + 5 < scalars.count, scalars[index] == "\\", scalars[index + 1] == "u" else { return nil }
        var unit: UInt16 = 0
        for scalar in scalars[(index + 2)...(index + 5)] {
            guard scalar.isASCII, let digit = Character(scalar).hexDigitValue else { return nil }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }

    /// What a normal form sorts (canonical combining class other than 0). Below U+0300 there is none.
    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x300 && scalar.properties.canonicalCombiningClass != .notReordered
    }
}
