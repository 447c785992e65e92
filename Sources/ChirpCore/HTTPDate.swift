public import FoundationEssentials

/// The date format of HTTP header fields (RFC 9110 section 5.6.7).
public enum HTTPDate {
    /// Reads the preferred form, `Sun, 06 Nov 1994 08:49:37 GMT`. The two obsolete forms are not accepted.
    public static func parse(_ text: String) -> Date? {
        guard text.utf8.count <= 64 else { return nil }
        let parts = text.split { $0 == " " || $0 == "," || $0 == ":" }
        guard parts.count == 8, parts[7] == "GMT", let day = Int(parts[1]), let year = Int(parts[3]), year >= 1970,
            let hour = Int(parts[4]), let minute = Int(parts[5]), let second = Int(parts[6]),
            let month = months.firstIndex(of: String(parts[2]))
        else { return nil }
        let time = CivilTime(year: year, month: month + 1, day: day, hour: hour, minute: minute, second: second)
        return time.seconds.map { Date(timeIntervalSince1970: Double($0)) }
    }

    /// The same form, for a header that is sent. An instant outside of the years 1 to 9999 is the nearest within.
    public static func text(_ date: Date) -> String {
        let time = CivilTime(date)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let year = String(repeating: "0", count: max(0, 4 - "\(time.year)".utf8.count)) + "\(time.year)"
        let clock = "\(two(time.hour)):\(two(time.minute)):\(two(time.second))"
        return "\(days[time.weekday ?? 0]), \(two(time.day)) \(months[time.month - 1]) \(year) \(clock) GMT"
    }

    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
