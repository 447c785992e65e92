import ChirpMusic
import ChirpTestKit
import Foundation
import Testing

struct MusicAnalysisTests {
    /// Drums over a cadence.
    private func music(rate: Int = 22050, seconds: Double = 10, level: Float = 1) -> [Float] {
        let chords = MadeMusic.cadence(in: MusicalKey(tonic: 7, mode: .major), seconds: seconds, rate: rate)
        return zip(MadeMusic.drums(tempo: 120, seconds: seconds, rate: rate), chords).map { level * ($0 + $1) }
    }

    @Test func `blocks of any length give the same profile`() throws {
        let samples = music()
        let whole = try profile(of: samples)
        var random = SeededGenerator(seed: 2)
        var analysis = try MusicAnalysis(rate: 22050)
        var start = 0
        while start < samples.count {
            let end = min(samples.count, start + Int.random(in: 0...5000, using: &random))
            analysis.append(samples.span.extracting(start..<end))
            start = end
        }
        #expect(try analysis.finish() == whole)
    }

    @Test func `a profile is the same when it has been written and read`() throws {
        let heard = try profile(of: music())
        #expect(try JSONDecoder().decode(SoundProfile.self, from: JSONEncoder().encode(heard)) == heard)
        #expect(
            heard.seconds == 10 && heard.figures.tempi == heard.tempo?.offered && heard.figures.key == heard.key?.key)
    }

    @Test(arguments: [8000, 11025, 12000, 32000, 44100, 48000, 88200, 96000, 192_000])
    func `every usual rate tells the same`(rate: Int) throws {
        let heard = try profile(of: music(rate: rate), rate: rate)
        #expect(heard.tempo?.offers(120) == true, "\(String(describing: heard.tempo))")
        #expect(heard.key?.key == MusicalKey(tonic: 7, mode: .major), "\(String(describing: heard.key))")
        #expect(heard.seconds == 10)
    }

    @Test func `what is softer by 30 dB is described alike`() throws {
        let (loud, soft) = (try profile(of: music()), try profile(of: music(level: 0.03)))
        #expect(loud.key?.key == soft.key?.key && loud.tempo == soft.tempo)
        for (index, (a, b)) in zip(loud.description.numbers, soft.description.numbers).enumerated() {
            #expect(abs(a - b) < 0.6, "number \(index)")
        }
    }

    @Test func `the loudest second is found`() throws {
        var samples = MadeMusic.noise(seconds: 20, level: 0.05)
        for index in (22050 * 12)..<(22050 * 13) { samples[index] *= 8 }
        let heard = try profile(of: samples)
        #expect(abs(heard.loudestSecond - 12) <= 0.1)
    }

    @Test func `what is too short, silent or of an odd rate is refused`() throws {
        #expect(throws: MusicAnalysisError.tooShort(2)) { try profile(of: MadeMusic.noise(seconds: 2)) }
        #expect(throws: MusicAnalysisError.tooShort(0)) { try profile(of: []) }
        #expect(throws: MusicAnalysisError.silent) { try profile(of: [Float](repeating: 0, count: 22050 * 5)) }
        #expect(throws: MusicAnalysisError.rate(4000)) { try profile(of: [], rate: 4000) }
        #expect(throws: MusicAnalysisError.rate(-1)) { try profile(of: [], rate: -1) }
        #expect(try profile(of: MadeMusic.noise(seconds: 3)).seconds == 3)
    }

    @Test func `what is no number counts as silence`() throws {
        let nothing: [Float] = [.nan, .infinity, -.infinity, .greatestFiniteMagnitude]
        #expect(throws: MusicAnalysisError.silent) { try profile(of: (0..<100_000).map { nothing[$0 % 4] }) }
        var samples = music()
        for index in stride(from: 0, to: samples.count, by: 5000) { samples[index] = nothing[index / 5000 % 4] }
        let heard = try profile(of: samples)
        #expect(heard.tempo?.offers(120) == true)
        let numbers = heard.description.numbers
        #expect(numbers.allSatisfy { $0.isFinite })
    }

    @Test func `a constant and a single click have a profile without a tempo to trust`() throws {
        let constant = try profile(of: [Float](repeating: 0.5, count: 22050 * 4))
        #expect((constant.tempo?.confidence ?? 0) < 0.3 && constant.description.numbers.allSatisfy { $0.isFinite })
        var click = [Float](repeating: 0, count: 22050 * 6)
        click[60_000] = 1
        let single = try profile(of: click)
        #expect((single.tempo?.confidence ?? 0) < 0.3, "\(String(describing: single.tempo))")
    }
}
