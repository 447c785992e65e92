/// What a machine hears in music: for pages that show it, filters that search by it, and lists of what sounds alike.
package struct SoundProfile: Codable, Hashable, Sendable {
    /// How long the sound is.
    package let seconds: Double
    /// Nil when nothing begins more than once.
    package let tempo: TempoEstimate?
    package let grid: BeatGrid
    /// Nil when nothing sounds.
    package let key: KeyEstimate?
    package let description: SoundDescription
    /// Where the second begins that has the most power, in seconds, to a tenth.
    package let loudestSecond: Double
    package let figures: SoundFigures
}

/// The few numbers of a sound that say in words why another is like it.
package struct SoundFigures: Codable, Hashable, Sendable {
    /// In beats a minute, the likelier first; empty when there is none.
    package let tempi: [Double]
    package let key: MusicalKey?
    /// Beginnings of sounds, a second.
    package let density: Double
    /// The mean frequency of its energy, in hertz.
    package let brightness: Double

    package init(tempi: [Double], key: MusicalKey?, density: Double, brightness: Double) {
        self.tempi = tempi
        self.key = key
        self.density = density
        self.brightness = brightness
    }
}
