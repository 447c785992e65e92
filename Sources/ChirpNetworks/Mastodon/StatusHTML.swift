internal import ChirpCore

/// The HTML of a status as plain text, and the addresses of its links (apis.md 4.4).
///
/// Instances send a small, cleaned part of HTML, but whoever answers may send anything: the scan is one pass, knows no nesting
/// and looks at no more than ``limit`` code points. A link's visible text is cut into spans; what counts is its address, which
/// takes its place in the text. Mentions and tags are links too, to people and not to clips: their text stays.
package struct StatusHTML {
    static let limit = 100_000

    package private(set) var text = ""
    package private(set) var links: [String] = []

    package init(_ html: String) {
        let scalars = Array(html.unicodeScalars.prefix(Self.limit))
        var position = 0
        var isInLink = false
        while position < scalars.count {
            let isTag = scalars[position] == "<"
            let end = scalars[position...].dropFirst().firstIndex(of: isTag ? ">" : "<")
            let piece = String(String.UnicodeScalarView(scalars[position..<(end ?? scalars.count)]))
            if isTag && end != nil {
                read(tag: piece.dropFirst(), &isInLink)
            } else if !isInLink {
                text += Self.decoded(piece)
            }
            position = end.map { isTag ? $0 + 1 : $0 } ?? scalars.count
        }
        while text.last?.isWhitespace == true { text.removeLast() }
    }

    private mutating func read(tag: Substring, _ isInLink: inout Bool) {
        let name = tag.prefix { !$0.isWhitespace && ($0 != "/" || tag.first == "/") }.lowercased()
        switch name {
        case "br", "/p": text += "\n"
        case "/a": isInLink = false
        case "a":
            let classes = Self.attribute("class", of: tag).split(separator: " ")
            let address = Self.attribute("href", of: tag)
            guard !classes.contains("mention"), !classes.contains("hashtag"), !address.isEmpty else { return }
            links.append(address)
            text += address
            isInLink = true
        default: break
        }
    }

    /// The value of an attribute in quotes, decoded; empty when there is none.
    private static func attribute(_ name: String, of tag: Substring) -> String {
        let bytes = Array(tag.utf8)
        for quote in [UInt8(ascii: "\""), UInt8(ascii: "'")] {
            let mark = Array(" \(name)=".utf8) + [quote]
            // The general search takes ten times as long for so short a text.
            guard let start = bytes.indices.first(where: { bytes[$0] == 0x20 && bytes[$0...].starts(with: mark) })
            else { continue }
            return decoded(
                String(decoding: bytes[(start + mark.count)...].prefix { $0 != quote }, as: UTF8.self))
        }
        return ""
    }

    /// Character references: the five of XML, the no-break space, and numbers.
    private static func decoded(_ text: String) -> String { CharacterReferences.resolve(text, character) }

    private static func character(_ name: String) -> String? {
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        case "nbsp": return " "
        default:
            guard name.hasPrefix("#") else { return nil }
            let digits = name.dropFirst()
            let isHexadecimal = digits.lowercased().hasPrefix("x")
            let code = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            return code.flatMap { Unicode.Scalar($0) }.map { String($0) }
        }
    }
}
