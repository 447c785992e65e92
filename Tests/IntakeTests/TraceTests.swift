import ChirpAudio
import ChirpClips
import ChirpIntake
import ChirpMusic
import ChirpTestKit
import Foundation
import Testing

extension IntakeTests {
    /// Whose copy of a preview a recording is, heard in a child that holds nothing (boards.md 3.1, idea 2).
    @Suite struct TraceTests {
        private let intake = Intake(program: BuiltProgram.path)
        private static let format = AudioFormat(sampleRate: 44_100, channels: 1)

        /// Notes that never come again, each with a hit of noise.
        private static func track(seed: UInt64) -> Signal {
            var signal = Signal.noise(format, level: -20, seconds: 24, seed: seed)
            var random = SeededGenerator(seed: seed)
            var pitch = 440.0
            for frame in 0..<signal.frames {
                let time = Double(frame) / 44_100
                if frame % 11_025 == 0 { pitch = .random(in: 200...2000, using: &random) }
                let hit = Float(exp(-10 * time.truncatingRemainder(dividingBy: 0.5)))
                signal.planes[0][frame] = signal.planes[0][frame] * hit + Float(0.1 * sin(2 * .pi * pitch * time))
            }
            return signal
        }

        @Test func `a child hears whose preview was cut and coded again`() throws {
            let folder = try TemporaryFolder()
            let (master, voice, goal) = (folder.path("master.wav"), folder.path("voice.wav"), folder.path("own.mp3"))
            try Self.track(seed: 1).writeWav(to: master)
            try Signal.speech(Self.format, seconds: 1).writeWav(to: voice)
            let slots = TagSlots(beats: [], loudestSecond: nil, length: 22, voice: 1)
            let plans = (0..<100).map { TagPlan(slots, seed: UInt64($0) &* 0x5851_F42D_4C95_7F2D) }
            _ = try intake.preview(
                of: master, PreviewWishes(places: plans[42].places), voice: voice, to: goal, name: "a master")
            let cut = folder.path("cut.mp3")
            let made = try ExternalProgram("ffmpeg").run(
                ["-v", "error", "-ss", "0.4", "-t", "20", "-i", goal, "-b:a", "64k", cut])
            #expect(made.status == 0, "\(made.errors)")
            let leak = try intake.trace(cut, in: master, voice: voice, name: "the copy")
            let fit = try #require(leak.fits.first)
            #expect(abs(fit.from - 0.4) < 0.1 && abs(fit.speed - 1) < 0.001, "\(fit)")
            #expect(ListenerNaming(leak, plans).named?.pattern == 42, "\(leak)")
            let other = folder.path("other.wav")
            try Self.track(seed: 2).writeWav(to: other)
            #expect(try intake.trace(other, in: master, voice: voice, name: "another").fits.isEmpty)
        }

        @Test func `what is no sound is refused with its name`() throws {
            let folder = try TemporaryFolder()
            let (copy, voice) = (folder.path("copy"), folder.path("voice.wav"))
            try Data("no sound at all".utf8).write(to: URL(filePath: copy))
            try Signal.speech(Self.format, seconds: 1).writeWav(to: voice)
            do {
                _ = try intake.trace(copy, in: voice, voice: voice, name: "the copy")
                Issue.record("it is taken")
            } catch { #expect("\(error.whatHappened)".contains("the copy"), "\(error)") }
            #expect(throws: AudioError.self) {
                try intake.trace(folder.path("nothing"), in: voice, voice: voice, name: "nothing")
            }
        }
    }
}
