import ChirpFlows
import ChirpJournal
import Foundation
import Testing

/// What live listening decides, step by step, without anything around it.
@Suite struct LiveMachineTests {
    private let start = Date(timeIntervalSince1970: 1_800_000_000)

    private func machine(_ choice: LiveWindow.Choice = .open, pause: Duration = .zero) throws -> LiveMachine {
        var rules = LiveRules()
        rules.pause = pause
        let window = try LiveWindow(choice, now: start, zone: .gmt)
        return LiveMachine(window: window, accounts: [], rules: rules, now: .zero)
    }

    private func take(
        _ input: LiveMachine.Input, at seconds: Int = 0, _ machine: inout LiveMachine
    ) -> [LiveMachine.Action] {
        machine.take(input, now: .seconds(seconds), date: start + Double(seconds))
    }

    private func turn(_ id: PlayID, again: Bool = false) -> LiveTurn { LiveTurn(play: id, isReplay: again) }

    @Test func `it watches from the beginning of the window to its end`() throws {
        // The start is a Friday, 08:00 UTC.
        var machine = try machine(.between(try #require(DayTime("9")), try #require(DayTime("10"))))
        #expect(take(.tick, &machine).isEmpty)
        #expect(machine.deadline(now: .zero, date: start) == .seconds(3600))
        #expect(take(.tick, at: 3600, &machine) == [.watch])
        #expect(take(.tick, at: 7200, &machine) == [.stopWatching, .end])
    }

    @Test func `what may not be heard when its turn comes makes no silence`() throws {
        var machine = try machine(pause: .seconds(1))
        #expect(take(.tick, &machine) == [.watch])
        for id in [1, 2] as [PlayID] {
            #expect(take(.arrived(id), &machine) == [.fetch(id)])
        }
        #expect(take(.fetched(1), &machine) == [.play(turn(1))])
        #expect(take(.fetched(2), &machine).isEmpty)
        #expect(take(.refused(turn(2)), &machine).isEmpty)
        #expect(take(.refused(turn(1)), &machine) == [.play(turn(2))])
        #expect(take(.ended(turn(2)), &machine).isEmpty)
        #expect(machine.current == nil && machine.waiting.isEmpty)
    }

    /// The clock on the wall is set, by a person or by the network; what counts time goes on counting.
    @Test(arguments: [-3600.0, 3600, -2e9, 8e9, 1e300, -1e300, .infinity])
    func `a clock that is set neither ends nor pauses a length of time`(jump: Double) throws {
        for choice in [LiveWindow.Choice.open, .duration(.seconds(60))] {
            var machine = try machine(choice)
            #expect(take(.tick, &machine) == [.watch])
            #expect(machine.take(.tick, now: .seconds(10), date: start + 10 + jump).isEmpty)
            #expect(machine.take(.tick, now: .seconds(59), date: start + 59 + jump).isEmpty)
            guard choice != .open else { continue }
            #expect(machine.take(.tick, now: .seconds(70), date: start + 70 + jump) == [.stopWatching, .end])
        }
    }

    @Test func `hours of the day follow the clock on the wall`() throws {
        var machine = try machine(.between(try #require(DayTime("9")), try #require(DayTime("10"))))
        #expect(machine.take(.tick, now: .seconds(1), date: start + 3600) == [.watch])
        #expect(machine.take(.tick, now: .seconds(2), date: start) == [.stopWatching])
        #expect(machine.take(.tick, now: .seconds(3), date: start + 4000) == [.watch])
        #expect(machine.take(.tick, now: .seconds(4), date: start + 7200) == [.stopWatching, .end])
    }

    @Test func `a clip that a process may have died of is fetched alone`() throws {
        var rules = LiveRules()
        rules.pause = .zero
        let window = try LiveWindow(.open, now: start, zone: .gmt)
        var machine = LiveMachine(window: window, accounts: [], rules: rules, now: .zero, suspects: [2, 3])
        _ = take(.tick, &machine)
        #expect(take(.arrived(1), &machine) == [.fetch(1)])
        for id in [2, 3, 4, 5] as [PlayID] { #expect(take(.arrived(id), &machine).isEmpty) }
        #expect(take(.fetched(1), &machine) == [.fetch(2), .play(turn(1))])
        #expect(take(.fetched(2), &machine) == [.fetch(3)])
        #expect(take(.fetched(3), &machine) == [.fetch(4), .fetch(5)])
    }

    @Test func `while paused the next clip waits`() throws {
        var machine = try machine()
        #expect(take(.arrived(1), &machine) == [.fetch(1), .watch])
        #expect(take(.request(.togglePause), &machine).isEmpty)
        #expect(take(.fetched(1), &machine).isEmpty)
        #expect(take(.request(.togglePause), &machine) == [.play(turn(1))])
        #expect(take(.request(.togglePause), &machine) == [.pause])
        #expect(take(.request(.togglePause), &machine) == [.resume])
        #expect(take(.request(.skip), &machine) == [.skip])
    }

    @Test func `the next clip begins when the pause is over, not before`() throws {
        var machine = try machine(pause: .seconds(1))
        _ = take(.arrived(1), &machine)
        _ = take(.arrived(2), &machine)
        _ = take(.fetched(2), &machine)
        #expect(take(.fetched(1), &machine) == [.play(turn(1))])
        #expect(take(.ended(turn(1)), at: 5, &machine).isEmpty)
        #expect(machine.deadline(now: .seconds(5), date: start + 5) == .seconds(6))
        #expect(take(.tick, at: 6, &machine) == [.play(turn(2))])
    }

    @Test func `a replay comes after the clip that is heard and before the next one`() throws {
        var machine = try machine()
        for id in [1, 2] as [PlayID] {
            _ = take(.arrived(id), &machine)
            _ = take(.fetched(id), &machine)
        }
        #expect(machine.current == turn(1))
        #expect(take(.request(.replay(nil)), &machine).isEmpty)
        #expect(take(.request(.replay(7)), &machine).isEmpty)
        #expect(take(.ended(turn(1)), &machine) == [.play(turn(1, again: true))])
        #expect(take(.ended(turn(1, again: true)), &machine) == [.play(turn(7, again: true))])
        #expect(take(.ended(turn(7, again: true)), &machine) == [.play(turn(2))])
    }

    @Test func `stopping ends at once, and nothing is done afterwards`() throws {
        var machine = try machine()
        _ = take(.arrived(1), &machine)
        _ = take(.fetched(1), &machine)
        #expect(take(.request(.stop), &machine) == [.stopWatching, .skip, .end])
        #expect(take(.arrived(2), &machine).isEmpty)
    }
}
