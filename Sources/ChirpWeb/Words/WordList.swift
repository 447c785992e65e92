/// The words of pages by their keys, in every language. Each language has one file, `en.words` and `de.words`: a line for a text,
/// `key = text`; lines that begin with `#` are notes. What stands in braces is filled in.
package struct WordList: Sendable {
    private let texts: [Language: [String: Template]]

    /// A text as it stands in the file, and taken apart: literal pieces, and names of what is filled in. That is done once: a page has hundreds.
    struct Template: Sendable {
        let text: String
        let pieces: [(literal: String, name: String?)]

        init(_ text: String) {
            self.text = text
            pieces = WordList.pieces(text)
        }

        /// - Parameter values: fill in what stands in braces.
        func filled(_ values: [String: String]) -> String {
            var filled = ""
            for piece in pieces {
                filled += piece.literal
                if let name = piece.name, let value = values[name] { filled += value }
            }
            return filled
        }
    }

    package init(_ files: [Language: [UInt8]]) {
        texts = files.mapValues { bytes in
            let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            let pairs = lines.compactMap { line -> (String, Template)? in
                guard !line.hasPrefix("#"), let sign = line.firstRange(of: " = ") else { return nil }
                return (String(line[..<sign.lowerBound]), Template(String(line[sign.upperBound...])))
            }
            return Dictionary(pairs) { first, _ in first }
        }
    }

    /// The words of the hub's pages.
    package static let hub = WordList([
        .english: EmbeddedFiles.en_words, .german: EmbeddedFiles.de_words,
    ])

    /// Every key of a language.
    package func keys(_ language: Language) -> Set<String> { Set(texts[language, default: [:]].keys) }

    /// A text as it stands in the file: in the language, else in English, else its key.
    package func template(_ key: String, _ language: Language = .current) -> String {
        texts[language]?[key]?.text ?? texts[.english]?[key]?.text ?? key
    }

    /// The same, taken apart.
    func parts(_ key: String, _ language: Language = .current) -> Template {
        texts[language]?[key] ?? texts[.english]?[key] ?? Template(key)
    }

    /// The texts whose keys begin so, for a script.
    package func texts(beginning prefixes: [String], _ language: Language = .current) -> [String: String] {
        texts[.english, default: [:]].filter { text in prefixes.contains { text.key.hasPrefix($0) } }
            .reduce(into: [:]) { $0[$1.key] = template($1.key, language) }
    }

    /// A text taken apart: literal pieces, and names of what is filled in.
    static func pieces(_ template: String) -> [(literal: String, name: String?)] {
        var pieces: [(String, String?)] = []
        var rest = template[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            pieces.append((String(rest[..<open]), String(rest[rest.index(after: open)..<close])))
            rest = rest[rest.index(after: close)...]
        }
        pieces.append((String(rest), nil))
        return pieces
    }
}

/// A text of the hub's pages in the visitor's language. It is escaped where it is put into a page, like any other text.
///
/// - Parameter values: fill in what stands in braces.
package func word(_ key: StaticString, _ values: [String: String] = [:]) -> String {
    let template = WordList.hub.parts("\(key)")
    return values.isEmpty ? template.text : template.filled(values)
}

/// The same about a number of things: the key has `.one` behind it for one, `.other` for any other number, and `{count}` is that number.
package func word(_ key: StaticString, count: Int, _ values: [String: String] = [:]) -> String {
    WordList.hub.parts("\(key).\(count == 1 ? "one" : "other")").filled(
        values.merging(["count": "\(count)"]) { given, _ in given })
}

extension HTML {
    /// A text of the hub's pages with pieces of a page in it: links, names, numbers.
    package static func word(_ key: StaticString, _ values: [String: HTML]) -> HTML {
        HTML(
            joining: WordList.hub.parts("\(key)").pieces.map { piece in
                "\(piece.literal)\(piece.name.flatMap { values[$0] } ?? .nothing)"
            })
    }
}
