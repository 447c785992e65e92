import ChirpAudio
import ChirpClips
import ChirpCodecs
import ChirpCore
import ChirpFiles
import ChirpFlows
import ChirpIntake
import ChirpMusic
import ChirpTestKit
import Foundation
import Testing

extension IntakeTests {
    /// Everything that is decoded is decoded whatever version of Landlock binds the process beside the list of calls.
    @Suite struct BoundFormatTests {
        private let intake = Intake(program: BuiltProgram.path)
        private let folder: TemporaryFolder
        private static let format = AudioFormat(sampleRate: 44_100, channels: 1)

        init() throws { folder = try TemporaryFolder() }

        private func made(_ name: String, _ arguments: [String], of source: String? = nil) throws -> String {
            let path = folder.path(name)
            let result = try ExternalProgram("ffmpeg").run(
                ["-v", "error", "-nostdin", "-y", "-i", source ?? BuiltProgram.sample("hello.wav")] + arguments + [path]
            )
            try #require(result.status == 0, "\(result.errors)")
            return path
        }

        private func fixture(_ name: String) throws -> [UInt8] {
            let fixtures = URL(filePath: #filePath).appending(path: "../../Fixtures/pictures").standardized
            return [UInt8](try Data(contentsOf: fixtures.appending(path: name)))
        }

        private func track(_ name: String, seed: UInt64, seconds: Double = 3) throws -> String {
            let path = folder.path(name)
            try Signal.noise(Self.format, level: -20, seconds: seconds, seed: seed).writeWav(to: path)
            return path
        }

        @Test(arguments: landlockVersions)
        func `clips of all formats are heard and played`(landlock: Int) throws {
            let sources = [
                BuiltProgram.sample("hello.wav"), try made("a.wav", ["-rf64", "always"]), try made("a.w64", []),
                try made("a.aiff", []), try made("a.caf", ["-c:a", "pcm_s16be"]), try made("a.flac", []),
                try made("vorbis.ogg", ["-c:a", "libvorbis"]), try made("a.opus", ["-c:a", "libopus"]),
                try made("flac.ogg", ["-c:a", "flac"]), try made("a.mp3", []),
            ]
            for source in sources {
                let here = try ClipFacts(measuring: source, name: "a clip", longest: .seconds(60))
                try ConfinedProcess.$newestLandlock.withValue(landlock) {
                    let there = try intake.facts(of: source, name: "a clip", longest: .seconds(60))
                    #expect(there == here, "\(source)")
                    var reader = try intake.reader(of: source, name: "a clip", longest: .seconds(60))
                    var block = AudioBlock(format: reader.format)
                    var frames = 0
                    while try reader.read(into: &block) { frames += block.frames }
                    #expect(abs(Double(frames) / Double(reader.format.sampleRate) - here.seconds) < 0.1, "\(source)")
                }
            }
        }

        @Test(arguments: landlockVersions)
        func `a lane makes clips of its own formats and of those of ffmpeg`(landlock: Int) throws {
            let lanes = IntakeLanes(program: BuiltProgram.path)
            let sources = [
                BuiltProgram.sample("tagged.wav"), try made("a.m4a", ["-c:a", "aac"]),
                try made("a.webm", ["-c:a", "libopus"]), try made("a.wma", ["-c:a", "wmav2"]),
            ]
            for source in sources {
                let making = Transcoding(
                    request: ClipRequest(
                        source: ClipSource(path: source, name: "take", sha256: "0"), preset: .voice), keepsTags: true)
                let (here, there) = (folder.path("here.mp3"), folder.path("there.mp3"))
                _ = try making.run(to: here)
                try ConfinedProcess.$newestLandlock.withValue(landlock) { _ = try lanes.make(making, path: there) }
                #expect(
                    try Data(contentsOf: URL(filePath: here)) == Data(contentsOf: URL(filePath: there)), "\(source)")
            }
        }

        @Test(arguments: landlockVersions)
        func `pictures of all formats are made`(landlock: Int) throws {
            for name in ["1.jpg", "hole.webp", "moving.gif", "1.png", "6.heic"] {
                let source = try fixture(name)
                let here = try ItemPicture(source, name: "a")
                let there = try ConfinedProcess.$newestLandlock.withValue(landlock) {
                    try intake.itemPicture(of: source, in: folder.path(""), name: "a")
                }
                #expect(there == here, "\(name)")
            }
            for name in ["1.jpg", "1.png"] {
                let source = try fixture(name)
                let portrait = try PortraitPicture(source, name: "a").jpeg
                let screen = try ScreenPicture(source, name: "a").jpeg
                let there = try ConfinedProcess.$newestLandlock.withValue(landlock) {
                    [
                        try intake.portrait(of: source, in: folder.path(""), name: "a"),
                        try intake.screenPicture(of: source, in: folder.path(""), name: "a"),
                    ]
                }
                #expect(there == [portrait, screen])
            }
        }

