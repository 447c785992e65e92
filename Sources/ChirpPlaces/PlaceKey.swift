internal import GRDB

/// Makes of a name what names are compared by: small letters without accents, spaces and punctuation, so that `São Paulo`, `sao paulo` and
/// `SAO-PAULO` are the same.
struct PlaceKey {
    private let tokenizer: any FTS5Tokenizer

    /// The most characters of a name that are looked at. The longest ones that there are have about 60.
    static let most = 80

    /// By SQLite's own tokenizer (sqlite.org/fts5.html, section 4.3.1). Marks count as parts of words: vowels of Indic and Thai names are.
    init(_ database: Database) throws {
        tokenizer = try database.makeTokenizer(.unicode61(diacritics: .remove, categories: "L* N* Co Mn Mc"))
    }

    /// The words of a name. Hostile text is expected.
    func words(_ name: some StringProtocol) throws -> [String] {
        // A character may hold any number of scalars.
        let scalars = name.unicodeScalars.prefix(Self.most)
        guard !scalars.isEmpty else { return [] }
        var text = String.UnicodeScalarView()
        for scalar in scalars {
            switch scalar {
            case "\0": continue
            // Letters that are no base with an accent, as people write them who do not have them.
            case "ß", "ẞ": text.append(contentsOf: "ss".unicodeScalars)
            case "æ", "Æ": text.append(contentsOf: "ae".unicodeScalars)
            case "œ", "Œ": text.append(contentsOf: "oe".unicodeScalars)
            case "þ", "Þ": text.append(contentsOf: "th".unicodeScalars)
            case "ø", "Ø": text.append("o")
            case "ł", "Ł": text.append("l")
            case "đ", "Đ", "ð", "Ð": text.append("d")
            case "ı", "İ": text.append("i")
            case "ħ", "Ħ": text.append("h")
            case "ё", "Ё": text.append("е")
            // Forms of Arabic letters that are typed for each other, in Persian and Urdu too.
            case "أ", "إ", "آ": text.append("ا")
            case "ى", "ی": text.append("ي")
            case "ک": text.append("ك")
            case "ة": text.append("ه")
            // Marks of Hebrew and Arabic vowels, and the line that makes a word longer.
            case "\u{0591}"..."\u{05BD}", "\u{05BF}", "\u{05C1}", "\u{05C2}", "\u{064B}"..."\u{065F}", "\u{0640}":
                continue
            // They stand within words and are left out as often as not.
            case "'", "’", "‘", "ʼ", "ʻ", "`", "´", "ʹ", "ʽ": continue
            default: text.append(scalar)
            }
        }
        return try tokenizer.tokenize(document: String(text)).map(\.token)
    }

    func key(_ name: some StringProtocol) throws -> String { try words(name).joined() }
}
