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

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
