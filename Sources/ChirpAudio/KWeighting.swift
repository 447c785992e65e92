/// K-weighting of one or two channels, kept as a sum of squares (ITU-R BS.1770-4, annex 1).
public struct KWeighting: ~Copyable {
    private let shelf: BiquadByTwo
    private let pass: BiquadByTwo
    private var states = (KState(), KState())

    public init(sampleRate: Int) {
        shelf = BiquadByTwo(.kShelf(sampleRate: sampleRate))
        pass = BiquadByTwo(.kHighPass(sampleRate: sampleRate))
    }

    /// - Parameters:
    ///   - block: mono or stereo, always the same.
    ///   - range: the frames of it to take.
    public mutating func add(_ block: borrowing AudioBlock, _ range: Range<Int>) {
        let (shelf, pass) = (shelf, pass)
        block.withPlane(0) { left in
            let left = left.extracting(range)
            guard block.format.channels == 2 else { return run(shelf, pass, &states.0, over: left) }
            block.withPlane(1) { right in
                run(shelf, pass, &states.0, over: left, &states.1, over: right.extracting(range))
            }
        }
    }

    /// The sum of squares since ``takeEnergy()``, over all channels.
    public var energySoFar: Double { states.0.energy + states.1.energy }

    /// The same, and begins a new sum.
    public mutating func takeEnergy() -> Double {
        defer {
            states.0.settle()
            states.1.settle()
        }
        return energySoFar
    }
}

/// Both stages over one channel.
private func run(
    _ shelf: BiquadByTwo, _ pass: BiquadByTwo, _ state: inout KState, over samples: borrowing Span<Float>
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
    _ shelf: BiquadByTwo, _ pass: BiquadByTwo, _ first: inout KState, over left: borrowing Span<Float>,
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
    var shelf = BiquadByTwo.State()
    var pass = BiquadByTwo.State()
    var energy = 0.0

    /// Begins a new sum.
    mutating func settle() {
        energy = 0
        shelf.settle()
        pass.settle()
    }
}
