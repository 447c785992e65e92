internal import ChirpWeb

/// Words that swindlers write to people who have lost something. They stand in the lists of words, since people are swindled in their
/// own language.
enum Swindle {
    /// Whether a text has one of them, in any language, however it is spaced and written.
    static func isLikely(in text: String) -> Bool {
        let said = readings(of: text)
        return Language.allCases.contains { language in
            Language.$current.withValue(language) { word("swindle.words") }
                .split(separator: ";").map { plain(String($0)) }
                .contains { words in words.count > 2 && said.contains { $0.contains(words) } }
        }
    }

    /// What people read who see no difference between one form of a letter and another, nor signs that nobody sees: these may stand
    /// between two words or within one.
    private static func readings(of text: String) -> [String] {
        var (joined, parted) = (String.UnicodeScalarView(), String.UnicodeScalarView())
        for scalar in text.unicodeScalars {
            if scalar.properties.isDefaultIgnorableCodePoint {
                parted.append(" ")
            } else {
                let usual = usual(scalar)
                joined.append(usual)
                parted.append(usual)
            }
        }
        return [plain(String(joined)), plain(String(parted))]
    }

    /// The Latin letter for its wide form and for the letter of another script that looks like it.
    private static func usual(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        if (0xFF01...0xFF5E).contains(scalar.value) { return Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar }
        return alike[scalar] ?? scalar
    }

    private static let alike: [Unicode.Scalar: Unicode.Scalar] = [
        "а": "a", "с": "c", "ԁ": "d", "е": "e", "һ": "h", "і": "i", "ј": "j", "ӏ": "l", "о": "o", "р": "p", "ѕ": "s",
        "у": "y", "х": "x",
        "А": "A", "В": "B", "Е": "E", "К": "K", "М": "M", "Н": "H", "О": "O", "Р": "P", "С": "C", "Т": "T", "Х": "X",
        "ο": "o", "ι": "i",
        "ν": "v", "Α": "A", "Β": "B", "Ε": "E", "Ζ": "Z", "Η": "H", "Ι": "I", "Κ": "K", "Μ": "M", "Ν": "N", "Ο": "O",
        "Ρ": "P", "Τ": "T",
        "Υ": "Y", "Χ": "X",
    ]

    /// Its words in small letters, each between two spaces.
    private static func plain(_ text: String) -> String {
        let words = text.lowercased().split { !$0.isLetter && !$0.isNumber }
        return " \(words.joined(separator: " ")) "
    }
}
