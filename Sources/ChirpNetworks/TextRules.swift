/// How a network counts a share text, and how much it takes.
public enum TextRules: Hashable, Sendable {
    /// Grapheme clusters; every http(s) address counts as a fixed number whatever its length (Mastodon: 500 and 23).
    case characters(limit: Int, perLink: Int)
    /// twitter-text configuration v3: NFC, weights per code point, 23 per address, 2 per emoji sequence (X: 280).
    case weighted(limit: Int)
}

internal import Foundation  // precomposedStringWithCanonicalMapping is not in FoundationEssentials

extension TextRules {
    /// The most that a text may count.
    public var limit: Int {
        switch self {
        case .characters(let limit, _), .weighted(let limit): limit
        }
    }

    /// What the network counts for a text, or more where only the network can know, never less.
    ///
    /// - `characters`: grapheme clusters, `perLink` for each http(s) address (Mastodon's documentation, "Statuses").
    /// - `weighted`: twitter-text's configuration v3: NFC; 23 per address, with scheme or without; 2 per emoji sequence;
    ///   code points 0-4351, 8192-8205, 8208-8223 and 8242-8247 count 1, all others 2.
    public func count(_ text: String) -> Int {
        let scalars = Array(Self.normalised(text).unicodeScalars)
        var total = 0
        var position = 0
        for span in LinkScan(scalars).spans where span.hasScheme || countsBareLinks {
            total += weigh(scalars[position..<span.range.lowerBound])
            let own = span.kind == .certain ? 0 : weigh(scalars[span.range])
            switch span.kind {
            case .certain: total += perLink
            case .whole: total += max(perLink, own)
            case .part: total += perLink + own
            }
            position = span.range.upperBound
        }
        return total + weigh(scalars[position...])
    }

    /// Normalisation form C, in which texts are counted and sent.
    static func normalised(_ text: String) -> String { text.precomposedStringWithCanonicalMapping }

    private var perLink: Int {
        switch self {
        case .characters(_, let perLink): perLink
        case .weighted: 23
        }
    }

    private var countsBareLinks: Bool {
        switch self {
        case .characters: false
        case .weighted: true
        }
    }

    private func weigh(_ scalars: ArraySlice<Unicode.Scalar>) -> Int {
        let text = String(String.UnicodeScalarView(scalars))
        switch self {
        case .characters: return text.count
        case .weighted: return text.reduce(0) { $0 + Self.weight($1) }
        }
    }

    private static func weight(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        if isEmojiSequence(scalars) { return 2 }
        return scalars.reduce(0) { $0 + weight($1) }
    }

    private static func weight(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.value {
        case 0...4351, 8192...8205, 8208...8223, 8242...8247: 1
        default: 2
        }
    }

    /// Whether a grapheme cluster is one emoji to twitter-text: an emoji with or without selector and skin tone, a keycap, a
    /// flag of a region that exists, or emoji joined by zero-width joiners. A cluster with anything else in it is counted
    /// by its code points.
    private static func isEmojiSequence(_ scalars: Character.UnicodeScalarView) -> Bool {
        guard let first = scalars.first, first.properties.isEmoji, scalars.count <= 10 else { return false }
        if (0x1F1E6...0x1F1FF).contains(first.value) { return isFlag(scalars) }
        let isKeycapBase = first.isASCII
        if isKeycapBase { return scalars.count <= 3 && scalars.last?.value == 0x20E3 }
        guard first.properties.isEmojiPresentation || scalars.count > 1 else { return false }
        return scalars.allSatisfy { scalar in
            switch scalar.value {
            case 0xFE0F, 0x200D, 0xE0020...0xE007F: true
            default: scalar.properties.isEmoji && !scalar.isASCII
            }
        }
    }

    private static func isFlag(_ scalars: Character.UnicodeScalarView) -> Bool {
        let letters = scalars.compactMap { Unicode.Scalar($0.value &- 0x1F1E6 &+ 0x61) }
        let code = String(String.UnicodeScalarView(letters))
        return code.count == 2 && (DomainNames.countries.contains(code) || code == "un") && code != "uk" && code != "su"
    }
}
