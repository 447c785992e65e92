import ChirpAudio
import ChirpClips
import ChirpCodecs
import ChirpCore
import ChirpTestKit
import Foundation
import Testing

/// A folder that disappears with the test.
final class Workplace {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("clips-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func source(_ signal: Signal, bits: Int = 16) throws -> ClipSource {
        let file = "\(path)/\(UUID().uuidString).wav"
        try signal.writeWav(to: file, bits: bits)
        return ClipSource(path: file, name: "take.wav", sha256: "00")
    }

    var contents: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] }
}

struct MakeTests {
    private static let mono = AudioFormat(sampleRate: 44100, channels: 1)
    private static let stereo = AudioFormat(sampleRate: 48000, channels: 2)

    private func encode(_ request: ClipRequest, in workplace: Workplace) throws -> Receipt {
        let clip = try prepare(request) { _ in }
        return try make(clip, to: .file("\(workplace.path)/clip.mp3")) { _ in }
    }

    @Test(arguments: Preset.allCases, [0.05, 0.3, 0.41, 1, 3.7])
    func `the size is known before and the length is exact`(preset: Preset, seconds: Double) throws {
        let workplace = try Workplace()
        for format in [Self.mono, Self.stereo, AudioFormat(sampleRate: 8000, channels: 2)] {
            let source = try workplace.source(.speech(format, seconds: seconds))
            let prepared = try prepare(ClipRequest(source: source, preset: preset)) { _ in }
            let path = "\(workplace.path)/clip.mp3"
            let receipt = try make(prepared, to: .file(path)) { _ in }
            let clip = try #require(receipt.clip)
            #expect(clip.bytes == clip.predictedBytes && clip.bytes == prepared.predictedBytes.bytes)
            let facts = try FileManager.default.attributesOfItem(atPath: path)
            #expect(facts[.size] as? Int64 == clip.bytes)
            #expect(clip.frames == prepared.frames && clip.channels == min(preset.channels, format.channels))
            #expect(try #require(receipt.level.truePeakDBTP) <= -1)
            if seconds >= 0.4 { #expect(abs(try #require(receipt.level.afterLUFS) + 16) <= 0.3) }
        }
    }

    @Test func `a file and a pipe get the same bytes and nothing else is left`() throws {
        let workplace = try Workplace()
        let request = ClipRequest(source: try workplace.source(.speech(Self.mono, seconds: 1)), preset: .voice)
        let clip = try prepare(request) { _ in }
        let path = "\(workplace.path)/clip.mp3"
        let receipt = try make(clip, to: .file(path)) { _ in }
        #expect(workplace.contents.count == 2)
        let pipe = Pipe()
        let second = try make(clip, to: .descriptor(pipe.fileHandleForWriting.fileDescriptor)) { _ in }
        try pipe.fileHandleForWriting.close()
        let bytes = try #require(try pipe.fileHandleForReading.readToEnd())
        #expect(bytes == FileManager.default.contents(atPath: path))
        #expect(receipt.clip?.sha256 == second.clip?.sha256 && second.clip?.path == nil)
    }

    /// The rumble filter starts before the clip, and a resampler hands out what it has.
    @Test func `a resampled clip begins where its plan says`() throws {
        let workplace = try Workplace()
        let format = AudioFormat(sampleRate: 48000, channels: 1)
        let tone = Signal.sine(format, frequency: 440, level: -12, seconds: 2)
        let signal = Signal.silence(format, seconds: 1.3).followed(by: tone).followed(by: .silence(format, seconds: 1))
        var request = ClipRequest(source: try workplace.source(signal), preset: .tiny)
        request.policy.preRoll = .zero
        request.policy.postRoll = .zero
        let receipt = try encode(request, in: workplace)
        let path = try #require(receipt.clip?.path)
        var file = try AudioFile(opening: path, name: "clip")
        var block = AudioBlock(format: file.format, capacity: file.format.sampleRate / 20)
        #expect(try file.read(into: &block))
        let peak = block.withPlane(0) { plane in plane.indices.reduce(Float(0)) { max($0, abs(plane[$1])) } }
        #expect(peak > 0.1, "no silence in front of the tone")
    }

    @Test func `silence is refused unless it is to be kept`() throws {
        let workplace = try Workplace()
        var request = ClipRequest(source: try workplace.source(.silence(Self.mono, seconds: 1)), preset: .voice)
        #expect(throws: AudioError.nothingToHear(name: "take.wav", reason: "it is silent")) {
            try prepare(request) { _ in }
        }
        request.policy.trims = false
        let receipt = try encode(request, in: workplace)
        #expect(receipt.level.method == .none && receipt.level.gainDB == 0 && receipt.level.afterLUFS == nil)
        #expect(receipt.clip?.frames == 44100)
    }

