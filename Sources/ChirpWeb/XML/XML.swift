/// A piece of an XML document (XML 1.0, fifth edition). What is interpolated into it is escaped unless it is a piece of a document
/// itself, so text from outside cannot become markup by being forgotten.
///
/// Attribute values stand in double quotes.
package struct XML: ExpressibleByStringInterpolation, Sendable {
    /// The markup.
    package private(set) var text: String

    package init(stringLiteral value: String) { text = value }
    package init(stringInterpolation: Interpolation) { text = stringInterpolation.text }
    /// Pieces one after the other.
    package init(joining pieces: [XML], separator: String = "") {
        text = pieces.map(\.text).joined(separator: separator)
    }

    /// No text at all.
    package static let nothing: XML = ""

    /// Gathers literal markup and what is interpolated into it.
    package struct Interpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        package init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + interpolationCount * 16)
        }

        package mutating func appendLiteral(_ literal: String) { text += literal }
        package mutating func appendInterpolation(_ piece: XML) { text += piece.text }
        package mutating func appendInterpolation(_ number: Int64) { text += String(number) }

        /// A piece of a page, for readers that take an element's text as HTML: its markup becomes text, so that what somebody typed
        /// is escaped twice.
        package mutating func appendInterpolation(_ page: HTML) { appendInterpolation(page.text) }

        /// The characters that mean something in text or in a quoted attribute are escaped (XML 1.0, section 2.4). Left out are those
        /// that no document may hold, in whatever form (section 2.2: controls, U+FFFE and U+FFFF), and those that ``HTML`` leaves out
        /// too: C1 controls and the bidirectional ones.
        package mutating func appendInterpolation(_ string: String) {
            for scalar in string.unicodeScalars {
                switch scalar {
                case "&": text += "&amp;"
                case "<": text += "&lt;"
                case ">": text += "&gt;"
                case "\"": text += "&quot;"
                case "'": text += "&#39;"
                case "\n", "\t": text.unicodeScalars.append(scalar)
                case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}"..."\u{FFFF}": continue
                case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": continue
                default: text.unicodeScalars.append(scalar)
                }
            }
        }
    }
}
