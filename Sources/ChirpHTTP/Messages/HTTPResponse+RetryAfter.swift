internal import ChirpCore
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
            let digits = text.utf8.filter { $0 != 0x20 }
            if (1...400).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) {
                return Self.bounded(Double(String(decoding: digits, as: UTF8.self)) ?? .infinity)
            }
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
        .bounded(seconds: min(max(seconds.isNaN ? 0 : seconds, 0), 31 * 86_400).rounded(.up))
    }
}
