import ChirpCore
import ChirpFlows
import Foundation
import Testing

/// CH-8: a time frame in the listener's zone, or a length.
@Suite struct LiveWindowTests {
    private static func zone(_ name: String) throws -> TimeZone { try #require(TimeZone(identifier: name)) }

    private static func instant(_ text: String) throws -> Date {
        try #require(try? Date(text, strategy: .iso8601))
    }

    @Test(arguments: [
        // now, frame, begins, ends, in Berlin (UTC+1 in winter, +2 in summer)
        ("2026-11-21T12:00:00Z", "14:00-16:00", "2026-11-21T13:00:00Z", "2026-11-21T15:00:00Z"),
        ("2026-11-21T13:30:00Z", "14:00-16:00", "2026-11-21T13:00:00Z", "2026-11-21T15:00:00Z"),
        ("2026-11-21T12:00:00Z", "9-24:00", "2026-11-21T08:00:00Z", "2026-11-21T23:00:00Z"),
        // Over midnight: begun yesterday, or about to begin.
        ("2026-11-21T00:30:00Z", "22:00-02:00", "2026-11-20T21:00:00Z", "2026-11-21T01:00:00Z"),
        ("2026-11-21T03:00:00Z", "22:00-2", "2026-11-21T21:00:00Z", "2026-11-22T01:00:00Z"),
        // 25 October 2026: 03:00 summer time becomes 02:00; 02:30 is shown twice.
        ("2026-10-24T23:00:00Z", "02:30-04:00", "2026-10-25T00:30:00Z", "2026-10-25T03:00:00Z"),
        ("2026-10-24T23:00:00Z", "01:00-02:30", "2026-10-24T23:00:00Z", "2026-10-25T01:30:00Z"),
        ("2026-10-24T20:00:00Z", "22:00-06:00", "2026-10-24T20:00:00Z", "2026-10-25T05:00:00Z"),
        // 29 March 2026: 02:00 becomes 03:00; 02:30 is never shown.
        ("2026-03-29T00:00:00Z", "02:30-04:00", "2026-03-29T01:00:00Z", "2026-03-29T02:00:00Z"),
        ("2026-03-29T00:00:00Z", "01:00-02:30", "2026-03-29T00:00:00Z", "2026-03-29T01:00:00Z"),
    ])
    func `a time frame means the clock on the wall`(now: String, frame: String, begins: String, ends: String) throws {
        let window = try LiveWindow(
            LiveWindow.Choice(between: frame), now: Self.instant(now), zone: Self.zone("Europe/Berlin"))
        #expect(window.begins == (try Self.instant(begins)))
        #expect(window.ends == (try Self.instant(ends)))
    }

    @Test(arguments: [
        "", "14:00", "14:00-", "25:00-26:00", "14:60-15:00", "a-b", "14:00-15:00-16:00", "24:00-2:00", "-3-4",
        "14:5-15",
    ])
    func `what is no time frame is refused with an example`(text: String) {
        let refusal = #expect(throws: LiveWindow.Refusal.self) { try LiveWindow.Choice(between: text) }
        #expect(refusal == .unreadable(text))
        #expect(refusal?.cure == .set(.timeFrame))
    }

    @Test func `an empty, a past and a swallowed time frame are refused with their reason`() throws {
        let zone = try Self.zone("Europe/Berlin")
        #expect(throws: LiveWindow.Refusal.self) { try LiveWindow.Choice(between: "14:00-14:00") }
        let past = #expect(throws: LiveWindow.Refusal.self) {
            try LiveWindow(
                LiveWindow.Choice(between: "14:00-16:00"), now: Self.instant("2026-11-21T16:20:00Z"), zone: zone)
        }
        #expect(past?.whatHappened == "14:00-16:00 is over for today: it is 17:20 now")
        let swallowed = #expect(throws: LiveWindow.Refusal.self) {
            try LiveWindow(
                LiveWindow.Choice(between: "02:10-02:50"), now: Self.instant("2026-03-29T00:30:00Z"), zone: zone)
        }
        #expect(swallowed?.whatHappened.contains("jump") == true)
        for length in [Duration.zero, .seconds(-1), .seconds(32 * 86_400)] {
            #expect(throws: LiveWindow.Refusal.self) { try LiveWindow(.duration(length), now: Date(), zone: zone) }
        }
    }

    @Test func `a length counts real hours, over a change of the clocks too`() throws {
        let now = try Self.instant("2026-03-29T00:30:00Z")
        let window = try LiveWindow(.duration(.seconds(7200)), now: now, zone: Self.zone("Europe/Berlin"))
        #expect(window.phase(at: now) == .open(left: .seconds(7200)))
        #expect(window.phase(at: now + 7199) == .open(left: .seconds(1)))
        #expect(window.phase(at: now + 7200) == .over)
    }

    @Test(arguments: [-2e9, -6e10, -9.3e18, 9.3e9, 2.5e11, 9.3e18, 1e300, -.infinity, .nan])
    func `a window can be asked for whatever the clock says`(seconds: Double) throws {
        let now = Date(timeIntervalSince1970: seconds)
        for name in ["Europe/Berlin", "GMT", "Asia/Kathmandu"] {
            let zone = try Self.zone(name)
            let open = try LiveWindow(.open, now: now, zone: zone)
            _ = try open.extended(by: .seconds(60), now: now.bounded)
            let hour = try LiveWindow(.duration(.seconds(3600)), now: now, zone: zone)
            #expect(hour.phase(at: now.bounded) == .open(left: .seconds(3600)))
            do {
                let (nine, five) = (try #require(DayTime("9")), try #require(DayTime("17")))
                let between = try LiveWindow(.between(nine, five), now: now, zone: zone)
                for moment in [now, now.bounded, Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 1e300)] {
                    _ = between.phase(at: moment)
                }
            } catch let refusal as LiveWindow.Refusal {
                #expect(!refusal.whatHappened.isEmpty)
            }
        }
    }

    @Test func `a window can be made longer and shorter, but not end before now`() throws {
        let now = try Self.instant("2026-11-21T12:00:00Z")
        let zone = try Self.zone("Asia/Kathmandu")
        var window = try LiveWindow(.duration(.seconds(3600)), now: now, zone: zone)
        window = try window.extended(by: .seconds(1800), now: now + 600)
        #expect(window.phase(at: now + 600) == .open(left: .seconds(4800)))
        window = try window.extended(by: .seconds(-1800), now: now + 600)
        #expect(window.ends == now + 3600)
        #expect(throws: LiveWindow.Refusal.endsBeforeNow) { try window.extended(by: .seconds(-3600), now: now + 600) }
        let open = try LiveWindow(.open, now: now, zone: zone)
        #expect(open.phase(at: now + 1e7) == .open(left: nil))
        #expect(try open.extended(by: .seconds(60), now: now + 100).ends == now + 160)
    }

    /// The oracle walks through the day and looks at the clock, minute by minute.
    @Test func `in every zone and around every change of its clocks the wall clock agrees`() throws {
        let from = try Self.instant("2026-01-01T00:00:00Z")
        let until = try Self.instant("2027-06-01T00:00:00Z")
        var seen: Set<String> = []
        var checked = 0
        for name in TimeZone.knownTimeZoneIdentifiers {
            guard let zone = TimeZone(identifier: name) else { continue }
            var change = zone.nextDaylightSavingTimeTransition(after: from)
            while let at = change, at < until {
                // Zones that change alike need to be looked at once.
                let before = zone.secondsFromGMT(for: at - 1)
                let after = zone.secondsFromGMT(for: at)
                if seen.insert("\(at.timeIntervalSince1970) \(before) \(after)").inserted, before != after {
                    checked += 1
                    try Self.check(zone, around: at)
                }
                change = zone.nextDaylightSavingTimeTransition(after: at)
            }
        }
        #expect(checked >= 20)
    }

    private static func check(_ zone: TimeZone, around change: Date) throws {
        func shown(_ instant: Date) -> Int { Int(instant.timeIntervalSince1970) + zone.secondsFromGMT(for: instant) }
        // From the midnight of the day on which the clocks change, seen from shortly after that midnight.
        let day = shown(change).quotientAndRemainder(dividingBy: 86_400).quotient
        let hour = shown(change - 1) % 86_400 / 3600
        for (begin, end) in [(hour, hour + 2), (max(0, hour - 1), hour + 1), (hour + 1, hour + 3)] {
            guard let first = DayTime(hour: begin, minute: 30), let last = DayTime(hour: end, minute: 30) else {
                continue
            }
            let grid = (0..<(30 * 60)).map {
                Date(timeIntervalSince1970: Double((day * 86_400 - 50_400 + $0 * 120) / 60 * 60))
            }
            let today = grid.filter { shown($0) >= day * 86_400 && shown($0) < (day + 1) * 86_400 }
            let now = try #require(today.first)
            let window = try LiveWindow(.between(first, last), now: now, zone: zone)
            let wantedBegin = day * 86_400 + first.minutes * 60
            let wantedEnd = day * 86_400 + last.minutes * 60
            // It begins when the clock first shows the time, or jumps over it.
            let begins = try #require(today.first { shown($0) >= wantedBegin })
            #expect(abs(window.begins.timeIntervalSince(begins)) < 120, "\(zone.identifier) \(first)")
            // It ends when the clock shows the time for the last time, or jumps over it.
            let ends = today.last { abs(shown($0) - wantedEnd) < 120 } ?? today.first { shown($0) >= wantedEnd }
            #expect(
                abs(try #require(window.ends).timeIntervalSince(try #require(ends))) <= 120,
                "\(zone.identifier) \(last)")
        }
    }
}
