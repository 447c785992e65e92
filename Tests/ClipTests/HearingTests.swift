import ChirpAudio
import ChirpClips
import ChirpCodecs
import ChirpMP3
import ChirpTestKit
import Testing

/// W-2: offsets, hum and swapped wires.
struct HearingTests {
    private static let stereo = AudioFormat(sampleRate: 44100, channels: 2)

    private func made(_ signal: Signal, preset: Preset = .voice, in workplace: Workplace) throws -> Receipt {
        let clip = try prepare(ClipRequest(source: try workplace.source(signal, bits: 32), preset: preset)) { _ in }
        return try make(clip, to: .file("\(workplace.path)/clip.mp3")) { _ in }
    }

    private func shifted(_ signal: Signal, by offset: Float) -> Signal {
        Signal(format: signal.format, planes: signal.planes.map { $0.map { $0 + offset } })
    }

    @Test(arguments: [8000, 44100, 96000], Preset.allCases)
    func `nothing but an offset is silence`(rate: Int, preset: Preset) throws {
        let workplace = try Workplace()
        for channels in 1...2 {
            let silence = Signal.silence(AudioFormat(sampleRate: rate, channels: channels), seconds: 1)
            for offset in [0.5, -1, 0.01] as [Float] {
                #expect(throws: AudioError.nothingToHear(name: "take.wav", reason: "it is silent")) {
                    try made(shifted(silence, by: offset), preset: preset, in: workplace)
                }
            }
        }
    }

    @Test(arguments: [44100, 96000]) func `an offset changes nothing about speech`(rate: Int) throws {
        let workplace = try Workplace()
        let speech = Signal.speech(AudioFormat(sampleRate: rate, channels: 1), seconds: 2, head: 0.6, tail: 0.7)
        let (plain, offset) = (
            try made(speech, in: workplace), try made(shifted(speech, by: 0.3), in: workplace)
        )
        #expect(abs(plain.trim.headSeconds - offset.trim.headSeconds) <= 0.011)
        #expect(abs(plain.trim.tailSeconds - offset.trim.tailSeconds) <= 0.011)
        #expect(abs(plain.level.gainDB - offset.level.gainDB) < 0.1)
    }

    @Test(arguments: [(50.0, -12.0), (60, -12), (60, -50)])
    func `mains hum is nothing to hear unless it is to be kept`(mains: Double, level: Double) throws {
        let workplace = try Workplace()
        let format = AudioFormat(sampleRate: 44100, channels: 1)
        let hum = [1.0, 2, 3, 5].reduce(Signal.silence(format, seconds: 2.3)) {
            $0 + .sine(format, frequency: mains * $1, level: level - 4 * $1, seconds: 2.3)
        }
        let reason = "it is the hum of mains at \(Int(mains)) Hz and nothing else"
        #expect(throws: AudioError.nothingToHear(name: "take.wav", reason: reason)) {
            try made(hum, in: workplace)
        }
        // Music may be a drone.
        #expect(try made(hum, preset: .music, in: workplace).clip != nil)
        var request = ClipRequest(source: try workplace.source(hum), preset: .voice)
        request.policy.trims = false
        #expect(try prepare(request) { _ in }.frames == hum.frames)
        // A word in it is a recording.
        let word = hum + Signal.speech(format, seconds: 0.8, head: 1, tail: 0.5)
        #expect(try made(word, in: workplace).clip != nil)
    }

    @Test(arguments: [Preset.voice, .tiny], [-1, -0.9] as [Float])
    func `a swapped wire is turned round with a note`(preset: Preset, factor: Float) throws {
        let workplace = try Workplace()
        var signal = Signal.speech(Self.stereo, seconds: 2, head: 0.5, tail: 0.5)
        let upright = try made(signal, preset: preset, in: workplace)
        signal.planes[1] = signal.planes[1].map { factor * $0 }
        let receipt = try made(signal, preset: preset, in: workplace)
        #expect(receipt.notes.map(\.code).contains("channel-inverted"))
        #expect(!receipt.notes.map(\.code).contains("mixed-to-mono"))
        #expect(abs(try #require(receipt.level.afterLUFS) + 16) <= 0.3)
        #expect(abs(receipt.trim.headSeconds - upright.trim.headSeconds) <= 0.011)
        #expect(receipt.clip?.frames == upright.clip?.frames)
        // Stereo stays what it is.
        #expect(try !made(signal, preset: .music, in: workplace).notes.map(\.code).contains("channel-inverted"))
    }

    @Test func `what is inverted for half of the time is one channel alone`() throws {
        let workplace = try Workplace()
        var signal = Signal.speech(Self.stereo, seconds: 3)
        for index in 0..<signal.frames / 2 { signal.planes[1][index] *= -1 }
        let receipt = try made(signal, in: workplace)
        #expect(receipt.notes.map(\.code).contains("channels-cancel"))
        #expect(abs(try #require(receipt.level.afterLUFS) + 16) <= 0.3)
        // Both halves are there.
        let clip = try inspect(path: "\(workplace.path)/clip.mp3", name: "clip")
        #expect(clip.silence.headSeconds < 0.2 && clip.silence.tailSeconds < 0.3)
    }

    @Test func `a recording with a swapped wire or of hum goes the long way`() throws {
        let folder = try TemporaryFolder()
        func outcome(_ signal: Signal) throws -> IncrementalOutcome {
            var clip = try IncrementalClip(
                recordingFormat: signal.format, preset: .voice,
                target: IncrementalTarget(path: folder.path("a.mp3"), tag: ID3Tag()))
            try signal.forEachBlock(of: 1000) { (block) throws(AudioError) in try clip.write(block) }
            return try clip.finish(name: "take")
        }
        var inverted = Signal.speech(Self.stereo, seconds: 4)
        inverted.planes[1] = inverted.planes[1].map { -$0 }
        #expect(try outcome(inverted) == .needsRendering(.channels))
        let hum = Signal.sine(AudioFormat(sampleRate: 44100, channels: 1), frequency: 100, level: -20, seconds: 4)
        #expect(try outcome(hum) == .needsRendering(.steady))
        #expect(try folder.names().isEmpty)
    }

    /// EBU Tech 3341 case 6, through everything.
    @Test(arguments: [5, 6]) func `surround is inspected by its own channels`(channels: Int) throws {
        let workplace = try Workplace()
        let format = AudioFormat(sampleRate: 48000, channels: 1)
        let levels = channels == 5 ? [-28.0, -28, -24, -30, -30] : [-28.0, -28, -24, -20, -30, -30]
        let planes = levels.map { Signal.sine(format, frequency: 1000, level: $0, seconds: 4).planes[0] }
        let signal = Signal(format: AudioFormat(sampleRate: 48000, channels: channels), planes: planes)
        let found = try inspect(path: try workplace.source(signal).path, name: "x")
        #expect(abs(try #require(found.level.integratedLUFS) + 23) <= 0.1)
        #expect(abs(try #require(found.level.truePeakDBTP) - (channels == 5 ? -24 : -20)) <= 0.1)
        #expect(abs(try #require(found.level.samplePeakDBFS) - (channels == 5 ? -24 : -20)) <= 0.1)
        #expect(found.level.layout == (channels == 5 ? "5.0" : "5.1") && found.input.channels == channels)
        #expect(found.notes.map(\.code) == ["input-layout-assumed"])
    }
}
