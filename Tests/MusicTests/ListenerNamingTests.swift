import ChirpMusic
import Testing

/// Names by patterns alone, without sound.
struct ListenerNamingTests {
    private let plans: [TagPlan] = {
        let slots = TagSlots(beats: (0..<300).map { 0.5 * Double($0) }, loudestSecond: nil, length: 150, voice: 1)
        return (0..<1000).map { TagPlan(slots, seed: UInt64($0) &* 0x5851_F42D_4C95_7F2D) }
    }()

    /// What is heard of a pattern between two seconds.
    private func leak(_ plan: TagPlan, _ from: Double, _ to: Double, late: Double = 0, besides: [Double] = [])
        -> TaggedLeak
    {
        let heard = plan.places.filter { $0 >= from && $0 + 1 <= to }.map { $0 + late } + besides
        let fit = TaggedLeak.Fit(
            from: from, to: to, speed: 1, likeness: 0.9,
            tags: heard.sorted().map { TaggedLeak.Tag(seconds: $0, match: 0.8) })
        return TaggedLeak(fits: [fit], voice: 1)
    }

    @Test
    func `of 30 seconds anywhere the right one of a thousand is named in at least 99 of 100, and never a wrong one`() {
        var right = 0
        for listener in 0..<1000 {
            let from = Double(listener * 7 % 115)
            let named = ListenerNaming(leak(plans[listener], from, from + 30), plans).named
            if named?.pattern == listener { right += 1 }
            #expect(named == nil || named?.pattern == listener)
        }
        #expect(right >= 990, "\(right)")
    }

    @Test func `less than two voices name nobody among a thousand, but among a few`() throws {
        let place = try #require(plans[4].places.first { $0 > 40 })
        let one = leak(plans[4], place - 0.1, place + 1.1)
        #expect(ListenerNaming(one, plans).named == nil)
        #expect(ListenerNaming(one, Array(plans[..<5])).named?.pattern == 4)
        #expect(ListenerNaming(one, Array(plans[..<5])).best?.agreeing == 1)
    }

    @Test func `one voice too many or too few is forgiven`() {
        let more = leak(plans[8], 30, 60, besides: [58.7331])
        #expect(ListenerNaming(more, plans).named?.pattern == 8)
        #expect(
            (ListenerNaming(more, plans).named?.heard ?? 0) == (ListenerNaming(more, plans).named?.agreeing ?? 0) + 1)
        let wide = leak(plans[8], 30, 70)
        let fewer = TaggedLeak(
            fits: wide.fits.map { fit in
                var fit = fit
                fit.tags.removeFirst()
                return fit
            }, voice: 1)
        #expect(ListenerNaming(fewer, plans).named?.pattern == 8)
    }

    @Test(arguments: [(0.0008, true), (-0.0008, true), (0.0012, false), (-0.3, false)])
    func `a voice is at its place within a millisecond`(late: Double, isNamed: Bool) {
        #expect((ListenerNaming(leak(plans[77], 30, 70, late: late), plans).named?.pattern == 77) == isNamed)
    }

    @Test func `without patterns, fits or voices nobody is named`() {
        #expect(ListenerNaming(leak(plans[1], 0, 30), []).best == nil)
        #expect(ListenerNaming(TaggedLeak(fits: [], voice: 1), plans).best == nil)
        #expect(ListenerNaming(leak(plans[1], 0, 0.1), plans).best == nil)
    }
}
