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
    private var framesSoFar = 0
    private var framesInMoment = 0
    private var nextBoundary: Int

    /// - Parameters:
    ///   - format: mono or stereo.
    ///   - rumble: whether the signal will lose what lies below 20 Hz, and shall be measured like that.
    public init(format: AudioFormat, removingRumble rumble: Bool) {
        precondition(format.channels <= 2)
        self.format = format
        filters = FilterLanes(sampleRate: format.sampleRate, rumble: rumble)
        nextBoundary = Moments.frame(ofMoment: 1, sampleRate: format.sampleRate)
    }

    /// How many frames were measured.
    public var frames: Int { framesSoFar }

    /// The whole moments so far.
    public var wholeMoments: Moments { moments }

    public mutating func add(_ block: borrowing AudioBlock) {
        var position = 0
        while position < block.frames {
            let end = min(block.frames, position + nextBoundary - framesSoFar)
            block.withPlane(0) { left in
                let left = left.extracting(position..<end)
                if format.channels == 1 {
                    filters.run(&states.0, over: left)
                } else {
                    block.withPlane(1) { right in
                        let right = right.extracting(position..<end)
                        filters.run(&states.0, over: left, &states.1, over: right)
                    }
                }
            }
            framesSoFar += end - position
            framesInMoment += end - position
            position = end
            if framesSoFar == nextBoundary { closeMoment() }
        }
    }

    /// What was measured; the last moment may be shorter than 10 ms.
    public consuming func finish() -> Moments {
        if framesInMoment > 0 { closeMoment() }
        return moments
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
        nextBoundary = Moments.frame(ofMoment: moments.count + 1, sampleRate: format.sampleRate)
    }
}