    @Test func `a cap in a pause ends there and otherwise at the very frame`() throws {
        let workplace = try Workplace()
        let parts = Signal.speech(Self.mono, seconds: 1.2).followed(by: .silence(Self.mono, seconds: 0.4))
            .followed(by: .speech(Self.mono, seconds: 3))
        var request = ClipRequest(source: try workplace.source(parts), preset: .music)
        request.policy.maximumLength = .seconds(2)
        let inPause = try encode(request, in: workplace)
        let short = try #require(inPause.clip)
        #expect(inPause.trim.capped && abs(short.seconds - 1.35) < 0.1)
        request = ClipRequest(
            source: try workplace.source(.sine(Self.mono, frequency: 300, level: -20, seconds: 3)), preset: .music)
        request.policy.maximumLength = .milliseconds(1234)
        let hard = try encode(request, in: workplace)
        #expect(hard.clip?.frames == Self.mono.frames(in: .milliseconds(1234)))
    }

    @Test(arguments: [6000, 3000, 1500])
    func `the highest rate that fits is chosen or the request refused`(bytes: Int) throws {
        let workplace = try Workplace()
        var request = ClipRequest(source: try workplace.source(.speech(Self.mono, seconds: 1)), preset: .voice)
        request.maximumBytes = ByteCount(bytes)
        let receipt = try encode(request, in: workplace)
        let clip = try #require(receipt.clip)
        #expect(clip.bytes <= bytes && clip.bytes == clip.predictedBytes)
        request.maximumBytes = ByteCount(200)
        #expect(throws: AudioError.self) { try prepare(request) { _ in } }
    }

    @Test func `a cancelled task leaves nothing`() async throws {
        let workplace = try Workplace()
        let request = ClipRequest(source: try workplace.source(.speech(Self.mono, seconds: 1)), preset: .voice)
        let clip = try prepare(request) { _ in }
        let path = workplace.path
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return Result { () throws(AudioError) in try make(clip, to: .file("\(path)/clip.mp3")) { _ in } }
        }
        let result = await task.value
        #expect(throws: AudioError.cancelled) { try result.get() }
        #expect(workplace.contents.count == 1)
    }

    @Test func `an unwritable destination is an error`() throws {
        let workplace = try Workplace()
        let request = ClipRequest(source: try workplace.source(.speech(Self.mono, seconds: 0.5)), preset: .voice)
        let clip = try prepare(request) { _ in }
        for path in [workplace.path, "\(workplace.path)/no/clip.mp3", "/dev/null"] {
            #expect(throws: AudioError.self) { try make(clip, to: .file(path)) { _ in } }
        }
    }

    @Test func `an inspection names what is not there`() throws {
        let workplace = try Workplace()
        let silent = try inspect(path: try workplace.source(.silence(Self.mono, seconds: 1)).path, name: "x")
        #expect(silent.level.integratedLUFS == nil && silent.level.truePeakDBTP == nil)
        let json = String(decoding: try JSONEncoder().encode(silent), as: UTF8.self)
        #expect(json.contains("\"integratedLUFS\":null") && json.contains("\"mp3\":null"))
        let tone = Signal.sine(Self.mono, frequency: 997, level: -20, seconds: 4)
        let loud = try inspect(path: try workplace.source(tone).path, name: "x")
        #expect(abs(try #require(loud.level.integratedLUFS) + 20) < 0.1)
        #expect(abs(try #require(loud.level.samplePeakDBFS) + 20) < 0.05)
        let single = try inspect(path: try workplace.source(tone).path, name: "x", dualMono: false)
        #expect(abs(try #require(single.level.integratedLUFS) + 23.01) < 0.1)
    }
}
