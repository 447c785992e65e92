import ChirpAudio
import ChirpClips
import ChirpIntake
import ChirpMusic
import ChirpTestKit
import Foundation
import Testing

extension IntakeTests {
    /// Masters, previews and stems, in children that hold nothing (boards.md 2.3; AR-2, AR-4).
    @Suite struct TrackTests {
        private let intake = Intake(program: BuiltProgram.path)
        private static let stereo = AudioFormat(sampleRate: 44_100, channels: 2)

        /// Hits of noise over changing tones, loudest between 5 and 6 s.
        private static func track(seconds: Double, seed: UInt64 = 1) -> Signal {
            var signal = Signal.noise(stereo, level: -20, seconds: seconds, seed: seed)
            var random = SeededGenerator(seed: seed)
            var pitch = 440.0
            for frame in 0..<signal.frames {
                let time = Double(frame) / 44_100
                if frame % 11_025 == 0 { pitch = .random(in: 200...2000, using: &random) }
                let hit = Float(exp(-10 * time.truncatingRemainder(dividingBy: 0.5)))
                let loud: Float = (5..<6).contains(time) ? 2 : 1
                for channel in 0..<2 {
                    let tone = Float(0.1 * sin(2 * .pi * pitch * time))
                    signal.planes[channel][frame] = loud * (signal.planes[channel][frame] * hit + tone)
                }
            }
            return signal
        }

        private func written(_ signal: Signal, _ name: String, in folder: TemporaryFolder) throws -> String {
            let path = folder.path(name)
            try signal.writeWav(to: path)
            return path
        }

