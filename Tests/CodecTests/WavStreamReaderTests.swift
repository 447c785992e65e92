import ChirpAudio
import ChirpCodecs
import ChirpCore
import ChirpFiles
import ChirpTestKit
import Foundation
import Testing

/// WAV as it comes through pipes and from odd programs (W-1, W-7).
struct WavStreamReaderTests {
    static let signal = ReaderTestWav.signal(frames: 5000)

    private var plain: ReaderTestWav { ReaderTestWav(data: ReaderTestWav.samples16(Self.signal)) }

    @Test(arguments: [0, 0xFFFF_FFFF, 0x8000_0000, 0x7FFF_FFFF, 0x7FFF_F000, 0x7FFF_0024, 0xFFFF_FFDB] as [UInt32])
    func `all seven announcements of a stream are read to the end and are no truncation`(_ size: UInt32) throws {
        let folder = try TemporaryFolder()
        for riffSize in [size, 0, 0xFFFF_FFFF] as [UInt32] {
            var wav = plain
            (wav.dataSize, wav.riffSize) = (size, riffSize)
            let result = try ReaderTestResult(wav.bytes, in: folder.url)
            #expect(result.frames == 5000)
            #expect(result.lengthAtStart == 5000)
            #expect(result.notes.isEmpty)
            #expect(result.largestDifference(from: Self.signal) < 2e-5)
        }
    }

    @Test(
        arguments: [
            ("ffmpeg", ["-v", "error", "-i", "IN", "-f", "wav", "-"]), ("sox", ["IN", "-t", "wav", "-"]),
            ("sox", ["IN", "-b", "24", "-t", "wavpcm", "-"]), ("sox", ["IN", "-e", "float", "-t", "wav", "-"]),
            ("ffmpeg", ["-v", "error", "-i", "IN", "-c:a", "pcm_f64le", "-f", "wav", "-"]),
            ("ffmpeg", ["-v", "error", "-i", "IN", "-rf64", "always", "-f", "wav", "-"]),
            ("cat", ["IN"]),
        ])
    func `what programs write into a pipe is read whole`(_ program: String, _ arguments: [String]) throws {
        let folder = try TemporaryFolder()
        let (source, pipe) = (folder.path("source.wav"), folder.path("pipe"))
        try Data(plain.bytes).write(to: URL(filePath: source))
        #expect(mkfifo(pipe, 0o600) == 0)
        let command = ([program] + arguments).map { $0 == "IN" ? source : $0 }.joined(separator: " ")
        let writer = try StartedProgram(["/bin/sh", "-c", "\(command) > \(pipe)"])
        let input = try takeInput(
            at: pipe, spoolingInto: folder.url.path(percentEncoded: false), limit: ByteCount(1_000_000))
        writer.wait()
        #expect(input.isTemporary)
        let digest = try ExternalProgram("sha256sum").run([input.path]).text
        #expect(digest.hasPrefix(input.sha256))
        let result = try ReaderTestResult(input.path)
        #expect(result.frames == 5000)
        #expect(result.notes.isEmpty)
        #expect(result.largestDifference(from: Self.signal) < 5e-5)
    }

    @Test func `unknown chunks, odd ones, missing padding and late formats are passed over`() throws {
        let folder = try TemporaryFolder()
        let junk = ReaderTestWav.chunk("JUNK", [UInt8](repeating: 7, count: 27))
        let text = ReaderTestWav.chunk(
            "LIST", Array("INFOISFT".utf8) + ReaderTestWav.little(UInt32(3)) + [65, 66, 0, 0])
        let unpadded = Array("odd ".utf8) + ReaderTestWav.little(UInt32(3)) + [1, 2, 3]
        var variants: [ReaderTestWav] = []
        for (first, before, after) in [
            (junk, text, junk), (unpadded, [], []), ([], unpadded, text), ([], junk + junk, [1, 2, 3]),
        ] {
            var wav = plain
            (wav.first, wav.before, wav.after) = (first, before, after)
            variants.append(wav)
        }
        for wav in variants {
            let result = try ReaderTestResult(wav.bytes, in: folder.url)
            #expect(result.frames == 5000)
            #expect(result.notes.isEmpty)
            #expect(result.largestDifference(from: Self.signal) < 2e-5)
        }
        // The data before its format.
        let body = Array("WAVE".utf8) + plain.dataChunk + plain.formatChunk
        let bytes = Array("RIFF".utf8) + ReaderTestWav.little(UInt32(body.count)) + body
        #expect(try ReaderTestResult(bytes, in: folder.url).frames == 5000)
    }

