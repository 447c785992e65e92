/// A time of day as a clock on the wall shows it, in minutes.
public struct DayTime: Hashable, Sendable, CustomStringConvertible {
    /// 0...1440; 1440 is midnight at the end of the day.
    public let minutes: Int

    public init?(hour: Int, minute: Int = 0) {
        guard (0...23).contains(hour) && (0...59).contains(minute) || hour == 24 && minute == 0 else { return nil }
        minutes = hour * 60 + minute
    }

    /// - Parameter text: `14:00`, `9:30`, `9` or `24:00`.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let isPlain = parts.allSatisfy { part in
            (1...2).contains(part.count) && part.allSatisfy { $0.isASCII && $0.isNumber }
        }
        guard (1...2).contains(parts.count), isPlain, let hour = Int(parts[0]) else { return nil }
        guard parts.count == 1 || parts[1].count == 2, let minute = parts.count == 2 ? Int(parts[1]) : 0 else {
            return nil
        }
        self.init(hour: hour, minute: minute)
    }

    public var description: String {
        let (hour, minute) = minutes.quotientAndRemainder(dividingBy: 60)
        return "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
    }
}
