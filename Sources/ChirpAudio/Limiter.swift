internal import Glibc

/// Applies a gain and holds the true peak at a ceiling: look-ahead, all channels together, finite memory.
///
/// The signal is cut into runs of 64 frames. Each run whose true peak exceeds the ceiling asks for a reduction; around it
/// the reduction falls and rises along ``LimiterCurve``, and the deepest demand counts. Between the borders of runs the
/// gain is a straight line, so it never exceeds what a run needs. Nothing depends on blocks: any cutting of the input gives
/// the same samples. As many frames come out as went in, later by at most ``latency``.
public struct Limiter: ~Copyable {
    /// Frames per run: 1.5 ms at 44.1 kHz.
    private static let run = 64
    /// Runs that are looked at together first.
    private static let runsTogether = 8

    public let format: AudioFormat
    /// The most frames it holds back.
    public var latency: Int { (attackRuns + 2) * Self.run + TruePeakFilter.reach }
    /// The deepest reduction so far, 0 or more.
    public private(set) var deepest = Decibels.zero

    private let gain: Float
    private let ceiling: Float
    private let filter = TruePeakFilter()
    /// Runs the reduction may begin before its peak, and may last after it.
    private let attackRuns: Int
    private let releaseRuns: Int
    private let secondsPerRun: Double
    /// Per channel: `past` frames that were put out, then what was not.
    private var planes: [[Float]]
    private var past = TruePeakFilter.reach
    /// Reductions in decibels at the borders of runs, from the border in front of run `firstBorder`.
    private var borders: [Float] = []
    private var firstBorder = 0
    /// Runs whose demand is known; runs and frames put out; frames taken.
    private var knownRuns = 0
    private var framesOut = 0
    private var framesIn = 0
    private var isFlushed = false

    /// - Parameters:
    ///   - format: the planes' sample rate and channels.
    ///   - gain: applied to everything before limiting.
    ///   - ceiling: what the true peak of the output stays below, in dBTP.
    public init(format: AudioFormat, gain: Decibels, ceiling: Decibels) {
        self.format = format
        self.gain = Float(gain.amplitude)
        self.ceiling = Float(ceiling.amplitude)
        secondsPerRun = Double(Self.run) / Double(format.sampleRate)
        attackRuns = Int((LimiterCurve.longestAttack / secondsPerRun).rounded(.up))
        releaseRuns = Int((LimiterCurve.longestRelease / secondsPerRun).rounded(.up))
        planes = Array(repeating: Array(repeating: 0, count: TruePeakFilter.reach), count: format.channels)
    }

    /// Takes frames. Call ``take(into:)`` until it gives none before the next.
    public mutating func add(_ block: borrowing AudioBlock) {
        precondition(!isFlushed && block.format.channels == format.channels)
        for channel in planes.indices {
            block.withPlane(channel) { append($0, to: &planes[channel], gain: gain) }
        }
        framesIn += block.frames
        learn()
    }

    /// The input has ended: what is held back becomes available.
    public mutating func flush() {
        guard !isFlushed else { return }
        isFlushed = true
        // Silence follows, so that the last runs can be looked at.
        for channel in planes.indices {
            planes[channel].append(contentsOf: repeatElement(0, count: latency + Self.run))
        }
        learn()
    }

    /// Gives frames that are ready, as many as fit.
    ///
    /// - Returns: false when none are (the block is then empty).
    public mutating func take(into block: inout AudioBlock) -> Bool {
        let decided = max(0, knownRuns - attackRuns - 1) * Self.run
        let ready = min(decided, framesIn) - framesOut
        let frames = min(ready, block.capacity)
        guard frames > 0 else {
            block.resize(toFrames: 0)
            return false
        }
        block.resize(toFrames: frames)
        for channel in planes.indices {
            block.withMutablePlane(channel) { put(planes[channel], from: past, into: &$0) }
        }
        applyReduction(to: &block)
        framesOut += frames
        past += frames
        // What is behind the reach of the filter is no longer needed; moving it now and then costs nothing.
        let spare = past - TruePeakFilter.reach
        if spare > 8192 {
            for channel in planes.indices { planes[channel].removeFirst(spare) }
            past -= spare
            let passed = framesOut / Self.run - firstBorder
            borders.removeFirst(passed)
            firstBorder += passed
        }
        return true
    }

