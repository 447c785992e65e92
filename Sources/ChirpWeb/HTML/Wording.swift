internal import ChirpCore
package import FoundationEssentials

/// Lengths, sizes and instants as people read them. Pages are in English; the script puts instants into the reader's zone.
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
        let parts = [(whole / 3600, "hour"), (whole / 60 % 60, "minute"), (whole % 60, "second")]
        let words = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }
        return words.isEmpty ? "under a second" : words.joined(separator: " ")
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
        let parts = utc.dateComponents([.day, .month, .year, .hour, .minute], from: date)
        let month = months[((parts.month ?? 1) - 1) % 12]
        return "\(parts.day ?? 1) \(month) \(parts.year ?? 1970), \(two(parts.hour)):\(two(parts.minute)) UTC"
    }

    /// A `time` element: exact for machines, readable without the script.
    package static func time(_ date: Date) -> HTML {
        "<time datetime=\"\(date.formatted(.iso8601))\">\(instant(date))</time>"
    }

    private static func two(_ number: Int?) -> String { (number ?? 0) < 10 ? "0\(number ?? 0)" : "\(number ?? 0)" }

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
    private static let utc: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()
}
