public import FoundationEssentials

extension HTTPResponse {
    /// How long the service asks to be left alone, from whichever form it uses; nil when it does not say.
    ///
    /// - `Retry-After` in seconds or as a date (RFC 9110 section 10.2.3);
    /// - with status 429, `x-rate-limit-reset` in Unix seconds (X) or `X-RateLimit-Reset` as ISO 8601 (Mastodon).
    ///
    /// A time that has passed is zero; nothing above 31 days is believed.
    public func retryAfter(now: Date) -> Duration? {
        if let text = headers["Retry-After"] {
            if let seconds = Int(text.filter { $0 != " " }) { return Self.bounded(Double(seconds)) }
            if let date = HTTPDate.parse(text) { return Self.bounded(date.timeIntervalSince(now)) }
        }
        guard status == 429 else { return nil }
        if let text = headers["x-rate-limit-reset"], let seconds = Int64(text) {
            return Self.bounded(Double(seconds) - now.timeIntervalSince1970)
        }
        if let text = headers["X-RateLimit-Reset"], let date = InstantText.parse(text) {
            return Self.bounded(date.timeIntervalSince(now))
        }
        return nil
    }

    private static func bounded(_ seconds: Double) -> Duration {
        .seconds(min(max(seconds, 0), 31 * 86_400).rounded(.up))
    }
}
