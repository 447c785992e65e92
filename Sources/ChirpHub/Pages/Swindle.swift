internal import ChirpWeb

/// Words that swindlers write to people who have lost something. They stand in the lists of words, since people are swindled in their
/// own language.
enum Swindle {
    /// Whether a text has one of them, in any language, however it is spaced and written.
    static func isLikely(in text: String) -> Bool {
        let said = plain(text)
        return Language.allCases.contains { language in
            Language.$current.withValue(language) { word("swindle.words") }
                .split(separator: ";").map { plain(String($0)) }
                .contains { $0.count > 2 && said.contains($0) }
        }
    }

    /// Its words in small letters, each between two spaces.
    private static func plain(_ text: String) -> String {
        let words = text.lowercased().split { !$0.isLetter && !$0.isNumber }
        return " \(words.joined(separator: " ")) "
    }
}
