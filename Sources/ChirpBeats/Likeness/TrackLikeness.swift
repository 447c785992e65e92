package import ChirpBoards
internal import ChirpCommunity

/// How alike two tracks are, and why (AR-10). Whoever hears more puts another one in the place of ``byFacts``.
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

    /// By tempo, key and the numbers of the description, where both have them.
    package static let byFacts = TrackLikeness { first, second in
        var (parts, weights, reasons): (Double, Double, [Reason]) = (0, 0, [])
        if let one = first.tempo, let other = second.tempo {
            let (near, pair) = tempos(one, other)
            (parts, weights) = (parts + near, weights + 1)
            if near > 0.5 { reasons.append(.tempo(pair.0, pair.1)) }
        }
        if let one = first.key, let other = second.key {
            let relation = one.tonality.relation(to: other.tonality)
            let near: Double =
                switch relation {
                case .same: 1
                case .relative: 0.9
                case .neighbour: 0.6
                case .parallel: 0.5
                case nil: 0
                }
            (parts, weights) = (parts + near, weights + 1)
            if let relation { reasons.append(.key(one.tonality, other.tonality, relation)) }
        }
        if !first.description.isEmpty, first.description.count == second.description.count {
            let near = cosine(first.description, second.description)
            (parts, weights) = (parts + 2 * max(near, 0), weights + 2)
            if near > 0.7 { reasons.append(.sound(name: .timbre, 100, (near * 100).rounded())) }
        }
        guard weights > 0, !reasons.isEmpty else { return nil }
        return (parts / weights, reasons)
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

    private static func cosine(_ one: [Float], _ other: [Float]) -> Double {
        var (dot, first, second): (Float, Float, Float) = (0, 0, 0)
        for index in one.indices {
            dot += one[index] * other[index]
            first += one[index] * one[index]
            second += other[index] * other[index]
        }
        let length = (first * second).squareRoot()
        return length > 0 && length.isFinite ? Double(dot / length) : 0
    }
}

/// A track that is like another one.
package struct LikeTrack: Hashable, Sendable {
    package let track: Track
    package let reasons: [TrackLikeness.Reason]
}
