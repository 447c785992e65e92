internal import ChirpCore

/// The text that goes out with a clip: the user's words, `#Chirp`, and on a line of its own, the last, the link (CH-7).
///
/// It never counts more than its network takes, by the network's own rules: the words are shortened at a word's end and
/// get an ellipsis; link and tag are never touched. Control and bidirectional characters of the words are removed.
/// ```
/// Morning report from the harbour #Chirp
/// https://clips.example/c/8f3k2m
/// ```
public struct ShareText: Hashable, Sendable, CustomStringConvertible {
    /// The tag that makes a post a chirp.
    public static let tag = "#Chirp"

    public let text: String
    /// What it counts by the rules.
    public let count: Int
    /// Some of the words had to go.
    public let isShortened: Bool

    /// - Parameters:
    ///   - words: anything; hostile text is expected. A link or tag that is in there already is not doubled.
    ///   - link: the address of the clip. A link so long that it does not fit even alone is kept, and ``count`` tells: only
    ///     the network can refuse it.
    public init(words: String, link: String, rules: TextRules) {
        let clean = PlainText(link.isEmpty ? words : words.replacing(link, with: " ")).value
        let parts = TextRules.normalised(clean).split(separator: " ").map(String.init)
        let whole = Self.layout(parts.joined(separator: " "), link)
        let wholeCount = Self.isHopeless(parts, rules) ? .max : rules.count(whole)
        if wholeCount <= rules.limit {
            (text, count, isShortened) = (whole, wholeCount, false)
            return
        }
        text = Self.shortened(parts, link: link, rules: rules)
        count = rules.count(text)
        isShortened = !parts.isEmpty
    }

    public var description: String { text }

    /// The words, the tag unless it is among them, and the link alone on the last line.
    private static func layout(_ words: String, _ link: String) -> String {
        if words.isEmpty { return "\(tag)\n\(link)" }
        return hasTag(words) ? "\(words)\n\(link)" : "\(words) \(tag)\n\(link)"
    }

    /// As many words as fit, then an ellipsis.
    private static func shortened(_ parts: [String], link: String, rules: TextRules) -> String {
        var best = layout("", link)
        var kept = ""
        for part in parts {
            let longer = kept.isEmpty ? part : "\(kept) \(part)"
            let candidate = layout(ellipsis(after: longer), link)
            guard rules.count(candidate) <= rules.limit else {
                return cut(part, after: kept, link: link, rules: rules) ?? best
            }
            (kept, best) = (longer, candidate)
        }
        return best
    }

    /// A part so long that leaving it out would waste much of the room, as in scripts without spaces, is cut between
    /// characters. An address is never cut: half of it would lead elsewhere.
    private static func cut(_ part: String, after kept: String, link: String, rules: TextRules) -> String? {
        let isAddress = !LinkScan(Array(part.unicodeScalars)).spans.isEmpty
        guard !isAddress, !part.hasPrefix("#"), part.prefix(rules.limit / 4 + 1).count > rules.limit / 4 else {
            return nil
        }
        var best: String?
        var longer = kept.isEmpty ? "" : kept + " "
        for character in part {
            longer.append(character)
            let candidate = layout(longer + "…", link)
            guard rules.count(candidate) <= rules.limit else { break }
            best = candidate
        }
        return best
    }

    /// A space keeps the ellipsis out of an address or a tag.
    private static func ellipsis(after words: String) -> String {
        let last = words.split(separator: " ").last.map(String.init) ?? ""
        let isSpecial = last.hasPrefix("#") || !LinkScan(Array(last.unicodeScalars)).spans.isEmpty
        return isSpecial ? "\(words) …" : "\(words)…"
    }

    /// Whether the words hold the tag as a whole tag, in any case.
    private static func hasTag(_ words: String) -> Bool {
        words.split(separator: " ").contains { word in
            guard word.lowercased().hasPrefix(tag.lowercased()) else { return false }
            guard let next = word.dropFirst(tag.count).unicodeScalars.first else { return true }
            return
                !(next.properties.isAlphabetic || next.properties.numericType != nil || next == "_"
                || next.properties.generalCategory == .nonspacingMark)
        }
    }

    /// Whether counting is pointless: every character counts at least 1 unless it stands in an address.
    private static func isHopeless(_ parts: [String], _ rules: TextRules) -> Bool { parts.count > rules.limit }
}
