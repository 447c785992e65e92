import ChirpAudio
import ChirpCodecs
import ChirpCore
import ChirpMP3
import ChirpTestKit
import Foundation
import Testing

/// W-2, W-9: a clip that is staged while its recording is made is the one that is written at the end.
struct IncrementalMP3EncoderTests {
    private static let mono = AudioFormat(sampleRate: 44100, channels: 1)

    struct Case: Sendable, CustomTestStringConvertible {
        var format = mono
        var settings = MP3Settings(rate: .constant(kbps: 64))
        var testDescription: String { "\(format) \(settings.rate)" }
    }

    private static let cases = [
        Case(), Case(settings: MP3Settings(rate: .variable(quality: 4))),
        Case(format: AudioFormat(sampleRate: 48000, channels: 2), settings: MP3Settings(rate: .constant(kbps: 128))),
        Case(format: AudioFormat(sampleRate: 22050, channels: 1), settings: MP3Settings(rate: .average(kbps: 40))),
    ]

    /// What is chosen at the end.
    private struct Choice {
        var version = 1
        var steps = 2
        var start = 30_000
        var tail = 20_000
    }

    /// Records nine seconds of speech; after each, the staged files follow a cut. Returns the bytes of the clip.
    private func clip(
        _ one: Case = Case(), to path: String, mostStagedBytes: Int = 1 << 30, tag: ID3Tag = ID3Tag(title: "t"),
        ending choice: Choice = Choice(), each: (Int) throws -> Void = { _ in }, cuts: [ProvisionalCut?]
    ) throws -> (bytes: [UInt8], drafted: Int) {
        let signal = Signal.speech(one.format, seconds: 9).amplified(by: -12)
        var encoder = try IncrementalMP3Encoder(
            format: one.format, settings: one.settings, gains: IncrementalMP3Encoder.gains(around: .zero),
            target: IncrementalTarget(path: path, tag: tag, mostStagedBytes: mostStagedBytes))
        var second = 0
        try signal.forEachBlock(of: one.format.sampleRate) { (block) throws(any Error) in
            try encoder.write(block)
            try each(second)
            if second < cuts.count, let cut = cuts[second] {
                encoder.follow { cut }
            } else {
                encoder.follow()
            }
            encoder.waitForStaging()
            second += 1
        }
        let recording = try encoder.finish()
        let result = try recording.write(
            version: choice.version, patch: GlobalGainPatch(steps: choice.steps),
            part: choice.start..<signal.frames - choice.tail)
        let written = try #require(result)
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        #expect(bytes.count == Int(written.report.bytes.bytes))
        let sum = try ExternalProgram("sha256sum").run([path])
        #expect(sum.text.hasPrefix(written.sha256))
        return (bytes, written.stagedBytes)
    }

    private func cut(_ start: Int, steps: Double...) -> ProvisionalCut {
        ProvisionalCut(start: start, gains: steps.map { Decibels($0 * GlobalGainPatch.step.value) })
    }

    @Test(arguments: cases) func `a staged changes no byte of the clip and is most of it`(one: Case) throws {
        let folder = try TemporaryFolder()
        let plain = try clip(one, to: folder.path("a.mp3"), mostStagedBytes: 0, cuts: [])
        let drafted = try clip(one, to: folder.path("b.mp3"), cuts: [nil, cut(30_000, steps: 1.7, 2, 2.3)])
        #expect(plain.bytes == drafted.bytes && plain.drafted < 2000)
        // The tail is cut off of what is there.
        #expect(drafted.drafted > drafted.bytes.count * 9 / 10)
        #expect(try folder.names() == ["a.mp3", "b.mp3"])
    }

    @Test func `staged follow when gain and start change and when a version is of no use for a while`() throws {
        let folder = try TemporaryFolder()
        let plain = try clip(to: folder.path("a.mp3"), mostStagedBytes: 0, cuts: [])
        let right = cut(30_000, steps: 1.7, 2, 2.3)
        let unwanted = ProvisionalCut(start: 30_000, gains: [nil, nil, nil])
        for (number, cuts) in [
            [cut(0, steps: 0, 0, 0), nil, nil, right], [cut(50_000, steps: 2, 2, 2), nil, right, nil],
            [right, cut(30_000, steps: 3, 3, 3), nil, right], [right, unwanted, nil, right],
            // Half a step away; a start that is not there yet.
            [right, cut(30_000, steps: 2.5, 2.5, 2.5), right], [cut(1_000_000, steps: 2, 2, 2), right],
        ].enumerated() {
            let drafted = try clip(to: folder.path("b.mp3"), cuts: cuts)
            #expect(plain.bytes == drafted.bytes, "\(number)")
            #expect(drafted.drafted > drafted.bytes.count / 2, "\(number)")
        }
    }

