import ChirpMusic
import ChirpTestKit
import MadeSounds
import Testing

/// Whose preview a leak was (boards.md 3.1, idea 2); real music and real codecs are in `Benchmarks/leaks`.
struct TaggedLeakTests {
    private static let made = MadeLeak()

    private func named(_ leak: [Float], _ made: MadeLeak = made) -> Int? {
        ListenerNaming(TaggedLeak(leak, of: made.track, voice: made.voice), made.plans).named?.pattern
    }

    @Test(arguments: [(0, 3.3, 1.0), (17, 12.01, 0.993), (999, 34.9, 1.008)])
    func `the listener of a leak is named, though it is cut, noisy, softer and of another speed`(
        listener: Int, from: Double, speed: Double
    ) {
        let made = Self.made
        let leak = made.leak(of: made.preview(made.plans[listener]), from: from, speed: speed)
        let found = TaggedLeak(leak, of: made.track, voice: made.voice)
        #expect(abs((found.fits.first?.from ?? 0) - from) < 0.001)
        #expect(abs((found.fits.first?.to ?? 0) - from - 25) < 0.01 && found.isPossible)
        #expect(ListenerNaming(found, made.plans).named?.pattern == listener)
    }

    @Test func `where a track repeats itself to the sample, the pattern still tells who listened`() {
        let made = MadeLeak(loop: 4)
        let leak = made.leak(of: made.preview(made.plans[123]), from: 21.7)
        #expect(TaggedLeak(leak, of: made.track, voice: made.voice).fits.count > 4)
        #expect(named(leak, made) == 123)
    }

    @Test func `somebody who is none of those known is not taken for one of them`() {
        let made = Self.made
        let others = Array(made.plans.dropFirst())
        for from in [2.0, 15.4, 33.3] {
            let leak = made.leak(of: made.preview(made.plans[0]), from: from)
            let found = TaggedLeak(leak, of: made.track, voice: made.voice)
            #expect(!found.fits.isEmpty && ListenerNaming(found, others).named == nil)
        }
    }

    @Test func `a part of the track itself, without a voice, names nobody`() {
        let made = Self.made
        let found = TaggedLeak(made.leak(of: made.track, from: 20), of: made.track, voice: made.voice)
        #expect(found.fits.count == 1 && found.fits.allSatisfy(\.tags.isEmpty))
        #expect(ListenerNaming(found, made.plans).best == nil)
    }

    @Test func `another track fits nowhere, though the same voice speaks in it`() {
        let other = MadeLeak(seed: 4)
        let leak = other.leak(of: other.preview(other.plans[5]), from: 10)
        #expect(TaggedLeak(leak, of: Self.made.track, voice: Self.made.voice).fits.isEmpty)
        #expect(named(leak) == nil)
    }

    @Test func `what is short, silent or no number fits nowhere`() {
        let made = Self.made
        let strange: [[Float]] = [
            [], [0.5], Array(repeating: 0, count: 60_000), Array(repeating: .nan, count: 60_000),
            Array(repeating: .greatestFiniteMagnitude, count: 60_000), Array(made.track.prefix(30_000)),
        ]
        for leak in strange {
            #expect(TaggedLeak(leak, of: made.track, voice: made.voice).fits.isEmpty)
            #expect(TaggedLeak(Array(made.track.prefix(100_000)), of: leak, voice: made.voice).fits.count <= 1)
            #expect(TaggedLeak(Array(made.track.prefix(100_000)), of: made.track, voice: leak).isPossible)
        }
    }

    @Test func `what no child of ours can have found is told`() {
        #expect(TaggedLeak.Fit(from: 0, to: 30, speed: 1, likeness: 0.9, tags: []).isPossible)
        #expect(!TaggedLeak.Fit(from: -1e9, to: 30, speed: 1, likeness: 0.9, tags: []).isPossible)
        #expect(!TaggedLeak.Fit(from: 0, to: .nan, speed: 1, likeness: 0.9, tags: []).isPossible)
        #expect(!TaggedLeak.Fit(from: 0, to: 30, speed: 2, likeness: 0.9, tags: []).isPossible)
        let tag = TaggedLeak.Tag(seconds: 3, match: 7)
        #expect(!TaggedLeak.Fit(from: 0, to: 30, speed: 1, likeness: 0.9, tags: [tag]).isPossible)
    }
}
