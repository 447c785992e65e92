/// The beginning of a sound.
package struct Onset: Hashable, Sendable {
    /// From the beginning of the recording.
    package var seconds: Double
    /// How much louder it became, over how many bands: 0.2 is the weakest that counts, a clap in a quiet room has 3 or 4.
    package var strength: Double

    package init(seconds: Double, strength: Double) {
        self.seconds = seconds
        self.strength = strength
    }
}
