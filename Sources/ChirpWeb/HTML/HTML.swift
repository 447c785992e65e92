internal import FoundationEssentials
internal import Glibc

/// A piece of a page. What is interpolated into it is escaped unless it is a piece of a page itself, so text from outside
/// cannot become markup by being forgotten.
///
/// Attribute values stand in double quotes; scripts and style sheets are files of their own.
package struct HTML: ExpressibleByStringInterpolation, Sendable {
    /// The markup.
    package private(set) var text: String

    package init(stringLiteral value: String) { text = value }
    package init(stringInterpolation: Interpolation) { text = stringInterpolation.text }
    /// Pieces one after the other.
    package init(joining pieces: [HTML], separator: String = "") {
        text = pieces.map(\.text).joined(separator: separator)
    }

    /// A JSON document inside a `script` element: without `<`, which could end the element (HTML standard, 4.12.1.3).
    static func data(_ json: Data) -> HTML {
        var piece = HTML.nothing
        let open = UInt8(ascii: "<")
        // By pieces between, which are long; replacing within a text compares characters.
        piece.text = json.split(separator: open, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\\u003c")
        return piece
    }

    /// Whether some markup is in it, byte by byte: comparing characters took a tenth of the time of a large page.
    func contains(_ markup: StaticString) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            markup.withUTF8Buffer { wanted in
                guard let start = bytes.baseAddress, let begin = wanted.baseAddress, let first = wanted.first else {
                    return wanted.isEmpty
                }
                var place = 0
                while bytes.count - place >= wanted.count {
                    let room = bytes.count - place - wanted.count + 1
                    guard let found = memchr(start + place, Int32(first), room) else { return false }
                    if memcmp(found, begin, wanted.count) == 0 { return true }
                    place = UnsafeRawPointer(found) - UnsafeRawPointer(start) + 1
                }
                return false
            }
        }
    }

    /// No text at all.
    package static let nothing: HTML = ""

    /// Gathers literal markup and what is interpolated into it.
    package struct Interpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        package init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + interpolationCount * 16)
        }

        package mutating func appendLiteral(_ literal: String) { text += literal }
        package mutating func appendInterpolation(_ piece: HTML) { text += piece.text }
        package mutating func appendInterpolation(_ number: Int) { text += String(number) }

        /// The five characters that mean something in text or in a quoted attribute are escaped (HTML standard, 13.3).
        /// Left out are controls, which a page may not hold, and the bidirectional ones, with which text could turn around
        /// what stands behind it (Unicode TR #36, section 2.5).
        package mutating func appendInterpolation(_ string: String) {
            guard !Self.isPlain(string) else {
                text += string
                return
            }
            for scalar in string.unicodeScalars {
                switch scalar {
                case "&": text += "&amp;"
                case "<": text += "&lt;"
                case ">": text += "&gt;"
                case "\"": text += "&quot;"
                case "'": text += "&#39;"
                case "\n", "\t": text.unicodeScalars.append(scalar)
                case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}": continue
                case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": continue
                default: text.unicodeScalars.append(scalar)
                }
            }
        }

        /// Whether nothing in a text is to be escaped or left out, by its bytes: nearly every text is so, and going by characters took a twelfth
        /// of the time of a page. What may begin one of the characters in question (in UTF-8 C2 and E2) is not, and is looked at by character.
        private static func isPlain(_ string: String) -> Bool {
            var string = string
            return string.withUTF8 { bytes in
                bytes.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"):
                        false
                    case UInt8(ascii: "\n"), UInt8(ascii: "\t"): true
                    case 0..<0x20, 0x7F, 0xC2, 0xE2: false
                    default: true
                    }
                }
            }
        }
    }
}
