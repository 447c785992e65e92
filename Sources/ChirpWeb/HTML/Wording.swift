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
        let instant = UniversalTime(date)
        return word(
            "time.instant",
            ["day": day(instant), "time": "\(instant.two(instant.hour)):\(instant.two(instant.minute))"])
    }

    /// "21 November 2026", in UTC.
    package static func day(_ date: Date) -> String { day(UniversalTime(date)) }

    private static func day(_ instant: UniversalTime) -> String {
        let names = months[.current] ?? []
        let month = names.isEmpty ? "" : names[(instant.month - 1) % names.count]
        return word("time.day", ["day": "\(instant.day)", "month": month, "year": "\(instant.year)"])
    }

    /// A `time` element: exact for machines, readable without the script.
    package static func time(_ date: Date) -> HTML {
        "<time datetime=\"\(UniversalTime(date).text)\">\(instant(date))</time>"
    }

    /// The names of months in each language, taken apart once.
    private static let months: [Language: [String]] = Dictionary(
        uniqueKeysWithValues: Language.allCases.map { language in
            let names = Language.$current.withValue(language) { word("time.months") }
            return (language, names.split(separator: " ").map { String($0) })
        })
}