        @Test(arguments: landlockVersions)
        func `films, and sound alone, are made into what is shown`(landlock: Int) throws {
            let pictures = ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=1", "-t", "1", "-pix_fmt", "yuv420p"]
            let sources = [
                try made("a.mp4", pictures + ["-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac"]),
                try made("b.webm", pictures + ["-c:v", "libvpx", "-deadline", "realtime", "-c:a", "libopus"]),
                try made("c.m4a", ["-t", "1"]),
            ]
            for source in sources {
                let facts = try ConfinedProcess.$newestLandlock.withValue(landlock) {
                    try intake.film(
                        of: source,
                        to: FilmGoals(
                            shown: folder.path("shown.mp4"), plain: folder.path("plain.mp4"),
                            sound: folder.path("sound.flac"), preview: folder.path("preview.mp4"),
                            poster: folder.path("poster.jpg")), timer: source.hasSuffix("m4a") ? nil : 200,
                        name: "a film")
                }
                #expect((900...1200).contains(facts.milliseconds) && facts.hasSound, "\(source): \(facts)")
                #expect(facts.hasPictures != source.hasSuffix("m4a"), "\(source): \(facts)")
            }
        }

        @Test(arguments: landlockVersions)
        func `tracks are heard, previewed with a voice, compared and traced`(landlock: Int) throws {
            let master = try track("master.wav", seed: 1)
            let voice = folder.path("voice.wav")
            try Signal.speech(Self.format, seconds: 1).writeWav(to: voice)
            let goal = folder.path("preview.mp3")
            try ConfinedProcess.$newestLandlock.withValue(landlock) {
                let heard = try intake.master(of: master, name: "a master")
                #expect(heard.seconds == 3)
                let wishes = PreviewWishes(title: "A track", places: [1])
                let facts = try intake.preview(of: master, wishes, voice: voice, to: goal, name: "a master")
                #expect(facts.bytes == Int64(try Data(contentsOf: URL(filePath: goal)).count))
                let stems = try intake.stems([master], of: master, name: "a mix")
                #expect(stems.residual < -60)
                _ = try intake.trace(goal, in: master, voice: voice, name: "a copy")
                let question = try #require(SoundFindings.Question(code: AttemptCode(4711), counting: .claps))
                _ = try intake.findings(of: master, question, name: "a take")
            }
        }

        @Test(arguments: landlockVersions)
        func `the owner's program writes down what it hears, with programs of its own`(landlock: Int) throws {
            let program = folder.path("transcribe")
            let script = "#!/bin/sh\n# Two programs and a pipe.\ncat | wc -c | tr -d ' '\n"
            try Data(script.utf8).write(to: URL(filePath: program))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
            let words = try ConfinedProcess.$newestLandlock.withValue(landlock) {
                try Transcriber(command: program, intake: intake, folder: folder.path(""))
                    .transcript(of: BuiltProgram.sample("hello.wav"), seconds: 1)
            }
            #expect((Int(words.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0) > 16_000)
        }

        @Test(arguments: landlockVersions)
        func `espeak-ng speaks`(landlock: Int) throws {
            try Data("hello".utf8).write(to: URL(filePath: folder.path("words")))
            let words = try OpenFile(folder.path("words"), flags: O_RDONLY)
            let ends = try PipeEnds()
            defer {
                close(ends.reading)
                close(ends.writing)
            }
            let ending = try ConfinedProcess.$newestLandlock.withValue(landlock) {
                let process = try ConfinedProcess(
                    "/usr/bin/espeak-ng", arguments: ["--stdin", "--stdout", "-b", "1", "-v", "en"],
                    descriptors: [words.raw, ends.writing, nil],
                    limits: ConfinedProcess.Limits(
                        processorTime: .seconds(10), memory: ByteCount(512 << 20), isForeign: true))
                return process.ending()
            }
            #expect(ending == .exited(0))
            // A pipe holds 64 kB, which is more than is said.
            var sound = [UInt8](repeating: 0, count: 1 << 16)
            #expect(read(ends.reading, &sound, sound.count) > 10_000 && sound.starts(with: Array("RIFF".utf8)))
        }
    }
}
