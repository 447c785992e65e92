/// The memory of ``FilterLanes`` for one channel, and the energies so far.
struct FilterState {
    fileprivate var s1 = SIMD4<Double>.zero
    fileprivate var s2 = SIMD4<Double>.zero
    fileprivate var output = SIMD4<Double>.zero
    fileprivate var energy = SIMD4<Double>.zero
    fileprivate var highest = SIMD4<Double>.zero

    /// The largest magnitude of what lane 0 put out since the last call: the signal as it will be rendered. Filtering
    /// away rumble changes peaks by decibels, so those of the recording itself would not do.
    mutating func takePeak() -> Float {
        defer { highest = .zero }
        return Float(highest.x.squareRoot())
    }

    /// The sums of squares since the last call, per lane.
    mutating func takeEnergy() -> SIMD4<Double> {
        // Tails that ring out into silence must not linger in denormal numbers.
        s1.replace(with: 0, where: s1 * s1 .< 1e-60)
        s2.replace(with: 0, where: s2 * s2 .< 1e-60)
        output.replace(with: 0, where: output * output .< 1e-60)
        defer { energy = .zero }
        return energy
    }
}

/// Four filters of second order side by side: lane 0 takes the signal, 1 and 3 what lane 0 put out, 2 what lane 1 did.
struct FilterLanes {
    static let loudnessLane = 2
    static let voiceLane = 3

    private let b0, b1, b2, a1, a2: SIMD4<Double>

    init(sampleRate: Int, rumble: Bool) {
        let lanes = [
            rumble ? Biquad.highPass(frequency: 20, sampleRate: sampleRate) : .identity,
            .kShelf(sampleRate: sampleRate), .kHighPass(sampleRate: sampleRate),
            .highPass(frequency: 80, sampleRate: sampleRate),
        ]
        b0 = SIMD4(lanes.map(\.b0))
        b1 = SIMD4(lanes.map(\.b1))
        b2 = SIMD4(lanes.map(\.b2))
        a1 = SIMD4(lanes.map(\.a1))
        a2 = SIMD4(lanes.map(\.a2))
    }

    /// One channel.
    func run(_ state: inout FilterState, over samples: borrowing Span<Float>) {
        var local = state
        for index in samples.indices { step(&local, samples[index]) }
        state = local
    }

    /// Two channels in one loop: the second fills the time in which the first waits for itself.
    func run(
        _ first: inout FilterState, over left: borrowing Span<Float>, _ second: inout FilterState,
        over right: borrowing Span<Float>
    ) {
        precondition(left.count == right.count)
        var one = first
        var two = second
        for index in left.indices {
            step(&one, left[index])
            step(&two, right[index])
        }
        first = one
        second = two
    }

    @inline(__always)
    private func step(_ state: inout FilterState, _ sample: Float) {
        let before = state.output
        let x = SIMD4(Double(sample), before.x, before.y, before.x)
        let y = b0 * x + state.s1
        state.s1 = b1 * x + state.s2 - a1 * y
        state.s2 = b2 * x - a2 * y
        state.output = y
        let square = y * y
        state.energy += square
        state.highest.replace(with: square, where: square .> state.highest)
    }
}
