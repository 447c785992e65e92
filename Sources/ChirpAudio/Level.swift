internal import Glibc

/// A ratio of amplitudes in decibels: a gain, or a level relative to full scale (dBFS, dBTP).
public struct Decibels: Hashable, Sendable, Comparable, Codable {
    public var value: Double

    public init(_ value: Double) { self.value = value }

    /// The level of an amplitude relative to 1; minus infinity for 0.
    public init(amplitude: Double) { value = 20 * log10(abs(amplitude)) }

    /// The factor to multiply samples with.
    public var amplitude: Double { pow(10, value / 20) }

    public static func < (a: Self, b: Self) -> Bool { a.value < b.value }
    public static func + (a: Self, b: Self) -> Self { Self(a.value + b.value) }
    public static func - (a: Self, b: Self) -> Self { Self(a.value - b.value) }
    public static prefix func - (a: Self) -> Self { Self(-a.value) }

    public static let zero = Decibels(0)
    public static let silence = Decibels(-.infinity)
}

/// Loudness relative to full scale, K-weighted and gated (ITU-R BS.1770-4, EBU R 128). A difference of two is in LU,
/// which is the same size as a decibel.
public struct LUFS: Hashable, Sendable, Comparable, Codable {
    public var value: Double

    public init(_ value: Double) { self.value = value }

    public static func < (a: Self, b: Self) -> Bool { a.value < b.value }

    /// The gain that brings a signal of this loudness to `target`.
    public func gain(to target: LUFS) -> Decibels { Decibels(target.value - value) }
}
