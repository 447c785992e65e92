/// K-weighting of one or two channels, kept as a sum of squares (ITU-R BS.1770-4, annex 1).
///
/// The two stages are lanes of one loop: the second takes what the first put out one sample ago.
public struct KWeighting: ~Copyable {
    private let b0, b1, b2, a1, a2: SIMD2<Double>
    private var states = (KState(), KState())

    public init(sampleRate: Int) {
        let shelf = Biquad.kShelf(sampleRate: sampleRate)
        let pass = Biquad.kHighPass(sampleRate: sampleRate)
        b0 = SIMD2(shelf.b0, pass.b0)
        b1 = SIMD2(shelf.b1, pass.b1)
        b2 = SIMD2(shelf.b2, pass.b2)
        a1 = SIMD2(shelf.a1, pass.a1)
        a2 = SIMD2(shelf.a2, pass.a2)
    }

    /// - Parameters:
    ///   - block: mono or stereo, always the same.
    ///   - range: the frames of it to take.
    public mutating func add(_ block: borrowing AudioBlock, _ range: Range<Int>) {
        block.withPlane(0) { left in
            let left = left.extracting(range)
            if block.format.channels == 1 {
                var state = states.0
                for index in left.indices { step(&state, left[index]) }
                states.0 = state
            } else {
                block.withPlane(1) { right in
                    let right = right.extracting(range)
                    var one = states.0
                    var two = states.1
                    for index in left.indices {
                        step(&one, left[index])
                        step(&two, right[index])
                    }
                    states = (one, two)
                }
            }
        }
    }

    /// The sum of squares since ``takeEnergy()``, over all channels.
    public var energySoFar: Double { states.0.energy.y + states.1.energy.y }

    /// The same, and begins a new sum.
    public mutating func takeEnergy() -> Double {
        defer {
            states.0.settle()
            states.1.settle()
        }
        return energySoFar
    }

    @inline(__always)
    private func step(_ state: inout KState, _ sample: Float) {
        let x = SIMD2(Double(sample), state.output.x)
        let y = b0 * x + state.s1
        state.s1 = b1 * x + state.s2 - a1 * y
        state.s2 = b2 * x - a2 * y
        state.output = y
        state.energy += y * y
    }
}

private struct KState {
    var s1 = SIMD2<Double>.zero
    var s2 = SIMD2<Double>.zero
    var output = SIMD2<Double>.zero
    var energy = SIMD2<Double>.zero

    /// Begins a new sum; tails that ring out into silence must not linger in denormal numbers.
    mutating func settle() {
        energy = .zero
        s1.replace(with: 0, where: s1 * s1 .< 1e-60)
        s2.replace(with: 0, where: s2 * s2 .< 1e-60)
        output.replace(with: 0, where: output * output .< 1e-60)
    }
}
