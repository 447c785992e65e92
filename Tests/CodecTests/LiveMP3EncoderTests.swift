import ChirpAudio
import ChirpCodecs
import ChirpCore
import ChirpTestKit
import Foundation
import Testing

/// W-2, W-9: a clip that is drafted while its recording is made is the one that is written at the end.
struct LiveMP3EncoderTests {
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

    /// Records nine seconds of speech; after each, the drafts follow a wish. Returns the bytes of the clip.
    private func clip(
        _ one: Case = Case(), to path: String, mostDraftBytes: Int = 1 << 30, tag: ID3Tag = ID3Tag(title: "t"),
        ending choice: Choice = Choice(), each: (Int) throws -> Void = { _ in }, wishes: [LiveWish?]
    ) throws -> (bytes: [UInt8], drafted: Int) {
        let signal = Signal.speech(one.format, seconds: 9).amplified(by: -12)
        var encoder = try LiveMP3Encoder(
            format: one.format, settings: one.settings, gains: LiveMP3Encoder.gains(around: .zero),
            target: LiveTarget(path: path, tag: tag, mostDraftBytes: mostDraftBytes))
        var second = 0
        try signal.forEachBlock(of: one.format.sampleRate) { (block) throws(any Error) in
            try encoder.write(block)
            try each(second)
            if second < wishes.count, let wish = wishes[second] {
                encoder.follow { wish }
            } else {
                encoder.follow()
            }
            encoder.waitForDrafts()
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
        return (bytes, written.draftedBytes)
    }

    private func wish(_ start: Int, steps: Double...) -> LiveWish {
        LiveWish(start: start, gains: steps.map { Decibels($0 * GlobalGainPatch.step.value) })
    }

    @Test(arguments: cases) func `a draft changes no byte of the clip and is most of it`(one: Case) throws {
        let folder = try TemporaryFolder()
        let plain = try clip(one, to: folder.path("a.mp3"), mostDraftBytes: 0, wishes: [])
        let drafted = try clip(one, to: folder.path("b.mp3"), wishes: [nil, wish(30_000, steps: 1.7, 2, 2.3)])
        #expect(plain.bytes == drafted.bytes && plain.drafted < 2000)
        // The tail is cut off of what is there.
        #expect(drafted.drafted > drafted.bytes.count * 9 / 10)
        #expect(try folder.names() == ["a.mp3", "b.mp3"])
    }

    @Test func `drafts follow when gain and start change and when a version is of no use for a while`() throws {
        let folder = try TemporaryFolder()
        let plain = try clip(to: folder.path("a.mp3"), mostDraftBytes: 0, wishes: [])
        let right = wish(30_000, steps: 1.7, 2, 2.3)
        let unwanted = LiveWish(start: 30_000, gains: [nil, nil, nil])
        for (number, wishes) in [
            [wish(0, steps: 0, 0, 0), nil, nil, right], [wish(50_000, steps: 2, 2, 2), nil, right, nil],
            [right, wish(30_000, steps: 3, 3, 3), nil, right], [right, unwanted, nil, right],
            // Half a step away; a start that is not there yet.
            [right, wish(30_000, steps: 2.5, 2.5, 2.5), right], [wish(1_000_000, steps: 2, 2, 2), right],
        ].enumerated() {
            let drafted = try clip(to: folder.path("b.mp3"), wishes: wishes)
            #expect(plain.bytes == drafted.bytes, "\(number)")
            #expect(drafted.drafted > drafted.bytes.count / 2, "\(number)")
        }
    }

    @Test func `a choice that was not foreseen gives the same clip, written at the end`() throws {
        let folder = try TemporaryFolder()
        let right = wish(30_000, steps: 1.7, 2, 2.3)
        for choice in [
            Choice(steps: 3), Choice(version: 0, steps: -1), Choice(start: 0), Choice(start: 31_000, tail: 0),
            Choice(start: 300_000, tail: 96_000),
        ] {
            let plain = try clip(to: folder.path("a.mp3"), mostDraftBytes: 0, ending: choice, wishes: [])
            let drafted = try clip(to: folder.path("b.mp3"), ending: choice, wishes: [right])
            #expect(plain.bytes == drafted.bytes && drafted.drafted < 2000, "\(choice)")
        }
    }

    @Test func `at the highest rate a cut finds all of its bit reservoir`() throws {
        let folder = try TemporaryFolder()
        let loud = Case(settings: MP3Settings(rate: .constant(kbps: 320)))
        let choice = Choice(start: 100_000)
        let plain = try clip(loud, to: folder.path("a.mp3"), mostDraftBytes: 0, ending: choice, wishes: [])
        let right = wish(100_000, steps: 1.7, 2, 2.3)
        let drafted = try clip(loud, to: folder.path("b.mp3"), ending: choice, wishes: [nil, nil, nil, right])
        #expect(plain.bytes == drafted.bytes)
        let check = try ExternalProgram("ffmpeg").run(
            ["-v", "warning", "-nostdin", "-i", folder.path("a.mp3"), "-f", "null", "-"])
        #expect(check.status == 0 && check.errors.isEmpty, "\(check.errors)")
    }

    @Test func `a draft that grows too large is given up`() throws {
        let folder = try TemporaryFolder()
        let right = wish(30_000, steps: 1.7, 2, 2.3)
        let plain = try clip(to: folder.path("a.mp3"), mostDraftBytes: 0, wishes: [])
        let drafted = try clip(to: folder.path("b.mp3"), mostDraftBytes: 30_000, wishes: [right, right, right])
        #expect(plain.bytes == drafted.bytes && drafted.drafted < 2000)
    }

    @Test func `where no draft can be made the clip still comes`() throws {
        let folder = try TemporaryFolder()
        let plain = try clip(to: folder.path("a.mp3"), mostDraftBytes: 0, wishes: [])
        let late = folder.path("late")
        let drafted = try clip(
            to: late + "/b.mp3",
            each: {
                if $0 == 8 { try FileManager.default.createDirectory(atPath: late, withIntermediateDirectories: true) }
            },
            wishes: Array(repeating: wish(30_000, steps: 1.7, 2, 2.3), count: 8))
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
            wishes: [wish(30_000, steps: 1.7, 2, 2.3)])
        #expect(try Data(contentsOf: URL(filePath: path)) == Data(drafted.bytes))
        #expect(try folder.names() == ["a.mp3", "link.mp3"])
    }

    /// Nothing can be left of a killed process that was never there.
    @Test func `a draft has no name, and nothing is left of a recording that is given up`() throws {
        let folder = try TemporaryFolder()
        var encoder = try LiveMP3Encoder(
            format: Self.mono, settings: MP3Settings(rate: .constant(kbps: 64)), gains: [.zero],
            target: LiveTarget(path: folder.path("a.mp3")))
        var isOpen = false
        try Signal.speech(Self.mono, seconds: 4).forEachBlock(of: 44100) { (block) throws(any Error) in
            try encoder.write(block)
            encoder.follow { LiveWish(start: 0, gains: [.zero]) }
            encoder.waitForDrafts()
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
