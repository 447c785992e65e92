import ChirpAudio
import ChirpCodecs
import ChirpMP3
import ChirpTestKit
import Foundation
import Testing

/// What telephones, meetings and old archives hold, read through the program ffmpeg (W-1).
struct FFmpegReaderTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let arguments: [String]
        let format: String
        /// In frames; codings in blocks may give more.
        var lengthTolerance = 0
        var tolerance: Float = 0.2
        var sampleRate = 44_100
        var channels = 2
        var testDescription: String { "\(name) \(format)" }
    }

    static let cases: [Case] = [
        Case(name: "a.m4a", arguments: ["-c:a", "aac", "-b:a", "160k"], format: "M4A", lengthTolerance: 1024),
        Case(name: "a.m4a", arguments: ["-c:a", "alac"], format: "M4A", tolerance: 1e-6),
        Case(
            name: "a.mp4", arguments: ["-c:a", "aac", "-movflags", "frag_keyframe+empty_moov"], format: "MP4",
            lengthTolerance: 2048),
        Case(name: "a.mov", arguments: ["-c:a", "pcm_s16le"], format: "QuickTime", tolerance: 1e-6),
        Case(name: "a.aac", arguments: ["-c:a", "aac"], format: "AAC", lengthTolerance: 3072),
        Case(
            name: "a.webm", arguments: ["-c:a", "libopus", "-b:a", "128k"], format: "WebM or Matroska",
            lengthTolerance: 1000, sampleRate: 48_000),
        Case(name: "a.wma", arguments: ["-c:a", "wmav2", "-b:a", "192k"], format: "WMA", lengthTolerance: 6000),
        Case(name: "a.wv", arguments: ["-c:a", "wavpack"], format: "WavPack", tolerance: 1e-6),
        Case(name: "a.tta", arguments: ["-c:a", "tta"], format: "TTA", tolerance: 1e-6),
        Case(
            name: "a.ogg", arguments: ["-c:a", "libspeex", "-ar", "32000"], format: "Ogg", lengthTolerance: 4000,
            sampleRate: 32_000),
    ]

    @Test(arguments: cases)
    func `a file of each kind is read whole and at its own rate`(_ item: Case) throws {
        let folder = try TemporaryFolder()
        let signal = ReaderTestWav.signal(frames: 66_150, channels: 2, sampleRate: 44_100)
        let wav = ReaderTestWav(channels: 2, sampleRate: 44_100, data: ReaderTestWav.samples16(signal))
        try Data(wav.bytes).write(to: URL(filePath: folder.path("in.wav")))
        let made = try ExternalProgram("ffmpeg").run(
            ["-v", "error", "-i", folder.path("in.wav")] + item.arguments + [folder.path(item.name)])
        try #require(made.status == 0, "\(made.errors)")
        let read = try ReaderTestResult(folder.path(item.name))
        #expect(read.sourceFormat == item.format)
        #expect(read.format == AudioFormat(sampleRate: item.sampleRate, channels: 2))
        let expected = 66_150 * item.sampleRate / 44_100
        #expect(abs(read.frames - expected) <= item.lengthTolerance)
        // Going back begins anew and finds the same.
        let later = try ReaderTestResult(folder.path(item.name), from: 1000)
        #expect(later.planes[0] == Array(read.planes[0].dropFirst(1000)))
        guard item.tolerance < 0.1 else {
            let level = rms(read.planes[0]) / rms(stride(from: 0, to: signal.count, by: 2).map { signal[$0] })
            #expect((0.7...1.4).contains(level))
            return
        }
        for (channel, plane) in read.planes.enumerated() {
            #expect(plane.indices.allSatisfy { abs(plane[$0] - signal[2 * $0 + channel]) <= 1 / 32_768 })
        }
    }

    private func rms(_ samples: [Float]) -> Float {
        (samples.reduce(0) { $0 + $1 * $1 } / Float(samples.count)).squareRoot()
    }

    @Test func `title and cover of a telephone's recording are found`() throws {
        let folder = try TemporaryFolder()
        let made = try ExternalProgram("ffmpeg").run([
            "-v", "error", "-f", "lavfi", "-i", "sine=duration=0.5", "-f", "lavfi", "-i", "color=red:s=64x64:d=0.04",
            "-map",
            "0:a", "-map", "1:v", "-frames:v", "1", "-c:v", "mjpeg", "-disposition:v", "attached_pic", "-c:a", "aac",
            "-metadata", "title=Tide; a=b \\ c\nd", "-metadata", "artist=Ada", folder.path("a.m4a"),
        ])
        try #require(made.status == 0, "\(made.errors)")
        let tags = try AudioFile(opening: folder.path("a.m4a"), name: "a").sourceTags
        #expect(tags.title == "Tide; a=b \\ c d")
        #expect(tags.artist == "Ada")
        #expect(tags.cover?.starts(with: [0xFF, 0xD8, 0xFF]) == true)
    }

    @Test func `a file without sound, cut off or full of noise is refused with a reason`() throws {
        let folder = try TemporaryFolder()
        for (name, head) in [("a.m4a", "\0\0\0\u{20}ftypM4A "), ("a.ape", "MAC ")] {
            var generator = SeededGenerator(seed: 7)
            let noise = (0..<5000).map { _ in UInt8.random(in: 0...255, using: &generator) }
            try Data(Array(head.utf8) + noise).write(to: URL(filePath: folder.path(name)))
            #expect(throws: AudioError.self) { _ = try ReaderTestResult(folder.path(name)) }
        }
        let silentFilm = try ExternalProgram("ffmpeg").run([
            "-v", "error", "-f", "lavfi", "-i", "color=red:s=64x64:d=0.2", "-c:v", "mpeg4", folder.path("film.mp4"),
        ])
        try #require(silentFilm.status == 0)
        #expect(
            throws: AudioError.undecodable(name: "film.mp4", reason: "it is an MP4 file, but no sound is found in it")
        ) { _ = try ReaderTestResult(folder.path("film.mp4")) }
    }

    /// A playlist or a film that names other files must not have them read.
    @Test func `a file that names another one has it not read`() throws {
        let folder = try TemporaryFolder()
        let secret = folder.path("secret.wav")
        let signal = ReaderTestWav.signal(frames: 4410, channels: 1)
        try Data(ReaderTestWav(channels: 1, data: ReaderTestWav.samples16(signal)).bytes)
            .write(to: URL(filePath: secret))
        for text in [
            "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile://\(secret)\n#EXT-X-ENDLIST\n",
            "ffconcat version 1.0\nfile \(secret)\n",
        ] {
            // Behind a beginning that has the program asked.
            for head in ["", "MAC ", "wvpk"] {
                try Data((head + text).utf8).write(to: URL(filePath: folder.path("list")))
                #expect(throws: AudioError.self) { _ = try ReaderTestResult(folder.path("list")) }
            }
        }
    }

    /// A name never becomes an argument: the program is given a descriptor.
    @Test func `a file is read as what it is, whatever it is called`() throws {
        let folder = try TemporaryFolder()
        let signal = ReaderTestWav.signal(frames: 4410, channels: 1)
        try Data(ReaderTestWav(channels: 1, data: ReaderTestWav.samples16(signal)).bytes)
            .write(to: URL(filePath: folder.path("in.wav")))
        let made = try ExternalProgram("ffmpeg").run([
            "-v", "error", "-i", folder.path("in.wav"), "-c:a", "alac", folder.path("made.m4a"),
        ])
        try #require(made.status == 0, "\(made.errors)")
        let whole = try ReaderTestResult(folder.path("made.m4a"))
        let names = try folder.names()
        for name in [
            "-y.m4a", "-i", "--help", "concat:in.wav|in.wav", "subfile,,start,0,end,9,,:in.wav", "file:in.wav",
            "pipe:0",
            "http:a.m4a", "data:,a.m4a", "lavfi", "%d.m4a", "*.m4a", "a;b$(c)`d`.m4a", "a\nb.m4a", "@list.m4a",
            "[a][b].m4a",
        ] {
            try FileManager.default.copyItem(atPath: folder.path("made.m4a"), toPath: folder.path(name))
            let read = try ReaderTestResult(folder.path(name))
            #expect(read.planes == whole.planes && read.sourceFormat == "M4A", "\(name)")
            try FileManager.default.removeItem(atPath: folder.path(name))
            #expect(try folder.names() == names, "\(name)")
        }
    }
}