        @Test func `a child tells how a master is and what it is known by`() throws {
            let folder = try TemporaryFolder()
            let path = try written(Self.track(seconds: 12), "master.wav", in: folder)
            let facts = try intake.master(of: path, name: "a master")
            #expect(facts.seconds == 12 && facts.sampleRate == 44_100 && facts.channels == 2)
            #expect(facts.format == "WAV PCM 16" && facts.noTrace == nil)
            #expect(abs(facts.loudestSecond - 5) < 0.1 && facts.loudness ?? 0 < -10 && facts.truePeak ?? 1 < 1)
            let profile = try #require(facts.profile)
            #expect(abs(profile.seconds - 12) < 0.01 && profile.grid.beats.allSatisfy { (0...12).contains($0) })
            #expect(profile.figures.density > 0 && profile.figures.brightness > 100)
            // The same one as an MP3, cut and quieter.
            let other = folder.path("other.mp3")
            let made = try ExternalProgram("ffmpeg").run(
                ["-v", "error", "-ss", "1.3", "-i", path, "-af", "volume=-6dB", "-b:a", "64k", other])
            #expect(made.status == 0, "\(made.errors)")
            let found = try intake.master(of: other, name: "another")
            let (kept, copy) = (try #require(facts.trace), try #require(found.trace))
            let match = try #require(PrintMatch(kept.print, copy.print))
            #expect(match.isSame && abs(match.offset - 1.3) < 0.2, "\(match)")
            #expect(abs((facts.loudness ?? 0) - (found.loudness ?? 0) - 6) < 2)
        }

        @Test func `what is too short to be known again says so, and is taken`() throws {
            let folder = try TemporaryFolder()
            let facts = try intake.master(
                of: try written(Self.track(seconds: 2), "short.wav", in: folder), name: "short")
            #expect(facts.trace == nil && facts.noTrace == .tooShort(seconds: 1))
            let quiet = try intake.master(
                of: try written(.silence(Self.stereo, seconds: 5), "quiet.wav", in: folder), name: "quiet")
            #expect(facts.profile == nil && quiet.profile == nil)
            #expect(quiet.noTrace == .silent && quiet.loudness == nil && quiet.truePeak == nil)
        }

        @Test func `a child makes the preview of a master, with a voice where it was planned`() throws {
            let folder = try TemporaryFolder()
            let path = try written(Self.track(seconds: 12), "master.wav", in: folder)
            let voice = try written(.speech(Self.stereo, seconds: 1), "voice.wav", in: folder)
            let goal = folder.path("preview.mp3")
            let places = TagPlan(TagSlots(beats: [], loudestSecond: 5, length: 11, voice: 1), seed: 3).places
            #expect(!places.isEmpty)
            let facts = try intake.preview(
                of: path, PreviewWishes(title: "A track", places: places), voice: voice, to: goal, name: "a master")
            #expect(facts.voice.map(\.seconds) == places)
            #expect(abs(try #require(facts.loudness) + 14) <= 0.3 && facts.truePeak ?? 0 <= -1)
            #expect(facts.bytes == Int64(try Data(contentsOf: URL(filePath: goal)).count))
            // It is a preview that others can read, and no second one takes its place by halves.
            let probe = try ExternalProgram("ffprobe").run(
                ["-v", "error", "-show_entries", "format=duration:format_tags=title", "-of", "csv=p=0", goal])
            #expect(probe.text.hasSuffix("A track"), "\(probe.text)")
            #expect(try folder.names() == ["master.wav", "preview.mp3", "voice.wav"])
        }

        @Test func `what is no sound is refused with a reason, and nothing is left`() throws {
            let folder = try TemporaryFolder()
            let path = folder.path("beat.wav")
            try Data("no sound at all".utf8).write(to: URL(filePath: path))
            let goal = folder.path("preview.mp3")
            func isUndecodable(_ body: () throws -> Void) -> Bool {
                do {
                    try body()
                    return false
                } catch AudioError.undecodable { return true } catch { return false }
            }
            #expect(isUndecodable { _ = try intake.master(of: path, name: "beat") })
            #expect(isUndecodable { _ = try intake.preview(of: path, PreviewWishes(), to: goal, name: "beat") })
            #expect(isUndecodable { _ = try intake.stems([path], of: path, name: "beat") })
            #expect(throws: AudioError.self) { try intake.master(of: folder.path("nothing"), name: "nothing") }
            #expect(try folder.names() == ["beat.wav"])
        }

        @Test func `a child finds the stem that is too late, and takes twelve`() throws {
            let folder = try TemporaryFolder()
            let stems = (1...3).map { Self.track(seconds: 5, seed: $0).amplified(by: -12) }
            let mix = try written(stems[0] + stems[1] + stems[2], "mix.wav", in: folder)
            var paths = try stems.enumerated().map { try written($1, "stem\($0).wav", in: folder) }
            let right = try intake.stems(paths, of: mix, name: "a mix")
            #expect(right.residual < -60 && right.faults.isEmpty, "\(right)")
            let late = Signal.silence(Self.stereo, seconds: 0.005).followed(by: stems[1])
            paths[1] = try written(late, "late.wav", in: folder)
            let found = try intake.stems(paths, of: mix, name: "a mix")
            #expect(found.faults.count == 1 && found.faults.first?.stem == 1, "\(found)")
            let twelve = Array(repeating: paths[0], count: StemCheck.mostStems)
            #expect(try intake.stems(twelve, of: mix, name: "a mix").residual > 0)
            for wrong in [[], twelve + [paths[0]]] {
                #expect(throws: AudioError.self) { try intake.stems(wrong, of: mix, name: "a mix") }
            }
        }

        @Test func `answers that cannot be are not believed`() throws {
            let json = #"""
                {"seconds": 4, "sampleRate": 44100, "channels": 2, "format": "WAV PCM 16", "loudestSecond": 1,
                "noTrace": {"silent": {}}}
                """#
            func facts(_ from: String, _ to: String) throws -> MasterFacts {
                let text = json.replacingOccurrences(of: from, with: to)
                return try JSONDecoder().decode(MasterFacts.self, from: Data(text.utf8))
            }
            #expect(try facts("", "").isPossible)
            for (from, to) in [
                (": 4,", ": 1e9,"), ("44100", "1"), ("\"channels\": 2", "\"channels\": 9"), ("PCM", "\\u001b[31m"),
                ("\"loudestSecond\": 1", "\"loudestSecond\": 9"), (",\n\"noTrace\": {\"silent\": {}}", ""),
            ] {
                #expect(json.contains(from))
                #expect(try !facts(from, to).isPossible, "\(to)")
            }
            let wrong = StemFindings(residual: -20, faults: [.init(stem: 4, trouble: .foreign)])
            #expect(!wrong.isPossible(stems: 4) && wrong.isPossible(stems: 5))
        }
    }
}
