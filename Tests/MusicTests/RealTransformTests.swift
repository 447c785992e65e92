import ChirpMusic
import ChirpTestKit
import Foundation
import Testing

struct RealTransformTests {
    private func noise(_ count: Int) -> [Float] {
        var random = SeededGenerator(seed: 5)
        return (0..<count).map { _ in .random(in: -1...1, using: &random) }
    }

    @Test(arguments: [2, 6, 30, 64, 250])
    func `a spectrum is that of the definition`(size: Int) {
        let samples = noise(size)
        var transform = RealTransform(size: size)
        var spectrum = [Complex](repeating: Complex(), count: transform.bins)
        transform.transform(samples, into: &spectrum)
        for bin in spectrum.indices {
            var (re, im) = (0.0, 0.0)
            for index in samples.indices {
                let angle = -2 * Double.pi * Double(bin * index) / Double(size)
                re += Double(samples[index]) * cos(angle)
                im += Double(samples[index]) * sin(angle)
            }
            #expect(abs(Double(spectrum[bin].re) - re) < 1e-4 && abs(Double(spectrum[bin].im) - im) < 1e-4)
        }
    }

    @Test(arguments: [2, 960, 1024, 16384])
    func `what was transformed comes back`(size: Int) {
        let samples = noise(size)
        var transform = RealTransform(size: size)
        var spectrum = [Complex](repeating: Complex(), count: transform.bins)
        var again = [Float](repeating: 0, count: size)
        transform.transform(samples, into: &spectrum)
        transform.invert(spectrum, into: &again)
        #expect(zip(samples, again).allSatisfy { abs($0 - $1) < 1e-5 })
    }
}
