internal import Glibc

/// The coefficients of a filter of second order, normalised: `y = b0 x + b1 x' + b2 x'' - a1 y' - a2 y''`.
public struct Biquad: Hashable, Sendable {
    public var b0, b1, b2, a1, a2: Double

    public init(b0: Double, b1: Double, b2: Double, a1: Double, a2: Double) {
        self.b0 = b0
        self.b1 = b1
        self.b2 = b2
        self.a1 = a1
        self.a2 = a2
    }

    /// Lets everything through.
    public static let identity = Biquad(b0: 1, b1: 0, b2: 0, a1: 0, a2: 0)

    /// A high-pass by the bilinear transform.
    ///
    /// - Parameters:
    ///   - frequency: the corner in hertz, below half the sample rate.
    ///   - quality: 0.7071 for Butterworth: 3 dB down at the corner.
    public static func highPass(frequency: Double, quality: Double = 0.5.squareRoot(), sampleRate: Int) -> Biquad {
        precondition(frequency > 0 && frequency < Double(sampleRate) / 2)
        let k = tan(.pi * frequency / Double(sampleRate))
        let norm = 1 / (1 + k / quality + k * k)
        return Biquad(
            b0: norm, b1: -2 * norm, b2: norm, a1: 2 * (k * k - 1) * norm, a2: (1 - k / quality + k * k) * norm)
    }

    /// The first stage of K-weighting: a shelf of +4 dB for the head (ITU-R BS.1770-4, annex 1, table 1).
    ///
    /// The standard gives coefficients for 48 kHz only; other rates follow from the same analogue filter, whose
    /// parameters reproduce the table to its printed digits.
    public static func kShelf(sampleRate: Int) -> Biquad {
        let quality = 0.7071752369554196
        let k = tan(.pi * 1681.974450955533 / Double(sampleRate))
        let high = pow(10, 3.999843853973347 / 20)
        let band = pow(high, 0.4996667741545416)
        let norm = 1 / (1 + k / quality + k * k)
        return Biquad(
            b0: (high + band * k / quality + k * k) * norm, b1: 2 * (k * k - high) * norm,
            b2: (high - band * k / quality + k * k) * norm, a1: 2 * (k * k - 1) * norm,
            a2: (1 - k / quality + k * k) * norm)
    }

    /// The second stage of K-weighting: a high-pass at 38 Hz (ITU-R BS.1770-4, annex 1, table 2: numerator 1, -2, 1).
    public static func kHighPass(sampleRate: Int) -> Biquad {
        let quality = 0.5003270373238773
        let k = tan(.pi * 38.13547087602444 / Double(sampleRate))
        let norm = 1 / (1 + k / quality + k * k)
        return Biquad(b0: 1, b1: -2, b2: 1, a1: 2 * (k * k - 1) * norm, a2: (1 - k / quality + k * k) * norm)
    }
}
