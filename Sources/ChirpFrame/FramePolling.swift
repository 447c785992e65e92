internal import ChirpHTTP
internal import ChirpNetworks
package import FoundationEssentials

/// How often networks are asked for one frame, as the table in Docs/hub.md tells it. At Mastodon each look is two requests, of the 300 that
/// are allowed in five minutes.
package enum FramePolling {
    /// While nothing is pushed.
    package static let looking = Duration.seconds(15)
    /// While it pushes nothing is polled; this is for what a stream has kept to itself.
    package static let checking = Duration.seconds(3600)

    /// At X between two looks at least and at most.
    package static let shortest = Duration.seconds(900)
    package static let longest = Duration.seconds(6 * 3600)

    /// How long X is left alone: what is left of the month's cap lasts until the month ends, should each look find as much as X gives at
    /// least. A look that finds nothing costs nothing, so the next waits are shorter then.
    ///
    /// - Parameters:
    ///   - spent: of the month's cap, both in millionths of a US dollar.
    ///   - frames: how many share the cap.
    package static func wait(spent: Int64, cap: Int64, frames: Int, now: Date) -> Duration {
        let left = cap - spent
        let rest = secondsOfMonth(after: now)
        // It reads again when the month is over; money that was set aside may come back sooner.
        guard left >= XNetwork.lookPrice else { return min(max(.seconds(rest), shortest), longest) }
        let looks = Double(left) / Double(XNetwork.lookPrice) / Double(max(frames, 1))
        return min(max(.seconds(rest / looks), shortest), longest)
    }

    /// Until the month ends, by UTC.
    private static func secondsOfMonth(after now: Date) -> Double {
        let day = InstantText.format(now)
        guard let year = day.prefix(4).integer(in: 1...9999), let month = day.dropFirst(5).prefix(2).integer(in: 1...12)
        else { return 0 }
        let (nextYear, next) = month == 12 ? (year + 1, 1) : (year, month + 1)
        let end = InstantText.parse("\(nextYear)-\(next < 10 ? "0" : "")\(next)-01T00:00:00Z")
        return max(end.map { $0.timeIntervalSince(now) } ?? 0, 0)
    }
}
