/// How a network counts a share text, and how much it takes.
public enum TextRules: Hashable, Sendable {
    /// Grapheme clusters; every http(s) address counts as a fixed number whatever its length (Mastodon: 500 and 23).
    case characters(limit: Int, perLink: Int)
    /// twitter-text configuration v3: NFC, weights per code point, 23 per address, 2 per emoji sequence (X: 280).
    case weighted(limit: Int)
}
