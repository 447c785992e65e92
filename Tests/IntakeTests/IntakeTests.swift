import ChirpAudio
import ChirpClips
import ChirpCodecs
import ChirpCore
import ChirpFiles
import ChirpFlows
import ChirpIntake
import ChirpTestKit
import Foundation
import Testing

/// Strangers' clips, decoded in children of the built program (W-2, W-6, CH-9, CH-14).
@Suite(.serialized)  // ChildProcesses sees all children of the process.
struct IntakeTests {
    private let intake = Intake(program: BuiltProgram.path)
    private let hello = BuiltProgram.sample("hello.wav")

    @Test func `a clip is found in a child to be what it is found to be here`() throws {
        let here = try ClipFacts(measuring: hello, name: "hello", longest: .seconds(60))
        // The first child is started for it, the second one was waiting.
        for _ in 0..<2 { #expect(try intake.facts(of: hello, name: "hello", longest: .seconds(60)) == here) }
    }

    @Test func `a person's picture is made in a child as it would be here`() throws {
        let folder = try TemporaryFolder()
        let source = try GrayPicture(width: 640, height: 480).png()
        let here = try PortraitPicture(source, name: "a").jpeg
        #expect(try intake.portrait(of: source, in: folder.path(""), name: "a") == here)
        #expect(throws: AudioError.self) {
            try intake.portrait(of: Array("<svg/>".utf8), in: folder.path(""), name: "a")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("")).isEmpty)
    }

    @Test(arguments: ["1.jpg", "6.heic", "moving.gif", "hole.webp", "large.png"])
    func `the pictures of a thing are made in a child as they would be here`(file: String) throws {
        let folder = try TemporaryFolder()
        let fixtures = URL(filePath: #filePath).appending(path: "../../Fixtures/pictures").standardized
        let source = [UInt8](try Data(contentsOf: fixtures.appending(path: file)))
        let here = try ItemPicture(source, name: "a")
        #expect(try intake.itemPicture(of: source, in: folder.path(""), name: "a") == here)
        for hostile in [Array("<svg/>".utf8), Array(source.prefix(source.count / 3)), []] {
            #expect(throws: AudioError.self) {
                try intake.itemPicture(of: hostile, in: folder.path(""), name: "a")
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("")).isEmpty)
    }

    /// A GIF of 25 megapixels whose table of codes begins anew at each code, for ever.
    @Test func `a picture that is endless work is refused, and does not cost much`() throws {
        let folder = try TemporaryFolder()
        var gif = Array("GIF89a".utf8) + [0x88, 0x13, 0x88, 0x13, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
        gif += [0x2C, 0, 0, 0, 0, 0x88, 0x13, 0x88, 0x13, 0, 2]
        for _ in 0..<70_000 { gif += [255] + [UInt8](repeating: 0x44, count: 255) }
        gif += [0, 0x3B]
        // Decoded to its end it would take minutes.
        let intake = Intake(program: BuiltProgram.path, pictureTime: .seconds(1))
        let clock = ContinuousClock()
        let begun = clock.now
        #expect(throws: AudioError.self) { try intake.itemPicture(of: gif, in: folder.path(""), name: "a") }
        #expect(clock.now - begun < .seconds(20))
    }

    @Test func `a child's samples are, to the bit, those of the reader`() throws {
        var here = try AudioFile(opening: hello, name: "hello")
        var there = try intake.reader(of: hello, name: "hello", longest: .seconds(60))
        #expect(there.format == here.format)
        var a = AudioBlock(format: here.format)
        var b = AudioBlock(format: here.format)
        while true {
            let (more, moreThere) = (try here.read(into: &a), try there.read(into: &b))
            #expect(more == moreThere)
            #expect(a.frames == b.frames)
            guard more else { break }
            let same = a.withPlane(0) { first in
                b.withPlane(0) { second in first.indices.allSatisfy { first[$0] == second[$0] } }
            }
            #expect(same)
        }
    }

    @Test func `what a child finds wrong is said as it is said here`() throws {
        let folder = try TemporaryFolder()
        try Data("no sound".utf8).write(to: URL(filePath: folder.path("text")))
        #expect(throws: AudioError.undecodable(name: "the clip by @x", reason: "it is text, not audio")) {
            try intake.facts(of: folder.path("text"), name: "the clip by @x", longest: .seconds(60))
        }
        #expect(throws: AudioError.self) {
            _ = try intake.reader(of: folder.path("text"), name: "the clip by @x", longest: .seconds(60))
        }
        #expect(throws: AudioError.self) { try intake.facts(of: hello, name: "long", longest: .seconds(1)) }
        #expect(throws: AudioError.missing(path: "x", reason: "it is not a regular file")) {
            try intake.facts(of: folder.path("."), name: "x", longest: .seconds(1))
        }
    }

    /// 30 s of a tone whose samples tell where they are.
    private func longClip(in folder: TemporaryFolder) throws -> String {
        let format = AudioFormat(sampleRate: 44_100, channels: 1)
        try Signal.noise(format, level: -20, seconds: 30).writeWav(to: folder.path("long.wav"))
        return folder.path("long.wav")
    }

    @Test func `after one death another child goes on at the same frame`() throws {
        let folder = try TemporaryFolder()
        let path = try longClip(in: folder)
        let children = ChildProcesses()
        var here = try AudioFile(opening: path, name: "long")
        var there = try intake.reader(of: path, name: "long", longest: .seconds(60))
        var a = AudioBlock(format: here.format)
        var b = AudioBlock(format: here.format)
        var frames = 0
        while true {
            let (more, moreThere) = (try here.read(into: &a), try there.read(into: &b))
            try #require(more == moreThere && a.frames == b.frames)
            guard more else { break }
            let same = a.withPlane(0) { first in
                b.withPlane(0) { second in first.indices.allSatisfy { first[$0] == second[$0] } }
            }
            try #require(same)
            // In the middle, with more in the pipe.
            if frames < 400_000, frames + a.frames >= 400_000 {
                kill(try #require(children.new().first), SIGSEGV)
            }
            frames += a.frames
        }
        #expect(frames == 30 * 44_100)
    }

    @Test func `two deaths are a refusal, and the next clip is heard`() throws {
        let folder = try TemporaryFolder()
        let path = try longClip(in: folder)
        let children = ChildProcesses()
        var reader = try intake.reader(of: path, name: "long", longest: .seconds(60))
        #expect(throws: AudioError.crashed(name: "long", reason: "it was ended by signal 11")) {
            var block = AudioBlock(format: reader.format)
            repeat { children.new().forEach { kill($0, SIGSEGV) } } while try reader.read(into: &block)
        }
        #expect(try intake.facts(of: hello, name: "hello", longest: .seconds(60)).seconds > 1)
    }

    @Test func `a reader that is dropped ends its child`() throws {
        let children = ChildProcesses()
        do {
            let folder = try TemporaryFolder()
            _ = try longClip(in: folder)
            _ = try intake.reader(of: folder.path("long.wav"), name: "long", longest: .seconds(60))
        }
        #expect(children.new().isEmpty)
    }

    @Test func `a child holds no environment, no file, no right and no way out`() throws {
        let folder = try TemporaryFolder()
        _ = try longClip(in: folder)
        let children = ChildProcesses()
        let reader = try intake.reader(of: folder.path("long.wav"), name: "long", longest: .seconds(60))
        let child = try #require(children.new().first)
        func read(_ name: String) throws -> String {
            try String(contentsOfFile: "/proc/\(child)/\(name)", encoding: .utf8)
        }
        #expect(try read("environ").isEmpty)
        let status = try read("status")
        #expect(status.contains("NoNewPrivs:\t1"))
        #expect(status.contains("Seccomp:\t2"))
        #expect(status.contains("CapEff:\t0000000000000000"))
        // The socket, three times nothing or that socket, the clip and the pipe.
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(child)/fd").map {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(child)/fd/\($0)")) ?? "gone"
        }
        for name in open {
            #expect(
                name == "/dev/null" || name.hasPrefix("socket:") || name.hasPrefix("pipe:")
                    || name == folder.path("long.wav"), "\(name)")
        }
        let limits = try read("limits")
        #expect(limits.contains(/Max file size +3336 +3336/))
        #expect(limits.contains(/Max core file size +0 +0/))
        #expect(limits.contains(/Max address space +1073741824/))
        #expect(limits.contains(/Max cpu time +120 +120/))
        _ = consume reader
    }
}
