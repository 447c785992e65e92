/// Where a voice is heard in a preview: a pure function of the track and of who listens, so that two listeners get two patterns and the same listener
/// gets the same one again.
///
/// The track is cut into slots of some nine seconds, each a whole number of bars. In each slot the voice begins at one beat, late by up to 84 ms in
/// steps of 12, which is how people speak; beat and step depend on the seed. Never does it sound within two seconds of the loudest second. Where
/// no beats are known, places half a second apart stand for them.
package struct TagPlan: Hashable, Sendable, Codable {
    /// How far from the loudest second the voice stays, in seconds.
    package static let distance = 2.0
    /// What a slot should last, in seconds.
    static let slot = 9.0
    static let lateness = 0.012
    static let steps = 8

    /// When the voice begins, in seconds, ascending.
    package let places: [Double]

    /// - Parameters:
    ///   - beats: of the track, in seconds, ascending; empty when there are none.
    ///   - loudestSecond: when the loudest second begins, in seconds; nil when nothing is to be spared.
    ///   - length: of the preview, in seconds.
    ///   - voice: how long the voice is, in seconds.
    ///   - seed: of the listener, or one for everybody.
    package init(beats: [Double], loudestSecond: Double?, length: Double, voice: Double, seed: UInt64) {
        let grid = BeatPlaces(beats: beats) ?? BeatPlaces(beats: [0, 0.5])
        guard let grid, length > 0, length.isFinite, voice > 0, grid.interval > 0.05 else {
            places = []
            return
        }
        let bar = Double(BeatPlaces.beatsPerBar)
        let beatsPerSlot = max(1, (Self.slot / (bar * grid.interval)).rounded()) * bar
        let first = (grid.place(at: 0) / bar).rounded(.up) * bar
        let last = grid.place(at: length)
        // Strangers' beats may be as near to one another as numbers can be.
        guard first.isFinite, last.isFinite, last >= first else {
            places = []
            return
        }
        let slots = Int(min(999, (last - first) / beatsPerSlot)) + 1
        let spared = loudestSecond.map { $0 - Self.distance...$0 + 1 + Self.distance }
        var found: [Double] = []
        for slot in 0..<slots {
            let from = first + Double(slot) * beatsPerSlot
            let end = min(length, grid.seconds(at: from + beatsPerSlot))
            var choices: [Double] = []
            for beat in 0..<Int(beatsPerSlot) {
                let place = grid.seconds(at: from + Double(beat))
                let range = place...place + Self.lateness * Double(Self.steps) + voice
                // Two voices do not follow one another without a breath.
                guard place >= 0.5, range.upperBound <= end, spared?.overlaps(range) != true else { continue }
                choices.append(place)
            }
            guard !choices.isEmpty else { continue }
            let number = Self.number(seed: seed, slot: slot)
            let late = Self.lateness * Double((number >> 32) % UInt64(Self.steps))
            found.append(choices[Int(number % UInt64(choices.count))] + late)
        }
        places = found
    }

    /// A number that looks as if by chance: SplitMix64's mixing (Steele, Lea and Flood, OOPSLA 2014).
    private static func number(seed: UInt64, slot: Int) -> UInt64 {
        var mixed = seed &* 0xD134_2543_DE82_EF95 &+ UInt64(slot + 1) &* 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return (mixed ^ (mixed >> 31)) & 0x7FFF_FFFF_FFFF_FFFF
    }
}
