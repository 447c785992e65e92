/// A major or minor key.
package struct MusicalKey: Codable, Hashable, Sendable {
    /// Of a scale.
    package enum Mode: String, Codable, CaseIterable, Sendable {
        case major, minor
    }

    /// How two keys are related, by what pieces in them share.
    package enum Relation: String, Codable, CaseIterable, Sendable {
        case same
        /// The same notes, another tonic: C major and A minor.
        case relative
        /// The same tonic, the other mode: C major and C minor.
        case parallel
        /// One more sharp or one more flat: C major and G major, or F major.
        case fifth
    }

    /// Semitones above C, 0 to 11.
    package let tonic: Int
    package let mode: Mode

    /// - Parameter tonic: in semitones above any C.
    package init(tonic: Int, mode: Mode) {
        self.tonic = ((tonic % 12) + 12) % 12
        self.mode = mode
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(tonic: try values.decode(Int.self, forKey: .tonic), mode: try values.decode(Mode.self, forKey: .mode))
    }

    /// The 24 there are.
    package static let all = Mode.allCases.flatMap { mode in (0..<12).map { MusicalKey(tonic: $0, mode: mode) } }

    package var relative: MusicalKey {
        mode == .major ? MusicalKey(tonic: tonic + 9, mode: .minor) : MusicalKey(tonic: tonic + 3, mode: .major)
    }

    package var parallel: MusicalKey { MusicalKey(tonic: tonic, mode: mode == .major ? .minor : .major) }
    /// A fifth above: the dominant.
    package var dominant: MusicalKey { MusicalKey(tonic: tonic + 7, mode: mode) }
    /// A fifth below.
    package var subdominant: MusicalKey { MusicalKey(tonic: tonic + 5, mode: mode) }

    /// Its place in the circle of fifths: 0 is C major and A minor, one more is a sharp more, up to 11.
    package var sharps: Int { (mode == .major ? tonic : tonic + 3) * 7 % 12 }

    /// Nil when they have little in common.
    package func relation(to other: MusicalKey) -> Relation? {
        if other == self { return .same }
        if other == relative { return .relative }
        if other == parallel { return .parallel }
        return other == dominant || other == subdominant ? .fifth : nil
    }

    /// What another key is worth where this one is right: 1 the same, 0.5 a fifth, 0.3 the relative, 0.2 the parallel one (MIREX, audio key
    /// detection).
    package func worth(of other: MusicalKey) -> Double {
        switch relation(to: other) {
        case .same: 1
        case .fifth: 0.5
        case .relative: 0.3
        case .parallel: 0.2
        case nil: 0
        }
    }
}

extension MusicalKey: CustomStringConvertible {
    /// As programs write it: `F# minor`.
    package var description: String {
        let names = ["C", "C#", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"]
        return "\(names[tonic]) \(mode.rawValue)"
    }
}
