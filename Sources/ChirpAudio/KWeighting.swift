/// K-weighting of all channels of a signal, kept as a weighted sum of squares (ITU-R BS.1770-4, annexes 1 and 3).
public struct KWeighting: ~Copyable {
    private let shelf: TwoSampleBiquad
    private let pass: TwoSampleBiquad
    /// What the energy of each channel counts for.
    private let weights: [Double]
    /// The channels that count.
    private let heard: [Int]
    private var states: [KState]

    /// - Parameter weights: of the channels' energies; a channel of weight 0 is not looked at. Without weights there are up to
    ///   two channels that count fully.
    public init(sampleRate: Int, weights: [Double] = []) {
        shelf = TwoSampleBiquad(.kShelf(sampleRate: sampleRate))
        pass = TwoSampleBiquad(.kHighPass(sampleRate: sampleRate))
        self.weights = weights.isEmpty ? [1, 1] : weights
        heard = self.weights.indices.filter { [weights = self.weights] in weights[$0] != 0 }
        states = Array(repeating: KState(), count: self.weights.count)
    }

    /// - Parameters:
    ///   - block: always of the same format, with as many channels as there are weights or, without weights, one or two.
    ///   - range: the frames of it to take.
    public mutating func add(_ block: borrowing AudioBlock, _ range: Range<Int>) {
        let (shelf, pass) = (shelf, pass)
        let channels = block.format.channels
        var index = 0
        while index < heard.count, heard[index] < channels {
            let one = heard[index]
            let other = index + 1 < heard.count && heard[index + 1] < channels ? heard[index + 1] : nil
            var first = states[one]
            block.withPlane(one) { left in
                let left = left.extracting(range)
                guard let other else { return run(shelf, pass, &first, over: left) }
                var second = states[other]
                block.withPlane(other) { right in
                    run(shelf, pass, &first, over: left, &second, over: right.extracting(range))
                }
                states[other] = second
            }
            states[one] = first
            index += 2
        }
    }

    /// The sum of squares since ``takeEnergy()``, over all channels, each with its weight.
    public var energySoFar: Double { zip(weights, states).reduce(0) { $0 + $1.0 * $1.1.energy } }

    /// The same, and begins a new sum.
    public mutating func takeEnergy() -> Double {
        defer {
            for channel in states.indices { states[channel].settle() }
        }
        return energySoFar
    }
}

/// Both stages over one channel.
private func run(
    _ shelf: TwoSampleBiquad, _ pass: TwoSampleBiquad, _ state: inout KState, over samples: borrowing Span<Float>
) {
    var local = state
    var (even, odd) = (local.energy, 0.0)
    var index = 0
    while index + 1 < samples.count {
        let shelved = shelf.step(&local.shelf, Double(samples[index]), Double(samples[index + 1]))
        let (one, two) = pass.step(&local.pass, shelved.0, shelved.1)
        even += one * one
        odd += two * two
        index += 2
    }
    if index < samples.count {
        let one = pass.step(&local.pass, shelf.step(&local.shelf, Double(samples[index])))
        even += one * one
    }
    local.energy = even + odd
    state = local
}

/// Both stages over two channels in one loop: one fills the time in which the other waits for its own last output.
private func run(
    _ shelf: TwoSampleBiquad, _ pass: TwoSampleBiquad, _ first: inout KState, over left: borrowing Span<Float>,
    _ second: inout KState, over right: borrowing Span<Float>
) {
    precondition(left.count == right.count)
    var (one, two) = (first, second)
    var index = 0
    while index + 1 < left.count {
        let a = shelf.step(&one.shelf, Double(left[index]), Double(left[index + 1]))
        let b = shelf.step(&two.shelf, Double(right[index]), Double(right[index + 1]))
        let (a1, a2) = pass.step(&one.pass, a.0, a.1)
        let (b1, b2) = pass.step(&two.pass, b.0, b.1)
        one.energy += a1 * a1 + a2 * a2
        two.energy += b1 * b1 + b2 * b2
        index += 2
    }
    (first, second) = (one, two)
    if index < left.count {
        run(shelf, pass, &first, over: left.extracting(index..<left.count))
        run(shelf, pass, &second, over: right.extracting(index..<right.count))
    }
}

private struct KState {
    var shelf = TwoSampleBiquad.State()
    var pass = TwoSampleBiquad.State()
    var energy = 0.0

    /// Begins a new sum.
    mutating func settle() {
        energy = 0
        shelf.settle()
        pass.settle()
    }
}
