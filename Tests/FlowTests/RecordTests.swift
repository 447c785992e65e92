import ChirpAudio
import ChirpCodecs
import ChirpCore
import ChirpFiles
import ChirpFlows
import ChirpTestKit
import Foundation
import Synchronization
import Testing

/// Recording over made signals instead of a microphone.
@Suite struct RecordTests {
    private static let format = AudioFormat(sampleRate: 16_000, channels: 1)

    private static func record(
        _ signal: Signal, _ rules: RecordingRules, in folder: TemporaryFolder,
        progress: (RecordingProgress) -> Void = { _ in }
    ) throws -> RecordingReport {
        var reader = signal.reader()
        let writer = try TakeWriter(path: folder.path("take.wav"), format: signal.format)
        return ChirpFlows.record(&reader, into: writer, rules: rules, progress: progress)
    }

    private static func frames(_ folder: TemporaryFolder) throws -> Int {
        var file = try AudioFile(opening: folder.path("take.wav"), name: "take")
        var block = AudioBlock(format: file.format)
        var frames = 0
        while try file.read(into: &block) { frames += block.frames }
        return frames
    }

    @Test func `a recording ends at its longest length, to the frame`() throws {
        let folder = try TemporaryFolder()
        let signal = Signal.noise(Self.format, level: -20, seconds: 2)
        let report = try Self.record(signal, RecordingRules(maximumLength: .milliseconds(1234)), in: folder)
        #expect(report.end == .length && report.frames == 19_744)
        #expect(try Self.frames(folder) == 19_744)
    }

    @Test func `a microphone that is stopped gives what it heard`() throws {
        let folder = try TemporaryFolder()
        let signal = Signal.noise(Self.format, level: -20, seconds: 0.51)
        let report = try Self.record(signal, RecordingRules(), in: folder)
        #expect(report.end == .stopped && report.frames == signal.frames && report.failure == nil)
        #expect(try Self.frames(folder) == signal.frames)
    }

    /// Speech over noise, 30 dB apart: the pauses inside are shorter than the silence that ends it.
    @Test func `silence ends a recording, but only after something was heard`() throws {
        let folder = try TemporaryFolder()
        let speech = Signal.speech(Self.format, seconds: 4, head: 5, tail: 5)
        let signal = speech + Signal.noise(Self.format, level: -60, seconds: 14)
        let report = try Self.record(signal, RecordingRules(stopOnSilence: .seconds(2)), in: folder)
        #expect(report.end == .silence)
        #expect(abs(report.seconds - 11) < 0.3, "\(report.seconds)")
    }

    @Test(arguments: [-90.0, -50, -30, -6]) func `steady noise is not taken for silence`(level: Double) throws {
        let folder = try TemporaryFolder()
        let signal = Signal.noise(Self.format, level: level, seconds: 8)
        let report = try Self.record(signal, RecordingRules(stopOnSilence: .seconds(2)), in: folder)
        #expect(report.end == .stopped)
    }

    @Test func `a tone that ends is followed by silence`() throws {
        let folder = try TemporaryFolder()
        let signal = Signal.sine(Self.format, frequency: 440, level: -12, seconds: 5)
            .followed(by: Signal.silence(Self.format, seconds: 5))
        let report = try Self.record(signal, RecordingRules(stopOnSilence: .seconds(1)), in: folder)
        #expect(report.end == .silence && abs(report.seconds - 6) < 0.1)
    }

    @Test func `a device that fails ends the take, and what came before is kept`() throws {
        let folder = try TemporaryFolder()
        var reader = BreakingReader(format: Self.format, pieces: 7)
        let writer = try TakeWriter(path: folder.path("take.wav"), format: Self.format)
        let report = ChirpFlows.record(&reader, into: writer, rules: RecordingRules())
        #expect(report.end == .failed && report.failure == .inputOutput(path: "mic", reason: "gone"))
        #expect(report.frames == 7 * 320)
        #expect(try Self.frames(folder) == 7 * 320)
    }

    @Test func `the meter tells levels, the time left and clipped samples`() throws {
        let folder = try TemporaryFolder()
        let signal = Signal.sine(Self.format, frequency: 1000, level: 6, seconds: 1).clipped()
        var readings: [RecordingProgress] = []
        let report = try Self.record(signal, RecordingRules(maximumLength: .seconds(10)), in: folder) {
            readings.append($0)
        }
        #expect(readings.count == 50)
        #expect(readings.last?.left == 9)
        #expect(readings.allSatisfy { abs($0.level.peak.value) < 0.01 && $0.level.rms.value < 0 })
        #expect(report.clipped > 1000 && readings.last?.clipped == report.clipped)
    }
}

/// A microphone that breaks after some pieces of 20 ms.
private struct BreakingReader: AudioReader {
    let format: AudioFormat
    var length: Int? { nil }
    var pieces: Int

    mutating func read(into block: inout AudioBlock) throws(AudioError) -> Bool {
        guard pieces > 0 else { throw .inputOutput(path: "mic", reason: "gone") }
        pieces -= 1
        block.resize(toFrames: 320)
        return true
    }
}
