internal import Glibc

/// Samples between samples: a sinc of 16 taps under a Hann window, in 256 steps.
struct SincTable {
    private static let taps = 16
    private static let phases = 256
    private let weights: [Float]

    init() {
        weights = (0...Self.phases).flatMap { phase in
            (0..<Self.taps).map { tap in
                let place = Double(tap - Self.taps / 2 + 1) - Double(phase) / Double(Self.phases)
                let hann = 0.5 + 0.5 * cos(Double.pi * place / Double(Self.taps / 2))
                return Float(hann * (abs(place) < 1e-9 ? 1 : sin(Double.pi * place) / (Double.pi * place)))
            }
        }
    }

    /// So many samples from a place on, a step apart; silence where there are none.
    func samples(of source: [Float], from place: Double, step: Double, count: Int) -> [Float] {
        (0..<max(0, count)).map { index in
            let exact = place + Double(index) * step
            let whole = exact.rounded(.down)
            let first = Int(whole) - Self.taps / 2 + 1
            guard first >= 0, first + Self.taps <= source.count else { return 0 }
            let phase = Int(((exact - whole) * Double(Self.phases)).rounded()) * Self.taps
            var sum: Float = 0
            for tap in 0..<Self.taps { sum += source[first + tap] * weights[phase + tap] }
            return sum
        }
    }
}
