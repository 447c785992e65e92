import ChirpAudio
import ChirpCodecs
import ChirpTestKit
import Foundation
import Testing

/// What MPEG streams need beyond the usual: gaps, junk, tags that lie.
struct MPEGReaderTests {
    @Test(arguments: [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000] as [UInt32], [1, 2])
    func `MP3 of all rates is gapless to the frame and agrees with another decoder`(_ rate: UInt32, _ channels: Int)
        throws
    {
        let folder = try TemporaryFolder()
        let (source, path) = (folder.path("a.wav"), folder.path("a.mp3"))
        let signal = ReaderTestWav.signal(frames: 10_001, channels: channels, sampleRate: Double(rate))
        let wav = ReaderTestWav(channels: UInt16(channels), sampleRate: rate, data: ReaderTestWav.samples16(signal))
        try Data(wav.bytes).write(to: URL(filePath: source))
        let made = try ExternalProgram("lame").run([
            "--quiet", "-b", "64", "--resample", "\(Double(rate) / 1000)", source, path,
        ])
        try #require(made.status == 0, "\(made.errors)")
        let result = try ReaderTestResult(path)
        #expect(result.frames == 10_001)
        #expect(result.notes.isEmpty)
        // Not ffmpeg: at 24 kHz in joint stereo it is off by 0.001, where LAME's decoder and libmpg123 agree.
        let other = try ExternalProgram("lame").run(["--quiet", "--decode", "-t", path, "-"])
        let decoded = other.output.withUnsafeBytes { bytes in
            (0..<bytes.count / 2).map { Float(bytes.loadUnaligned(fromByteOffset: 2 * $0, as: Int16.self)) / 32768 }
        }
        #expect(decoded.count == 10_001 * channels)
        for channel in 0..<channels {
            #expect(result.largestDifference(from: decoded, channel: channel, of: channels) < 1e-4)
        }
    }

    @Test func `MP3 with junk before, between and behind is read through`() throws {
        let folder = try TemporaryFolder()
        let (source, path) = (folder.path("a.wav"), folder.path("a.mp3"))
        let wav = ReaderTestWav(data: ReaderTestWav.samples16(ReaderTestWav.signal(frames: 96_000)))
        try Data(wav.bytes).write(to: URL(filePath: source))
        let made = try ExternalProgram("lame").run(["--quiet", "-b", "64", "-t", source, path])
        try #require(made.status == 0, "\(made.errors)")
        let audio = try [UInt8](Data(contentsOf: URL(filePath: path)))
        let junk = (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 193 >> 3) & 0x7F }
        let tag = Array("TAG".utf8) + [UInt8](repeating: 0x41, count: 125)
        let ape =
            Array("APETAGEX".utf8) + ReaderTestWav.little(UInt32(2000)) + ReaderTestWav.little(UInt32(32))
            + ReaderTestWav.little(UInt32(0)) + ReaderTestWav.little(UInt32(0)) + [UInt8](repeating: 0, count: 8)
        let whole = try ReaderTestResult(audio, in: folder.url).frames
        #expect(try ReaderTestResult(junk + audio, in: folder.url).frames == whole)
        #expect(try ReaderTestResult(audio + tag, in: folder.url).frames == whole)
        #expect(try ReaderTestResult(audio + ape + tag, in: folder.url).frames == whole)
        // In the middle a frame or two are lost, not the rest.
        let middle = Array(audio.prefix(audio.count / 2)) + junk + Array(audio.dropFirst(audio.count / 2))
        let broken = try ReaderTestResult(middle, in: folder.url)
        #expect(broken.frames > whole - 5 * 1152 && broken.frames <= whole + 1152)
    }

    @Test func `an info frame that lies costs no more than what it says about the ends`() throws {
        let folder = try TemporaryFolder()
        let (source, path) = (folder.path("a.wav"), folder.path("a.mp3"))
        let wav = ReaderTestWav(data: ReaderTestWav.samples16(ReaderTestWav.signal(frames: 96_000)))
        try Data(wav.bytes).write(to: URL(filePath: source))
        let made = try ExternalProgram("lame").run(["--quiet", "-b", "64", source, path])
        try #require(made.status == 0, "\(made.errors)")
        let audio = try [UInt8](Data(contentsOf: URL(filePath: path)))
        let info = try #require(audio.indices.first { audio[$0...].starts(with: Array("Info".utf8)) })
        func changed(_ offset: Int, _ bytes: [UInt8]) -> [UInt8] {
            var copy = audio
            copy.replaceSubrange(info + offset..<info + offset + bytes.count, with: bytes)
            return copy
        }
        #expect(try ReaderTestResult(audio, in: folder.url).frames == 96_000)
        // Fewer frames than there are: all are read.
        let few = try ReaderTestResult(changed(8, [0, 0, 0, 10]), in: folder.url)
        #expect(few.frames >= 96_000)
        // Many more: what is there, and a note.
        let many = try ReaderTestResult(changed(8, [0x7F, 0xFF, 0xFF, 0xFF]), in: folder.url)
        #expect(many.frames >= 96_000 && many.frames < 99_000)
        #expect(many.codes == ["input-truncated"])
        // The largest delay and padding that fit in the field.
        let padded = try ReaderTestResult(changed(120 + 21, [0xFF, 0xFF, 0xFF]), in: folder.url)
        #expect(padded.frames > 96_000 - 2 * 4096 && padded.frames < 96_000)
        // Fraunhofer's header instead.
        var vbri = [UInt8](repeating: 0, count: 54)
        vbri.replaceSubrange(36..<40, with: Array("VBRI".utf8))
        vbri.replaceSubrange(50..<54, with: [0, 0, 0, 85])
        let other = try ReaderTestResult(changed(4 - 21, Array(vbri.dropFirst(4))), in: folder.url)
        #expect(other.frames >= 96_000 && other.frames < 100_000)
        #expect(other.notes.isEmpty)
        // One stream behind another.
        let twice = try ReaderTestResult(audio + audio, in: folder.url)
        #expect(twice.frames >= 2 * 96_000 && twice.frames < 2 * 96_000 + 5 * 1152)
    }
}