    @Test func `a choice that was not foreseen gives the same clip, written at the end`() throws {
        let folder = try TemporaryFolder()
        let right = cut(30_000, steps: 1.7, 2, 2.3)
        for choice in [
            Choice(steps: 3), Choice(version: 0, steps: -1), Choice(start: 0), Choice(start: 31_000, tail: 0),
            Choice(start: 300_000, tail: 96_000),
        ] {
            let plain = try clip(to: folder.path("a.mp3"), mostStagedBytes: 0, ending: choice, cuts: [])
            let drafted = try clip(to: folder.path("b.mp3"), ending: choice, cuts: [right])
            #expect(plain.bytes == drafted.bytes && drafted.drafted < 2000, "\(choice)")
        }
    }

    @Test func `at the highest rate a cut finds all of its bit reservoir`() throws {
        let folder = try TemporaryFolder()
        let loud = Case(settings: MP3Settings(rate: .constant(kbps: 320)))
        let choice = Choice(start: 100_000)
        let plain = try clip(loud, to: folder.path("a.mp3"), mostStagedBytes: 0, ending: choice, cuts: [])
        let right = cut(100_000, steps: 1.7, 2, 2.3)
        let drafted = try clip(loud, to: folder.path("b.mp3"), ending: choice, cuts: [nil, nil, nil, right])
        #expect(plain.bytes == drafted.bytes)
        let check = try ExternalProgram("ffmpeg").run(
            ["-v", "warning", "-nostdin", "-i", folder.path("a.mp3"), "-f", "null", "-"])
        #expect(check.status == 0 && check.errors.isEmpty, "\(check.errors)")
    }

    @Test func `a staged that grows too large is given up`() throws {
        let folder = try TemporaryFolder()
        let right = cut(30_000, steps: 1.7, 2, 2.3)
        let plain = try clip(to: folder.path("a.mp3"), mostStagedBytes: 0, cuts: [])
        let drafted = try clip(to: folder.path("b.mp3"), mostStagedBytes: 30_000, cuts: [right, right, right])
        #expect(plain.bytes == drafted.bytes && drafted.drafted < 2000)
    }

    @Test func `where no staged can be made the clip still comes`() throws {
        let folder = try TemporaryFolder()
        let plain = try clip(to: folder.path("a.mp3"), mostStagedBytes: 0, cuts: [])
        let late = folder.path("late")
        let drafted = try clip(
            to: late + "/b.mp3",
            each: {
                if $0 == 8 { try FileManager.default.createDirectory(atPath: late, withIntermediateDirectories: true) }
            },
            cuts: Array(repeating: cut(30_000, steps: 1.7, 2, 2.3), count: 8))
        #expect(plain.bytes == drafted.bytes && drafted.drafted < 2000)
    }

    @Test func `an existing file is replaced, also by way of a link, and only at the end`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.mp3")
        try Data("before".utf8).write(to: URL(filePath: path))
        try FileManager.default.createSymbolicLink(atPath: folder.path("link.mp3"), withDestinationPath: path)
        let drafted = try clip(
            to: folder.path("link.mp3"),
            each: { _ in
                let now = try Data(contentsOf: URL(filePath: path))
                #expect(now == Data("before".utf8))
            },
            cuts: [cut(30_000, steps: 1.7, 2, 2.3)])
        #expect(try Data(contentsOf: URL(filePath: path)) == Data(drafted.bytes))
        #expect(try folder.names() == ["a.mp3", "link.mp3"])
    }

    /// Nothing can be left of a killed process that was never there.
    @Test func `a staged has no name, and nothing is left of a recording that is given up`() throws {
        let folder = try TemporaryFolder()
        var encoder = try IncrementalMP3Encoder(
            format: Self.mono, settings: MP3Settings(rate: .constant(kbps: 64)), gains: [.zero],
            target: IncrementalTarget(path: folder.path("a.mp3")))
        var isOpen = false
        try Signal.speech(Self.mono, seconds: 4).forEachBlock(of: 44100) { (block) throws(any Error) in
            try encoder.write(block)
            encoder.follow { ProvisionalCut(start: 0, gains: [.zero]) }
            encoder.waitForStaging()
            #expect(try folder.names().isEmpty)
            isOpen = isOpen || Self.openFiles().contains { $0.hasPrefix(folder.path("#")) }
        }
        #expect(isOpen)
    }

    /// What Linux calls the files that this process has open: `/folder/#123 (deleted)` for one without a name.
    private static func openFiles() -> [String] {
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return numbers.compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
        }
    }
}
