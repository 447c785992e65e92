import Foundation

/// Instants as a clock on the wall here shows them.
enum LocalTime {
    /// `16:00`, or `11-21 16:00` with the day.
    static func text(_ date: Date, withDay: Bool = false, zone: TimeZone = .current) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let parts = calendar.dateComponents([.month, .day, .hour, .minute], from: date)
        func two(_ value: Int?) -> String { (value ?? 0) < 10 ? "0\(value ?? 0)" : "\(value ?? 0)" }
        let time = "\(two(parts.hour)):\(two(parts.minute))"
        return withDay ? "\(two(parts.month))-\(two(parts.day)) \(time)" : time
    }
}
