import Foundation

/// Words as listings have them: some that everybody uses, and many that few do.
struct Vocabulary: Sendable {
    private let rare: [String]

    private static let colours = [
        "black", "white", "grey", "brown", "red", "blue", "green", "yellow", "silver", "golden", "pink", "striped",
    ]
    private static let things: [(category: String, names: [String])] = [
        ("pets", ["cat", "dog", "parrot", "rabbit", "tortoise", "ferret"]),
        ("phones", ["telephone", "tablet", "headset", "laptop", "earphones", "camera"]),
        ("keys", ["keys", "key ring", "car key", "key card"]), ("wallets", ["wallet", "purse", "card holder"]),
        ("bags", ["rucksack", "handbag", "suitcase", "shopping bag"]),
        ("jewellery", ["ring", "necklace", "watch", "earring"]),
        ("glasses", ["glasses", "sunglasses", "reading glasses"]),
        ("clothes", ["jacket", "scarf", "glove", "hat", "shoe"]),
        ("vehicles", ["bicycle", "scooter", "pram", "skateboard"]),
        ("documents", ["passport", "licence", "folder", "ticket"]),
        ("toys", ["teddy bear", "doll", "kite", "ball"]), ("instruments", ["violin", "trumpet", "flute", "guitar"]),
        ("other", ["umbrella", "walking stick", "hearing aid", "book"]),
    ]
    private static let places = [
        "station", "park", "bus", "market", "beach", "school", "bridge", "library", "café", "church",
    ]

    init(path: String) throws {
        rare = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self).split(separator: "\n")
            .map { $0.lowercased() }.filter { $0.count > 3 && $0.allSatisfy(\.isLetter) }
    }

    /// What a listing says.
    func listing(using generator: inout some RandomNumberGenerator) -> (category: String, title: String, text: String) {
        let kind = Self.things.randomElement(using: &generator) ?? ("other", ["thing"])
        let thing = kind.names.randomElement(using: &generator) ?? "thing"
        let colour = Self.colours.randomElement(using: &generator) ?? "grey"
        let place = Self.places.randomElement(using: &generator) ?? "park"
        var text = "A \(colour) \(thing), last seen at the \(place)."
        for _ in 0..<Int.random(in: 5...25, using: &generator) { text += " \(rareWord(using: &generator))" }
        return (kind.category, "\(colour.capitalized) \(thing) near the \(place)", text)
    }

    /// By the cube of an even number between 0 and 1: the first words come often, as in any language.
    func rareWord(using generator: inout some RandomNumberGenerator) -> String {
        let share = Double.random(in: 0..<1, using: &generator)
        return rare[Int(share * share * share * Double(rare.count))]
    }
}
