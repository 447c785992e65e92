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
