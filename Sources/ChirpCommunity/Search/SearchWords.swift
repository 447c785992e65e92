/// What a visitor has typed to search for, as the index of words is asked for it: quoted phrases that have to occur all, never syntax.
///
/// `NEAR(`, `*`, `title:` and quotation marks are words or nothing (sqlite.org/fts5.html, section 3).
package struct SearchWords {
    /// For `MATCH`; nil: nothing was typed.
    let match: String?
    /// The same with the last word as the beginning of one: it may not be typed to its end yet, and writing without spaces has whole
    /// sentences as one word. Nil where that is no use.
    let beginning: String?
    /// Something was typed, but nothing of it is a word: nothing is found.
    let isHopeless: Bool

    /// The most words; those behind them are left out.
    static let most = 10
    /// The most characters of one, in Unicode scalars.
    static let longest = 60
    /// How much is looked at, in Unicode scalars.
    static let mostTyped = 2000

    /// - Parameter typed: of any length; ``mostTyped`` scalars of it are looked at.
    package init(_ typed: String) {
        var phrases: [String] = []
        let scalars = typed.unicodeScalars.prefix(Self.mostTyped)
        for piece in scalars.split(whereSeparator: { $0.properties.isWhitespace || $0.value < 0x20 || $0 == "\"" }) {
            let word = piece.prefix(Self.longest)
            guard word.contains(where: Self.isOfWords), phrases.count < Self.most else { continue }
            phrases.append("\"\(String(String.UnicodeScalarView(word)))\"")
        }
        isHopeless = phrases.isEmpty && scalars.contains { !$0.properties.isWhitespace }
        match = phrases.isEmpty ? nil : Self.inTexts(phrases)
        beginning =
            phrases.last.flatMap { last in
                Self.mayGoOn(last) ? Self.inTexts(phrases.dropLast() + ["\(last) *"]) : nil
            }
    }

    private static func inTexts(_ phrases: [String]) -> String {
        "{title text tags spoken} : (\(phrases.joined(separator: " AND ")))"
    }

    /// What the index has in its words (sqlite.org/fts5.html, section 4.3.1).
    private static func isOfWords(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber:
            true
        default: false
        }
    }

    private static func mayGoOn(_ phrase: String) -> Bool {
        let word = phrase.dropFirst().dropLast().lowercased()
        guard word.unicodeScalars.allSatisfy(isOfWords) else { return false }
        if word.unicodeScalars.contains(where: { $0.value >= 0x2E80 }) { return true }
        return word.unicodeScalars.count >= 4 && !ItemTokens.beginnings.contains { word.hasPrefix($0) }
    }
}
