/// Text from outside, made safe to show: on a terminal, in a page, in a post or as a tag.
///
/// Removed are the C0 and C1 controls (escape sequences begin with one), line and paragraph separators, and the
/// bidirectional controls that can make text read as something else (Unicode TR #36, section 2.5, and TR #9). Runs of
/// white space, newlines included, become one space; the ends are trimmed.
public struct PlainText: Hashable, Sendable, CustomStringConvertible {
    public let value: String

    /// - Parameters:
    ///   - text: any text; hostile text is expected.
    ///   - limit: the most characters kept (grapheme clusters), 1 or more; the rest is cut and an ellipsis put there.
    public init(_ text: some StringProtocol, limit: Int = 10_000) {
        precondition(limit > 0)
        guard !Self.isClean(text, limit) else {
            value = String(text)
            return
        }
        let text = StreamSafeText.cut(String(text))
        var cleaned = String.UnicodeScalarView()
        var pendingSpace = false
        // A grapheme cluster may hold any number of scalars, so the work is bounded by scalars first.
        for scalar in text.unicodeScalars.prefix(limit > Int.max / 16 ? .max : limit * 16) {
            if Self.isSpace(scalar) {
                pendingSpace = !cleaned.isEmpty
            } else if !Self.isUnsafe(scalar) {
                if pendingSpace { cleaned.append(" ") }
                pendingSpace = false
                cleaned.append(scalar)
            }
        }
        let string = String(cleaned)
        value = string.utf8.count > limit && string.count > limit ? string.prefix(limit - 1) + "…" : string
    }

    /// The same line by line: line breaks stay, of several empty lines one. Cut without a mark.
    public static func lines(_ text: some StringProtocol, limit: Int = 10_000) -> String {
        guard !isClean(text, limit) else { return String(text) }
        var lines: [String] = []
        let safe = StreamSafeText.cut(String(text))
        let text = safe.utf8.count > limit ? safe.prefix(limit) : safe[...]
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let plain = PlainText(line, limit: limit).value
            if !plain.isEmpty || lines.last?.isEmpty == false { lines.append(plain) }
        }
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines.joined(separator: "\n")
    }

    public var description: String { value }
    public var isEmpty: Bool { value.isEmpty }

    /// Whether it is ASCII and stays as it is, as most text does: looking that up for each scalar among Unicode's properties took an eighth of
    /// the time in which an entry of a board is written down.
    private static func isClean(_ text: some StringProtocol, _ limit: Int) -> Bool {
        var (previous, count) = (UInt8(ascii: " "), 0)
        for unit in text.utf8 {
            count += 1
            guard (0x20...0x7E).contains(unit), unit != 0x20 || previous != 0x20, count <= limit else { return false }
            previous = unit
        }
        return count == 0 || previous != 0x20
    }

    /// Unicode's properties are looked up in tables, which is slow for text that is mostly ASCII.
    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII
            ? scalar.value == 0x20 || (0x09...0x0D).contains(scalar.value) : scalar.properties.isWhitespace
    }

    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1F, 0x7F...0x9F: true  // C0, delete, C1
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true  // bidirectional controls
        case 0x2028, 0x2029, 0xFEFF, 0xFFF9...0xFFFB: true  // separators, byte order mark, annotation
        case 0xE0000...0xE007F: false  // tag characters: part of flag emoji
        default: false
        }
    }
}
