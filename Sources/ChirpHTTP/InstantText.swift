public import FoundationEssentials

/// Instants as services write them: ISO 8601, with or without fractions of a second.
public enum InstantText {
    public static func parse(_ text: String) -> Date? {
        if let date = try? Date(text, strategy: .iso8601) { return date }
        return try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    /// `2026-11-21T09:30:00Z`.
    public static func format(_ date: Date) -> String { date.formatted(.iso8601) }
}
