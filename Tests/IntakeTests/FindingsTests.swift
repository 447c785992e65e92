import ChirpAudio
import ChirpCore
import ChirpIntake
import ChirpMusic
import ChirpTestKit
import Foundation
import Testing

extension IntakeTests {
    /// What is found in recordings of attempts by children (OU-14; boards.md 3.2, ideas 1 and 3).
    @Suite struct FindingsTests {
        private let intake = Intake(program: BuiltProgram.path)
        private static let rate = 16_000

        /// Start tones, claps, a stop tone, and a little noise.
        private static func recording(code: AttemptCode, claps: [Double], length: Double) -> [Float] {
            var samples = [Float](repeating: 0, count: Int((length + 5) * Double(rate)))
            var random = SeededGenerator(seed: 17)
            for index in samples.indices { samples[index] = .random(in: -0.002...0.002, using: &random) }
            func add(_ sound: [Float], at seconds: Double) {
                for (offset, sample) in sound.enumerated() { samples[Int(seconds * Double(rate)) + offset] += sample }
            }
            add(StartSignal.samples(code: code, rate: rate), at: 0.5)
            let begin = 0.5 + StartSignal.longOffset
            for clap in claps {
                let noise = (0..<800).map { Float.random(in: -0.6...0.6, using: &random) * exp(-Float($0) / 120) }
                add(noise, at: begin + clap)
            }
            add(StartSignal.stopSamples(rate: rate), at: begin + length)
            return samples
        }

        private func findings(_ samples: [Float], _ number: Int) throws -> (SoundFindings, SoundFindings) {
            let folder = try TemporaryFolder()
            let path = folder.path("take.wav")
            func number32(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
            var bytes = Array("RIFF".utf8) + number32(36 + 4 * samples.count) + Array("WAVEfmt ".utf8) + number32(16)
            // Floating point (3), one channel.
            bytes += [3, 0, 1, 0] + number32(Self.rate) + number32(4 * Self.rate) + [4, 0, 32, 0]
            bytes += Array("data".utf8) + number32(4 * samples.count)
            for sample in samples { bytes += number32(Int(sample.bitPattern)) }
            try Data(bytes).write(to: URL(filePath: path))
            let question = try #require(SoundFindings.Question(code: AttemptCode(number), counting: .claps))
            return (
                try intake.findings(of: path, question, name: "a take"),
                SoundFindings(question, in: samples.span, rate: Self.rate)
            )
        }

        @Test func `a child finds start, stop, code and claps as they are found here`() throws {
            let code = try #require(AttemptCode(4711))
            let claps = (0..<8).map { 3 + 0.5 * Double($0) }
            let samples = Self.recording(code: code, claps: claps, length: 8)
            let (there, here) = try findings(samples, 4711)
            #expect(there == here)
            let timed = try #require(there.timed)
            #expect(there.trouble == nil && abs(timed.duration - 8) < 0.005 && timed.ending == "tone")
            #expect(there.count == 8 && there.events.count == 8)

            #expect(try findings(samples, 1234).0.heardCode == "4711")
            // A recording that ends in the middle, and one of nothing.
            let cut = try findings(Array(samples.prefix(Int(5.5 * Double(Self.rate)))), 4711).0
            #expect(cut.timed == nil && cut.trouble == .noStop)
            #expect(try findings([Float](repeating: 0, count: 8000), 4711).0.trouble == .noSound)
        }

        @Test func `what is no sound is told to be none`() throws {
            let folder = try TemporaryFolder()
            let path = folder.path("take.wav")
            try Data("no sound".utf8).write(to: URL(filePath: path))
            let question = try #require(SoundFindings.Question(code: AttemptCode(1), counting: nil))
            #expect(try intake.findings(of: path, question, name: "a take").trouble == .noSound)
        }

        @Test func `the picture of a sound has its heights, soft and loud`() throws {
            let question = try #require(SoundFindings.Question(code: nil, counting: .claps))
            // Silence, then a quarter of full scale, then more than that.
            let samples = [Float](repeating: 0, count: 8000) + [Float](repeating: -0.25, count: 8000) + [1.5]
            let peaks = try #require(SoundFindings(question, in: samples.span, rate: 8000).peaks)
            #expect(peaks.count == SoundFindings.mostPeaks)
            #expect(
                peaks[..<99].allSatisfy { $0 == 0 } && peaks[101..<199].allSatisfy { $0 == 64 } && peaks.last == 255)
            #expect(SoundFindings(question, in: [Float]().span, rate: 8000).peaks == [])
        }

        @Test func `findings that cannot be are not believed`() throws {
            let question = try #require(SoundFindings.Question(code: AttemptCode(1), counting: .claps))
            func isPossible(_ json: String) throws -> Bool {
                try JSONDecoder().decode(SoundFindings.self, from: Data(json.utf8)).isPossible(for: question)
            }
            #expect(try isPossible(#"{"seconds": 5, "events": [], "trouble": "noCode"}"#))
            let peaks = [Int](repeating: 9, count: SoundFindings.mostPeaks)
            #expect(try isPossible("{\"seconds\": 5, \"events\": [], \"peaks\": \(peaks)}"))
            #expect(try !isPossible("{\"seconds\": 5, \"events\": [], \"peaks\": \(peaks + [9])}"))
            let timed = #""timed": {"start": 1, "stop": 3, "duration": 2, "ending": "tone", "confidence": 0.9}"#
            #expect(try isPossible("{\"seconds\": 5, \"events\": [], \(timed)}"))
            for wrong in [
                #"{"seconds": 1e9, "events": []}"#, #"{"seconds": -1, "events": []}"#,
                "{\"seconds\": 2, \"events\": [], \(timed)}",
                #"{"seconds": 5, "events": [{"seconds": 1, "strength": 1}]}"#,
                #"{"seconds": 5, "events": [{"seconds": 9, "strength": 1}], "counted": "claps", "count": 1}"#,
                #"{"seconds": 5, "events": [], "counted": "skips", "count": 1}"#,
                #"{"seconds": 5, "events": [], "trouble": "wrongCode", "heardCode": "0001"}"#,
                #"{"seconds": 5, "events": [], "trouble": "wrongCode", "heardCode": "<b>"}"#,
                #"{"seconds": 5, "events": [], "trouble": "speed", "speed": 99999999}"#,
            ] {
                #expect(try !isPossible(wrong), "\(wrong)")
            }
        }
    }
}
