/// When a voice is heard in a preview: of each of the ``TagSlots`` one place, which depends on who listens, so that two listeners get two patterns and the
/// same listener gets the same one again.
///
/// Previews of earlier releases are out there: the same slots and seed give the same places for ever.
package struct TagPlan: Hashable, Sendable, Codable {
    /// When the voice begins, in seconds, ascending.
    package let places: [Double]
    /// Of how many places each was chosen: by so much a voice that is heard there tells.
    package let choices: [Int]

    /// - Parameter seed: of the listener, or one for everybody. Who knows one seed must not know another: it is drawn by chance and kept.
    package init(_ slots: TagSlots, seed: UInt64) {
        places = slots.beats.enumerated().map { index, beats in
            let number = Self.number(seed: seed, slot: index)
            let late = TagSlots.lateness * Double((number >> 32) % UInt64(TagSlots.steps))
            return beats[Int(number % UInt64(beats.count))] + late
        }
        choices = slots.beats.map { $0.count * TagSlots.steps }
    }

    /// A number that looks as if by chance: SplitMix64's mixing (Steele, Lea and Flood, OOPSLA 2014).
    private static func number(seed: UInt64, slot: Int) -> UInt64 {
        var mixed = seed &* 0xD134_2543_DE82_EF95 &+ UInt64(slot + 1) &* 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return (mixed ^ (mixed >> 31)) & 0x7FFF_FFFF_FFFF_FFFF
    }
}
