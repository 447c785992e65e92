/// Removes what lies below a corner frequency, DC included: 12 dB per octave, Butterworth.
public struct HighPass: AudioStage, ~Copyable {
    private let filter: Biquad
    private var states: [SIMD2<Double>]

    /// - Parameter frequency: the corner in hertz, 3 dB down.
    public init(format: AudioFormat, frequency: Double) {
        filter = .highPass(frequency: frequency, sampleRate: format.sampleRate)
        states = Array(repeating: .zero, count: format.channels)
    }

    public mutating func process(_ block: inout AudioBlock) {
        for channel in states.indices {
            var state = states[channel]
            block.withMutablePlane(channel) { run(filter, &state, over: &$0) }
            // A decaying tail must not linger in denormal numbers, which are slow on many processors.
            states[channel] = state.replacing(with: 0, where: (state * state) .< 1e-40)
        }
    }
}

/// One filter over one plane, transposed direct form II in double precision: at 48 kHz a corner of 20 Hz needs it.
private func run(_ filter: Biquad, _ state: inout SIMD2<Double>, over samples: inout MutableSpan<Float>) {
    var s1 = state.x
    var s2 = state.y
    for index in samples.indices {
        let x = Double(samples[index])
        let y = filter.b0 * x + s1
        s1 = filter.b1 * x + s2 - filter.a1 * y
        s2 = filter.b2 * x - filter.a2 * y
        samples[index] = Float(y)
    }
    state = SIMD2(s1, s2)
}
