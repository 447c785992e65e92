internal import ChirpCore
package import FoundationEssentials

/// Lengths, sizes and instants as people read them. The script puts instants into the reader's zone.
package enum Wording {
    /// "0:07", "3:42", "1:02:03"; rounded to whole seconds.
    package static func clock(_ seconds: Double) -> String {
        let whole = whole(seconds)
        let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
        let tail = rest < 10 ? "0\(rest)" : "\(rest)"
        guard hours > 0 else { return "\(minutes):\(tail)" }
        return "\(hours):\(minutes < 10 ? "0" : "")\(minutes):\(tail)"
    }

    /// The same for a screen reader: "3 minutes 42 seconds".
    package static func spoken(_ seconds: Double) -> String {
        let whole = whole(seconds)
        let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
        var parts: [String] = []
        if hours > 0 { parts.append(word("time.hours", count: hours)) }
        if minutes > 0 { parts.append(word("time.minutes", count: minutes)) }
        if rest > 0 { parts.append(word("time.seconds", count: rest)) }
        return parts.isEmpty ? word("time.moment") : parts.joined(separator: " ")
    }

    /// An ISO 8601 duration, as HTML's `datetime` and JSON-LD take it.
    package static func iso(_ seconds: Double) -> String { "PT\(whole(seconds))S" }

    private static func whole(_ seconds: Double) -> Int {
        Int(exactly: min(max(seconds.isFinite ? seconds : 0, 0), 1e9).rounded()) ?? 0
    }

    /// "2.5 MB".
    package static func size(_ bytes: Int64) -> String { ByteCount(bytes).description }

    /// "21 November 2026, 04:13 UTC".
    package static func instant(_ date: Date) -> String {
        let parts = utc.dateComponents([.hour, .minute], from: date)
        return word("time.instant", ["day": day(date), "time": "\(two(parts.hour)):\(two(parts.minute))"])
    }

    /// "21 November 2026", in UTC.
    package static func day(_ date: Date) -> String {
        let parts = utc.dateComponents([.day, .month, .year], from: date)
        let months = word("time.months").split(separator: " ")
        let month = months.isEmpty ? "" : months[((parts.month ?? 1) - 1) % months.count]
        return word(
            "time.day", ["day": "\(parts.day ?? 1)", "month": "\(month)", "year": "\(parts.year ?? 1970)"])
    }

    /// A `time` element: exact for machines, readable without the script.
    package static func time(_ date: Date) -> HTML {
        "<time datetime=\"\(date.formatted(.iso8601))\">\(instant(date))</time>"
    }

    private static func two(_ number: Int?) -> String { (number ?? 0) < 10 ? "0\(number ?? 0)" : "\(number ?? 0)" }

    private static let utc: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()
}
