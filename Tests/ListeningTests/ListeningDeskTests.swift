import ChirpAccounts
import ChirpCommunity
import ChirpListening
import Foundation
import HubHousehold
import Testing

/// Live listening in a browser, without a browser and without a connection.
@Suite struct ListeningDeskTests {
    private let world: ListeningWorld

    init() throws { world = try ListeningWorld() }

    @Test func `what is posted while a session begins is heard in it, and twice by nobody`() async throws {
        let lena = try await world.listener("lena", following: ["ann"])
        let mona = try await world.listener("mona", following: ["ann"])
        let desk = world.desk(world.store)
        try await world.begin(mona, to: ["ann"], desk)
        let window = ListeningWindow(
            begins: world.library.now(), ends: world.library.now().addingTimeInterval(3600), followsClock: false)
        let beginning = try await world.store.begin(lena, chosen: [world.id("ann")], window: window)
        guard case .begun(let row) = beginning else { throw CancellationError() }
        // The others are read further between the row and the session.
        try await world.post("ann", "In between")
        await desk.look()
        _ = await desk.drive(row)
        await desk.look()
        #expect(try await world.states(of: lena, desk) == ["queued"])
        #expect(try await world.states(of: mona, desk) == ["queued"])
    }

    @Test func `clips are played in the order they arrived, each once, with a silence between them`() async throws {
        let lena = try await world.listener("lena", following: ["ann", "bob", "eve"])
        let (desk, browser) = (world.desk(), Browser())
        try await world.post("ann", "Before it began")
        try await world.begin(lena, to: ["ann", "bob"], desk)
        _ = try await desk.connect(browser.ear, of: lena)
        #expect(browser.names == ["session", "turn"] && browser.turn == nil)
        let first = try await world.post("bob", "One")
        try await world.post("eve", "Of somebody who is not chosen")
        try await world.post("ann", "Two")
        try await world.post("ann", "For one alone, @lena", .direct)
        await desk.look()
        await desk.look()
        let plays = browser.events("play")
        #expect(plays.compactMap { $0["text"] as? String } == ["One", "Two"])
        #expect(plays.first?["clip"] as? String == first.clip?.id.text && plays.first?["seconds"] as? Double == 12)
        #expect(plays.first?["url"] as? String == "/media/\(first.clip?.id.text ?? "").mp3")
        #expect((plays.first?["speaker"] as? [String: Any])?["handle"] as? String == "bob")
        #expect(browser.turn?.play == (plays.first?["id"] as? Int).map(Int64.init))
        try await desk.hear(browser, of: lena)
        #expect(browser.turn == nil)
        await world.pass(1, desk)
        #expect(browser.turn?.play == (plays.last?["id"] as? Int).map(Int64.init))
        try await desk.hear(browser, of: lena)
        await world.pass(1, desk)
        #expect(browser.turn == nil)
        #expect(try await world.states(of: lena, desk) == ["played", "played"])
        #expect(browser.turns.count == 2)
    }

    @Test func `it waits for a browser, skips nothing, and goes on in another`() async throws {
        let lena = try await world.listener("lena", following: ["ann"])
        let desk = world.desk()
        try await world.begin(lena, to: ["ann"], desk)
        for number in 1...3 { try await world.post("ann", "\(number)") }
        await desk.look()
        await world.pass(600, desk)
        #expect(try await world.states(of: lena, desk) == ["queued", "queued", "queued"])
        let (first, second) = (Browser(), Browser())
        let ear = try #require(try await desk.connect(first.ear, of: lena))
        let turn = try #require(first.turn)
        try await desk.report(.started, turn: turn.number, of: lena)
        try await desk.report(.position(5), turn: turn.number, of: lena)
        await desk.disconnect(ear, of: lena)
        _ = try await desk.connect(second.ear, of: lena)
        let again = try #require(second.turn)
        #expect(again.number == turn.number && again.play == turn.play && again.position == 5)
        // A turn that is over is not taken for the present one.
        try await desk.report(.ended, turn: turn.number, of: lena)
        try await desk.report(.ended, turn: turn.number, of: lena)
        await world.pass(1, desk)
        let next = try #require(second.turn)
        #expect(next.number > turn.number)
        try await desk.report(.ended, turn: turn.number, of: lena)
        #expect(try await world.states(of: lena, desk) == ["played", "queued", "queued"])
    }

    @Test func `pause, skip, replay and stop`() async throws {
        let lena = try await world.listener("lena", following: ["ann"])
        let (desk, browser) = (world.desk(), Browser())
        try await world.begin(lena, to: ["ann"], desk)
        _ = try await desk.connect(browser.ear, of: lena)
        _ = try await desk.ask(.pause, of: lena)
        try await world.post("ann", "One")
        try await world.post("ann", "Two")
        await desk.look()
        #expect(browser.turn == nil && browser.events("session").last?["paused"] as? Bool == true)
        _ = try await desk.ask(.resume, of: lena)
        let one = try #require(browser.turn)
        try await desk.report(.started, turn: one.number, of: lena)
        _ = try await desk.ask(.skip, of: lena)
        #expect(browser.turn == nil)
        await world.pass(1, desk)
        let two = try #require(browser.turn)
        _ = try await desk.ask(.replay(one.play), of: lena)
        try await desk.hear(browser, of: lena)
        await world.pass(1, desk)
        #expect(browser.turn?.play == one.play && browser.events("turn").last?["replay"] as? Bool == true)
        try await desk.hear(browser, of: lena)
        // A replay changes nothing of what became of it.
        #expect(try await world.states(of: lena, desk) == ["skipped", "played"])
        #expect(try await desk.ask(.replay(two.play + 100), of: lena) == nil)
        let last = try #require(try await desk.ask(.stop, of: lena))
        #expect(String(decoding: last, as: UTF8.self).contains("\"state\":\"ended\""))
        #expect(browser.isOver && browser.events("session").last?["state"] as? String == "ended")
        #expect(try await desk.document(of: lena) == nil)
        #expect(await desk.count == 0)
    }

