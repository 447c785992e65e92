import ChirpCommunity
import ChirpListening
import Foundation
import HubHousehold
import Testing

/// A process that is killed is one whose desk is not asked any more: the next one has the tables alone.
@Suite struct ListeningRestartTests {
    private let world: ListeningWorld

    init() throws { world = try ListeningWorld() }

    @Test func `at each step the next process goes on, and nothing is lost or twice there`() async throws {
        let lena = try await world.listener("lena", following: ["ann"])
        try await world.begin(lena, to: ["ann"], world.desk())

        // Killed before it looked.
        try await world.post("ann", "One")
        var (desk, browser) = (world.desk(), Browser())
        _ = try await desk.connect(browser.ear, of: lena)
        let first = try #require(browser.turn)
        #expect(try await world.states(of: lena, desk) == ["queued"])

        // Killed before it was begun to be heard, and before another was looked at.
        try await world.post("ann", "Two")
        (desk, browser) = (world.desk(), Browser())
        _ = try await desk.connect(browser.ear, of: lena)
        let again = try #require(browser.turn)
        #expect(again.play == first.play && again.number == first.number)

        // Killed while it was heard: it is heard again, from where it was written down.
        try await desk.report(.started, turn: again.number, of: lena)
        try await desk.report(.position(11), turn: again.number, of: lena)
        (desk, browser) = (world.desk(), Browser())
        _ = try await desk.connect(browser.ear, of: lena)
        let third = try #require(browser.turn)
        #expect(third.play == first.play && third.number == first.number && third.position == 11)

        // Killed behind its end: it is not heard again.
        try await desk.hear(browser, of: lena)
        (desk, browser) = (world.desk(), Browser())
        _ = try await desk.connect(browser.ear, of: lena)
        let fourth = try #require(browser.turn)
        #expect(fourth.play > first.play)
        #expect(try await world.states(of: lena, desk) == ["played", "queued"])

        // Killed while it was paused.
        _ = try await desk.ask(.pause, of: lena)
        (desk, browser) = (world.desk(), Browser())
        _ = try await desk.connect(browser.ear, of: lena)
        #expect(browser.turn == nil && browser.events("session").last?["paused"] as? Bool == true)
        _ = try await desk.ask(.resume, of: lena)
        try await desk.hear(browser, of: lena)
        await desk.look()
        #expect(try await world.states(of: lena, desk) == ["played", "played"])
    }

    @Test func `what was posted while nothing ran counts by when it was made`() async throws {
        let lena = try await world.listener("lena", following: ["ann"])
        try await world.begin(lena, to: ["ann"], seconds: 600, world.desk())
        try await world.post("ann", "In time")
        world.house.wait(700)
        try await world.post("ann", "Too late")
        let (desk, browser) = (world.desk(), Browser())
        _ = try await desk.connect(browser.ear, of: lena)
        let session = try #require(browser.events("session").first)
        #expect(session["state"] as? String == "over")
        #expect(try await world.states(of: lena, desk) == ["queued"])
        try await desk.hear(browser, of: lena)
        await world.pass(1, desk)
        #expect(browser.isOver)
    }

    @Test func `what was detected is one row, however often it is written down`() async throws {
        let lena = try await world.listener("lena", following: ["ann"])
        guard
            case .begun(let session) = try await world.store.begin(
                lena, chosen: [world.id("ann")],
                window: ListeningWindow(
                    begins: world.library.now(), ends: world.library.now() + 60, followsClock: false))
        else { return }
        let post = try await world.post("ann")
        let found = ListeningStore.Detected(session: session.number, post: post.sequence, author: world.id("ann"))
        #expect(try await world.store.detect([found, found], upTo: post.sequence).count == 1)
        #expect(try await world.store.detect([found], upTo: post.sequence).isEmpty)
        #expect(try await world.store.running(of: lena)?.readTo == post.sequence)
        try await world.store.end(session.number)
        let other = try await world.post("ann")
        let late = ListeningStore.Detected(session: session.number, post: other.sequence, author: world.id("ann"))
        #expect(try await world.store.detect([late], upTo: other.sequence).isEmpty)
    }

    @Test func `what arrived is listed for a day after the session, and then swept`() async throws {
        let lena = try await world.listener("lena", following: ["ann"])
        let (desk, browser) = (world.desk(), Browser())
        try await world.begin(lena, to: ["ann"], desk)
        _ = try await desk.connect(browser.ear, of: lena)
        try await world.post("ann", "Kept")
        try await world.post("ann", "For an hour", expires: world.library.now() + 3600)
        try await world.post("ann", "Deleted")
        await desk.look()
        _ = try await desk.ask(.stop, of: lena)
        let deleted = try await world.library.seen(by: .visitor).posts(.by(world.id("ann")), limit: 1)
        try await world.library.removePost(try #require(deleted.first?.id))
        world.house.wait(7200)
        let heard = try await world.store.heard(by: lena, limit: 10)
        #expect(heard.map(\.absence) == [.deleted, .expired, nil])
        #expect(heard.last?.keptUntil == HubHousehold.start + 24 * 3600)
        let eve = try await world.house.person("eve")
        #expect(try await world.store.heard(by: eve, limit: 10).isEmpty)
        #expect(try await world.store.heard(try #require(heard.first?.id), by: eve) == nil)
        world.house.wait(22 * 3600)
        #expect(try await world.store.heard(by: lena, limit: 10).isEmpty)
        #expect(try await world.store.sweep(at: world.library.now()) == 1)
    }

    @Test func `an export holds the sessions, and a deleted account leaves nothing`() async throws {
        let lena = try await world.listener("lena", following: ["ann"])
        let desk = world.desk()
        try await world.begin(lena, to: ["ann"], desk)
        let post = try await world.post("ann")
        await desk.look()
        let export = try await world.library.export(of: lena)
        let document = try #require(export.documents.first { $0.name == "listening.json" })
        let text = String(decoding: document.bytes, as: UTF8.self)
        #expect(text.contains("\"ann\"") && text.contains(post.id))
        try await world.house.change("PRAGMA foreign_keys = ON; DELETE FROM accounts WHERE id = 'id-ann'")
        await desk.look()
        #expect(try await world.states(of: lena, desk) == ["gone"])
        try await world.house.change("PRAGMA foreign_keys = ON; DELETE FROM accounts WHERE id = 'id-lena'")
        #expect(try await world.store.running(of: lena) == nil)
        #expect(try await world.store.adopt().isEmpty)
    }
}
