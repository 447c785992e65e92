package import ChirpMusic

/// What was found in a track by listening to it.
package struct TrackFacts: Hashable, Sendable, Codable {
    /// How long it is, in ms.
    package var milliseconds: Int
    /// Integrated loudness of what was sent, in LUFS (ITU-R BS.1770-4); nil: it is silent, or too short.
    package var loudness: Double?
    /// The highest true peak of what was sent, in dBTP.
    package var peak: Double?
    /// Of what others hear, measured after decoding, in LUFS.
    package var previewLoudness: Double?
    /// Nil: no beat was found.
    package var tempo: Tempo?
    /// Nil: no key was found.
    package var key: Key?
    /// How it sounds, as numbers of whoever listened, each of about the same weight; empty: it is too short for that.
    package var description: [Float] = []
    /// Beginnings of sounds, a second.
    package var density: Double?
    /// The mean frequency of its energy, in hertz.
    package var brightness: Double?
    /// When its beats are, in seconds, ascending; empty: none were found.
    package var beats: [Double] = []
    /// By which the same recording is known again, as bytes of whoever listened; empty: it is too short.
    @NumberText package var print: [UInt8] = []
    /// What others' prints are asked for, as numbers of whoever listened; empty where there is no print.
    @NumberText package var probes: [UInt32] = []

    package init(milliseconds: Int) { self.milliseconds = milliseconds }

    /// How fast it is, with the other value that it may be taken for: mostly twice or half of it.
    package struct Tempo: Hashable, Sendable, Codable {
        /// Beats a minute, of the value that is more likely.
        package var beats: Double
        /// The other one; nil: there is none.
        package var other: Double?
        /// How sure that is, 0...1.
        package var confidence: Double

        package init(beats: Double, other: Double? = nil, confidence: Double) {
            (self.beats, self.other, self.confidence) = (beats, other, confidence)
        }
    }

    /// The key, with the one that it is most easily taken for.
    package struct Key: Hashable, Sendable, Codable {
        package var tonality: Tonality
        package var other: Tonality?
        /// How sure that is, 0...1.
        package var confidence: Double

        package init(_ tonality: Tonality, other: Tonality? = nil, confidence: Double) {
            (self.tonality, self.other, self.confidence) = (tonality, other, confidence)
        }
    }
}

/// One of the 24 major and minor keys.
package struct Tonality: Hashable, Sendable, Codable, CaseIterable {
    /// Semitones above C, 0...11.
    package let tonic: Int
    package let isMinor: Bool

    /// - Parameter tonic: semitones above C, of whichever octave.
    package init(tonic: Int, isMinor: Bool) {
        self.tonic = ((tonic % 12) + 12) % 12
        self.isMinor = isMinor
    }

    /// As whoever listens to music calls it.
    package init(_ key: MusicalKey) { self.init(tonic: key.tonic, isMinor: key.mode == .minor) }

    package static var allCases: [Tonality] {
        (0..<12).flatMap { [Tonality(tonic: $0, isMinor: false), Tonality(tonic: $0, isMinor: true)] }
    }

    /// A number of its own, 0...23: major keys are even.
    package var number: Int { tonic * 2 + (isMinor ? 1 : 0) }

    /// Nil for what is no such number.
    package init?(number: Int) {
        guard (0..<24).contains(number) else { return nil }
        self.init(tonic: number / 2, isMinor: number % 2 == 1)
    }

    /// The minor key with the same notes as a major one, and the other way round.
    package var relative: Tonality { Tonality(tonic: tonic + (isMinor ? 3 : 9), isMinor: !isMinor) }

    /// How a key is related to another; nil: it is not.
    package func relation(to other: Tonality) -> Relation? {
        if self == other { return .same }
        if relative == other { return .relative }
        if tonic == other.tonic { return .parallel }
        let step = (other.tonic - tonic + 12) % 12
        return isMinor == other.isMinor && (step == 5 || step == 7) ? .neighbour : nil
    }

    package enum Relation: String, Hashable, Sendable, CaseIterable {
        case same
        /// The same notes, another tonic.
        case relative
        /// The same tonic, the other mode.
        case parallel
        /// A fifth away.
        case neighbour
    }
}
