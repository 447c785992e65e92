import ChirpCommunity
import ChirpFlows
import ChirpListening
import Foundation
import HubHousehold
import Testing

/// When to listen, as somebody types it (CH-8).
@Suite struct LiveTimesTests {
    @Test(arguments: [
        ("10m", 600), ("2h", 7200), ("90m", 5400), ("1h30m", 5400), (" 1H 30M ", 5400), ("10min", 600),
        ("24h", 86_400), ("1m", 60),
    ])
    func `a duration is hours and minutes`(text: String, seconds: Int) {
        #expect(LiveTimes.seconds(text) == seconds)
    }

    @Test(arguments: [
        "", "0m", "0h", "10", "h", "m", "-5m", "24h1m", "25h", "99999h", "9999999999999999999999h", "1d", "2h2h",
        "30m1h", "1.5h", "١٠m", "10m\0", "ten m", String(repeating: "1", count: 100_000),
    ])
    func `what is no duration of a minute to a day is refused`(text: String) {
        #expect(LiveTimes.seconds(text) == nil)
        #expect(throws: LiveTimes.Refusal.self) {
            guard try LiveTimes(length: text).window(now: HubHousehold.start) != nil else {
                throw LiveTimes.Refusal.length
            }
        }
    }

    private func date(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }

    @Test func `a time frame goes over midnight, in the listener's zone`() throws {
        let now = try date("2026-07-01T20:30:00Z")
        let window = try #require(
            try LiveTimes(length: "5m", frame: "22:00-02:00", zone: "Europe/Berlin").window(now: now))
        #expect(try window.begins == date("2026-07-01T20:00:00Z") && window.ends == date("2026-07-02T00:00:00Z"))
        #expect(window.followsClock)
        let elsewhere = try #require(
            try LiveTimes(frame: "22:00-02:00", zone: "Asia/Tokyo").window(now: now))
        #expect(
            try elsewhere.begins == date("2026-07-01T13:00:00Z") || elsewhere.begins == date("2026-07-02T13:00:00Z"))
    }

    @Test func `a time frame follows the clock when that changes in its night`() throws {
        // The clocks go back from three to two: the night is an hour longer.
        let autumn = try #require(
            try LiveTimes(frame: "22:00-04:00", zone: "Europe/Berlin").window(now: date("2026-10-24T21:00:00Z")))
        #expect(autumn.ends.timeIntervalSince(autumn.begins) == 7 * 3600)
        let spring = try #require(
            try LiveTimes(frame: "22:00-04:00", zone: "Europe/Berlin").window(now: date("2026-03-28T22:00:00Z")))
        #expect(spring.ends.timeIntervalSince(spring.begins) == 5 * 3600)
        // Not even then it lasts longer than a day.
        let whole = try #require(
            try LiveTimes(frame: "12:00-11:59", zone: "Europe/Berlin").window(now: date("2026-10-24T10:00:00Z")))
        #expect(whole.ends.timeIntervalSince(whole.begins) <= 24 * 3600)
    }

    @Test(arguments: [
        ("22:00", ""), ("25:00-26:00", ""), ("22:00-22:00", ""), ("a-b", ""), ("22:00-23:00", "Nowhere/City"),
        ("22:00-23:00", "../../etc/passwd"), ("22:00-23:00", String(repeating: "A", count: 10_000)),
        (String(repeating: "1", count: 100_000), ""), ("08:00-09:00", "Etc/UTC"),
    ])
    func `what is no time frame, or over, is refused`(frame: String, zone: String) throws {
        let now = try date("2026-07-01T20:30:00Z")
        #expect(throws: LiveTimes.Refusal.self) { _ = try LiveTimes(frame: frame, zone: zone).window(now: now) }
    }

    @Test func `a clock that is set ends no duration, and moves what is written down`() async throws {
        let world = try ListeningWorld()
        let lena = try await world.listener("lena", following: ["ann"])
        let desk = world.desk()
        try await world.begin(lena, to: ["ann"], seconds: 600, desk)
        // Set forward by a day, while a minute passes.
        world.house.wait(86_400)
        await world.pass(61, desk)
        #expect(try await desk.document(of: lena) != nil)
        let ends = try #require(try await world.store.running(of: lena)?.ends)
        #expect(abs(ends.timeIntervalSince(HubHousehold.start + 86_400 + 600)) < 1)
        await world.pass(540, desk)
        #expect(try await desk.document(of: lena) == nil)
    }
}
