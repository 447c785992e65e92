internal import ChirpCommunity
package import ChirpPlaces
package import FoundationEssentials
internal import Glibc

/// How likely it is that what was lost is what was found, and why.
package struct MatchScore: Hashable, Sendable {
    /// From 0 to 1.
    package let value: Double
    /// What speaks for it, the strongest first.
    package let reasons: [Reason]

    package enum Reason: Hashable, Sendable, Codable {
        /// Rare words that both say.
        case words([String])
        case category
        /// Metres between where both are shown.
        case near(metres: Double)
        /// Found so many days after it was lost.
        case soon(days: Int)
        case picture
    }

    /// Less than this is not suggested.
    package static let least = 0.35

    /// One side, as far as it is compared.
    package struct Side: Hashable, Sendable {
        package var words: Set<String>
        package var category: String
        /// Where it is shown; never the place itself, which a score would give away.
        package var shown: GeoPoint?
        package var from: Date?
        package var to: Date?
        /// Prints of its pictures, of equally many bytes each.
        package var prints: [[UInt8]] = []

        package init(words: Set<String>, category: String, shown: GeoPoint?, from: Date?, to: Date?) {
            self.words = words
            self.category = category
            self.shown = shown
            self.from = from
            self.to = to
        }

        package init(_ listing: Listing) {
            let item = listing.item
            self.init(
                words: MatchScore.words(of: ([item.title, item.text] + item.tags).joined(separator: " ")),
                category: item.category, shown: item.place?.shown, from: listing.happenedFrom, to: listing.happenedTo)
        }
    }

    /// - Parameter rarity: of a word: how much it says that both have it, 0 or more, as the logarithm of one over its frequency.
    package init(lost: Side, found: Side, rarity: (String) -> Double) {
        var (sum, weights) = (0.0, 0.0)
        var reasons: [(reason: Reason, gain: Double)] = []
        func add(_ weight: Double, _ likeness: Double, _ reason: Reason?) {
            sum += weight * likeness
            weights += weight
            if let reason { reasons.append((reason, weight * likeness)) }
        }
        let (likeness, common) = Self.likeness(lost.words, found.words, rarity)
        add(0.55, likeness, common.isEmpty ? nil : .words(common))
        add(0.15, lost.category == found.category ? 1 : 0, lost.category == found.category ? .category : nil)
        if let here = lost.shown, let there = found.shown {
            let metres = here.distance(to: there)
            add(0.2, exp(-metres / Self.stroll), metres < Self.far ? .near(metres: metres) : nil)
        }
        var order = 1.0
        if let lostFrom = lost.from ?? lost.to, let foundTo = found.to ?? found.from {
            let days = foundTo.timeIntervalSince(lostFrom) / 86_400
            // People are a day out; what was found long before was another thing.
            order = days >= -1 ? 1 : 0.3
            let soon = days >= -1 && days <= 30
            add(
                0.1, days >= -1 ? exp(-max(days, 0) / 21) : 0,
                soon ? .soon(days: max(0, Int(days.rounded(.down)))) : nil)
        }
        // Two pictures of one thing often differ: so only a likeness counts.
        if let bits = Self.closest(lost.prints, found.prints), bits <= Self.sameBits { add(0.3, 1, .picture) }
        value = min(1, max(0, order * sum / weights))
        self.reasons = reasons.sorted { $0.gain > $1.gain }.map(\.reason)
    }

    /// Bits of 256 in which prints of the same picture differ at most.
    private static let sameBits = 31
    /// Metres at which nearness has fallen to a third, and beyond which it is no reason.
    private static let stroll = 4000.0
    private static let far = 10_000.0

    /// The cosine between two sets of words, each as heavy as it is rare; and those that both have, the rarest first.
    private static func likeness(
        _ one: Set<String>, _ other: Set<String>, _ rarity: (String) -> Double
    ) -> (Double, common: [String]) {
        func weight(_ words: some Sequence<String>) -> Double { words.reduce(0) { $0 + rarity($1) * rarity($1) } }
        let common = one.intersection(other)
        let all = (weight(one) * weight(other)).squareRoot()
        guard all > 0 else { return (0, []) }
        let rare = common.filter { rarity($0) > 1 }.sorted { (rarity($0), $1) > (rarity($1), $0) }
        return (min(1, weight(common) / all), Array(rare.prefix(5)))
    }

    /// Bits in which the closest two of some prints differ; nil when one side has none.
    private static func closest(_ one: [[UInt8]], _ other: [[UInt8]]) -> Int? {
        one.flatMap { print in other.map { zip(print, $0).reduce(0) { $0 + ($1.0 ^ $1.1).nonzeroBitCount } } }.min()
    }

    /// The words of a text: its runs of letters and digits in small letters without accents, those of one letter left out.
    package static func words(of text: String) -> Set<String> {
        Set(
            text.lowercased().split { !$0.isLetter && !$0.isNumber }.filter { $0.count > 1 }.prefix(400)
                .map { String(plain($0)) })
    }

    /// Without accents, as far as an accent is a sign of its own behind a letter or the letter is of Latin script.
    private static func plain(_ word: some StringProtocol) -> String {
        guard !word.utf8.allSatisfy({ $0 < 0x80 }) else { return String(word) }
        return word.unicodeScalars.reduce(into: "") { text, scalar in
            if let letter = letters[scalar] { return text.append(letter) }
            if !scalar.properties.isDiacritic { text.unicodeScalars.append(scalar) }
        }
    }

    private static let letters: [Unicode.Scalar: Character] = {
        let rows: [(Character, String)] = [
            ("a", "àáâãäåāăą"), ("c", "çćĉċč"), ("d", "ďđ"), ("e", "èéêëēĕėęě"), ("g", "ĝğġģ"), ("i", "ìíîïĩīĭįı"),
            ("l", "ĺļľł"), ("n", "ñńņň"), ("o", "òóôõöøōŏő"), ("r", "ŕŗř"), ("s", "śŝşšș"), ("t", "ţťț"),
            ("u", "ùúûüũūŭůűų"), ("w", "ŵ"), ("y", "ýÿŷ"), ("z", "źżž"),
        ]
        return rows.reduce(into: [:]) { all, row in for scalar in row.1.unicodeScalars { all[scalar] = row.0 } }
    }()
}
