/// How loud the latest sound was, for a meter on a screen.
public struct LevelMeter: Sendable {
    /// One reading over some frames, all channels together.
    public struct Reading: Hashable, Sendable {
        /// The highest sample, dBFS; ``Decibels/silence`` for digital silence.
        public var peak: Decibels
        /// Root mean square, dBFS, as AES17 counts: a full-scale sine reads -3.01.
        public var rms: Decibels
        /// Samples at full scale or above, which were very likely clipped.
        public var clipped: Int

        public init(peak: Decibels, rms: Decibels, clipped: Int) {
            self.peak = peak
            self.rms = rms
            self.clipped = clipped
        }
    }

    /// At or above this a sample counts as clipped: the largest 16-bit value.
    public static let fullScale: Float = 32767.0 / 32768.0

    /// Clipped samples since the meter was made.
    public private(set) var clippedInAll = 0

    public init() {}

    /// Measures all valid frames of a block.
    public mutating func measure(_ block: borrowing AudioBlock) -> Reading {
        var highest: Float = 0
        var energy = 0.0
        var clipped = 0
        for channel in 0..<block.format.channels {
            block.withPlane(channel) { plane in
                let found = measureLevel(of: plane)
                if found.peak > highest { highest = found.peak }
                energy += found.energy
                clipped += found.clipped
            }
        }
        clippedInAll += clipped
        let count = Double(max(1, block.frames * block.format.channels))
        return Reading(
            peak: Decibels(amplitude: Double(highest)), rms: Decibels(amplitude: (energy / count).squareRoot()),
            clipped: clipped)
    }
}

/// Peak, sum of squares and full-scale samples of one plane. Eight sums side by side, so that the loop is vectorised.
private func measureLevel(of samples: borrowing Span<Float>) -> (peak: Float, energy: Double, clipped: Int) {
    var peaks = SIMD8<Float>(repeating: 0)
    var sums = SIMD8<Float>(repeating: 0)
    var counts = SIMD8<Int32>(repeating: 0)
    var energy = 0.0
    var index = 0
    while index + 8 <= samples.count {
        var lanes = SIMD8<Float>()
        for lane in 0..<8 { lanes[lane] = samples[index + lane] }
        let magnitudes = lanes.replacing(with: -lanes, where: lanes .< 0)
        peaks.replace(with: magnitudes, where: magnitudes .> peaks)
        counts.replace(with: counts &+ 1, where: magnitudes .>= LevelMeter.fullScale)
        sums += lanes * lanes
        index += 8
    }
    energy += Double(sums.sum())
    var peak = peaks.max()
    var clipped = Int(counts.wrappedSum())
    while index < samples.count {
        let magnitude = abs(samples[index])
        if magnitude > peak { peak = magnitude }
        if magnitude >= LevelMeter.fullScale { clipped += 1 }
        energy += Double(magnitude * magnitude)
        index += 1
    }
    return (peak, energy, clipped)
}
