internal import Glibc

/// Finds the key whose profile is most like the pitches that sound.
enum KeySearch {
    /// How often each degree of the scale sounds in pieces, from the tonic on (Temperley, "Music and Probability", 2007).
    private static let temperley: [MusicalKey.Mode: [Double]] = [
        .major: [0.748, 0.060, 0.488, 0.082, 0.670, 0.460, 0.096, 0.715, 0.104, 0.366, 0.057, 0.400],
        .minor: [0.712, 0.084, 0.474, 0.618, 0.049, 0.460, 0.105, 0.747, 0.404, 0.067, 0.133, 0.330],
    ]

    /// - Parameters:
    ///   - semitones: how much each sounds, from C on.
    ///   - deviation: of the tuning, in semitones.
    /// - Returns: nil when nothing sounds, or all alike.
    static func find(_ semitones: [Double], deviation: Double) -> KeyEstimate? {
        precondition(semitones.count == 12)
        guard (semitones.max() ?? 0) > (semitones.min() ?? 0) else { return nil }
        let fits = Dictionary(uniqueKeysWithValues: MusicalKey.all.map { ($0, likeness(of: semitones, to: $0)) })
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

    /// The correlation of the pitches with a profile, -1 to 1.
    private static func likeness(of semitones: [Double], to key: MusicalKey) -> Double {
        guard let profile = temperley[key.mode] else { return 0 }
        return correlation(semitones, (0..<12).map { profile[($0 - key.tonic + 12) % 12] })
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
