internal import Glibc

/// Tells when an encoder that began in the middle has the same threshold of hearing as one that came from the beginning.
///
/// LAME lowers that threshold in quiet passages by a factor that follows the loudness of frames: down by at most 7.5 % a
/// frame, up at once, to a limit which the frame and the one before it alone decide (`adjust_ATH`). Nothing else lasts
/// longer than some 20 frames, and frames need not show it. So this follows the highest value that the factor can have
/// whatever came before. Once the limits are above that, every encoder takes over the same value, and keeps it.
///
/// Loudness is found as LAME finds it: spectra of 1024 samples, weighted by the inverse of the threshold
/// (`psycho_loudness_approx`). The curve of the threshold depends on the preset; the two extremes give bounds.
struct MP3ThresholdMemory {
    /// The frame, counted from the start, from which on the threshold is the same; nil while that is not known.
    private(set) var settledFrame: Int?

    private static let size = 1024
    /// Where the spectrum of granule 0 begins, by LAME's delays: 576 - 528 - 272.
    private static let lead = -224
    private static let granule = 576
    /// How far the bounds of the loudness are taken apart, for what is rounded otherwise.
    private static let margin: Float = 1.1

    private let channels: Int
    private let isMPEG1: Bool
    private let transform = Spectrum(size: MP3ThresholdMemory.size)
    private let window: [Float]
    /// The weights of the lines 0..<512 by the lowest and the highest curve.
    private let weights: (low: [Float], high: [Float])
    /// Samples from `base` on, both channels.
    private var left: [Float] = []
    private var right: [Float] = []
    private var base = 0
    /// The next granule, and the bounds of the loudness of the one before.
    private var next = 1
    private var before: ClosedRange<Float> = 0...0
    /// The highest possible factor, and the lowest possible limit of the frame before.
    private var highest: Float = 1
    private var limitBefore: Float = 0

    /// - Parameter facts: of the encoder.
    init(sampleRate: Int, channels: Int, facts: MP3EncoderFacts) {
        self.channels = channels
        isMPEG1 = sampleRate >= 32000
        let size = Self.size
        // What LAME gets, to what it makes of it: full scale is 32768.
        let scale = 32768 / facts.fullScale
        window = (0..<size).map { index in
            let angle = 2 * Float.pi * (Float(index) + 0.5) / Float(size)
            return (0.42 - 0.5 * cosf(angle) + 0.08 * cosf(2 * angle)) * scale
        }
        let whole = Double(powf(10, -facts.athSensitivity / 10)) / (14752 * 14752) / Double(size / 2)
        func weights(curve: Double) -> [Float] {
            let lines = (1...size / 2).map { line in
                let kilohertz = Double(line * sampleRate) / Double(size) / 1000
                return pow(10, -Self.threshold(kilohertz, type: facts.athType, curve: curve) / 10)
            }
            let sum = lines.reduce(0, +)
            return lines.map { Float($0 / sum * whole) }
        }
        self.weights = (weights(curve: -1), weights(curve: 11))
    }

    /// The threshold of hearing in decibels (after Painter and Spanias, with LAME's term for high frequencies).
    private static func threshold(_ kilohertz: Double, type: Int, curve: Double) -> Double {
        let f = type == 5 ? min(max(kilohertz, 3.41), 16.1) : min(max(kilohertz, 0.1), 24)
        return 3.64 * pow(f, -0.8) - 6.8 * exp(-0.6 * (f - 3.4) * (f - 3.4))
            + 6 * exp(-0.15 * (f - 8.7) * (f - 8.7)) + (0.6 + 0.04 * curve) * 0.001 * pow(f, 4)
    }

