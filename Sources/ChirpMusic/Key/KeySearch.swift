internal import Glibc

/// Finds the key whose profile is most like the pitches that sound, and whose chord most like those that sound at the beginning and at the end.
enum KeySearch {
    /// How much each degree of the scale is heard by ``PitchCourse`` in pieces, from the tonic on: the mean of 74 chorales and fiddle tunes on six
    /// instruments (Docs/performance.md), so that what partials add to other degrees is in it.
    private static let profiles: [MusicalKey.Mode: [Double]] = [
        .major: [1.00, 0.12, 0.66, 0.09, 0.78, 0.51, 0.19, 0.89, 0.11, 0.63, 0.14, 0.53],
        .minor: [0.97, 0.13, 0.74, 0.79, 0.23, 0.69, 0.15, 1.00, 0.40, 0.32, 0.66, 0.28],
    ]
    /// The chord of the tonic.
    private static let chords: [MusicalKey.Mode: [Double]] = [
        .major: [1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0],
        .minor: [1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0],
    ]
    /// What the likeness of the beginning, and that of the ending, to the chord of the tonic count beside that of the whole to its profile. What is cut
    /// off ends on any chord.
    private static let weights = (beginning: 0.25, ending: 0.15)

    /// - Parameters:
    ///   - shares: how much each semitone sounds.
    ///   - deviation: of the tuning, in semitones.
    /// - Returns: nil when nothing sounds, or all alike.
    static func find(_ shares: PitchShares, deviation: Double) -> KeyEstimate? {
        guard (shares.whole.max() ?? 0) > (shares.whole.min() ?? 0) else { return nil }
        let fits = Dictionary(uniqueKeysWithValues: MusicalKey.all.map { ($0, likeness(of: shares, to: $0)) })
        func fit(_ key: MusicalKey) -> Double { max(0, fits[key] ?? 0) }
        let ordered = MusicalKey.all.sorted { fit($0) > fit($1) }
        let (key, next) = (ordered[0], ordered[1])
        let fifth = fit(key.dominant) >= fit(key.subdominant) ? key.dominant : key.subdominant
        let alternatives = [(key.relative, MusicalKey.Relation.relative), (key.parallel, .parallel), (fifth, .fifth)]
            .map { KeyEstimate.Alternative(key: $0.0, relation: $0.1, fit: rounded(fit($0.0), to: 1000)) }
            .sorted { $0.fit > $1.fit }
        let lead = min(1, (fit(key) - fit(next)) / 0.2)
        return KeyEstimate(
            key: key, fit: rounded(fit(key), to: 1000), alternatives: alternatives,
            confidence: rounded(fit(key) * lead, to: 1000), cents: rounded(100 * deviation, to: 10))
    }

    /// How well all that sounds, its beginning and its ending fit a key: -1 to 1.
    private static func likeness(of shares: PitchShares, to key: MusicalKey) -> Double {
        func likeness(of semitones: [Double], to degrees: [MusicalKey.Mode: [Double]]) -> Double {
            guard let degrees = degrees[key.mode] else { return 0 }
            return correlation(semitones, (0..<12).map { degrees[($0 - key.tonic + 12) % 12] })
        }
        let ends =
            weights.beginning * likeness(of: shares.beginning, to: chords)
            + weights.ending * likeness(of: shares.ending, to: chords)
        return (likeness(of: shares.whole, to: profiles) + ends) / (1 + weights.beginning + weights.ending)
    }

    private static func correlation(_ one: [Double], _ other: [Double]) -> Double {
        let means = (one.reduce(0, +) / 12, other.reduce(0, +) / 12)
        var (product, squares, others) = (0.0, 0.0, 0.0)
        for (a, b) in zip(one, other) {
            product += (a - means.0) * (b - means.1)
            squares += (a - means.0) * (a - means.0)
            others += (b - means.1) * (b - means.1)
        }
        let scale = (squares * others).squareRoot()
        return scale > 0 ? product / scale : 0
    }
}
