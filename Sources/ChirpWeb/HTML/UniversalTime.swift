package import FoundationEssentials

/// An instant by the Gregorian calendar in UTC, also before 1582, as ISO 8601 counts (4.3.2.1). A page tells dozens, and asking a calendar and a format for each took a twentieth of its time.
package struct UniversalTime: Hashable, Sendable {
    package let year, month, day, hour, minute, second: Int

    /// Years before 1 and behind 9999 are those at the ends.
    package init(_ date: Date) {
        let seconds = date.timeIntervalSince1970
        let whole = Int(clamping: min(max(seconds.isFinite ? seconds.rounded(.down) : 0, Self.first), Self.last))
        let days = whole >= 0 ? whole / 86_400 : (whole - 86_399) / 86_400
        let time = whole - days * 86_400
        (hour, minute, second) = (time / 3600, time / 60 % 60, time % 60)
        // Years begin in March here, so that the day that is sometimes there is the last; 400 of them have always as many days.
        let sinceMarch = days + 719_468
        let era = sinceMarch / 146_097
        let dayOfEra = sinceMarch - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// The first second of the year 1 and the last of the year 9999, since 1970.
    private static let (first, last) = (-62_135_596_800.0, 253_402_300_799.0)

    /// As in "2026-11-21" (ISO 8601).
    package var date: String {
        let digits = String(year)
        return "\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)-\(two(month))-\(two(day))"
    }

    /// As in "2026-11-21T04:13:00Z" (ISO 8601).
    package var text: String { "\(date)T\(two(hour)):\(two(minute)):\(two(second))Z" }

    /// At least two digits.
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
