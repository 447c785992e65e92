import ChirpAudio
import ChirpClips
import ChirpCodecs
import ChirpMP3
import Testing

/// Plans from facts alone: no audio is made or read.
struct EditPlanTests {
    private static let format = AudioFormat(sampleRate: 44100, channels: 1)

    /// A recording from parts of so many windows, each of one loudness (as mono on two channels) and crest.
    private func analysis(_ parts: [(level: Double, windows: Int)], crest: Double = 6) -> ClipAnalysis {
        let windows = parts.flatMap { part -> [LevelWindow] in
            let energy = LUFS(part.level).energy / 2
            let window = LevelWindow(
                loudness: energy, voice: energy, peak: Float(Decibels(part.level + crest).amplitude))
            return Array(repeating: part.level <= -150 ? .silence : window, count: part.windows)
        }
        return ClipAnalysis(
            format: Self.format, frames: windows.count * 441, windows: LevelWindows(windows), removesRumble: true)
    }

    /// Something that is clearly no even noise.
    private func uneven(_ level: Double) -> [(level: Double, windows: Int)] {
        (0..<20).flatMap { _ in [(level: level, windows: 20), (level: level - 9, windows: 15)] }
    }

    @Test(arguments: [-50.0, -40, -30, -23, -16, -3])
    func `the gain is the distance to the target`(level: Double) {
        let facts = analysis(uneven(level), crest: 3)
        let plan = EditPlan(facts, policy: EditPolicy())
        let before = facts.loudness(of: 0..<facts.windows.count).loudness
        #expect(plan.before == before && abs((before?.value ?? 0) - level) < 3)
        #expect(abs(plan.gain.value - (-16 - (before?.value ?? 0))) < 0.02)
        #expect(plan.method == .integrated && plan.aim == LUFS(-16))
    }

    @Test(arguments: [(-58.0, 40.0), (-66.0, 40.0)])
    func `no gain exceeds forty decibels`(level: Double, expected: Double) {
        let plan = EditPlan(analysis(uneven(level)), policy: EditPolicy())
        #expect(plan.gain == Decibels(expected) && plan.aim == nil)
        #expect(plan.notes.map(\.code).contains("gain-limited"))
    }

    @Test func `nothing but even noise is not raised above fifty below full scale`() {
        let plan = EditPlan(analysis([(-60, 300)]), policy: EditPolicy())
        // The noise has an RMS of -63 dBFS in one channel.
        #expect(abs(plan.gain.value - 13) < 0.6)
        #expect(plan.notes.map(\.code).contains("held-back-by-noise"))
    }

    @Test func `silence is silence and has no gain`() {
        for level in [-200.0, -75] {
            let plan = EditPlan(analysis([(level, 300)]), policy: EditPolicy())
            #expect(plan.isSilent && plan.gain == .zero && plan.method == .none)
        }
    }

    @Test(arguments: [(-30.0, 14.0), (-42, 20)])
    func `a short clip is measured over all of it and raised by twenty decibels at most`(level: Double, gain: Double) {
        let plan = EditPlan(analysis([(level + 2.4, 15), (level - 6, 15)], crest: 3), policy: EditPolicy())
        #expect(plan.method == .short && abs(plan.gain.value - gain) < 0.1)
        #expect(plan.notes.map(\.code).contains("short"))
    }

    @Test func `silence before and after goes but for the rolls`() {
        let facts = analysis([(-200, 200), (-20, 300), (-200, 150)])
        let plan = EditPlan(facts, policy: EditPolicy())
        #expect(plan.frames == (190 * 441)..<(515 * 441))
        #expect(plan.headFrames == 190 * 441 && plan.tailFrames == 135 * 441 && !plan.isCapped)
        var keeps = EditPolicy()
        keeps.trims = false
        #expect(EditPlan(facts, policy: keeps).frames == 0..<(650 * 441))
    }

    @Test func `loudness is that of the part that is kept`() {
        // The louder end lies behind the cap.
        var policy = EditPolicy()
        policy.maximumLength = .seconds(5)
        policy.trims = false
        let plan = EditPlan(analysis([(-30, 500), (-10, 500)], crest: 3), policy: policy)
        #expect(plan.isCapped && plan.frames.count == 5 * 44100)
        #expect(abs(plan.gain.value - 14) < 0.05)
    }

    @Test(arguments: [20, 60, 199], [25, 40])
    func `a pause within two seconds of the cap ends the clip`(before: Int, length: Int) {
        var policy = EditPolicy()
        policy.maximumLength = .seconds(10)
        let parts = [(-20.0, 1000 - before), (-200.0, length), (-20.0, 1000)]
        let plan = EditPlan(analysis(parts.map { (level: $0.0, windows: $0.1) }), policy: policy)
        let kept = min(before, length, 15)
        #expect(plan.isCapped && plan.frames == 0..<((1000 - before + kept) * 441))
    }