    /// Takes the next samples as LAME gets them; `right` equals `left` for mono. Costs nothing once it is settled.
    mutating func add(left: UnsafeBufferPointer<Float>, right: UnsafeBufferPointer<Float>) {
        guard settledFrame == nil else { return }
        self.left += left
        self.right += right
        while settledFrame == nil {
            let start = next * Self.granule + Self.lead - base
            guard self.left.count >= start + Self.size else { break }
            take(loudness(at: start))
            next += 1
        }
        let spare = min(next * Self.granule + Self.lead - base, self.left.count)
        self.left.removeFirst(spare)
        self.right.removeFirst(spare)
        base += spare
    }

    /// Bounds of what LAME takes for the loudness of a granule, the mean of the channels.
    private func loudness(at start: Int) -> ClosedRange<Float> {
        let size = Self.size
        var real = [Float](repeating: 0, count: size)
        var imaginary = real
        for index in 0..<size {
            real[index] = left[start + index] * window[index]
            // Two real signals are one complex one.
            if channels == 2 { imaginary[index] = right[start + index] * window[index] }
        }
        transform.apply(&real, &imaginary)
        var (low, high): (Float, Float) = (0, 0)
        for line in 0..<size / 2 {
            let mirror = (size - line) % size
            let energy =
                real[line] * real[line] + imaginary[line] * imaginary[line]
                + real[mirror] * real[mirror] + imaginary[mirror] * imaginary[mirror]
            low += energy * weights.low[line]
            high += energy * weights.high[line]
        }
        let scale = 1 / Float(2 * channels)
        return min(low, high) * scale / Self.margin...max(low, high) * scale * Self.margin
    }

    /// Takes the loudness of the next granule; a frame sees the one before its own, and in MPEG-1 the first of its own.
    private mutating func take(_ loudness: ClosedRange<Float>) {
        defer { before = loudness }
        guard isMPEG1 else {
            frame(next + 1, loudness)
            return
        }
        guard next % 2 == 0 else { return }
        frame(
            next / 2, max(before.lowerBound, loudness.lowerBound)...max(before.upperBound, loudness.upperBound))
    }

    private mutating func frame(_ number: Int, _ loudness: ClosedRange<Float>) {
        // The first frames of an encoder that begins in the middle see silence before them.
        guard number >= 2 else { return }
        let (low, high) = (Self.limit(loudness.lowerBound), Self.limit(loudness.upperBound))
        if highest <= min(low, limitBefore) { settledFrame = number }
        highest = min(1, max(highest * (0.925 + 0.075 * high), high))
        limitBefore = low
    }

    /// The limit of the factor by loudness.
    private static func limit(_ loudness: Float) -> Float { loudness > 0.03125 ? 1 : 31.98 * loudness + 0.000625 }
}

/// The discrete Fourier transform of a power of two, in place, by halving.
private struct Spectrum {
    private let size: Int
    private let cosines: [Float]
    private let sines: [Float]

    init(size: Int) {
        self.size = size
        let angles = (0..<size / 2).map { -2 * Double.pi * Double($0) / Double(size) }
        cosines = angles.map { Float(cos($0)) }
        sines = angles.map { Float(sin($0)) }
    }

    func apply(_ real: inout [Float], _ imaginary: inout [Float]) {
        precondition(real.count == size && imaginary.count == size)
        var mirror = 0
        for index in 1..<size {
            var bit = size >> 1
            while mirror & bit != 0 {
                mirror ^= bit
                bit >>= 1
            }
            mirror |= bit
            guard index < mirror else { continue }
            real.swapAt(index, mirror)
            imaginary.swapAt(index, mirror)
        }
        var length = 2
        while length <= size {
            let (half, step) = (length / 2, size / length)
            for first in stride(from: 0, to: size, by: length) {
                for index in 0..<half {
                    let (c, s) = (cosines[index * step], sines[index * step])
                    let (one, two) = (first + index, first + index + half)
                    let x = real[two] * c - imaginary[two] * s
                    let y = real[two] * s + imaginary[two] * c
                    real[two] = real[one] - x
                    imaginary[two] = imaginary[one] - y
                    real[one] += x
                    imaginary[one] += y
                }
            }
            length *= 2
        }
    }
}