    @Test func `whom the listener no longer chooses, follows or may see is not heard`() async throws {
        let lena = try await world.listener("lena", following: ["ann", "bob", "eve", "joe", "mia"])
        let (desk, browser) = (world.desk(), Browser())
        try await world.begin(lena, to: ["ann", "bob", "eve", "joe", "mia"], desk)
        _ = try await desk.connect(browser.ear, of: lena)
        try await world.post("mia", "Heard first")
        for name in ["ann", "bob", "eve", "joe"] { try await world.post(name, "Of \(name)") }
        let last = try await world.post("mia", "Heard last", .followers)
        await desk.look()
        try await world.library.unfollow(world.id("ann"), by: lena)
        try await world.library.block(lena, by: world.id("bob"))
        _ = try await desk.change(lena, chosen: ["ann", "joe", "mia"].map(world.id), window: nil)
        let joes = try await world.library.seen(by: .visitor).posts(.by(world.id("joe")), limit: 1)
        try await world.library.removePost(try #require(joes.first?.id))
        await desk.look()
        try await desk.hear(browser, of: lena)
        await world.pass(1, desk)
        // No silence for each of those that are not heard.
        let shown = try #require(browser.turn)
        try await desk.hear(browser, of: lena)
        let states = try await world.states(of: lena, desk)
        #expect(states == ["played", "skipped", "gone", "skipped", "gone", "played"])
        let heard = try await world.store.heard(shown.play, by: lena)
        #expect(heard?.post?.sequence == last.sequence)
    }

    @Test func `200 listeners are told the same bytes, which are made once`() async throws {
        try await world.house.person("ann")
        let desk = world.desk()
        var browsers: [Browser] = []
        for number in 1...200 {
            let listener = try await world.listener("lena\(number)", following: ["ann"])
            try await world.begin(listener, to: ["ann"], desk)
            let browser = Browser()
            _ = try await desk.connect(browser.ear, of: listener)
            browsers.append(browser)
        }
        try await world.post("ann", "For all")
        await desk.look()
        #expect(browsers.allSatisfy { $0.events("play").count == 1 && $0.turn != nil })
        #expect(await desk.encodings == 1)
    }

    @Test func `a session ends by itself when its time is over and all was heard`() async throws {
        let lena = try await world.listener("lena", following: ["ann"])
        let (desk, browser) = (world.desk(), Browser())
        try await world.begin(lena, to: ["ann"], seconds: 600, desk)
        _ = try await desk.connect(browser.ear, of: lena)
        try await world.post("ann")
        await desk.look()
        await world.pass(601, desk)
        try await world.post("ann", "Too late")
        await desk.look()
        #expect(browser.events("session").last?["state"] as? String == "over")
        try await desk.hear(browser, of: lena)
        await world.pass(1, desk)
        #expect(browser.isOver)
        #expect(try await desk.document(of: lena) == nil)
        #expect(try await world.store.heard(by: lena, limit: 10).map(\.play.state) == [.played])
    }

    @Test func `no session is without an end, also when nobody comes back`() async throws {
        let lena = try await world.listener("lena", following: ["ann"])
        let desk = world.desk()
        try await world.begin(lena, to: ["ann"], seconds: 600, desk)
        try await world.post("ann")
        await desk.look()
        await world.pass(601, desk)
        await world.pass(3599, desk)
        #expect(try await desk.document(of: lena) != nil)
        await world.pass(61, desk)
        #expect(try await desk.document(of: lena) == nil)
        let heard = try await world.store.heard(by: lena, limit: 10)
        #expect(heard.map(\.play.state) == [.skipped] && heard.first?.play.why == "ended")
    }

    @Test func `an account listens once at a time, and to whom it follows`() async throws {
        let lena = try await world.listener("lena", following: ["ann"])
        try await world.house.person("eve")
        let desk = world.desk()
        let found = try await world.store.choose(["@ANN", "id-ann", "@eve", "'; DROP TABLE posts"], for: lena)
        #expect(found.accounts == [world.id("ann")] && found.notFollowed == ["@eve", "'; DROP TABLE posts"])
        try await world.begin(lena, to: ["ann"], desk)
        let window = ListeningWindow(
            begins: world.library.now(), ends: world.library.now() + 60, followsClock: false)
        guard case .alreadyLive = try await desk.begin(lena, chosen: [world.id("ann")], window: window) else {
            Issue.record("it began twice")
            return
        }
        #expect(await desk.count == 1)
    }
}
