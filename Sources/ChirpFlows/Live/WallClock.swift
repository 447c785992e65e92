internal import ChirpCore
package import Foundation

/// Turns times on a wall clock into instants. Days are numbered since 1970-01-01 in the zone's own calendar.
package struct WallClock: Sendable {
    package let zone: TimeZone

    /// Which instant is meant when the clock shows a time twice, or never.
    package enum Edge: Sendable {
        /// The first of two; the beginning of what comes after a gap.
        case first
        /// The second of two; the beginning of what comes after a gap.
        case last
    }

    package init(zone: TimeZone) { self.zone = zone }

    /// The number of the day that the clock shows at an instant.
    package func day(at instant: Date) -> Int {
        let shown = Int(instant.wholeSeconds) + zone.secondsFromGMT(for: instant.bounded)
        return shown >= 0 ? shown / 86_400 : (shown - 86_399) / 86_400
    }

    /// When the clock shows so many minutes past midnight of a day.
    package func instant(day: Int, minutes: Int, edge: Edge) -> Date {
        let shown = Double(day * 86_400 + minutes * 60)
        // Offsets lie between -14 and +14 hours, and no zone changes twice within these days.
        let before = Date(timeIntervalSince1970: shown - 40 * 3600)
        let after = Date(timeIntervalSince1970: shown + 40 * 3600)
        let fitting = [before, after].map(zone.secondsFromGMT(for:))
            .map { (offset: $0, instant: Date(timeIntervalSince1970: shown - Double($0))) }
            .filter { zone.secondsFromGMT(for: $0.instant) == $0.offset }
            .map(\.instant)
        switch edge {
        case .first: if let found = fitting.min() { return found }
        case .last: if let found = fitting.max() { return found }
        }
        return change(between: before, and: after)
    }

    /// The first second at which the offset is that of `after`.
    private func change(between before: Date, and after: Date) -> Date {
        let offset = zone.secondsFromGMT(for: after)
        var low = Int(before.wholeSeconds)
        var high = Int(after.wholeSeconds)
        while high - low > 1 {
            let middle = (low + high) / 2
            if zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(middle))) == offset {
                high = middle
            } else {
                low = middle
            }
        }
        return Date(timeIntervalSince1970: Double(high))
    }
}
