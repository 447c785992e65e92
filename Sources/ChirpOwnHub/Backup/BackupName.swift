internal import ChirpCore
package import FoundationEssentials

/// What a backup is called in a store: `hub-20261126T030000Z.tar`, by the second in which it was made. Such names sort by time.
package struct BackupName: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// What all begin with.
    static let prefix = "hub-"
    private static let suffix = "Z.tar"

    package let text: String
    /// Whole seconds.
    package let created: Date

    /// Years 1 to 9999; others become the nearest of these.
    package init(_ date: Date) {
        created = Date(timeIntervalSince1970: Double(date.wholeSeconds))
        let time = CivilTime(created)
        func digits(_ number: Int, _ count: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(count - text.count, 0)) + text
        }
        text =
            Self.prefix + digits(time.year, 4) + digits(time.month, 2) + digits(time.day, 2) + "T"
            + digits(time.hour, 2) + digits(time.minute, 2) + digits(time.second, 2) + Self.suffix
    }

    /// Nil for anything but such a name.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 24, text.hasPrefix(Self.prefix), text.hasSuffix(Self.suffix),
            bytes[12] == UInt8(ascii: "T")
        else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            let digits = bytes[range]
            guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        }
        guard let year = number(4..<8), let month = number(8..<10), let day = number(10..<12),
            let hour = number(13..<15), let minute = number(15..<17), let second = number(17..<19),
            let seconds = CivilTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
                .seconds
        else { return nil }
        self.init(Date(timeIntervalSince1970: Double(seconds)))
        // A leap second has the name of the next one.
        guard self.text == text else { return nil }
    }

    package var description: String { text }

    package static func < (one: BackupName, other: BackupName) -> Bool { one.text < other.text }
}
