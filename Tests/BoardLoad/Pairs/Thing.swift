/// Something that was lost and found, with what is true of it; both sides write of it in their own words.
struct Thing: Sendable {
    let wording: Wording
    let kind: Wording.Kind
    /// Of the wording's colours; pets have none, since theirs are among their signs.
    let colour: [String]
    let maker: String?
    /// Each in several wordings.
    let signs: [[String]]
    /// Where it was lost, and where it was found.
    let spots: (lost: [String], found: [String])

    init(in wording: Wording, using generator: inout some RandomNumberGenerator) {
        func any<Value>(_ values: [Value]) -> Value? { values.randomElement(using: &generator) }
        self.wording = wording
        kind =
            any(wording.kinds) ?? Wording.Kind(category: "other", others: [], names: [], makers: [], signs: [])
        colour = any(wording.colours) ?? []
        maker = Double.random(in: 0..<1, using: &generator) < 0.7 ? any(kind.makers) : nil
        let values = [
            "{name}": any(Self.names) ?? "", "{number}": "\(Int.random(in: 10...99, using: &generator))",
            "{initials}": String((0..<2).compactMap { _ in any(Array("ABCDEFGHIJKLMNOPRSTUVWZ")) }),
        ]
        signs = kind.signs.shuffled(using: &generator).prefix(Int.random(in: 2...4, using: &generator))
            .map { sign in sign.map { Self.fill($0, values) } }
        func spot() -> [String] { (any(wording.spots) ?? []).map { Self.fill($0, values) } }
        let lost = spot()
        // Things are carried on, or people look for them in the wrong place.
        spots = (lost, Bool.random(using: &generator) ? lost : spot())
    }

    /// What one of the two sides writes.
    struct Text: Sendable {
        var category: String
        var title: String
        var text: String
    }

    /// Owners know more than finders see, and neither says all.
    func text(isLost: Bool, using generator: inout some RandomNumberGenerator) -> Text {
        func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &generator) < share }
        func any<Value>(_ values: [Value]) -> Value? { values.randomElement(using: &generator) }
        let sentences = isLost ? wording.lost : wording.found
        let name = any(kind.names) ?? Wording.Name(gender: "n", word: kind.category)
        let colour = kind.category == "pets" || chance(0.2) ? "" : any(self.colour) ?? ""
        let maker = chance(isLost ? 0.7 : 0.45) ? self.maker ?? "" : ""
        let spot = any(isLost ? spots.lost : spots.found) ?? ""
        let said = signs.shuffled(using: &generator).prefix(Int.random(in: isLost ? 1...3 : 0...2, using: &generator))
            .compactMap(any)
        let values = [
            "{name}": name.word, "{colour}": colour.replacing("*", with: ""), "{maker}": maker, "{spot}": spot,
            "{time}": any(wording.times) ?? "",
            "{colour name}": wording.coloured(colour, name, false, false),
            "{a colour name}": wording.coloured(colour, name, true, true),
            "{A colour name}": wording.coloured(colour, name, false, true),
            "{a name}": wording.coloured("", name, true, true),
        ]
        func write(_ templates: [String]) -> String {
            let fitting = templates.filter {
                (!maker.isEmpty || !$0.contains("{maker}")) && (!colour.isEmpty || !$0.contains("{colour}"))
            }
            return Self.capitalised(Self.fill(any(fitting) ?? "", values))
        }
        let title = write(sentences.titles)
        var parts = [write(sentences.openings)]
        if !maker.isEmpty, !parts[0].contains(maker), chance(0.5) { parts.append("\(maker).") }
        if !said.isEmpty {
            parts.append(
                chance(0.5)
                    ? Self.capitalised("\(said.joined(separator: ", ")).")
                    : said.map { Self.capitalised("\($0).") }.joined(separator: " "))
        }
        for ending in sentences.endings.shuffled(using: &generator).prefix(Int.random(in: 0...2, using: &generator)) {
            parts.append(ending)
        }
        var text = Text(
            category: chance(0.12) ? any(kind.others) ?? kind.category : kind.category, title: title,
            text: parts.joined(separator: " "))
        if chance(0.15) { (text.title, text.text) = (text.title.lowercased(), text.text.lowercased()) }
        if chance(0.06) { text.text = Self.mistyped(text.text, using: &generator) }
        return text
    }

    private static func fill(_ template: String, _ values: [String: String]) -> String {
        values.reduce(template) { $0.replacing($1.key, with: $1.value) }
    }

    private static func capitalised(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

    /// Two letters within a longer word change places.
    private static func mistyped(_ text: String, using generator: inout some RandomNumberGenerator) -> String {
        var words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard let index = words.indices.filter({ words[$0].count > 4 }).randomElement(using: &generator) else {
            return text
        }
        var letters = Array(words[index])
        letters.swapAt(1, 2)
        words[index] = String(letters)
        return words.joined(separator: " ")
    }

    private static let names = [
        "Mimi", "Luna", "Felix", "Bruno", "Emma", "Paul", "Anna", "Ben", "Clara", "David", "Elif", "Finn", "Greta",
        "Hannah", "Ida", "Jonas", "Kira", "Leo", "Marie", "Nora", "Oskar", "Petra", "Quentin", "Rosa", "Samir",
        "Thea", "Ulrich", "Vera", "Willi", "Xenia", "Yusuf", "Zoe", "Balou", "Coco", "Rocky", "Simba", "Nala",
        "Amelie", "Martin", "Sofia",
    ]
}