    /// Finds the demand of every run whose samples, and the filter's reach beyond them, are there.
    private mutating func learn() {
        while true {
            let start = past + knownRuns * Self.run - framesOut
            let runs = min(Self.runsTogether, (planes[0].count - TruePeakFilter.reach - start) / Self.run)
            guard runs > 0 else { return }
            let missing = knownRuns + runs + releaseRuns + 2 - firstBorder - borders.count
            if missing > 0 { borders.append(contentsOf: repeatElement(0, count: missing)) }
            // Most of any signal is far below.
            if planes.contains(where: { mayExceed(ceiling, $0, in: start..<start + runs * Self.run, filter) }) {
                for run in 0..<runs { learn(knownRuns + run, at: start + run * Self.run) }
            }
            knownRuns += runs
        }
    }

    /// - Parameter start: where the run begins in the planes.
    private mutating func learn(_ run: Int, at start: Int) {
        var top = ceiling
        for channel in planes.indices {
            top = truePeak(of: planes[channel], in: start..<start + Self.run, above: top, filter)
        }
        if top > ceiling { demand(Decibels(amplitude: Double(top / ceiling)).value, run: run) }
    }

    /// Lowers the borders around a run.
    private mutating func demand(_ depth: Double, run: Int) {
        if depth > deepest.value { deepest = Decibels(depth) }
        let attack = LimiterCurve.attack(depth: depth) / secondsPerRun
        let release = LimiterCurve.release(depth: depth) / secondsPerRun
        lower(border: run, to: depth)
        lower(border: run + 1, to: depth)
        var distance = 1
        while Double(distance) < attack, run - distance >= 0 {
            lower(border: run - distance, to: depth * (1 - Double(distance) / attack))
            distance += 1
        }
        distance = 1
        while Double(distance) < release {
            lower(border: run + 1 + distance, to: depth * (1 - Double(distance) / release))
            distance += 1
        }
    }

    private mutating func lower(border: Int, to depth: Double) {
        let slot = border - firstBorder
        if Float(depth) > borders[slot] { borders[slot] = Float(depth) }
    }

    private mutating func applyReduction(to block: inout AudioBlock) {
        var position = 0
        while position < block.frames {
            let frame = framesOut + position
            let run = frame / Self.run
            let end = min(block.frames, position + (run + 1) * Self.run - frame)
            let before = borders[run - firstBorder]
            let after = borders[run + 1 - firstBorder]
            if before > 0 || after > 0 {
                let from = powf(10, -before / 20)
                let step = (powf(10, -after / 20) - from) / Float(Self.run)
                // Counted from the border, so that rounding does not depend on where a block begins.
                let offset = frame - run * Self.run - position
                for channel in planes.indices {
                    block.withMutablePlane(channel) {
                        ramp(&$0, position..<end, from: from, step: step, offset: offset)
                    }
                }
            }
            position = end
        }
    }
}

private func append(_ samples: borrowing Span<Float>, to plane: inout [Float], gain: Float) {
    let start = plane.count
    samples.withUnsafeBufferPointer { plane.append(contentsOf: $0) }
    var span = plane.mutableSpan
    for index in start..<span.count { span[index] *= gain }
}

private func mayExceed(
    _ level: Float, _ plane: [Float], in range: Range<Int>, _ filter: borrowing TruePeakFilter
) -> Bool {
    filter.mayExceed(level, plane.span, in: range)
}

private func truePeak(
    of plane: [Float], in range: Range<Int>, above floor: Float, _ filter: borrowing TruePeakFilter
) -> Float {
    filter.peak(of: plane.span, in: range, above: floor)
}

private func put(_ plane: [Float], from start: Int, into output: inout MutableSpan<Float>) {
    let plane = plane.span
    for index in output.indices { output[index] = plane[start + index] }
}

private func ramp(
    _ samples: inout MutableSpan<Float>, _ range: Range<Int>, from: Float, step: Float, offset: Int
) {
    for index in range { samples[index] *= from + step * Float(index + offset) }
}

/// How a limiter gives way before a peak and comes back after it, in decibels over time.
///
/// Deeper peaks get more time on both sides, so that the change per 10 ms stays bounded and speech does not pump: 6 to
/// 20 ms before, 80 to 200 ms after. Both are straight lines in decibels that end, so a peak has no influence
/// beyond them: a limiter started there gives the same samples (finite memory).
public struct LimiterCurve: Hashable, Sendable {
    public static let longestAttack = 0.020
    public static let longestRelease = 0.200

    /// Seconds from full level to the reduction of so many decibels.
    public static func attack(depth: Double) -> Double { min(longestAttack, max(0.006, depth * 0.0015)) }

    /// Seconds from the reduction of so many decibels back to full level.
    public static func release(depth: Double) -> Double { min(longestRelease, max(0.080, depth * 0.015)) }
}
