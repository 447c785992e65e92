/// How fast music is, with what it may be taken for as well: the half or the double.
///
/// Whether somebody counts 70 or 140 is no property of the sound, so both are offered always, the likelier first.
package struct TempoEstimate: Codable, Hashable, Sendable {
    /// In beats a minute.
    package let beatsPerMinute: Double
    /// The half or the double of it, the likelier of the two.
    package let alternative: Double
    /// 0 to 1: the share of stretches of twelve seconds in which the same tempo, or its half or double, is heard, times how clear and how regular the
    /// beats are.
    package let confidence: Double

    package init(beatsPerMinute: Double, alternative: Double, confidence: Double) {
        self.beatsPerMinute = beatsPerMinute
        self.alternative = alternative
        self.confidence = confidence
    }

    /// The likelier first.
    package var offered: [Double] { [beatsPerMinute, alternative] }

    /// Whether a tempo is one of the two, within 4 % (the tolerance of Gouyon et al., IEEE TASLP 2006).
    package func offers(_ tempo: Double) -> Bool { offered.contains { abs($0 / tempo - 1) <= 0.04 } }
}
