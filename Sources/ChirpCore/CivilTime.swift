package import FoundationEssentials

/// A date and a time of day by UTC, in the proleptic Gregorian calendar, years 1 to 9999: between texts and instants, without
/// a calendar library that would take any number.
package struct CivilTime: Hashable {
    package var year: Int
    /// 1...12.
    package var month: Int
    /// 1...31.
    package var day: Int
    package var hour = 0
    package var minute = 0
    /// 60 in a leap second, which is the first of the next minute.
    package var second = 0

    package init(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
        (self.year, self.month, self.day) = (year, month, day)
        (self.hour, self.minute, self.second) = (hour, minute, second)
    }

    /// The second that an instant lies in.
    package init(_ date: Date) {
        let seconds = date.wholeSeconds
        let ofDay = (seconds % 86_400 + 86_400) % 86_400
        // Counted from 0000-03-01, in eras of 400 years.
        let days = Int((seconds - ofDay) / 86_400) + 719_468
        let era = days / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        month = shifted < 10 ? shifted + 3 : shifted - 9
        day = dayOfYear - (153 * shifted + 2) / 5 + 1
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        hour = Int(ofDay / 3600)
        minute = Int(ofDay / 60 % 60)
        second = Int(ofDay % 60)
    }

    /// 0 is Sunday; nil as for ``seconds``.
    package var weekday: Int? {
        // 0001-01-01, 719 162 days before 1970, is a Monday.
        seconds.map { Int((($0 + 719_162 * 86_400) / 86_400 + 1) % 7) }
    }

    /// Seconds since 1970; nil when a part lies outside of its range. Every month may have 31 days, as a service that is wrong by
    /// a day is believed.
    package var seconds: Int64? {
        guard (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day), (0...23).contains(hour),
            (0...59).contains(minute), (0...60).contains(second)
        else { return nil }
        // Years begin in March, so that the leap day is a year's last.
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return Int64((era * 146_097 + dayOfEra - 719_468) * 86_400 + hour * 3600 + minute * 60 + second)
    }
}
