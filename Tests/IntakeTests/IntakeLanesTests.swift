import ChirpAudio
import ChirpClips
import ChirpCore
import ChirpFiles
import ChirpFlows
import ChirpIntake
import ChirpTestKit
import Foundation
import Testing

extension IntakeTests {
    /// Clips of a fleet, made in children that are used again (W-8).
    @Suite struct LanesTests {
        private let lanes = IntakeLanes(program: BuiltProgram.path)
        private let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        private func making(_ path: String, keepsTags: Bool = false) -> Transcoding {
            Transcoding(
                request: ClipRequest(source: ClipSource(path: path, name: "take", sha256: "0"), preset: .voice),
                keepsTags: keepsTags)
        }

        private func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: folder.path(name))) }

        @Test func `a child makes the same bytes as this process, and works again`() throws {
            let children = ChildProcesses()
            for sample in ["hello.wav", "tagged.wav", "music.wav"] {
                let making = making(BuiltProgram.sample(sample), keepsTags: true)
                let here = try making.run(to: folder.path("here.mp3"))
                let there = try lanes.make(making, path: folder.path("there.mp3"))
                #expect(try bytes("here.mp3") == bytes("there.mp3"))
                #expect(there.hasTags == here.hasTags)
                #expect(there.clip.receipt.clip?.sha256 == here.clip.receipt.clip?.sha256)
                #expect(there.clip.receipt.level == here.clip.receipt.level)
            }
            #expect(children.new().count == 1)
        }

        /// Makes a clip of ten minutes, and ends its child by a signal while it is at work.
        private func makeLong(endedBy signal: Int32) async throws -> AudioError? {
            try Signal.sine(AudioFormat(sampleRate: 44100, channels: 1), frequency: 440, level: -20, seconds: 600)
                .writeWav(to: folder.path("long.wav"))
            let children = ChildProcesses()
            _ = try lanes.make(making(BuiltProgram.sample("hello.wav")), path: folder.path("a.mp3"))
            try #require(!children.new().isEmpty)
            let (lanes, folder, making) = (lanes, folder, making(folder.path("long.wav")))
            async let failed: AudioError? = offPool {
                do throws(AudioError) {
                    _ = try lanes.make(making, path: folder.path("b.mp3"))
                    return nil
                } catch { return error }
            }
            // The clip grows where it is made: the child is at work.
            try await until {
                let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("."))
                return names.contains { $0.hasPrefix(".chirp-tmp-") }
            }
            // A lane may have begun another child meanwhile, and which one works is its own affair.
            for child in children.new() { kill(child, signal) }
            return await failed
        }

        @Test func `a recording that kills its child fails alone, and leaves nothing`() async throws {
            let failed = try await makeLong(endedBy: SIGSEGV)
            #expect(failed == .crashed(name: "take", reason: "it was ended by signal 11"))
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder.path(".")).sorted() == ["a.mp3", "long.wav"])
            _ = try lanes.make(self.making(BuiltProgram.sample("hello.wav")), path: folder.path("b.mp3"))
            #expect(try bytes("a.mp3") == bytes("b.mp3"))
        }

        @Test func `a child that somebody else kills costs its recording nothing`() async throws {
            #expect(try await makeLong(endedBy: SIGKILL) == nil)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder.path(".")).sorted()
                    == ["a.mp3", "b.mp3", "long.wav"])
            let here = try making(folder.path("long.wav")).run(to: folder.path("here.mp3"))
            #expect(try bytes("here.mp3") == bytes("b.mp3") && here.clip.receipt.clip?.seconds ?? 0 > 590)
        }

        @Test func `a recording that cannot be read costs no child`() throws {
            try Data("no sound".utf8).write(to: URL(filePath: folder.path("text")))
            let children = ChildProcesses()
            for _ in 0..<3 {
                #expect(throws: AudioError.undecodable(name: "take", reason: "it is text, not audio")) {
                    try lanes.make(making(folder.path("text")), path: folder.path("x.mp3"))
                }
            }
            #expect(children.new().count == 1)
        }

        @Test func `a hub's child makes one clip, and has ended when that is there`() throws {
            let (lanes, children) = (IntakeLanes(program: BuiltProgram.path, reusesChildren: false), ChildProcesses())
            for name in ["a.mp3", "b.mp3"] {
                _ = try lanes.make(making(BuiltProgram.sample("hello.wav")), path: folder.path(name))
                #expect(children.new().isEmpty)
            }
            #expect(try bytes("a.mp3") == bytes("b.mp3"))
        }

        @Test func `a child that says nothing is ended, and its recording counts as one that has killed it`() throws {
            let lanes = IntakeLanes(program: BuiltProgram.path, patience: .zero)
            let late = AudioError.crashed(name: "take", reason: "it gave no answer in time")
            #expect(throws: late) {
                try lanes.make(making(BuiltProgram.sample("hello.wav")), path: folder.path("x.mp3"))
            }
            let intake = Intake(program: BuiltProgram.path, patience: .zero)
            let path = BuiltProgram.sample("hello.wav")
            #expect(throws: late) { try intake.facts(of: path, name: "take", longest: .seconds(60)) }
            #expect(throws: late) { _ = try intake.reader(of: path, name: "take", longest: .seconds(60)) }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path(".")).isEmpty)
        }

        @Test func `a full disk is the machine's fault, and what a file can cause is not`() {
            let full = FailureReason.system(SystemError(code: ENOSPC))
            let machine: [AudioError] = [
                .uncreatable(path: "a", reason: "b"), .inputOutput(path: "a", reason: full),
                .missing(path: "a", reason: .system(SystemError(code: EMFILE))),
            ]
            let file: [AudioError] = [
                .inputOutput(path: "a", reason: "it changed while it was read"), .library(name: "a", code: 1),
                .inputOutput(path: "a", reason: .system(SystemError(code: EIO))),
                .missing(path: "a", reason: "it is not a regular file"), .crashed(name: "a", reason: "b"),
            ]
            #expect(machine.allSatisfy(\.isOfMachine) && !file.contains(where: \.isOfMachine))
        }

        @Test func `a few bytes cost a minute at most, and long sound what it needs several times over`() {
            func time(_ bytes: Int64) -> Duration {
                IntakeLanes.processorTime(forBytes: bytes, longest: .seconds(4 * 3600))
            }
            #expect(time(0) == .seconds(60) && time(19_413) == .seconds(62) && time(680_947) == .seconds(145))
            // Four hours, as an MP3 of 64 kbit/s and as WAV: a 48th of that is 300 s.
            #expect(time(4 * 3600 * 8000) == .seconds(1860) && time(4 * 3600 * 192_000) == .seconds(1860))
        }

        @Test func `a telephone's recording is read by a child that may start ffmpeg, for it alone`() throws {
            let made = try ExternalProgram("ffmpeg").run([
                "-v", "error", "-i", BuiltProgram.sample("hello.wav"), "-c:a", "aac", folder.path("take.m4a"),
            ])
            try #require(made.status == 0, "\(made.errors)")
            let making = making(folder.path("take.m4a"))
            let here = try making.run(to: folder.path("here.mp3"))
            let there = try lanes.make(making, path: folder.path("there.mp3"))
            #expect(try bytes("here.mp3") == bytes("there.mp3"))
            #expect(there.clip.receipt.input.format == here.clip.receipt.input.format)
        }
    }
}
