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
        block.withPlane(0) { run(shelf, pass, &states.0, over: $0.extracting(range)) }
        guard block.format.channels == 2 else { return }
        block.withPlane(1) { run(shelf, pass, &states.1, over: $0.extracting(range)) }
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
