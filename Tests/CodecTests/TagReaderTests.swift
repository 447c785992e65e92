import ChirpAudio
import ChirpCodecs
import ChirpMP3
import ChirpTestKit
import Foundation
import Testing

/// Tags of strangers' files, for `--keep-tags` and `inspect`.
struct TagReaderTests {
    private func makeSource(in folder: TemporaryFolder) throws -> String {
        let wav = ReaderTestWav(data: ReaderTestWav.samples16(ReaderTestWav.signal(frames: 9600)))
        try Data(wav.bytes).write(to: folder.url.appending(path: "source.wav"))
        return folder.path("source.wav")
    }

    private func ffmpeg(_ arguments: [String]) throws {
        let result = try ExternalProgram("ffmpeg").run(["-v", "error", "-nostdin"] + arguments)
        try #require(result.status == 0, "\(result.errors)")
    }

    private func tags(_ path: String, limits: ReaderLimits = .default) throws -> ID3Tag {
        let file = try AudioFile(opening: path, name: "a", limits: limits)
        return file.sourceTags
    }

    @Test(
        arguments: [
            ("a.mp3", ["-id3v2_version", "4"]), ("b.mp3", ["-id3v2_version", "3"]), ("a.flac", []),
            ("a.ogg", ["-c:a", "libvorbis"]),
            ("b.ogg", ["-c:a", "flac"]), ("a.opus", ["-c:a", "libopus"]), ("a.wav", []),
            ("a.aiff", ["-write_id3v2", "1"]),
            ("b.aiff", []), ("a.caf", []),
        ])
    func `title, artist and comment are read from every container`(_ name: String, _ arguments: [String]) throws {
        let folder = try TemporaryFolder()
        let path = folder.path(name)
        try ffmpeg(
            [
                "-i", try makeSource(in: folder), "-metadata", "title=Grüße vom Meer", "-metadata", "artist=Ada L.",
                "-metadata",
                "comment=Hello there",
            ] + arguments + [path])
        let tags = try tags(path)
        #expect(tags.title == "Grüße vom Meer")
        // What ffmpeg calls the artist goes into AIFF only with an ID3 chunk.
        if name != "b.aiff" { #expect(tags.artist == "Ada L.") }
        #expect(tags.comment == "Hello there")
        #expect(tags.cover == nil)
    }

    @Test(arguments: ["a.mp3", "a.flac"])
    func `a cover picture is read, unless it is larger than allowed`(_ name: String) throws {
        let folder = try TemporaryFolder()
        let (path, picture) = (folder.path(name), folder.path("cover.jpg"))
        try ffmpeg(["-f", "lavfi", "-i", "testsrc=size=160x160", "-frames:v", "1", picture])
        try ffmpeg(
            [
                "-i", try makeSource(in: folder), "-i", picture, "-map", "0:a", "-map", "1:v", "-c:v", "copy",
                "-disposition:v", "attached_pic", "-metadata", "title=With picture", path,
            ])
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: picture)))
        #expect(try tags(path).cover == bytes)
        #expect(try tags(path, limits: ReaderLimits(maximumTagBytes: 1000)).cover == nil)
        let result = try ReaderTestResult(path)
        #expect(result.frames == 9600)
    }

    @Test func `old and odd ID3 tags are understood`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.mp3")
        try ffmpeg(["-i", try makeSource(in: folder), "-id3v2_version", "0", path])
        let audio = try [UInt8](Data(contentsOf: URL(filePath: path)))
        func big(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).reversed().map { UInt8(value >> (8 * $0) & 255) }
        }
        func safe(_ value: Int) -> [UInt8] { (0..<4).reversed().map { UInt8(value >> (7 * $0) & 127) } }
        func tag(_ version: UInt8, _ flags: UInt8, _ body: [UInt8]) -> [UInt8] {
            Array("ID3".utf8) + [version, 0, flags] + safe(body.count) + body
        }
        let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 0x41, count: 300)
        let utf16: [UInt8] = [1, 0xFF, 0xFE, 0x48, 0, 0x69, 0, 0, 0]
        let old =
            Array("TT2".utf8) + big(3, 3) + [0, 0x48, 0x69] + Array("PIC".utf8) + big(6 + jpeg.count, 3) + [0]
            + Array("JPG".utf8) + [3, 0] + jpeg
        // Unsynchronised: a zero behind every 0xFF.
        let apic = [0] + Array("image/jpeg".utf8) + [0, 3, 0] + jpeg
        let third =
            Array("TIT2".utf8) + big(utf16.count, 4) + [0, 0] + utf16 + Array("APIC".utf8) + big(apic.count, 4)
            + [0, 0] + apic
        let stuffed = third.flatMap { $0 == 0xFF ? [0xFF, 0] : [$0] }
        // 2.4 with plain sizes as some programs write it, beyond 127 bytes where it makes a difference.
        let long = [UInt8](repeating: 0x61, count: 200)
        let fourth =
            Array("TALB".utf8) + big(201, 4) + [0, 0, 3] + long + Array("TIT2".utf8) + big(3, 4)
            + [0, 0, 0, 0x48, 0x69]
        for bytes in [tag(2, 0, old), tag(3, 0x80, stuffed), tag(4, 0, fourth)] {
            try Data(bytes + audio).write(to: URL(filePath: path))
            let tags = try tags(path)
            #expect(tags.title == "Hi")
            if bytes[3] == 4 { #expect(tags.album?.count == 200) } else { #expect(tags.cover == jpeg) }
        }
    }

    @Test(arguments: [[0x47, 0x72, 0xFC, 0xDF, 0x65], [0x47, 0x72, 0xC3, 0xBC, 0xC3, 0x9F, 0x65]] as [[UInt8]])
    func `the short tag at the end is read in both its encodings`(_ title: [UInt8]) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.mp3")
        try ffmpeg(["-i", try makeSource(in: folder), "-id3v2_version", "0", path])
        func field(_ bytes: [UInt8], _ count: Int) -> [UInt8] {
            bytes + [UInt8](repeating: 0, count: count - bytes.count)
        }
        var bytes = try [UInt8](Data(contentsOf: URL(filePath: path))) + Array("TAG".utf8) + field(title, 30)
        bytes += field(Array("Ada".utf8), 30) + field(Array("Songs".utf8), 30) + field(Array("1843".utf8), 4)
        bytes += field(Array("Hello".utf8), 30) + [12]
        try Data(bytes).write(to: URL(filePath: path))
        #expect(try tags(path) == ID3Tag(title: "Grüße", artist: "Ada", album: "Songs", comment: "Hello"))
        #expect(try ReaderTestResult(path).frames == 9600)
    }

    @Test func `hostile tags give no text that could harm, and never stop the audio`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.mp3")
        try ffmpeg(["-i", try makeSource(in: folder), "-metadata", "title=a\u{1B}[31m\u{202E}b\nc", path])
        #expect(try tags(path).title == "a[31mb c")
        let whole = try [UInt8](Data(contentsOf: URL(filePath: path)))
        var generator = SeededGenerator(seed: 13)
        // Any bytes in the tag: only the tag may suffer.
        for _ in 0..<200 {
            var bytes = whole
            for _ in 0..<8 {
                bytes[Int.random(in: 10..<60, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            try Data(bytes).write(to: URL(filePath: path))
            _ = try tags(path)
            #expect(try ReaderTestResult(path).frames == 9600)
        }
    }
}
