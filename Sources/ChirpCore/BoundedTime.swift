public import FoundationEssentials

// The doors by which clocks and numbers of seconds come in. Clocks are set wrongly, and services send any number: what cannot
// be converted is brought to the nearest value that can, so that nothing behind these doors has to ask.

extension Date {
    /// 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z in seconds since 1970: the years that ISO 8601 writes with four digits.
    public static let boundedSeconds: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

    /// Seconds since 1970, rounded down, within ``boundedSeconds``; 0 for what is no number.
    public var wholeSeconds: Int64 {
        let seconds = timeIntervalSince1970
        guard !seconds.isNaN else { return 0 }
        guard seconds > Double(Self.boundedSeconds.lowerBound) else { return Self.boundedSeconds.lowerBound }
        guard seconds < Double(Self.boundedSeconds.upperBound) else { return Self.boundedSeconds.upperBound }
        return Int64(seconds.rounded(.down))
    }

    /// The same instant, or the nearest one within ``boundedSeconds``: what databases, calendars and texts can hold.
    public var bounded: Date {
        let whole = wholeSeconds
        let isInside = timeIntervalSince1970.isFinite && Double(whole) <= timeIntervalSince1970
        return isInside && timeIntervalSince1970 < Double(whole) + 1 ? self : Date(timeIntervalSince1970: Double(whole))
    }
}

extension Duration {
    /// Ten thousand years, either way: more than between any two bounded instants.
    private static let mostSeconds = 315_569_520_000.0

    /// A number of seconds from outside; zero for what is no number, never more than ten thousand years either way.
    ///
    /// `Duration.seconds(_:)` ends the process for a number that is none, or that its 128 bits do not hold.
    public static func bounded(seconds: Double) -> Duration {
        guard !seconds.isNaN else { return .zero }
        return .seconds(min(max(seconds, -mostSeconds), mostSeconds))
    }
}
