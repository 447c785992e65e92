/// What a share text consists of.
package enum PostText {
    /// A piece of it.
    package enum Part: Hashable, Sendable {
        case words(String)
        /// An `http(s)` address.
        case link(String)
        /// A hashtag, without `#`.
        case tag(String)
    }

    /// The text in pieces that make it up again exactly, `#` before each tag.
    ///
    /// An address reaches to the next white space, less the punctuation that ends a sentence. A tag is `#` at the beginning
    /// of a word and at least one letter, digit or underscore, not digits alone.
    package static func parts(of text: String) -> [Part] {
        var parts: [Part] = []
        var words = ""
        var rest = text[...]
        var atWordStart = true
        func flush() {
            if !words.isEmpty { parts.append(.words(words)) }
            words = ""
        }
        while let character = rest.first {
            if atWordStart, rest.hasPrefix("http://") || rest.hasPrefix("https://") {
                var link = rest.prefix { !$0.isWhitespace && $0 != "<" && $0 != ">" && $0 != "\"" }
                while let last = link.last, ".,;:!?)'".contains(last) { link = link.dropLast() }
                // A scheme without a host. It is passed over as a whole: what begins within would be read to its end again.
                if link.hasSuffix("//") {
                    words += link
                } else {
                    flush()
                    parts.append(.link(String(link)))
                }
                rest = rest[link.endIndex...]
                atWordStart = false
                continue
            } else if atWordStart, character == "#" {
                let tag = rest.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "_" }
                if !tag.isEmpty, !tag.allSatisfy(\.isNumber) {
                    flush()
                    parts.append(.tag(String(tag)))
                    rest = rest[tag.endIndex...]
                    atWordStart = false
                    continue
                }
            }
            words.append(character)
            atWordStart = isBorder(character)
            rest = rest.dropFirst()
        }
        flush()
        return parts
    }

    /// Whether a link or a tag may begin behind it. Unicode's properties are looked up in tables, which is slow for what is mostly ASCII.
    private static func isBorder(_ character: Character) -> Bool {
        guard let byte = character.asciiValue else { return character.isWhitespace || character.isPunctuation }
        switch byte {
        case 0x09...0x0D, 0x20, 0x21, 0x22, 0x25...0x2A, 0x2C...0x2F, 0x3A, 0x3B, 0x3F, 0x40, 0x5B...0x5D, 0x5F, 0x7B,
            0x7D:
            return true
        default: return false
        }
    }

    /// Whether a name with `@` may begin behind it: white space and `(,;:!?`.
    private static func isBeforeName(_ character: Character) -> Bool {
        guard let byte = character.asciiValue else { return character.isWhitespace }
        switch byte {
        case 0x09...0x0D, 0x20, 0x21, 0x28, 0x2C, 0x3A, 0x3B, 0x3F: return true
        default: return false
        }
    }

    /// A member's own words in a text that is for one person: names in it would bring others into the conversation, since `@` at the beginning
    /// of a word addresses (``mentions(in:)``). A word joiner behind it is not seen, and addresses nobody.
    package static func unaddressed(_ text: String) -> String { parted(text, behind: ["@"]) }

    /// What others have written, such as a title or a name, in a text that is posted in a member's name: it addresses nobody, and is neither a tag
    /// nor a link.
    package static func quoted(_ text: String) -> String {
        parted(text.replacing("://", with: ":\u{2060}//"), behind: ["@", "#"])
    }

    /// With a word joiner behind signs that no letter or digit stands before.
    private static func parted(_ text: String, behind signs: Set<Character>) -> String {
        var parted = ""
        var isWithin = false
        for character in text {
            parted.append(character)
            if signs.contains(character), !isWithin { parted.append("\u{2060}") }
            isWithin = character.isLetter || character.isNumber
        }
        return parted
    }

    /// The hashtags without `#`, in the order of the text.
    package static func tags(in text: String) -> [String] {
        parts(of: text).compactMap { part in
            if case .tag(let tag) = part { tag } else { nil }
        }
    }

    /// The handles that it names, without `@`, in the order of the text, each once: `@ann`, also `@ann@this.hub`, of which the hub's
    /// name is left out. What begins within a word is a mail address.
    package static func mentions(in text: String) -> [String] {
        var found: [String] = []
        var seen: Set<String> = []
        guard text.utf8.contains(UInt8(ascii: "@")) else { return [] }
        for case .words(let words) in parts(of: text) {
            for word in words.split(whereSeparator: isBeforeName)
            where word.first == "@" {
                let handle = word.dropFirst().prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
                    .lowercased()
                if !handle.isEmpty, seen.insert(handle).inserted { found.append(handle) }
            }
        }
        return found
    }
}
