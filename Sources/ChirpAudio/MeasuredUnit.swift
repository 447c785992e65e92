internal import CKernels

/// What was measured in a run of frames, all channels together.
public struct MeasuredUnit: Hashable, Sendable {
    public internal(set) var frames = 0
    /// Whether it is as long as a unit should be; the last one of a signal may not be.
    public internal(set) var isWhole = true
    /// The sum of squares behind K-weighting.
    public private(set) var loudness = 0.0
    /// The sum of squares above 80 Hz; 0 when only loudness is measured.
    public private(set) var voice = 0.0
    /// The largest magnitude of the signal as it will be rendered: filtering away rumble changes peaks by decibels, so those
    /// of the recording itself would not do. 0 when only loudness is measured.
    public private(set) var peak = 0.0

    /// Adds what was measured in one of four places.
    mutating func add(_ measured: chirp_measured, place: Int, _ filters: MeasuringFilters) {
        loudness += lanes(measured.loudness)[place] * filters.loudnessGain
        voice += lanes(measured.voice)[place] * filters.voiceGain
        peak = max(peak, lanes(measured.peak)[place].squareRoot() * filters.peakGain)
    }
}

extension LevelWindow {
    /// - Parameter channels: that the unit was measured in.
    package init(_ unit: MeasuredUnit, channels: Int) {
        let frames = Double(unit.frames)
        self.init(
            loudness: unit.loudness / frames, voice: unit.voice / (frames * Double(channels)), peak: Float(unit.peak))
    }
}

private func lanes(_ values: (Double, Double, Double, Double)) -> SIMD4<Double> {
    SIMD4(values.0, values.1, values.2, values.3)
}
