import ChirpMusic
import Foundation
import Testing

struct TempoTests {
    @Test(arguments: (0...16).map { 60 + 7.5 * Double($0) })
    func `the tempo of clicks is one of the two that are offered`(truth: Double) throws {
        let tempo = try #require(try profile(of: MadeMusic.clicks(tempo: truth, seconds: 15)).tempo)
        #expect(tempo.offers(truth), "\(tempo)")
        #expect(tempo.confidence > 0.8, "\(tempo)")
        // The half or the double, exactly enough to be shown.
        let ratio = tempo.alternative / tempo.beatsPerMinute
        #expect(abs(ratio - 0.5) < 0.001 || abs(ratio - 2) < 0.001, "\(tempo)")
    }

    @Test(arguments: [70.0, 85, 93, 100, 118, 128, 140, 150, 165, 174])
    func `the tempo of drums is told to half a percent`(truth: Double) throws {
        let tempo = try #require(try profile(of: MadeMusic.drums(tempo: truth, seconds: 20)).tempo)
        let nearest = try #require(tempo.offered.min { abs($0 - truth) < abs($1 - truth) })
        #expect(abs(nearest / truth - 1) < 0.005, "\(tempo)")
        #expect(tempo.confidence > 0.7, "\(tempo)")
    }

    @Test func `of what is counted at the half or the double, a usual tempo comes first`() throws {
        #expect(try profile(of: MadeMusic.drums(tempo: 128, seconds: 15)).tempo?.beatsPerMinute.rounded() == 128)
        let slow = try #require(try profile(of: MadeMusic.clicks(tempo: 45, seconds: 30)).tempo)
        #expect(slow.offers(90), "\(slow)")
    }

    @Test(arguments: [8000, 16000, 22050, 44100, 48000, 96000])
    func `beats lie on the clicks at every rate`(rate: Int) throws {
        let heard = try profile(of: MadeMusic.clicks(tempo: 120, seconds: 12, rate: rate), rate: rate)
        #expect(heard.tempo?.beatsPerMinute.rounded() == 120, "\(String(describing: heard.tempo))")
        // The first and the last may lie at the edge, where the recording begins.
        #expect(abs(heard.grid.beats.count - 24) <= 2, "\(heard.grid.beats)")
        let errors = heard.grid.beats.map { beat in
            let place = (beat - 0.1) / 0.5
            return (place - place.rounded()) * 0.5
        }
        #expect(errors.dropFirst().allSatisfy { abs($0) < 0.006 }, "\(errors)")
        // Out of digital silence, a sound is heard as soon as the window reaches it.
        #expect(abs(errors.first ?? 1) < 0.025)
        #expect(zip(heard.grid.beats, heard.grid.beats.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test func `beats follow a tempo that changes slowly`() throws {
        // From 120 to 132 within 30 s.
        var instants = [0.1]
        while let last = instants.last, last < 29 { instants.append(last + 60 / (120 + 0.4 * last)) }
        let rate = 22050
        var samples = [Float](repeating: 0, count: 30 * rate)
        for instant in instants {
            for index in 0..<600 {
                samples[Int(instant * Double(rate)) + index] +=
                    (index % 7 < 3 ? 0.5 : -0.4) * Float(exp(-Double(index) / 150))
            }
        }
        let grid = try profile(of: samples).grid
        let missed = instants.dropFirst(2).dropLast(2).filter { instant in
            grid.nearest(to: instant).map { abs($0 - instant) > 0.03 } ?? true
        }
        #expect(missed.count <= 2, "\(missed)")
    }

    @Test func `noise and a steady tone have no tempo to trust`() throws {
        let noise = try profile(of: MadeMusic.noise(seconds: 20))
        #expect((noise.tempo?.confidence ?? 0) < 0.3, "\(String(describing: noise.tempo))")
        let tone = (0..<(22050 * 10)).map { Float(0.3 * sin(2 * .pi * 440 * Double($0) / 22050)) }
        let steady = try profile(of: tone)
        #expect((steady.tempo?.confidence ?? 0) < 0.3, "\(String(describing: steady.tempo))")
    }

    @Test func `the nearest beat is found, before the first and behind the last too`() {
        let grid = BeatGrid(beats: [1, 1.5, 2])
        #expect(grid.nearest(to: 0) == 1)
        #expect(grid.nearest(to: 1.3) == 1.5)
        #expect(grid.nearest(to: 1.2) == 1)
        #expect(grid.nearest(to: 9) == 2)
        #expect(BeatGrid(beats: []).nearest(to: 1) == nil)
    }
}
