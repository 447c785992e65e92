/// The words of pages by their keys, in every language. Each language has one file, `en.words` and `de.words`: a line for a text,
/// `key = text`; lines that begin with `#` are notes. What stands in braces is filled in.
package struct WordList: Sendable {
    private let texts: [Language: [String: String]]

    package init(_ files: [Language: [UInt8]]) {
        texts = files.mapValues { bytes in
            let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            let pairs = lines.compactMap { line -> (String, String)? in
                guard !line.hasPrefix("#"), let sign = line.firstRange(of: " = ") else { return nil }
                return (String(line[..<sign.lowerBound]), String(line[sign.upperBound...]))
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
        texts[language]?[key] ?? texts[.english]?[key] ?? key
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
    let template = WordList.hub.template("\(key)")
    guard !values.isEmpty else { return template }
    return WordList.pieces(template).map { $0.literal + ($0.name.map { values[$0] ?? "" } ?? "") }.joined()
}

/// The same about a number of things: the key has `.one` behind it for one, `.other` for any other number, and `{count}` is that number.
package func word(_ key: StaticString, count: Int, _ values: [String: String] = [:]) -> String {
    let template = WordList.hub.template("\(key).\(count == 1 ? "one" : "other")")
    let values = values.merging(["count": "\(count)"]) { given, _ in given }
    return WordList.pieces(template).map { $0.literal + ($0.name.map { values[$0] ?? "" } ?? "") }.joined()
}

extension HTML {
    /// A text of the hub's pages with pieces of a page in it: links, names, numbers.
    package static func word(_ key: StaticString, _ values: [String: HTML]) -> HTML {
        HTML(
            joining: WordList.pieces(WordList.hub.template("\(key)")).map { piece in
                "\(piece.literal)\(piece.name.flatMap { values[$0] } ?? .nothing)"
            })
    }
}
