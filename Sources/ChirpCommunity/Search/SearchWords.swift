internal import GRDB

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

    /// The most words of all phrases together, as the index splits them: it reads a list of places for each. Those behind them are left out.
    static let most = 10
    /// The most words of one phrase; those behind them are left out.
    static let mostInPhrase = 4
    /// The most characters of one piece between spaces, in Unicode scalars.
    static let longest = 60
    /// How much is looked at, in Unicode scalars.
    static let mostTyped = 2000

    /// - Parameters:
    ///   - typed: of any length; ``mostTyped`` scalars of it are looked at.
    ///   - split: makes words of a piece as the index does, which splits at every point and folds letters.
    package init(_ typed: String, split: (String) throws -> [String]) rethrows {
        var phrases: [String] = []
        var seen: Set<String> = []
        var last: String?
        let scalars = typed.unicodeScalars.prefix(Self.mostTyped)
        for piece in scalars.split(whereSeparator: { $0.properties.isWhitespace || $0.value < 0x20 || $0 == "\"" }) {
            guard seen.count < Self.most else { break }
            let piece = String(String.UnicodeScalarView(piece.prefix(Self.longest)))
            let words = try split(piece)
            // A phrase is words side by side: it begins behind those that were asked for already, and ends before the next of them.
            var phrase: [String] = []
            for word in words.drop(while: seen.contains).prefix(Self.mostInPhrase) {
                guard seen.count < Self.most, seen.insert(word).inserted else { break }
                phrase.append(word)
            }
            guard !phrase.isEmpty else { continue }
            phrases.append("\"\(phrase.joined(separator: " "))\"")
            last = words.count == 1 && Self.mayGoOn(piece) ? phrases.last : nil
        }
        isHopeless = phrases.isEmpty && scalars.contains { !$0.properties.isWhitespace }
        match = phrases.isEmpty ? nil : Self.inTexts(phrases)
        beginning = last.map { Self.inTexts(phrases.dropLast() + ["\($0) *"]) }
    }

    /// By the index's own tokenizer (sqlite.org/fts5.html, section 4.3.1).
    init(_ typed: String, in database: Database) throws {
        let tokenizer = try database.makeTokenizer(.unicode61(diacritics: .remove))
        try self.init(typed) { try tokenizer.tokenize(document: $0).map(\.token) }
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

    private static func mayGoOn(_ piece: String) -> Bool {
        let word = piece.lowercased()
        guard word.unicodeScalars.allSatisfy(isOfWords) else { return false }
        if word.unicodeScalars.contains(where: { $0.value >= 0x2E80 }) { return true }
        return word.unicodeScalars.count >= 4 && !ItemTokens.beginnings.contains { word.hasPrefix($0) }
    }
}
