/// Where a voice may be heard in a preview: slots of some nine seconds, each a whole number of bars, and in each the beats at which it may begin.
///
/// A pure function of the track, the same for everybody; a ``TagPlan`` chooses one place in each. Never does the voice sound within two seconds of the
/// loudest second. Where no beats are known, places half a second apart stand for them.
package struct TagSlots: Hashable, Sendable, Codable {
    /// How far from the loudest second the voice stays, in seconds.
    package static let distance = 2.0
    /// What a slot should last, in seconds.
    static let slot = 9.0
    /// A voice begins at a beat or later by up to 84 ms, in steps of 2 ms: people speak so, nobody hears a step, and ``TaggedLeak`` tells one from the next.
    static let lateness = 0.002
    static let steps = 43

    /// Of each slot that has any, the beats at which the voice may begin, in seconds.
    package let beats: [[Double]]

    /// - Parameters:
    ///   - beats: of the track, in seconds, ascending; empty when there are none.
    ///   - loudestSecond: when the loudest second begins, in seconds; nil when nothing is to be spared.
    ///   - length: of the preview, in seconds.
    ///   - voice: how long the voice is, in seconds.
    package init(beats: [Double], loudestSecond: Double?, length: Double, voice: Double) {
        let grid = BeatPlaces(beats: beats) ?? BeatPlaces(beats: [0, 0.5])
        guard let grid, length > 0, length.isFinite, voice > 0, grid.interval > 0.05 else {
            self.beats = []
            return
        }
        let bar = Double(BeatPlaces.beatsPerBar)
        let beatsPerSlot = max(1, (Self.slot / (bar * grid.interval)).rounded()) * bar
        let first = (grid.place(at: 0) / bar).rounded(.up) * bar
        let last = grid.place(at: length)
        // Strangers' beats may be as near to one another as numbers can be.
        guard first.isFinite, last.isFinite, last >= first else {
            self.beats = []
            return
        }
        let slots = Int(min(999, (last - first) / beatsPerSlot)) + 1
        let spared = loudestSecond.map { $0 - Self.distance...$0 + 1 + Self.distance }
        self.beats = (0..<slots).map { slot in
            let from = first + Double(slot) * beatsPerSlot
            let end = min(length, grid.seconds(at: from + beatsPerSlot))
            return (0..<Int(beatsPerSlot)).map { grid.seconds(at: from + Double($0)) }.filter { place in
                let range = place...place + Self.lateness * Double(Self.steps) + voice
                // Two voices do not follow one another without a breath.
                return place >= 0.5 && range.upperBound <= end && spared?.overlaps(range) != true
            }
        }.filter { !$0.isEmpty }
    }
}
