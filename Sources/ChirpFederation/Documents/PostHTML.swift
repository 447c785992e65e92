internal import ChirpCore
internal import ChirpHTTP

/// Plain text as the small part of HTML that other servers keep: paragraphs, line ends and links.
struct PostHTML {
    let text: String

    /// - Parameter links: words that lead somewhere, each with its whole element.
    init(_ plain: String, links: [String: String] = [:]) {
        var (paragraphs, lines) = ([[String]](), [String]())
        for line in PlainText.lines(plain, limit: 100_000).split(separator: "\n", omittingEmptySubsequences: false) {
            if line.isEmpty {
                paragraphs.append(lines)
                lines = []
            } else {
                lines.append(line.split(separator: " ").map { Self.word($0, links) }.joined(separator: " "))
            }
        }
        paragraphs.append(lines)
        text = paragraphs.filter { !$0.isEmpty }.map { "<p>\($0.joined(separator: "<br>"))</p>" }.joined()
    }

    private static func word(_ word: Substring, _ links: [String: String]) -> String {
        if let link = links[String(word).lowercased()] { return link }
        // What closes a sentence is no part of an address.
        let end = word.lastIndex { !".,;:!?)".contains($0) }.map { word.index(after: $0) } ?? word.startIndex
        let (place, rest) = (word[..<end], word[end...])
        if let link = links[place.lowercased()] { return link + escaped(rest) }
        guard place.hasPrefix("https://"), WebAddress(String(place)) != nil else { return escaped(word) }
        let address = escaped(place)
        return "<a href=\"\(address)\" rel=\"nofollow noopener\">\(address)</a>" + escaped(rest)
    }

    static func escaped(_ text: some StringProtocol) -> String {
        var out = ""
        out.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "\"": out += "&quot;"
            case "'": out += "&#39;"
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }
}
