public import ChirpAudio
internal import ChirpCodecs

/// What a picture of a recording shows: its waveform, its loudness over time, peaks that are too high, and where a clip of
/// it would begin and end. Drawn by ``svg()``, ``png()`` and ``terminal(columns:)``.
public struct Plot: Hashable, Sendable {
    /// Columns of the waveform and of the loudness.
    public static let columns = 1000

    public var seconds: Double
    /// Per column, full scale ±1.
    public var lowest: [Float]
    public var highest: [Float]
    /// Loudness around each column, over 3 s (400 ms in recordings below 20 s), mono counted as dual mono; nil in silence.
    public var loudness: [LUFS?]
    /// Columns with a true peak above -1 dBTP.
    public var overs: [Int]
    /// What a clip would keep, 0...1 of the length.
    public var kept: ClosedRange<Double>
    /// The end of it is the length cap.
    public var isCapped: Bool

    /// Reads a recording once.
    ///
    /// Blocking: run it through `offPool`. Looks at `Task.isCancelled` between blocks.
    /// - Parameter policy: for the lines of trim and cap.
    public init(path: String, name: String, policy: EditPolicy = EditPolicy()) throws(AudioError) {
        var file = try AudioFile(opening: path, name: name)
        let format = file.format
        var waveform = Waveform()
        var meter = LevelWindowMeter(format: format, removingRumble: true)
        var block = AudioBlock(format: format)
        var ticker = BlockTicker()
        var overFrames: [Int] = []
        while try file.read(into: &block) {
            try ticker.check()
            waveform.add(block)
            // A block at a time is enough to mark a column; only loud ones can matter.
            if isLoud(block) {
                var peak = TruePeakMeter(channels: format.channels)
                peak.add(block)
                if peak.peak() > Decibels(-1), overFrames.count < 100_000 {
                    overFrames.append(meter.frames + block.frames / 2)
                }
            }
            meter.add(block)
        }
        let frames = meter.frames
        guard frames > 0 else { throw .nothingToHear(name: name, reason: "it has no samples") }
        let analysis = ClipAnalysis(format: format, frames: frames, windows: meter.finish(), removesRumble: true)
        let plan = EditPlan(analysis, policy: policy)
        let outline = waveform.columns(Self.columns)
        seconds = format.seconds(ofFrames: frames)
        lowest = outline.map(\.lowest)
        highest = outline.map(\.highest)
        loudness = Self.loudness(analysis, window: seconds < 20 ? 40 : 300)
        overs = Set(overFrames.map { min(Self.columns - 1, $0 * Self.columns / frames) }).sorted()
        kept = Double(plan.frames.lowerBound) / Double(frames)...Double(plan.frames.upperBound) / Double(frames)
        isCapped = plan.isCapped
    }

    /// The loudness of a window of windows around each column.
    private static func loudness(_ analysis: ClipAnalysis, window: Int) -> [LUFS?] {
        let count = analysis.windows.count
        let weight = analysis.format.channels == 1 ? 2.0 : 1.0
        return (0..<columns).map { column in
            let centre = column * count / columns
            let range = max(0, centre - window / 2)..<min(count, centre + window / 2)
            guard !range.isEmpty else { return nil }
            let mean = range.reduce(0.0) { $0 + analysis.windows[$1].loudness } / Double(range.count) * weight
            return mean > LUFS(-70).energy ? LUFS(energy: mean) : nil
        }
    }

    /// The length as minutes and seconds.
    func time(_ fraction: Double) -> String {
        let tenths = Int((seconds * fraction * 10).rounded())
        if seconds < 10 { return "\(tenths / 10).\(tenths % 10) s" }
        let whole = tenths / 10
        return "\(whole / 60):\(whole % 60 < 10 ? "0" : "")\(whole % 60)"
    }
}

private func isLoud(_ block: borrowing AudioBlock) -> Bool {
    for channel in 0..<block.format.channels where block.withPlane(channel, { peak(of: $0) }) > 0.4 { return true }
    return false
}
