import ChirpAudio
import ChirpClips
import ChirpTestKit
import Testing

/// Clips that begin and end where a person says.
struct PartTests {
    private static let mono = AudioFormat(sampleRate: 44100, channels: 1)

    /// Two seconds of silence, three of sound, two of silence.
    private func facts() -> ClipAnalysis {
        let energy = LUFS(-20).energy / 2
        let sound = LevelWindow(loudness: energy, voice: energy, peak: Float(Decibels(-14).amplitude))
        let windows = [LevelWindow](repeating: .silence, count: 200) + Array(repeating: sound, count: 300)
        return ClipAnalysis(
            format: Self.mono, frames: 700 * 441,
            windows: LevelWindows(windows + Array(repeating: .silence, count: 200)),
            removesRumble: true)
    }

    private func plan(_ begin: Duration?, _ end: Duration?, _ change: (inout EditPolicy) -> Void = { _ in }) -> EditPlan
    {
        var policy = EditPolicy()
        (policy.begin, policy.end) = (begin, end)
        change(&policy)
        return EditPlan(facts(), policy: policy)
    }

    @Test(arguments: [(1000, 4000), (0, 10), (2340, 2350), (4990, 7000), (0, 7000)])
    func `both ends are where they were chosen, to ten milliseconds`(begin: Int, end: Int) {
        let plan = plan(.milliseconds(begin), .milliseconds(end))
        #expect(plan.frames == (begin / 10 * 441)..<(end / 10 * 441))
        #expect(plan.headFrames == begin / 10 * 441 && plan.tailFrames == (700 - end / 10) * 441)
        #expect(plan.fadeFrames == 0 && !plan.isCapped)
    }

    @Test func `silence inside a chosen end stays, and the end that nobody chose is found`() {
        // The rolls are 100 and 150 ms.
        #expect(plan(.seconds(1), nil).frames == (100 * 441)..<(515 * 441))
        #expect(plan(nil, .seconds(6)).frames == (190 * 441)..<(600 * 441))
        #expect(plan(.seconds(3), nil) { $0.trims = false }.frames == (300 * 441)..<(700 * 441))
        // Behind the last sound there is silence to keep.
        #expect(plan(.seconds(6), nil).frames == (600 * 441)..<(700 * 441))
    }

    @Test func `the longest clip counts from the chosen beginning and fades as ever`() {
        let plan = plan(.milliseconds(2500), .seconds(5)) { $0.maximumLength = .seconds(1) }
        #expect(plan.isCapped && plan.frames == (250 * 441)..<(350 * 441))
        #expect(plan.fadeFrames == 1323)
    }

    @Test func `an end behind the recording is its end, and that is said`() {
        let plan = plan(.seconds(3), .seconds(60))
        #expect(plan.frames == (300 * 441)..<(700 * 441))
        #expect(plan.notes.map(\.code).contains("ends-sooner"))
        #expect(!self.plan(.seconds(3), .seconds(7)).notes.map(\.code).contains("ends-sooner"))
    }

    @Test func `a clip is as long as the part, whatever the recording's sample rate`() throws {
        let workplace = try Workplace()
        for rate in [44100, 48000, 16000] {
            let format = AudioFormat(sampleRate: rate, channels: 1)
            let speech = Signal.speech(format, seconds: 2, head: 0.5, tail: 0.5)
            var request = ClipRequest(source: try workplace.source(speech), preset: .voice)
            (request.policy.begin, request.policy.end) = (.milliseconds(250), .milliseconds(2330))
            let clip = try prepare(request) { _ in }
            #expect(clip.seconds == 2.08)
            let receipt = try make(clip, to: .file("\(workplace.path)/clip.mp3")) { _ in }
            #expect(receipt.clip?.frames == clip.frames && receipt.trim.headSeconds == 0.25)
        }
    }

    @Test func `a part that begins behind the recording is refused`() throws {
        let workplace = try Workplace()
        var request = ClipRequest(source: try workplace.source(.speech(Self.mono, seconds: 2)), preset: .voice)
        request.policy.begin = .milliseconds(1990)
        request.policy.trims = false
        #expect(try prepare(request) { _ in }.seconds == 0.01)
        request.policy.begin = .seconds(2)
        #expect(throws: AudioError.outside(name: "take.wav", reason: "it is 2.0 s long")) {
            try prepare(request) { _ in }
        }
    }
}
