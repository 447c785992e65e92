public import ChirpCore
public import Foundation

/// From when to when one listens (CH-8). Pure: the present and the zone come from the caller.
///
/// Times of day are those of a clock on the wall. Where that clock shows a time twice, a window begins with the first and
/// ends with the second; where it never shows one, the window begins or ends where the clock jumps.
public struct LiveWindow: Hashable, Sendable {
    public enum Choice: Hashable, Sendable {
        /// Until the user stops it.
        case open
        /// From now on for so long.
        case duration(Duration)
        /// Today, or over midnight when the end is not later than the beginning.
        case between(DayTime, DayTime)

        /// - Parameter text: `14:00-16:00`, `22-2`.
        /// - Throws: ``Refusal/unreadable(_:)``, ``Refusal/empty(_:)``.
        public init(between text: String) throws(Refusal) {
            let parts = text.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "–" }
            let times = parts.map { $0.filter { $0 != " " } }
            guard times.count == 2, let begin = DayTime(times[0]), let end = DayTime(times[1]), begin.minutes < 1440
            else {
                throw .unreadable(text)
            }
            guard begin != end else { throw .empty(begin) }
            self = .between(begin, end)
        }
    }

    /// Why one cannot listen then.
    public enum Refusal: Explained, Hashable {
        case unreadable(String)
        case empty(DayTime)
        case tooShort
        case tooLong
        case past(DayTime, DayTime, now: DayTime)
        case skippedByClockChange(DayTime, DayTime)
        /// The end would lie before the present.
        case endsBeforeNow

        public var whatHappened: String {
            switch self {
            case .unreadable(let text): "'\(PlainText(text, limit: 60))' is not a time frame"
            case .empty(let time): "the time frame \(time)-\(time) is empty"
            case .tooShort: "a time frame needs a length above zero"
            case .tooLong: "a time frame may last 31 days at most"
            case .past(let begin, let end, let now): "\(begin)-\(end) is over for today: it is \(now) now"
            case .skippedByClockChange(let begin, let end):
                "\(begin)-\(end) does not exist today: the clocks jump over it"
            case .endsBeforeNow: "the time frame would end before now"
            }
        }

        public var cure: Cure {
            switch self {
            case .unreadable: .set(.timeFrame)
            case .empty: .either(.advice("Give a later end"), .set(.listeningTime(hours: 24)))
            case .tooShort, .tooLong: .set(.listeningTime(hours: 2))
            case .past, .skippedByClockChange:
                .either(.advice("Give a later time frame"), .set(.listeningTime(hours: 2)))
            case .endsBeforeNow: .advice("Make it shorter by less, or stop listening")
            }
        }

        public var exitCode: ExitCode { .usage }
    }

    public enum Phase: Hashable, Sendable {
        case waiting(Duration)
        /// With the time left; nil when there is no end.
        case open(left: Duration?)
        case over
    }

    public let begins: Date
    /// Not part of the window; nil when there is no end.
    public let ends: Date?
    /// Whether the clock on the wall decides, as for 14:00-16:00. A length counts time that passes, so a clock that is set
    /// meanwhile does not change it; see ``shifted(by:)``.
    public let followsClock: Bool

    private static let longest: Duration = .seconds(31 * 86_400)

    /// - Throws: why the window is refused.
    public init(_ choice: Choice, now: Date, zone: TimeZone) throws(Refusal) {
        let now = now.bounded
        if case .between = choice { followsClock = true } else { followsClock = false }
        switch choice {
        case .open:
            begins = now
            ends = nil
        case .duration(let length):
            guard length > .zero else { throw .tooShort }
            guard length <= Self.longest else { throw .tooLong }
            begins = now
            ends = now + length.timeInterval
        case .between(let begin, let end):
            guard begin != end else { throw .empty(begin) }
            let clock = WallClock(zone: zone)
            let today = clock.day(at: now)
            let nights = end.minutes <= begin.minutes ? 1 : 0
            var exists = false
            for day in [today - 1, today] {
                let from = clock.instant(day: day, minutes: begin.minutes, edge: .first)
                let to = clock.instant(day: day + nights, minutes: end.minutes, edge: .last)
                guard from < to else { continue }
                if day == today { exists = true }
                if now < to {
                    begins = from
                    ends = to
                    return
                }
            }
            guard exists else { throw .skippedByClockChange(begin, end) }
            let shown = Int(now.wholeSeconds) + zone.secondsFromGMT(for: now)
            let minute = ((shown % 86_400 + 86_400) % 86_400) / 60
            guard let present = DayTime(hour: minute / 60, minute: minute % 60) else { throw .unreadable("") }
            throw .past(begin, end, now: present)
        }
    }

    /// One that was kept, as it was.
    package init(begins: Date, ends: Date?, followsClock: Bool) {
        self.begins = begins
        self.ends = ends
        self.followsClock = followsClock
    }

    public func phase(at now: Date) -> Phase {
        let now = now.bounded
        if now < begins { return .waiting(.bounded(seconds: begins.timeIntervalSince(now))) }
        guard let ends else { return .open(left: nil) }
        return now < ends ? .open(left: .bounded(seconds: ends.timeIntervalSince(now))) : .over
    }

    /// The same beginning with an earlier or later end; a window without an end gets one counted from now.
    ///
    /// - Throws: ``Refusal/endsBeforeNow`` or ``Refusal/tooLong``, and the window stays as it is.
    public func extended(by change: Duration, now: Date) throws(Refusal) -> LiveWindow {
        let end = (ends ?? now) + change.timeInterval
        guard end > now else { throw .endsBeforeNow }
        guard end.timeIntervalSince(now) <= Self.longest.timeInterval else { throw .tooLong }
        return LiveWindow(begins: begins, ends: end, followsClock: followsClock)
    }

    /// The same stretch of time, told by a clock that has been set forward by so many seconds.
    func shifted(by seconds: TimeInterval) -> LiveWindow {
        LiveWindow(begins: begins + seconds, ends: ends.map { $0 + seconds }, followsClock: false)
    }
}

extension Duration {
    var timeInterval: TimeInterval { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
