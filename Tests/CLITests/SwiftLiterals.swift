/// The string literals of a Swift source, without comments; what is interpolated is an ellipsis, and its own literals come first.
struct SwiftLiterals {
    private(set) var literals: [String] = []
    private let text: [Character]
    private var place = 0

    init(of source: String) {
        text = Array(source)
        code(until: nil)
    }

    private func sees(_ word: String, at offset: Int = 0) -> Bool {
        let from = place + offset
        return from + word.count <= text.count && text[from..<from + word.count].elementsEqual(word)
    }

    /// Reads code up to the end, or up to the bracket that closes an interpolation.
    private mutating func code(until end: Character?) {
        var depth = 0
        while place < text.count {
            if sees("//") {
                while place < text.count, !text[place].isNewline { place += 1 }
            } else if sees("/*") {
                while place < text.count, !sees("*/") { place += 1 }
                place += 2
            } else if sees("\"") {
                literal(hashes: "")
            } else if sees("#") {
                let hashes = String(text[place...].prefix { $0 == "#" })
                place += hashes.count
                if sees("\"") { literal(hashes: hashes) }
            } else {
                if text[place] == "(" { depth += 1 }
                if text[place] == end {
                    if depth == 0 { return }
                    depth -= 1
                }
                place += 1
            }
        }
    }

    /// Reads a literal, from its first quotation mark to behind its end.
    private mutating func literal(hashes: String) {
        let mark = sees("\"\"\"") ? "\"\"\"" : "\""
        place += mark.count
        var content = ""
        while place < text.count, !sees(mark + hashes) {
            if sees("\\\(hashes)(") {
                place += 2 + hashes.count
                code(until: ")")
                place += 1
                content.append("…")
            } else if sees("\\\(hashes)") {
                place += 1 + hashes.count
                // A line that goes on, white space, or a character of its own.
                if place < text.count, !text[place].isNewline {
                    content.append("nrt".contains(text[place]) ? " " : text[place])
                }
                place += 1
            } else {
                content.append(text[place])
                place += 1
            }
        }
        place += mark.count + hashes.count
        literals.append(content)
    }
}
