import ChirpMusic
import Testing

/// Where a voice is heard in a preview (boards.md 3.1, idea 2).
struct TagPlanTests {
    /// 96 beats a minute, from 0.2 s on.
    private let beats = (0..<240).map { 0.2 + 0.625 * Double($0) }

    private func slots(loudest: Double?, beats: [Double]?, length: Double) -> TagSlots {
        TagSlots(beats: beats ?? self.beats, loudestSecond: loudest, length: length, voice: 1.2)
    }

    private func plan(seed: UInt64, loudest: Double? = 60, beats: [Double]? = nil, length: Double = 150) -> [Double] {
        TagPlan(slots(loudest: loudest, beats: beats, length: length), seed: seed).places
    }

    @Test func `the same seed gives the same places, another one others`() {
        #expect(plan(seed: 7) == plan(seed: 7))
        let plans = Set((0..<1000).map { plan(seed: $0) })
        #expect(plans.count == 1000)
    }

    @Test func `what is out there is known for ever: a release may not choose other places`() {
        let places = plan(seed: 7)
        // Worked out by another program.
        let known = [2.704, 17.089, 22.145, 30.246, 47.087, 56.46]
        #expect(zip(places, known).allSatisfy { abs($0 - $1) < 1e-6 } && places.count == 15, "\(places)")
    }

    @Test func `in any 30 seconds hardly two of a thousand listeners have the same pattern`() {
        let plans = (0..<1000).map { plan(seed: $0, loudest: nil) }
        for start in [0.0, 77] {
            let parts = Set(plans.map { $0.filter { (start..<start + 30).contains($0) } })
            #expect(parts.count >= 990, "\(start) s: \(parts.count)")
        }
    }

    @Test func `a voice begins on a beat or up to 84 ms later, with a breath between two`() {
        for seed in 0..<50 {
            let places = plan(seed: UInt64(seed))
            #expect((10...16).contains(places.count), "\(places)")
            for place in places {
                let late = ((place - 0.2) / 0.625).truncatingRemainder(dividingBy: 1) * 0.625
                #expect((-1e-6...0.0841).contains(late) || abs(late - 0.625) < 1e-6, "\(place)")
                #expect(place >= 0.5 && place + 1.2 <= 150)
            }
            for (one, next) in zip(places, places.dropFirst()) { #expect(next - one >= 1.2) }
        }
    }

    @Test(arguments: [0.0, 3, 58.7, 149]) func `the loudest second and two around it are spared`(loudest: Double) {
        for seed in 0..<200 {
            for place in plan(seed: UInt64(seed), loudest: loudest) {
                #expect(place + 1.2 <= loudest - 2 || place >= loudest + 3)
            }
        }
    }

    @Test func `without beats, or with beats that are none, half seconds stand for them`() {
        let plain = plan(seed: 1, beats: [])
        #expect(
            !plain.isEmpty && plain == plan(seed: 1, beats: [3, 2, 1]) && plain == plan(seed: 1, beats: [.nan, 1]))
    }

    @Test func `of what is too short, or has no end, there is no plan`() {
        #expect(plan(seed: 1, length: 0.9).isEmpty && plan(seed: 1, length: -1).isEmpty)
        #expect(plan(seed: 1, length: .infinity).isEmpty && plan(seed: 1, length: .nan).isEmpty)
        #expect(TagSlots(beats: beats, loudestSecond: 1, length: 60, voice: 0).beats.isEmpty)
        #expect(plan(seed: 1, length: 1e9).count <= 1000)
    }
}
