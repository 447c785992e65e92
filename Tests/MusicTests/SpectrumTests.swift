import ChirpMusic
import ChirpTestKit
import Foundation
import Testing

struct SpectrumTests {
    private func tone(_ frequency: Double, rate: Int, seconds: Double) -> [Float] {
        (0..<Int(seconds * Double(rate))).map { Float(sin(2 * .pi * frequency * Double($0) / Double(rate))) }
    }

    @Test func `a tone is in its bin at every moment, and the ends fade`() {
        var spectrum = ShortTimeSpectrum(window: 512, hop: 80)
        let samples = tone(1000, rate: 16000, seconds: 0.5)
        var loudest: [Int] = []
        var powers: [Float] = []
        spectrum.forEachFrame(of: samples.span) { frame, power in
            #expect(frame == loudest.count)
            var best = 0
            for bin in 0..<power.count where power[bin] > power[best] { best = bin }
            loudest.append(best)
            powers.append(power[32])
        }
        #expect(loudest.count == 100 && spectrum.frames(of: samples.count) == 100)
        #expect(loudest.allSatisfy { abs($0 - 32) <= 1 })
        // Half of the first window lies before the signal.
        #expect(powers[0] < 0.4 * powers[50])
        // A sine of amplitude 1 under a Hann window: a quarter of its length, squared.
        #expect(abs(powers[50] / (128 * 128) - 1) < 0.02)
    }

    @Test(arguments: [0, 1, 79, 80, 81]) func `signals shorter than a window have moments too`(count: Int) {
        var spectrum = ShortTimeSpectrum(window: 512, hop: 80)
        var frames = 0
        spectrum.forEachFrame(of: [Float](repeating: .nan, count: count).span) { _, power in
            frames += 1
            // What is no number is silence.
            #expect(power[3] == 0)
        }
        #expect(frames == [0: 0, 81: 2][count, default: 1])
    }

    @Test func `a tone is loudest in the mel band around it`() {
        let bands = MelBands(count: 30, range: 80...7000, bins: 257, rate: 16000)
        var spectrum = ShortTimeSpectrum(window: 512, hop: 8000)
        var last = -1
        for frequency in [200.0, 500, 1000, 2000, 4000, 6000] {
            var energies: [Float] = []
            spectrum.forEachFrame(of: tone(frequency, rate: 16000, seconds: 1).span) { frame, power in
                if frame == 1 { bands.append(power, to: &energies) }
            }
            let best = energies.indices.max { energies[$0] < energies[$1] } ?? -1
            #expect(energies.count == 30 && best > last, "\(frequency) Hz in band \(best)")
            last = best
        }
    }

    @Test func `bands beyond half the rate are empty`() {
        let bands = MelBands(count: 20, range: 80...20000, bins: 33, rate: 8000)
        var energies: [Float] = []
        bands.append([Float](repeating: 1, count: 33).span, to: &energies)
        #expect(energies.count == 20 && energies.allSatisfy { $0.isFinite })
    }
}
