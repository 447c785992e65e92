internal import CKernels

/// Measures a stretch of a signal in four places at once, one in each lane of a vector.
///
/// Each output of a recursive filter waits for the one before, so that one filter over one signal leaves most of a processor
/// idle; four places of a signal do not wait for each other. Before each place the filters hear some of what comes before it,
/// to forget that they began there. Places begin where units, windows or tenths of a second, are as long in all of them, so
/// where they are depends on the signal alone, and any number of threads finds the same.
public struct FourLaneMeter: Sendable {
    public static let places = 4

    /// What the filters need to forget where they began, in seconds: the slowest, 20 Hz, has then faded by 115 dB.
    public static let settlingSeconds = 0.15
    /// The same for K-weighting alone: what is left is below 1e-5.
    public static let loudnessSettlingSeconds = 0.05

    private let format: AudioFormat
    private let filters: MeasuringFilters
    /// LevelWindows in a unit.
    private let length: Int

    /// Measures windows: what ``LevelWindowMeter`` does.
    ///
    /// - Parameter rumble: whether the signal will lose what lies below 20 Hz, and shall be measured like that.
    public init(windowsOf format: AudioFormat, removingRumble rumble: Bool) {
        self.init(windowsOf: format, removingRumble: rumble, version: Kernels.fastest)
    }

    /// Measures K-weighting in tenths of a second.
    public init(tenthsOf format: AudioFormat) { self.init(tenthsOf: format, version: Kernels.fastest) }

    /// - Parameter version: of the loops, one of ``Kernels/versions``.
    package init(windowsOf format: AudioFormat, removingRumble rumble: Bool, version: Int) {
        self.init(format, rumble: rumble, loudnessOnly: false, length: 1, version: version)
    }

    /// - Parameter version: of the loops, one of ``Kernels/versions``.
    package init(tenthsOf format: AudioFormat, version: Int) {
        self.init(format, rumble: false, loudnessOnly: true, length: LevelWindows.rate / 10, version: version)
    }

    private init(_ format: AudioFormat, rumble: Bool, loudnessOnly: Bool, length: Int, version: Int) {
        self.format = format
        self.length = length
        filters = MeasuringFilters(
            sampleRate: format.sampleRate, rumble: rumble, loudnessOnly: loudnessOnly, version: version)
    }

    /// Where a unit begins, in frames of the signal.
    private func start(ofUnit unit: Int) -> Int {
        LevelWindows.frame(ofWindow: unit * length, sampleRate: format.sampleRate)
    }

    /// Units from one on that so many frames need.
    private func units(from first: Int, frames: Int) -> Int {
        let end = start(ofUnit: first) + frames
        var count = frames * LevelWindows.rate / (length * format.sampleRate)
        while start(ofUnit: first + count) < end { count += 1 }
        return count
    }

    /// How far two places lie apart when so many frames are measured, in units. Frames of a block must be there for four.
    package func unitsApart(from first: Int, frames: Int) -> Int {
        // After so many units their lengths repeat: at 22,050 Hz two of 10 ms are 441 frames.
        let period = LevelWindows.rate / greatestCommonDivisor(LevelWindows.rate, length * format.sampleRate)
        let each = (units(from: first, frames: frames) + Self.places - 1) / Self.places
        return (each + period - 1) / period * period
    }

    /// The frames that a block must have from the first one that is measured on: some more than are.
    public func span(from first: Int, frames: Int) -> Int {
        Self.places * start(ofUnit: unitsApart(from: first, frames: frames))
    }

    /// Measures the units of a stretch; the last one may be shorter.
    ///
    /// - Parameters:
    ///   - block: holds `lead` frames that the filters hear first, then the stretch, then up to ``span(from:frames:)``
    ///     frames, whatever they are.
    ///   - frames: of the stretch, 1 or more.
    ///   - first: the unit of the signal with which it begins.
    public func measure(_ block: borrowing AudioBlock, lead: Int, frames: Int, from first: Int) -> [MeasuredUnit] {
        precondition(frames > 0 && block.format == format)
        precondition(block.frames >= lead + span(from: first, frames: frames))
        let last = units(from: first, frames: frames) - 1
        let apart = unitsApart(from: first, frames: frames)
        let distance = start(ofUnit: apart)
        let others = (Self.places - 1) * distance
        let bounds = (0...Self.places * apart).map { start(ofUnit: first + $0) - start(ofUnit: first) }
        var result = (0..<Self.places * apart).map { index in
            MeasuredUnit(frames: min(bounds[index + 1], frames) - bounds[index], isWhole: bounds[index + 1] <= frames)
        }
        for channel in 0..<format.channels {
            block.withPlane(channel) { plane in
                var memory = chirp_measuring_memory()
                _ = filters.run(&memory, over: plane.extracting(..<(lead + others)), distance: distance)
                for index in 0..<apart {
                    let (begin, end) = (lead + bounds[index], lead + bounds[index + 1])
                    // The signal may end within this unit of one of the places.
                    let isCut = last % apart == index && !result[last].isWhole
                    let cut = isCut ? begin + result[last].frames : end
                    let measured = filters.run(
                        &memory, over: plane.extracting(begin..<cut + others), distance: distance)
                    for place in 0..<Self.places {
                        result[place * apart + index].add(measured, place: place, filters)
                    }
                    guard isCut else { continue }
                    let rest = filters.run(&memory, over: plane.extracting(cut..<end + others), distance: distance)
                    for place in 0..<Self.places where place * apart + index != last {
                        result[place * apart + index].add(rest, place: place, filters)
                    }
                }
            }
        }
        return Array(result[...last])
    }
}

private func greatestCommonDivisor(_ one: Int, _ other: Int) -> Int {
    other == 0 ? one : greatestCommonDivisor(other, one % other)
}
