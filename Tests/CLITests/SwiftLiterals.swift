/// The string literals of a Swift source, without comments; what is interpolated is an ellipsis, and its own literals come first.
///
/// It reads bytes: finding the characters of all sources took 20 seconds.
struct SwiftLiterals {
    private(set) var literals: [String] = []
    private let text: [UInt8]
    private var place = 0

    init(of source: String) {
        text = Array(source.utf8)
        code(until: nil)
    }

    private static let newline = UInt8(ascii: "\n")

    private func sees(_ word: StaticString, then hashes: Int = 0) -> Bool {
        let length = word.utf8CodeUnitCount
        guard place + length + hashes <= text.count else { return false }
        return word.withUTF8Buffer { text[place..<place + length].elementsEqual($0) }
            && text[place + length..<place + length + hashes].allSatisfy { $0 == UInt8(ascii: "#") }
    }

    /// A backslash, and as many hashes as the literal began with.
    private func escapes(_ hashes: Int) -> Bool { sees("\\", then: hashes) }

    /// Reads code up to the end, or up to the bracket that closes an interpolation.
    private mutating func code(until end: UInt8?) {
        var depth = 0
        while place < text.count {
            if sees("//") {
                while place < text.count, text[place] != Self.newline { place += 1 }
            } else if sees("/*") {
                while place < text.count, !sees("*/") { place += 1 }
                place += 2
            } else if sees("\"") {
                literal(hashes: 0)
            } else if sees("#") {
                let hashes = text[place...].prefix { $0 == UInt8(ascii: "#") }.count
                place += hashes
                if sees("\"") { literal(hashes: hashes) }
            } else {
                if text[place] == UInt8(ascii: "(") { depth += 1 }
                if text[place] == end {
                    if depth == 0 { return }
                    depth -= 1
                }
                place += 1
            }
        }
    }

    /// Reads a literal, from its first quotation mark to behind its end.
    private mutating func literal(hashes: Int) {
        let isLong = sees("\"\"\"")
        let mark: StaticString = isLong ? "\"\"\"" : "\""
        place += mark.utf8CodeUnitCount
        var content: [UInt8] = []
        while place < text.count, !sees(mark, then: hashes) {
            if escapes(hashes) {
                place += 1 + hashes
                if sees("(") {
                    place += 1
                    code(until: UInt8(ascii: ")"))
                    content.append(contentsOf: "…".utf8)
                } else if place < text.count, text[place] != Self.newline {
                    // A line that goes on, white space, or a character of its own.
                    let isSpace = [UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t")].contains(text[place])
                    content.append(isSpace ? UInt8(ascii: " ") : text[place])
                }
                place += 1
            } else {
                content.append(text[place])
                place += 1
            }
        }
        place += mark.utf8CodeUnitCount + hashes
        literals.append(String(decoding: content, as: UTF8.self))
    }
}
