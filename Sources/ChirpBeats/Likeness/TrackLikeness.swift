package import ChirpBoards
internal import ChirpCommunity
internal import Glibc

/// How alike two tracks are, and why (AR-10). Of a hub with many tracks descriptions are compared (``LikenessShelf``).
package struct TrackLikeness: Sendable {
    /// Why two are alike, in what is shown beside it.
    package enum Reason: Hashable, Sendable {
        /// Of both, in beats a minute.
        case tempo(Double, Double)
        /// Of both.
        case key(Tonality, Tonality, Tonality.Relation)
        /// What both have in common in how they sound: a name of whoever listened, and the figure of each.
        case sound(name: Sound, Double, Double)
    }

    /// What can be said of a sound in a word.
    package enum Sound: String, Hashable, Sendable, CaseIterable {
        case density, brightness, loudness, dynamics, timbre
    }

    /// 0...1, and the reasons, the strongest first; nil: they are not alike, or one of them was not listened to.
    package let compare: @Sendable (TrackFacts, TrackFacts) -> (score: Double, reasons: [Reason])?

    package init(_ compare: @escaping @Sendable (TrackFacts, TrackFacts) -> (score: Double, reasons: [Reason])?) {
        self.compare = compare
    }

    /// Beats a minute that differ by no more are the same tempo.
    private static let sameTempo = 0.04

    /// Sounds a second, and octaves, that differ by no more are as dense and as bright.
    private static let (sameDensity, sameBrightness) = (1.2, 0.25)

    /// By tempo, key, and how dense and bright they are, where both have them: for a hub with so few tracks that nobody can say what is usual.
    package static let byFacts = TrackLikeness { first, second in
        var parts: [Double] = []
        if let one = first.tempo, let other = second.tempo { parts.append(tempos(one, other).0) }
        if let one = first.key, let other = second.key {
            let near: Double =
                switch one.tonality.relation(to: other.tonality) {
                case .same: 1
                case .relative: 0.9
                case .neighbour: 0.6
                case .parallel: 0.5
                case nil: 0
                }
            parts.append(near)
        }
        if let ratio = ratio(first.density, second.density) { parts.append(max(0, 1 - log2(ratio))) }
        if let ratio = ratio(first.brightness, second.brightness) { parts.append(max(0, 1 - log2(ratio))) }
        let reasons = reasons(first, second)
        guard !parts.isEmpty, !reasons.isEmpty else { return nil }
        return (parts.reduce(0, +) / Double(parts.count), reasons)
    }

    /// What two have in common that can be said in words and figures; tempo and key first.
    static func reasons(_ first: TrackFacts, _ second: TrackFacts) -> [Reason] {
        var reasons: [Reason] = []
        if let one = first.tempo, let other = second.tempo {
            let (near, pair) = tempos(one, other)
            if near > 0.5 { reasons.append(.tempo(pair.0, pair.1)) }
        }
        if let one = first.key?.tonality, let other = second.key?.tonality, let relation = one.relation(to: other) {
            reasons.append(.key(one, other, relation))
        }
        if let one = first.density, let other = second.density, let ratio = ratio(one, other), ratio <= sameDensity {
            reasons.append(.sound(name: .density, one, other))
        }
        if let one = first.brightness, let other = second.brightness, let ratio = ratio(one, other),
            log2(ratio) <= sameBrightness
        {
            reasons.append(.sound(name: .brightness, one, other))
        }
        return reasons
    }

    /// How many times the greater is the smaller, 1 or more.
    private static func ratio(_ one: Double?, _ other: Double?) -> Double? {
        guard let one, let other, one > 0, other > 0 else { return nil }
        return max(one, other) / min(one, other)
    }

    /// How near two tempos are, each by both of its values, and which ones are meant.
    private static func tempos(_ one: TrackFacts.Tempo, _ other: TrackFacts.Tempo) -> (Double, (Double, Double)) {
        var best = (near: 0.0, pair: (one.beats, other.beats))
        for (first, weight) in [(one.beats, 1.0), (one.other ?? one.beats, 0.8)] {
            for (second, also) in [(other.beats, 1.0), (other.other ?? other.beats, 0.8)] where first > 0 && second > 0
            {
                let apart = abs(first - second) / max(first, second)
                let near = apart > sameTempo ? 0 : (1 - apart / sameTempo / 2) * weight * also
                if near > best.near { best = (near, (first, second)) }
            }
        }
        return best
    }
}

/// A track that is like another one.
package struct LikeTrack: Hashable, Sendable {
    package let track: Track
    package let reasons: [TrackLikeness.Reason]
}
