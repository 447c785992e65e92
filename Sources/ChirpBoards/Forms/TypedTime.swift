package import FoundationEssentials

/// Instants as forms and programs write them.
package enum TypedTime {
    /// `2026-11-23`, `2026-11-23T05:07`, with or without seconds and a zone (`Z`, `+01:00`). Nil for everything else.
    ///
    /// - Parameter offset: minutes that the writer's clock is ahead of UTC, where the text names no zone.
    package static func date(_ text: String, offset: Int) -> Date? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 10, bytes.count <= 35, bytes[4] == 0x2D, bytes[7] == 0x2D,
            let year = number(bytes[0..<4]), let month = number(bytes[5..<7]), let day = number(bytes[8..<10]),
            (1900...2200).contains(year), (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        var parts = DateComponents(year: year, month: month, day: day)
        var zone = offset
        if bytes.count > 10 {
            guard bytes[10] == 0x54 || bytes[10] == 0x20, bytes.count >= 16, bytes[13] == 0x3A,
                let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]), hour < 24, minute < 60
            else { return nil }
            (parts.hour, parts.minute) = (hour, minute)
            var rest = bytes[16...]
            if rest.first == 0x3A {
                guard rest.count >= 3, let second = number(rest.dropFirst().prefix(2)), second < 61 else { return nil }
                parts.second = second
                rest = rest.dropFirst(3)
                if rest.first == 0x2E { rest = rest.dropFirst().drop { (0x30...0x39).contains($0) } }
            }
            if !rest.isEmpty {
                guard let stated = minutes(String(decoding: rest, as: UTF8.self)) else { return nil }
                zone = stated
            }
        }
        guard let date = utc.date(from: parts) else { return nil }
        // The 31st of a month that has 30 days is no day.
        guard utc.component(.day, from: date) == day else { return nil }
        return date.addingTimeInterval(Double(-zone) * 60)
    }

    /// Minutes ahead of UTC that somebody's clock can be; nil for what is none.
    package static func offset(_ text: String) -> Int? {
        text.integer(in: -14 * 60...14 * 60)
    }

    /// As `datetime-local` has it, in UTC.
    package static func field(_ date: Date?) -> String {
        guard let date else { return "" }
        let text = date.formatted(.iso8601)
        return String(text.prefix(16))
    }

    private static func minutes(_ zone: String) -> Int? {
        if zone == "Z" { return 0 }
        let bytes = Array(zone.utf8)
        guard bytes.count == 6 || bytes.count == 5, bytes[0] == 0x2B || bytes[0] == 0x2D,
            let hours = number(bytes[1..<3]), let minutes = number(bytes.suffix(2)), hours <= 14, minutes < 60
        else { return nil }
        return (bytes[0] == 0x2B ? 1 : -1) * (hours * 60 + minutes)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return String(decoding: digits, as: UTF8.self).integer(in: 0 ... .max)
    }

    private static let utc: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()
}
