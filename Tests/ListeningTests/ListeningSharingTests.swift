import ChirpCommunity
import ChirpListening
import Foundation
import HubHousehold
import Testing

/// Several processes serve the library, and a listener's browser speaks to one of them: each desk is one.
@Suite struct ListeningSharingTests {
    private let world: ListeningWorld

    init() throws { world = try ListeningWorld() }

    @Test func `a session goes where its browser goes, and nothing is lost or twice`() async throws {
        let lena = try await world.listener("lena", following: ["ann"])
        let (here, there) = (world.desk(isShared: true), world.desk(isShared: true))
        try await world.begin(lena, to: ["ann"], here)
        let first = Browser()
        _ = try await here.connect(first.ear, of: lena)
        try await world.post("ann", "One")
        await here.look()
        let turn = try #require(first.turn)
        try await here.report(.started, turn: turn.number, of: lena)
        try await here.report(.position(11), turn: turn.number, of: lena)

        // The browser was sent to the other process, and hears on where it was.
        let second = Browser()
        _ = try await there.connect(second.ear, of: lena)
        let again = try #require(second.turn)
        #expect(again.play == turn.play && again.number == turn.number && again.position == 11)
        // The one before lets go of it.
        await here.look()
        #expect(first.isOver && !second.isOver)
        #expect(await (here.count, there.count) == (0, 1))

        try await world.post("ann", "Two")
        await here.look()
        await there.look()
        try await there.hear(second, of: lena)
        // The silence between two.
        await world.pass(1, there)
        try await there.hear(second, of: lena)
        #expect(try await world.states(of: lena, there) == ["played", "played"])
    }

    @Test func `what the one before writes has no effect, before it knows`() async throws {
        let lena = try await world.listener("lena", following: ["ann"])
        let (here, there) = (world.desk(isShared: true), world.desk(isShared: true))
        try await world.begin(lena, to: ["ann"], here)
        let (first, second) = (Browser(), Browser())
        _ = try await here.connect(first.ear, of: lena)
        _ = try await there.connect(second.ear, of: lena)
        // Posted before `here` has looked: it is found by the one who drives the session.
        try await world.post("ann", "One")
        await there.look()
        await here.look()
        #expect(first.turn == nil && second.turn != nil)
        #expect(try await world.states(of: lena, there) == ["queued"])
        #expect(await here.count == 0)
    }

    @Test func `who goes on duty takes over what nobody drives`() async throws {
        let lena = try await world.listener("lena", following: ["ann"])
        try await world.begin(lena, to: ["ann"], world.desk(isShared: true))
        // That process has died.
        let desk = world.desk(isShared: true)
        #expect(await desk.count == 0)
        try await world.post("ann", "Meanwhile")
        try await desk.takeOver()
        #expect(await desk.count == 1)
        #expect(try await world.states(of: lena, desk) == ["queued"])
    }

    @Test func `a session that was ended elsewhere has ended here`() async throws {
        let lena = try await world.listener("lena", following: ["ann"])
        let (here, there) = (world.desk(isShared: true), world.desk(isShared: true))
        try await world.begin(lena, to: ["ann"], here)
        let browser = Browser()
        _ = try await here.connect(browser.ear, of: lena)
        _ = try await there.ask(.stop, of: lena)
        #expect(try await here.document(of: lena) == nil)
        #expect(browser.isOver)
        #expect(try await there.document(of: lena) == nil)
    }

    @Test func `requests that come at once to a process take a session over once`() async throws {
        let lena = try await world.listener("lena", following: ["ann"])
        try await world.begin(lena, to: ["ann"], world.desk(isShared: true))
        try await world.post("ann", "One")
        let desk = world.desk(isShared: true)
        let found = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 { group.addTask { try await desk.document(of: lena) != nil } }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(found == 8)
        #expect(await desk.count == 1)
        #expect(try await world.states(of: lena, desk) == ["queued"])
    }
}
