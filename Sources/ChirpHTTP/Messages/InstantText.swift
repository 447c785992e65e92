internal import ChirpCore
public import FoundationEssentials

/// Instants as services write them: ISO 8601 (RFC 3339), with or without fractions of a second, years 1 to 9999.
public enum InstantText {
    /// Nil for anything else, however it begins.
    public static func parse(_ text: String) -> Date? {
        let bytes = Array(text.utf8)
        guard (20...40).contains(bytes.count), bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            [UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: " ")].contains(bytes[10]),
            bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"), let year = number(bytes[0..<4]),
            let month = number(bytes[5..<7]), let day = number(bytes[8..<10]), let hour = number(bytes[11..<13]),
            let minute = number(bytes[14..<16]), let second = number(bytes[17..<19]),
            let seconds = CivilTime(
                year: year, month: month, day: day, hour: hour, minute: minute, second: second
            ).seconds
        else { return nil }
        var rest = bytes[19...]
        var fraction = 0.0
        if rest.first == UInt8(ascii: ".") || rest.first == UInt8(ascii: ",") {
            let digits = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
            guard !digits.isEmpty else { return nil }
            fraction = digits.reversed().reduce(0) { ($0 + Double($1 - 0x30)) / 10 }
            rest = rest[digits.endIndex...]
        }
        guard let offset = offset(rest) else { return nil }
        return Date(timeIntervalSince1970: Double(seconds - offset) + fraction)
    }

    /// `2026-11-21T09:30:00Z`; an instant outside of the years 1 to 9999 as the nearest within.
    public static func format(_ date: Date) -> String {
        let time = CivilTime(date)
        func padded(_ value: Int, _ width: Int) -> String {
            let text = String(value)
            return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
        }
        let day = "\(padded(time.year, 4))-\(padded(time.month, 2))-\(padded(time.day, 2))"
        return day + "T\(padded(time.hour, 2)):\(padded(time.minute, 2)):\(padded(time.second, 2))Z"
    }

    /// Seconds east of UTC: `Z`, `+01:00`, `-0330` or `+01`.
    private static func offset(_ zone: ArraySlice<UInt8>) -> Int64? {
        guard let sign = zone.first else { return nil }
        if zone.count == 1 { return sign | 0x20 == UInt8(ascii: "z") ? 0 : nil }
        guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
        let digits = zone.dropFirst().filter { $0 != UInt8(ascii: ":") }
        guard digits.count == 2 || digits.count == 4, let hours = number(digits[..<2]), hours <= 23,
            let minutes = digits.count == 4 ? number(digits[2...]) : 0, minutes <= 59
        else { return nil }
        let seconds = Int64(hours * 3600 + minutes * 60)
        return sign == UInt8(ascii: "-") ? -seconds : seconds
    }

    /// A number of a few digits of ASCII, and nothing else.
    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        digits.reduce(0 as Int?) { value, digit in
            guard let value, (0x30...0x39).contains(digit) else { return nil }
            return value * 10 + Int(digit - 0x30)
        }
    }
}
