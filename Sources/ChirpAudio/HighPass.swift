/// Removes what lies below a corner frequency, DC included: 12 dB per octave, Butterworth.
public struct HighPass: AudioStage, ~Copyable {
    private let filter: BiquadByTwo
    private var states: [BiquadByTwo.State]

    /// - Parameter frequency: the corner in hertz, 3 dB down.
    public init(format: AudioFormat, frequency: Double) {
        filter = BiquadByTwo(.highPass(frequency: frequency, sampleRate: format.sampleRate))
        states = Array(repeating: BiquadByTwo.State(), count: format.channels)
    }

    public mutating func process(_ block: inout AudioBlock) {
        for channel in states.indices {
            var state = states[channel]
            block.withMutablePlane(channel) { run(filter, &state, over: &$0) }
            state.settle()
            states[channel] = state
        }
    }
}

/// One filter over one plane, in double precision: at 48 kHz a corner of 20 Hz needs it.
private func run(_ filter: BiquadByTwo, _ state: inout BiquadByTwo.State, over samples: inout MutableSpan<Float>) {
    var local = state
    var index = 0
    while index + 1 < samples.count {
        let (one, two) = filter.step(&local, Double(samples[index]), Double(samples[index + 1]))
        samples[index] = Float(one)
        samples[index + 1] = Float(two)
        index += 2
    }
    if index < samples.count { samples[index] = Float(filter.step(&local, Double(samples[index]))) }
    state = local
}
