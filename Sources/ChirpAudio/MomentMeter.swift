/// Turns a signal into ``Moments``: loudness, level above 80 Hz and peak for every 10 ms, in one pass.
///
/// Four filters run in one loop, one per lane: rumble (20 Hz), K-weighting's shelf, K-weighting's high-pass, and the
/// gate's high-pass (80 Hz). A filter of second order cannot be spread over lanes by itself, since each output waits for
/// the one before; but each lane here takes what its predecessor put out one sample ago, so that all four advance at the
/// cost of one. The delay of one or two samples does not matter to energies.
public struct MomentMeter: ~Copyable {
    private let format: AudioFormat
    private let filters: FilterLanes
    private var states: (FilterState, FilterState) = (FilterState(), FilterState())
    private var moments = Moments()
    private var framesSoFar: Int
    private var framesInMoment = 0
    private let firstMoment: Int
    private var nextBoundary: Int

    /// What the filters need to forget where they began, in seconds: the slowest, 20 Hz, has then faded by 115 dB.
    package static let settlingSeconds = 0.15

    /// - Parameters:
    ///   - format: mono or stereo.
    ///   - rumble: whether the signal will lose what lies below 20 Hz, and shall be measured like that.
    ///   - moment: the place in the whole signal of the first moment that is measured.
    public init(format: AudioFormat, removingRumble rumble: Bool, from moment: Int = 0) {
        precondition(format.channels <= 2 && moment >= 0)
        self.format = format
        filters = FilterLanes(sampleRate: format.sampleRate, rumble: rumble)
        firstMoment = moment
        framesSoFar = Moments.frame(ofMoment: moment, sampleRate: format.sampleRate)
        nextBoundary = Moments.frame(ofMoment: moment + 1, sampleRate: format.sampleRate)
    }

    /// Where the next frame lies in the signal: how many were measured, when measuring began at its beginning.
    public var frames: Int { framesSoFar }

    /// The whole moments so far.
    public var wholeMoments: Moments { moments }

    /// Lets the filters hear what came before the first frame that is measured, and measures nothing.
    package mutating func settle(over block: borrowing AudioBlock, _ range: Range<Int>) {
        filter(block, range)
        forget()
    }

    /// Leaves out of the next moment what the filters have heard so far.
    private mutating func forget() {
        _ = (states.0.takeEnergy(), states.1.takeEnergy(), states.0.takePeak(), states.1.takePeak())
    }

    /// Two places of one mono signal at once: each filter waits for its own last output, and one fills the time in which the
    /// other waits (3.6 ns a sample instead of 4.7).
    ///
    /// - Parameters:
    ///   - block: holds both places.
    ///   - lead: frames before each range that the filters only hear.
    ///   - ranges: the frames of the block to take.
    package static func add(
        _ block: borrowing AudioBlock, lead: (Int, Int), _ ranges: (Range<Int>, Range<Int>),
        to first: inout MomentMeter, and second: inout MomentMeter
    ) {
        precondition(block.format.channels == 1)
        let both = min(lead.0, lead.1)
        first.settle(over: block, ranges.0.lowerBound - lead.0..<ranges.0.lowerBound - both)
        second.settle(over: block, ranges.1.lowerBound - lead.1..<ranges.1.lowerBound - both)
        block.withPlane(0) { plane in
            first.filters.run(
                &first.states.0, over: plane.extracting(ranges.0.lowerBound - both..<ranges.0.lowerBound),
                &second.states.0, over: plane.extracting(ranges.1.lowerBound - both..<ranges.1.lowerBound))
        }
        first.forget()
        second.forget()
        var (one, two) = (ranges.0.lowerBound, ranges.1.lowerBound)
        while one < ranges.0.upperBound, two < ranges.1.upperBound {
            let count = min(
                first.nextBoundary - first.framesSoFar, second.nextBoundary - second.framesSoFar,
                ranges.0.upperBound - one, ranges.1.upperBound - two)
            block.withPlane(0) { plane in
                first.filters.run(
                    &first.states.0, over: plane.extracting(one..<one + count), &second.states.0,
                    over: plane.extracting(two..<two + count))
            }
            first.advance(count)
            second.advance(count)
            one += count
            two += count
        }
        first.add(block, one..<ranges.0.upperBound)
        second.add(block, two..<ranges.1.upperBound)
    }

    public mutating func add(_ block: borrowing AudioBlock) { add(block, 0..<block.frames) }

    /// - Parameter range: the frames of the block to take.
    package mutating func add(_ block: borrowing AudioBlock, _ range: Range<Int>) {
        var position = range.lowerBound
        while position < range.upperBound {
            let end = min(range.upperBound, position + nextBoundary - framesSoFar)
            filter(block, position..<end)
            advance(end - position)
            position = end
        }
    }

    private mutating func advance(_ count: Int) {
        framesSoFar += count
        framesInMoment += count
        if framesSoFar == nextBoundary { closeMoment() }
    }

    /// What was measured; the last moment may be shorter than 10 ms.
    public consuming func finish() -> Moments {
        if framesInMoment > 0 { closeMoment() }
        return moments
    }

    private mutating func filter(_ block: borrowing AudioBlock, _ range: Range<Int>) {
        block.withPlane(0) { left in
            let left = left.extracting(range)
            if format.channels == 1 {
                filters.run(&states.0, over: left)
            } else {
                block.withPlane(1) { right in
                    filters.run(&states.0, over: left, &states.1, over: right.extracting(range))
                }
            }
        }
    }

    private mutating func closeMoment() {
        let energy = states.0.takeEnergy() + states.1.takeEnergy()
        let scale = 1 / Double(framesInMoment)
        moments.append(
            Moment(
                loudness: energy[FilterLanes.loudnessLane] * scale,
                voice: energy[FilterLanes.voiceLane] * scale / Double(format.channels),
                peak: max(states.0.takePeak(), states.1.takePeak())))
        framesInMoment = 0
        nextBoundary = Moments.frame(ofMoment: firstMoment + moments.count + 1, sampleRate: format.sampleRate)
    }
}
