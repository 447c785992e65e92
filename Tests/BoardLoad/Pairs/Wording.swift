/// How people write of things in one language: each thing has several names, each of its signs several wordings.
struct Wording: Sendable {
    /// Things that are alike.
    struct Kind: Sendable {
        let category: String
        /// Under which others list the same; empty: nobody does.
        let others: [String]
        let names: [Name]
        let makers: [String]
        /// Each in several wordings.
        let signs: [[String]]
    }

    /// A name with the endings of words before it, as in German `m`, `f`, `n`, `p`; in English it makes no difference.
    struct Name: Sendable {
        let gender: Character
        let word: String
    }

    let language: String
    let kinds: [Kind]
    /// Each in several wordings.
    let colours: [[String]]
    let spots: [[String]]
    let times: [String]
    /// What the two sides write, with `{name}`, `{colour}`, `{a colour}`, `{maker}`, `{spot}`, `{time}` in it.
    let lost: Sentences
    let found: Sentences
    /// A colour before a name: first as the subject of a sentence, then as what was lost, with its article each.
    let coloured: @Sendable (_ colour: String, _ name: Name, _ isObject: Bool, _ hasArticle: Bool) -> String

    struct Sentences: Sendable {
        let titles, openings, endings: [String]
    }

    static let all = [english, german]

    /// One kind a line: `category, others | names | makers | sign = the same otherwise; another sign`.
    static func kinds(_ lines: String) -> [Kind] {
        lines.split(separator: "\n").map { line in
            let fields = line.split(separator: "|").map(String.init)
            let categories = pieces(fields[0], ",")
            let names = pieces(fields[1], ",").map { name -> Name in
                let parts = name.split(separator: ":", maxSplits: 1)
                return parts.count == 2
                    ? Name(gender: parts[0].first ?? "n", word: String(parts[1])) : Name(gender: "n", word: name)
            }
            return Kind(
                category: categories[0], others: Array(categories.dropFirst()), names: names,
                makers: pieces(fields[2], ","), signs: pieces(fields[3], ";").map { pieces($0, "=") })
        }
    }

    /// Several wordings a line.
    static func wordings(_ lines: String) -> [[String]] {
        lines.split(separator: "\n").map { pieces(String($0), "=") }
    }

    static func sentences(_ lines: String) -> [String] { lines.split(separator: "\n").map(String.init) }

    private static func pieces(_ text: String, _ separator: Character) -> [String] {
        text.split(separator: separator).map { $0.trimming() }.filter { !$0.isEmpty }
    }
}

extension Substring {
    /// Without spaces around it.
    func trimming() -> String {
        var text = self
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
