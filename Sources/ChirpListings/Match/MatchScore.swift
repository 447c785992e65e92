internal import ChirpCommunity
package import ChirpPlaces
package import FoundationEssentials
internal import Glibc

/// How likely it is that what was lost is what was found, and why.
///
/// Each thing that speaks for it or against it adds to the logarithm of the odds, as records of the same person are linked (Fellegi and
/// Sunter, JASA 1969). The weights are those of a logistic regression over pairs that `boardload` makes and what is listed around them:
/// `make board-matches` measures what comes of them, on other pairs than those from which they are.
package struct MatchScore: Hashable, Sendable {
    /// From 0 to 1: how likely, if the other side is listed near at all.
    package let value: Double
    /// What speaks for it, the strongest first.
    package let reasons: [Reason]

    package enum Reason: Hashable, Sendable, Codable {
        /// Telling words that both say, as the one who looks at it may have written them; the rarest first.
        case words([String])
        case category
        /// Metres between where both are shown.
        case near(metres: Double)
        /// Found so many days after it was lost.
        case soon(days: Int)
        case picture
    }

    /// Less than this is not suggested, and less than that nobody is told of.
    package static let least = 0.02
    package static let leastTold = 0.1

    /// One side, as far as it is compared.
    package struct Side: Hashable, Sendable {
        package var words: MatchWords
        package var category: String
        /// Where it is shown; never the place itself, which a score would give away.
        package var shown: GeoPoint?
        package var from: Date?
        package var to: Date?
        /// Prints of its pictures, of equally many bytes each.
        package var prints: [[UInt8]] = []

        package init(words: MatchWords, category: String, shown: GeoPoint?, from: Date?, to: Date?) {
            self.words = words
            self.category = category
            self.shown = shown
            self.from = from
            self.to = to
        }
    }

    /// What each is worth, in units of the logarithm of the odds.
    private enum Weight {
        static let base = 0.0
        /// For the square root of what common words say beyond what nearly everybody says, since they come in phrases; a word that is a
        /// part of a longer one counts for itself.
        static let words = 1.3
        static let part = 0.25
        static let category = 3.8
        /// For the logarithm of kilometres, and of days, with one added.
        static let distance = -1.5
        static let delay = -1.1
        /// The regression says -11, since nothing that is made is found before it is lost; but people err in their dates.
        static let before = -6.0
        static let noTime = -2.1
        /// For the logarithm of how many there are near, of which one might be it.
        static let rivals = -0.9
        /// No regression's, since made pairs have no pictures: prints as close as this come by chance once in a million
        /// (``PicturePrint``), but scenes of one place are close too.
        static let picture = 5.0
    }

    /// - Parameters:
    ///   - rarity: of a stem: how much it says that both have it, 0 or more, as the logarithm of one over its frequency.
    ///   - rivals: how many there are near that might be it.
    package init(lost: Side, found: Side, rivals: Int, rarity: (String) -> Double) {
        var odds = Weight.base + Weight.rivals * log1p(Double(rivals))
        var reasons: [(reason: Reason, gain: Double)] = []
        let (gain, common) = Self.likeness(lost.words, found.words, rarity)
        odds += gain
        var speaks = !common.isEmpty || lost.category == found.category
        if !common.isEmpty { reasons.append((.words(common), gain)) }
        if lost.category == found.category {
            odds += Weight.category
            reasons.append((.category, Weight.category))
        }
        let far = log1p(Self.far / 1000)
        if let here = lost.shown, let there = found.shown {
            let metres = here.distance(to: there)
            odds += Weight.distance * log1p(metres / 1000)
            if metres < Self.far {
                reasons.append((.near(metres: metres), Weight.distance * (log1p(metres / 1000) - far)))
            }
        } else {
            odds += Weight.distance * far
        }
        if let lostFrom = lost.from ?? lost.to, let foundTo = found.to ?? found.from {
            // People are a day out; what was found long before was another thing.
            let days = foundTo.timeIntervalSince(lostFrom) / 86_400
            odds += days < -1 ? Weight.before : Weight.delay * log1p(max(0, days))
            if days >= -1, days <= Self.late {
                reasons.append(
                    (
                        .soon(days: max(0, Int(clamping: days.rounded(.down)))),
                        Weight.delay * (log1p(max(0, days)) - log1p(Self.late))
                    ))
            }
        } else {
            odds += Weight.noTime
        }
        // Two pictures of one thing often differ: so only a likeness counts.
        if let bits = Self.closest(lost.prints, found.prints), bits <= Self.sameBits {
            speaks = true
            odds += Weight.picture
            reasons.append((.picture, Weight.picture))
        }
        // What is only near and of these days is something else.
        value = speaks ? 1 / (1 + exp(-odds)) : 0
        self.reasons = reasons.sorted { $0.gain > $1.gain }.map(\.reason)
    }

    /// Bits of 256 in which prints of the same picture differ at most.
    private static let sameBits = 31
    /// Metres and days beyond which it is no reason.
    private static let far = 10_000.0
    private static let late = 30.0
    /// Words that more say are not named, and do not count: 0.9 is two in five, 2.3 one in ten.
    private static let common = 0.9
    private static let telling = 2.3
    /// How many are named.
    private static let mostNamed = 5

    /// What the words speak for it, and those that both have and few others, the rarest first.
    private static func likeness(
        _ one: MatchWords, _ other: MatchWords, _ rarity: (String) -> Double
    ) -> (gain: Double, common: [String]) {
        func worth(_ stem: String) -> Double { max(0, rarity(stem) - common) }
        let (mine, theirs) = (one.stems, other.stems)
        let both = mine.intersection(theirs)
        var gain = Weight.words * both.reduce(0) { $0 + worth($1) }.squareRoot()
        let rest = theirs.subtracting(both)
        for stem in mine.subtracting(both) {
            guard let whole = rest.first(where: { MatchWords.isPart(stem, of: $0) }) else { continue }
            // Of one of them it is not known how many say it.
            gain += Weight.part * max(worth(stem), worth(whole))
        }
        let named = both.filter { rarity($0) > telling }.sorted { (-rarity($0), $0) < (-rarity($1), $1) }
        return (gain, named.prefix(mostNamed).map { one.written[$0] ?? $0 })
    }

    /// Bits in which the closest two of some prints differ; nil when one side has none.
    private static func closest(_ one: [[UInt8]], _ other: [[UInt8]]) -> Int? {
        one.flatMap { print in other.map { zip(print, $0).reduce(0) { $0 + ($1.0 ^ $1.1).nonzeroBitCount } } }.min()
    }
}