    @Test func `a size of zero is believed when chunks follow`() throws {
        let folder = try TemporaryFolder()
        var wav = plain
        wav.data = []
        wav.after = ReaderTestWav.chunk("LIST", Array("INFO".utf8) + [UInt8](repeating: 65, count: 20))
        #expect(try ReaderTestResult(wav.bytes, in: folder.url).frames == 0)
    }

    @Test func `a truncated file is read as far as it goes and says what is missing`() throws {
        let folder = try TemporaryFolder()
        let cut = Array(plain.bytes.dropLast(4801))
        let result = try ReaderTestResult(cut, in: folder.url)
        #expect(result.frames == 2599)
        #expect(result.codes == ["input-truncated"])
        #expect(result.notes.first?.text.contains("0.1 s") == true)
    }

    @Test(arguments: [8, 16, 24, 32] as [UInt16])
    func `the extensible format is read, whatever its mask says about two channels`(_ bits: UInt16) throws {
        let folder = try TemporaryFolder()
        for mask in [0, 3, 0xFFFF_FFFF, 0x8000_0000] as [UInt32] {
            let bytes = [UInt8](repeating: 0x40, count: 1000 * 2 * Int(bits / 8))
            let wav = ReaderTestWav(channels: 2, bits: bits, mask: mask, data: bytes)
            let result = try ReaderTestResult(wav.bytes, in: folder.url)
            #expect(result.frames == 1000)
            #expect(abs(result.planes[1][7] - (bits == 8 ? -0.5 : 0.5)) < 0.003)
        }
    }

    @Test func `a wrong frame size is repaired with a note`() throws {
        let folder = try TemporaryFolder()
        for align in [0, 1, 7, 999] as [UInt16] {
            var wav = plain
            wav.blockAlign = align
            let result = try ReaderTestResult(wav.bytes, in: folder.url)
            #expect(result.frames == 5000)
            #expect(result.codes == ["input-header-repaired"])
        }
        // 24 bits in containers of four bytes are no mistake.
        let wide = ReaderTestWav(bits: 24, blockAlign: 4, data: [UInt8](repeating: 0x20, count: 4000))
        let result = try ReaderTestResult(wide.bytes, in: folder.url)
        #expect(result.frames == 1000 && result.notes.isEmpty)
    }

    @Test func `a pipe that is larger than allowed is refused and leaves nothing`() throws {
        let folder = try TemporaryFolder()
        let pipe = Pipe()
        pipe.fileHandleForWriting.write(Data(repeating: 1, count: 5000))
        try pipe.fileHandleForWriting.close()
        let path = folder.url.path(percentEncoded: false)
        #expect(throws: AudioError.unsupported(name: "standard input", reason: "it is larger than 4.0 kB")) {
            try spool(from: pipe.fileHandleForReading.fileDescriptor, into: path, limit: ByteCount(4000))
        }
        #expect(try folder.names().isEmpty)
    }

    @Test func `an empty pipe, a full disk and a missing folder are named`() throws {
        let folder = try TemporaryFolder()
        let empty = Pipe()
        try empty.fileHandleForWriting.close()
        let descriptor = empty.fileHandleForReading.fileDescriptor
        let path = folder.url.path(percentEncoded: false)
        #expect(throws: AudioError.undecodable(name: "standard input", reason: "it is empty (0 bytes)")) {
            try spool(from: descriptor, into: path, limit: ByteCount(4000))
        }
        #expect(throws: AudioError.uncreatable(path: path + "none", reason: .system(SystemError(code: ENOENT)))) {
            try spool(from: descriptor, into: path + "none", limit: ByteCount(4000))
        }
        #expect(try folder.names().isEmpty)
    }

    @Test func `a named pipe to which nobody writes ends with its cancelled task`() async throws {
        let folder = try TemporaryFolder()
        let pipe = folder.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let path = folder.url.path(percentEncoded: false)
        let task = Task {
            try await offPool { () throws(AudioError) in
                try takeInput(at: pipe, spoolingInto: path, limit: ByteCount(4000))
            }
        }
        task.cancel()
        let result = await task.result
        #expect(throws: AudioError.cancelled) { try result.get() }
        #expect(try folder.names() == ["pipe"])
    }

    @Test func `a pipe in which nothing arrives ends with its cancelled task`() async throws {
        let folder = try TemporaryFolder()
        let pipe = Pipe()
        let path = folder.url.path(percentEncoded: false)
        let descriptor = pipe.fileHandleForReading.fileDescriptor
        let task = Task {
            try await offPool { () throws(AudioError) in
                try spool(from: descriptor, into: path, limit: ByteCount(4000))
            }
        }
        task.cancel()
        let result = await task.result
        #expect(throws: AudioError.cancelled) { try result.get() }
        try pipe.fileHandleForWriting.close()
        #expect(try folder.names().isEmpty)
    }
}
