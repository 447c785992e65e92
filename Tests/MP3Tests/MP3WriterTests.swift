import ChirpAudio
import ChirpCodecs
import ChirpCore
import ChirpMP3
import ChirpTestKit
import Foundation
import Testing

/// Writing: what must never reach LAME, and what goes wrong in the world.
@Suite struct MP3WriterTests {
    private static let mono = AudioFormat(sampleRate: 44100, channels: 1)
    private static let settings = MP3Settings(rate: .constant(kbps: 64))

    @Test(arguments: [
        MP3Settings.Rate.constant(kbps: 64), .constant(kbps: 320), .average(kbps: 100), .variable(quality: 0),
    ])
    func `samples that are no numbers or far too loud do no harm`(rate: MP3Settings.Rate) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.mp3")
        var plane = MP3TestSignal.speech.planes(frames: 44100, format: Self.mono)[0]
        let evil: [Float] = [
            .nan, .infinity, -.infinity, .greatestFiniteMagnitude, -1e30, 1e9, .leastNonzeroMagnitude, .signalingNaN,
        ]
        for index in stride(from: 10_000, to: 20_000, by: 3) { plane[index] = evil[index % evil.count] }
        for index in 20_000..<30_000 { plane[index] = index / 50 % 2 == 0 ? 1e20 : -1e20 }
        try encode([plane], format: Self.mono, settings: MP3Settings(rate: rate), to: path)
        let result = try ExternalProgram("ffmpeg").run(["-v", "error", "-i", path, "-f", "s16le", "-"])
        #expect(result.errors == "" && result.output.count == 88200)
    }

    /// LAME's presets would turn constant and average rates down by up to 0.44 dB (W-2).
    @Test(arguments: [
        MP3Settings.Rate.constant(kbps: 64), .constant(kbps: 128), .constant(kbps: 192), .constant(kbps: 320),
        .average(kbps: 100), .variable(quality: 4),
    ])
    func `a tone keeps its level`(rate: MP3Settings.Rate) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.mp3")
        let plane = (0..<44100).map { Float(0.5 * sin(2 * .pi * 997 * Double($0) / 44100)) }
        try encode([plane], format: Self.mono, settings: MP3Settings(rate: rate), to: path)
        var file = try AudioFile(opening: path, name: "a.mp3")
        var block = AudioBlock(format: file.format)
        var power = 0.0
        while try file.read(into: &block) {
            block.withPlane(0) { for index in $0.indices { power += Double($0[index]) * Double($0[index]) } }
        }
        #expect(abs(10 * log10(power / 44100 / 0.125)) < 0.05)
    }

    @Test func `blocks of any size give the same file`() throws {
        let folder = try TemporaryFolder()
        let planes = MP3TestSignal.music.planes(frames: 30_000, format: Self.mono)
        var files: [Data] = []
        for size in [1, 100, 1152, 4096, 30_000] {
            let path = folder.path("\(size).mp3")
            var writer = try MP3FileWriter(path: path, format: Self.mono, settings: Self.settings)
            try feed(planes, format: Self.mono, blocks: size, to: &writer)
            try writer.finish()
            files.append(try Data(contentsOf: URL(filePath: path)))
        }
        #expect(files.allSatisfy { $0 == files[0] })
    }

    @Test func `a writer that is dropped leaves nothing`() throws {
        let folder = try TemporaryFolder()
        let planes = MP3TestSignal.music.planes(frames: 300_000, format: Self.mono)
        do {
            var writer = try MP3FileWriter(path: folder.path("a.mp3"), format: Self.mono, settings: Self.settings)
            try feed(planes, format: Self.mono, to: &writer)
            #expect(try folder.names().count == 1)
        }
        #expect(try folder.names() == [])
    }

    @Test func `an older file stays until the new one is whole`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.mp3")
        try Data("old".utf8).write(to: URL(filePath: path))
        try FileManager.default.createSymbolicLink(atPath: folder.path("link.mp3"), withDestinationPath: path)
        do {
            var writer = try MP3FileWriter(path: path, format: Self.mono, settings: Self.settings)
            try feed([[0.5, 0.5]], format: Self.mono, to: &writer)
        }
        #expect(try Data(contentsOf: URL(filePath: path)) == Data("old".utf8))
        let report = try encode([[0.5]], format: Self.mono, settings: Self.settings, to: folder.path("link.mp3"))
        #expect(try Data(contentsOf: URL(filePath: path)).count == Int(report.bytes.bytes))
        #expect(try folder.names() == ["a.mp3", "link.mp3"])
    }

    @Test(arguments: ["/nowhere/at/all/a.mp3", "/dev/null", "/tmp", ""])
    func `a name that cannot be created is said so`(path: String) {
        #expect {
            try encode([[0]], format: Self.mono, settings: Self.settings, to: path)
        } throws: { error in
            guard case .uncreatable(path, _) = error as? AudioError else { return false }
            return true
        }
    }
}
