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
                if !link.hasSuffix("//") {
                    flush()
                    parts.append(.link(String(link)))
                    rest = rest[link.endIndex...]
                    atWordStart = false
                    continue
                }
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
            atWordStart = character.isWhitespace || character.isPunctuation && character != "#"
            rest = rest.dropFirst()
        }
        flush()
        return parts
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
        for case .words(let words) in parts(of: text) {
            for word in words.split(whereSeparator: { $0.isWhitespace || "(,;:!?".contains($0) })
            where word.first == "@" {
                let handle = word.dropFirst().prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
                    .lowercased()
                if !handle.isEmpty, !found.contains(handle) { found.append(handle) }
            }
        }
        return found
    }
}