    @Test func `without a pause the cap is exact to the frame and fades`() {
        var policy = EditPolicy()
        policy.maximumLength = .milliseconds(1234)
        let plan = EditPlan(analysis([(-20, 300)]), policy: policy)
        #expect(plan.frames.count == Self.format.frames(in: .milliseconds(1234)))
        #expect(plan.fadeFrames == 1323)
    }

    @Test func `limiting is made up for in advance`() {
        // Peaks 20 dB above the loudness must lose 5 dB or so; the gain in front rises.
        let parts = (0..<60).flatMap { _ in [(level: -20.0, windows: 5), (level: -34.0, windows: 20)] }
        let facts = analysis(parts, crest: 12)
        let plan = EditPlan(facts, policy: EditPolicy())
        let plain = -16 - (facts.loudness(of: 0..<1500).loudness?.value ?? 0)
        #expect(plan.gain.value > plain + 0.3 && plan.gain.value < plain + 15)
        let after = facts.loudness(of: 0..<1500, limiting: (plan.gain, plan.limiterCeiling)).loudness
        #expect(abs((after?.value ?? 0) + 16) < 0.05)
    }

    @Test func `without normalising the gain is nothing`() {
        var policy = EditPolicy()
        policy.normalises = false
        let plan = EditPlan(analysis([(-30, 300)]), policy: policy)
        #expect(plan.gain == .zero && plan.method == .none && plan.aim == nil && plan.before != nil)
    }

    @Test(arguments: [
        (Preset.voice, 44100, 1, 44100), (.voice, 48000, 2, 48000), (.voice, 96000, 2, 48000),
        (.voice, 88200, 2, 44100),
        (.voice, 384_000, 1, 48000), (.voice, 8000, 1, 8000), (.voice, 4000, 1, 8000), (.tiny, 44100, 2, 22050),
        (.tiny, 48000, 1, 24000), (.tiny, 32000, 1, 24000), (.tiny, 16000, 1, 16000), (.music, 44100, 2, 44100),
        (.music, 22050, 2, 44100), (.music, 8000, 2, 32000), (.music, 37000, 2, 44100),
    ])
    func `a preset chooses a sample rate that the encoder leaves alone`(
        preset: Preset, input: Int, channels: Int, expected: Int
    ) {
        let format = preset.clipFormat(
            for: AudioFormat(sampleRate: input, channels: channels), settings: preset.settings)
        #expect(format.sampleRate == expected && format.channels == min(channels, preset.channels))
    }

    @Test func `what encoding took away is given back at once, together with what a lower ceiling takes`() throws {
        let parts = (0..<20).flatMap { _ in [(level: -8.0, windows: 2), (level: -17.0, windows: 33)] }
        let facts = analysis(parts, crest: 10)
        let policy = EditPolicy()
        let plan = EditPlan(facts, policy: policy, headroom: Decibels(0.8))
        let found = MP3Measurement(
            frames: 0, integrated: LUFS(-16.3), ungated: LUFS(-16.3), truePeak: Decibels(-0.5))
        let better = try #require(plan.corrected(after: found, of: facts, policy: policy))
        // Peaks were thrown 1.3 dB above the ceiling; 0.4 dB and 0.3 of it more are kept free.
        #expect(abs(better.limiterCeiling.value - (-1 - 1.3 * 1.3 - 0.4)) < 1e-9)
        let whole = 0..<facts.windows.count
        let first = try #require(
            facts.loudness(of: whole, limiting: (plan.gain, plan.limiterCeiling)).loudness)
        let second = try #require(
            facts.loudness(of: whole, limiting: (better.gain, better.limiterCeiling)).loudness)
        #expect(abs(second.value - first.value - 0.3) < 0.02)
        // The lower ceiling alone asks for more gain than the error.
        #expect(better.gain.value - plan.gain.value > 0.5)
    }

    @Test func `a clip that is as it should be is not corrected`() {
        let facts = analysis(uneven(-20))
        let policy = EditPolicy()
        let plan = EditPlan(facts, policy: policy, headroom: Decibels(0.8))
        let found = MP3Measurement(
            frames: 0, integrated: LUFS(-16.15), ungated: LUFS(-16.15), truePeak: Decibels(-1.15))
        #expect(plan.corrected(after: found, of: facts, policy: policy) == nil)
    }
}
