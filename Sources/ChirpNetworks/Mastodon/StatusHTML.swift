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
        for quote in ["\"", "'"] {
            guard let start = tag.firstRange(of: " \(name)=\(quote)") else { continue }
            return decoded(String(tag[start.upperBound...].prefix { String($0) != quote }))
        }
        return ""
    }

    /// Character references: the five of XML, the no-break space, and numbers.
    private static func decoded(_ text: String) -> String {
        guard text.contains("&") else { return text }
        var out = ""
        var rest = Substring(text)
        while let sign = rest.firstIndex(of: "&") {
            out += rest[..<sign]
            let name = rest[rest.index(after: sign)...].prefix(10).prefix { $0 != ";" }
            let behind = rest[rest.index(after: sign)...].dropFirst(name.count)
            if behind.first == ";", let character = character(String(name)) {
                out += character
                rest = behind.dropFirst()
            } else {
                out += "&"
                rest = rest[rest.index(after: sign)...]
            }
        }
        return out + rest
    }

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
