import ChirpAudio
import ChirpCodecs
import ChirpCore
import ChirpFiles
import ChirpTestKit
import Foundation
import Testing

/// What must not be believed, and what is said about it: one clear error each, or the sound that could be saved.
struct BadInputReaderTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let bytes: [UInt8]
        let exitCode: ExitCode
        /// Part of the message.
        let words: String
        var testDescription: String { name }
    }

    private static var wav: ReaderTestWav {
        ReaderTestWav(data: ReaderTestWav.samples16(ReaderTestWav.signal(frames: 2000)))
    }

    private static func changed(_ change: (inout ReaderTestWav) -> Void) -> [UInt8] {
        var wav = wav
        change(&wav)
        return wav.bytes
    }

    static let cases: [Case] = [
        Case(name: "empty", bytes: [], exitCode: .badInput, words: "empty"),
        Case(name: "one byte", bytes: [0x52], exitCode: .badInput, words: "text"),
        Case(name: "text", bytes: Array("This is not a recording.\n".utf8), exitCode: .badInput, words: "text"),
        Case(
            name: "long text", bytes: Array(String(repeating: "Größe über alles. ", count: 9000).utf8),
            exitCode: .badInput, words: "text"),
        Case(
            name: "zip", bytes: [0x50, 0x4B, 3, 4] + [UInt8](repeating: 9, count: 500), exitCode: .badInput,
            words: "ZIP"),
        Case(
            name: "MIDI sample dump", bytes: [0xF0, 0x7E, 0, 1] + [UInt8](repeating: 0, count: 500),
            exitCode: .badInput,
            words: "MIDI"),
        Case(
            name: "mp4", bytes: [0, 0, 0, 32] + Array("ftypM4A ".utf8) + [UInt8](repeating: 0, count: 500),
            exitCode: .badInput, words: "M4A"),
        Case(name: "zeros", bytes: [UInt8](repeating: 0, count: 100_000), exitCode: .badInput, words: "format"),
        Case(name: "only a RIFF name", bytes: Array("RIFF".utf8), exitCode: .badInput, words: "no WAV"),
        Case(
            name: "RIFF, but a video", bytes: Array("RIFF".utf8) + [0, 1, 0, 0] + Array("AVI LIST".utf8),
            exitCode: .badInput, words: "no WAV"),
        Case(name: "header alone, cut", bytes: Array(wav.bytes.prefix(30)), exitCode: .badInput, words: "chunk"),
        Case(name: "no data chunk", bytes: Array(wav.bytes.prefix(36)), exitCode: .badInput, words: "no data chunk"),
        Case(
            name: "no format chunk", bytes: Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WAVE".utf8) + wav.dataChunk,
            exitCode: .badInput, words: "no format chunk"),
        Case(name: "0 channels", bytes: changed { $0.channels = 0 }, exitCode: .badInput, words: "no channels"),
        Case(name: "12 channels", bytes: changed { $0.channels = 12 }, exitCode: .badInput, words: "12 channels"),
        Case(
            name: "65535 channels", bytes: changed { $0.channels = 65_535 }, exitCode: .badInput,
            words: "65535 channels"),
        Case(name: "0 Hz", bytes: changed { $0.sampleRate = 0 }, exitCode: .badInput, words: "0 Hz"),
        Case(name: "1 Hz", bytes: changed { $0.sampleRate = 1 }, exitCode: .badInput, words: "1 Hz"),
        Case(name: "3999 Hz", bytes: changed { $0.sampleRate = 3999 }, exitCode: .badInput, words: "4000 to 384000"),
        Case(name: "10 MHz", bytes: changed { $0.sampleRate = 10_000_000 }, exitCode: .badInput, words: "10000000 Hz"),
        Case(name: "4 GHz", bytes: changed { $0.sampleRate = 0xFFFF_FFFF }, exitCode: .badInput, words: "Hz"),
        Case(name: "7 bits", bytes: changed { $0.bits = 7 }, exitCode: .badInput, words: "7 bits"),
        Case(name: "0 bits", bytes: changed { $0.bits = 0 }, exitCode: .badInput, words: "0 bits"),
        Case(name: "4000 bits", bytes: changed { $0.bits = 4000 }, exitCode: .badInput, words: "4000 bits"),
        Case(name: "unknown coding", bytes: changed { $0.tag = 0x4242 }, exitCode: .badInput, words: "decoded"),
        Case(
            name: "six channels, mask of two", bytes: changed { ($0.channels, $0.mask) = (6, 3) }, exitCode: .badInput,
            words: "layout"),
        Case(
            name: "four channels, mask of heights", bytes: changed { ($0.channels, $0.mask) = (4, 0x2D000) },
            exitCode: .badInput, words: "layout"),
        Case(
            name: "chunk beyond the end",
            bytes: changed { $0.before = ReaderTestWav.chunk("LIST", [1], size: 0xFFFF_FFF0) },
            exitCode: .badInput, words: "no data chunk"),
        Case(
            name: "FLAC header alone", bytes: Array("fLaC".utf8) + [0x80, 0, 0, 34] + [UInt8](repeating: 0, count: 34),
            exitCode: .badInput, words: "FLAC"),
        Case(
            name: "Ogg of nothing", bytes: Array("OggS".utf8) + [UInt8](repeating: 0, count: 300), exitCode: .badInput,
            words: "decoded"),
        Case(
            name: "ID3 and nothing",
            bytes: Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 10] + [UInt8](repeating: 0, count: 10),
            exitCode: .badInput, words: "ID3"),
        Case(
            name: "ID3 larger than the file", bytes: Array("ID3".utf8) + [4, 0, 0, 127, 127, 127, 127, 1, 2, 3],
            exitCode: .badInput, words: "ID3"),
        Case(name: "0xFF only", bytes: [UInt8](repeating: 0xFF, count: 70_000), exitCode: .badInput, words: "format"),
        Case(
            name: "AIFF header alone", bytes: Array("FORM".utf8) + [0, 0, 0, 4] + Array("AIFF".utf8),
            exitCode: .badInput,
            words: "the header of this AIFF file is damaged or cut off"),
    ]

    @Test(arguments: cases)
    func `bad input is refused with the reason`(_ item: Case) throws {
        let folder = try TemporaryFolder()
        let error = try #require(throws: AudioError.self) { try ReaderTestResult(item.bytes, in: folder.url) }
        #expect(error.exitCode == item.exitCode)
        #expect(error.whatHappened.contains(item.words), "\(error)")
        #expect(error.cure != .none)
    }

    @Test func `what is no readable file is told apart`() throws {
        let folder = try TemporaryFolder()
        let root = folder.url.path(percentEncoded: false)
        func failure(_ path: String) throws -> AudioError {
            try #require(throws: AudioError.self) { try ReaderTestResult(path) }
        }
        #expect(try failure(folder.path("none.wav")).whatHappened.contains("No such file"))
        #expect(try failure(root).whatHappened.contains("directory"))
        #expect(try failure("/dev/zero").whatHappened.contains("regular file"))
        #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
        #expect(try failure(folder.path("pipe")).whatHappened.contains("regular file"))
        for path in [folder.path("none.wav"), root, "/dev/zero"] {
            #expect(try failure(path).exitCode == .missingInput)
        }
        #expect(throws: AudioError.missing(path: root, reason: "it is a directory")) {
            try takeInput(at: root, spoolingInto: root, limit: ByteCount(10))
        }
        // Sockets cannot be opened, and a device may be empty.
        try makeSocketFile("socket", in: root)
        #expect(try failure(folder.path("socket")).exitCode == .missingInput)
        let unopened = try #require(throws: AudioError.self) {
            try takeInput(at: folder.path("socket"), spoolingInto: root, limit: ByteCount(10))
        }
        #expect(unopened.exitCode == .missingInput)
        // An empty device, and one without end.
        for device in ["/dev/null", "/dev/zero"] {
            #expect(throws: AudioError.missing(path: device, reason: "it is a device")) {
                try takeInput(at: device, spoolingInto: root, limit: ByteCount(1_000_000))
            }
        }
        #expect(try folder.names() == ["pipe", "socket"])
    }

    @Test func `samples that are no numbers become silence and are counted`() throws {
        let folder = try TemporaryFolder()
        let values: [Float] = [.nan, 0.25, .infinity, -.infinity, 1e30, -0.5, .signalingNaN, 100, 0x1p-140]
        let expected: [Float] = [0, 0.25, 0, 0, 0, -0.5, 0, 100, 0x1p-140]
        let single = ReaderTestWav(tag: 3, bits: 32, data: values.flatMap { ReaderTestWav.little($0.bitPattern) })
        let double = ReaderTestWav(
            tag: 3, bits: 64, data: values.flatMap { ReaderTestWav.little(Double($0).bitPattern) })
        for wav in [single, double] {
            let result = try ReaderTestResult(wav.bytes, in: folder.url)
            #expect(result.planes[0] == expected)
            #expect(result.notes == [.invalidSamples(count: 5)])
        }
    }

    @Test func `silence and odd bytes at the end are read`() throws {
        let folder = try TemporaryFolder()
        let wav = ReaderTestWav(data: [UInt8](repeating: 0, count: 2001))
        let result = try ReaderTestResult(wav.bytes, in: folder.url)
        #expect(result.frames == 1000)
        #expect(result.planes[0].allSatisfy { $0 == 0 })
        #expect(result.notes.isEmpty)
    }

    @Test func `a header that promises 4 GB costs no more than what is there`() throws {
        let folder = try TemporaryFolder()
        var wav = Self.wav
        wav.riff = "RF64"
        wav.riffSize = 0xFFFF_FFFF
        wav.dataSize = 0xFFFF_FFFF
        wav.first = ReaderTestWav.chunk(
            "ds64",
            ReaderTestWav.little(UInt64.max) + ReaderTestWav.little(UInt64.max - 7) + [UInt8](repeating: 0, count: 12))
        let result = try ReaderTestResult(wav.bytes, in: folder.url)
        #expect(result.frames == 2000)
        #expect(result.codes == ["input-truncated"])
    }

    @Test(arguments: [1, 6, 7] as [UInt16], [1 << 63, .max, (1 << 63) - 1, .max - 1, 1 << 62] as [UInt64])
    func `an RF64 of one byte a frame may announce any number of bytes`(_ tag: UInt16, _ size: UInt64) throws {
        let folder = try TemporaryFolder()
        for more in [0, 1, 1999, 2000, 2001] as [UInt64] {
            var wav = ReaderTestWav(tag: tag, bits: 8, data: [UInt8](repeating: 0x40, count: 2000))
            (wav.riff, wav.riffSize, wav.dataSize) = ("RF64", 0xFFFF_FFFF, 0xFFFF_FFFF)
            let sizes = ReaderTestWav.little(UInt64.max) + ReaderTestWav.little(size &+ more)
            wav.first = ReaderTestWav.chunk("ds64", sizes + [UInt8](repeating: 0, count: 12))
            // What wraps round is a small number, which is believed.
            guard size &+ more >= 1 << 62 else { continue }
            let result = try ReaderTestResult(wav.bytes, in: folder.url)
            #expect(result.frames == 2000)
            // No number of seconds: nobody has announced millions of years.
            #expect(result.notes == [.truncated(missingSeconds: nil)])
        }
    }

    @Test(arguments: [.max, .max - 1, 1 << 63, (1 << 63) - 9] as [UInt64])
    func `the data of an RF64 may come before its format and announce any number of bytes`(_ size: UInt64) throws {
        let folder = try TemporaryFolder()
        var wav = Self.wav
        wav.dataSize = 0xFFFF_FFFF
        let sizes = ReaderTestWav.little(UInt64.max) + ReaderTestWav.little(size) + [UInt8](repeating: 0, count: 12)
        let body = Array("WAVE".utf8) + ReaderTestWav.chunk("ds64", sizes) + wav.dataChunk + wav.formatChunk
        let bytes = Array("RF64".utf8) + ReaderTestWav.little(UInt32.max) + body
        let error = try #require(throws: AudioError.self) { try ReaderTestResult(bytes, in: folder.url) }
        #expect(error.whatHappened.contains("no format chunk"))
    }

    @Test func `a file that claims more bytes than any disk has is refused`() throws {
        // Only some file systems keep such files; on the others there is nothing to refuse.
        let path = "/dev/shm/chirp-test-\(UUID().uuidString)"
        try Data(Self.wav.bytes).write(to: URL(filePath: path))
        defer { unlink(path) }
        guard truncate(path, off_t.max) == 0 else { return }
        let error = try #require(throws: AudioError.self) { try ReaderTestResult(path) }
        #expect(error.exitCode == .badInput && error.whatHappened.contains("bytes"))
    }

    @Test func `a library's words are a detail and no reason`() throws {
        let folder = try TemporaryFolder()
        let empty = Array("FORM".utf8) + [0, 0, 0, 4] + Array("AIFF".utf8)
        var strange = Self.wav
        strange.tag = 0x4242
        let loneFrame = [0xFF, 0xFB, 0x90, 0x04] + [UInt8](repeating: 0, count: 200)
        for (bytes, words) in [
            (empty, "AIFF file is damaged"), (strange.bytes, "coded in a way that is not read here"),
            (loneFrame, "MPEG"),
        ] {
            do {
                _ = try ReaderTestResult(bytes, in: folder.url)
            } catch let error as AudioError {
                #expect(error.whatHappened.contains(words), "\(error)")
                #expect(!error.whatHappened.contains("lib") && error.detail.hasPrefix("lib"), "\(error.detail)")
            }
        }
    }

    @Test func `a bomb of FLAC is stopped by the length it decodes to`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("bomb.flac")
        let made = try ExternalProgram("sox").run([
            "-n", "-r", "48000", "-c", "1", "-b", "16", path, "trim", "0", "120",
        ])
        try #require(made.status == 0, "\(made.errors)")
        let error = try #require(throws: AudioError.self) {
            try ReaderTestResult(path, limits: ReaderLimits(maximumLength: .seconds(60)))
        }
        #expect(error.exitCode == .badInput)
        #expect(error.whatHappened.contains("longer than"))
        #expect(try ReaderTestResult(path, limits: ReaderLimits(maximumLength: .seconds(120))).frames == 5_760_000)
    }

    @Test(arguments: ["a.flac", "a.ogg", "a.opus", "a.mp3", "a.aiff", "a.au", "a.w64"])
    func `a truncated file is read as far as it goes and says so`(_ name: String) throws {
        let folder = try TemporaryFolder()
        let (source, path) = (folder.path("source.wav"), folder.path(name))
        let wav = ReaderTestWav(data: ReaderTestWav.samples16(ReaderTestWav.signal(frames: 96_000)))
        try Data(wav.bytes).write(to: URL(filePath: source))
        let made = try ExternalProgram("ffmpeg").run(["-v", "error", "-nostdin", "-i", source, path])
        try #require(made.status == 0, "\(made.errors)")
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: path)))
        let result = try ReaderTestResult(Array(bytes.prefix(bytes.count * 3 / 4)), in: folder.url)
        #expect(result.frames > 40_000 && result.frames < 80_000)
        #expect(result.codes.contains("input-truncated"))
    }

    @Test func `what once crashed a reader ends in an error or in sound`() throws {
        let folder = URL(filePath: #filePath).appending(path: "../../Fixtures/crashes").standardized
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        #expect(!files.isEmpty)
        for file in files {
            do {
                let result = try ReaderTestResult(
                    file.path(percentEncoded: false), limits: ReaderLimits(maximumLength: .seconds(60)))
                #expect((1...2).contains(result.planes.count))
                for plane in result.planes { #expect(plane.allSatisfy { abs($0) <= 8 * 65_536 }) }
            } catch let error as AudioError {
                #expect(error.exitCode == .badInput)
            }
        }
    }

    @Test func `random bytes behind every known beginning end in an error or in sound`() throws {
        let folder = try TemporaryFolder()
        let beginnings = [
            "RIFF____WAVEfmt ", "RF64____WAVEds64", "fLaC", "OggS", "FORM____AIFFCOMM", "FORM____AIFCCOMM", "caff",
            ".snd",
            "riff", "ID3", "RIFX____WAVEfmt ", "NIST_1A", "Creative Voice File\u{1A}", "FORM____8SVX", "",
        ]
        for (index, beginning) in beginnings.enumerated() {
            var state = UInt64(index + 1)
            for length in [0, 1, 3, 20, 100, 1000, 20_000] {
                let noise = (0..<length).map { _ in
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    return UInt8(truncatingIfNeeded: state >> 56)
                }
                do {
                    let result = try ReaderTestResult(Array(beginning.utf8) + noise, in: folder.url)
                    #expect((1...2).contains(result.planes.count))
                } catch let error as AudioError {
                    #expect(error.exitCode == .badInput)
                }
            }
        }
    }
}
