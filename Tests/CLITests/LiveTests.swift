import ChirpTestKit
import Foundation
import Glibc
import LoopbackService
import Testing

/// `live`, `replay` and `accounts` on the embedded hub, into a real sound server.
// A daemon that is kept from the processor drops sound: one at a time.
@Suite(.serialized, .timeLimit(.minutes(10))) struct LiveTests {
    private let home: Household
    private let server: SoundServer

    init() throws {
        home = try Household()
        server = try SoundServer()
    }

    /// No clip steps aside because the machine is busy.
    private var environment: [String: String] {
        ["PULSE_SERVER": server.address, "CHIRP_LIVE_CHIME": "false", "CHIRP_LIVE_PATIENCE": "10m"]
    }

    private func publish(_ number: Int, seconds: Double = 1) async throws {
        let name = "take\(number).wav"
        try home.write(Recording.wav(Recording.voice(seconds: seconds)), to: name)
        let outcome = try await home.run("publish", name, "--text", "number \(number)", "--again")
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    private func listen(_ more: String...) throws -> Running {
        try home.start(["live", "--from", "@me", "--json"] + more, environment: environment)
    }

    private struct Event: Decodable {
        let event: String
        let id: Int?
        let text: String?
        let reason: String?
        let goesOn: Bool?
        let exit: Int?
        let heard: Int?
    }

    /// What has been told so far, whole lines only.
    private func events(_ running: Running) -> [Event] {
        let text = running.outputSoFar
        return text[..<(text.lastIndex(of: "\n") ?? text.startIndex)].split(separator: "\n").compactMap {
            try? JSONDecoder().decode(Event.self, from: Data($0.utf8))
        }
    }

    private func ids(_ running: Running, _ event: String) -> [Int] {
        events(running).filter { $0.event == event }.compactMap(\.id)
    }

    @Test func `clips of the hub are played as they come, and can be heard again offline`() async throws {
        let live = try listen("--for", "10m")
        await eventually { events(live).contains { $0.event == "started" } }
        for number in 1...3 { try await publish(number) }
        await eventually { ids(live, "played").count == 3 }
        live.send(SIGTERM)
        let outcome = try await live.outcome()
        #expect(outcome.status == 130, "\(outcome.errors)")
        #expect(ids(live, "played") == [1, 2, 3])
        #expect(events(live).last?.event == "result" && events(live).last?.exit == 130)

        let listed = try await home.run("replay", "--json").json()["clips"] as? [[String: Any]] ?? []
        #expect(listed.map { $0["id"] as? Int } == [3, 2, 1])
        #expect(listed.allSatisfy { $0["expires"] != nil && $0["account"] as? String == "@me" })
        let again = try await home.run("replay", "2", "--json", environment: environment)
        #expect(again.status == 0, "\(again.errors)")
        #expect((try again.json()["clips"] as? [[String: Any]])?.first?["plays"] as? Int == 2)
        #expect(try await home.run("replay", "17").status == 64)
    }

    /// `kill -9` of the listener in the middle of a clip, and of the sound server later: nothing is lost, and at most the clip
    /// that was being heard is heard again.
    @Test func `killed in the middle it goes on where it was`() async throws {
        // Posted before, so that nothing is heard while the machine still publishes. The second is long enough to be killed in its
        // middle, however late that is noticed.
        for number in 1...4 { try await publish(number, seconds: number == 2 ? 15 : 1) }
        let first = try listen("--catch-up", "1h")
        await eventually { ids(first, "playing").contains(2) }
        first.send(SIGKILL)
        #expect(try await first.outcome().signal == SIGKILL)
        let before = ids(first, "played")
        #expect(before == [1])
        try await publish(5)

        let second = try listen()
        await eventually { ids(second, "playing").contains(3) }
        server.kill()
        try server.start()
        await eventually { ids(second, "played").count == 4 }
        second.send(SIGINT)
        _ = try await second.outcome()
        #expect(events(second).first?.goesOn == true)
        #expect(ids(second, "played") == [2, 3, 4, 5])
    }

    /// Two deaths and it is out (W-7): what was being heard at both is played no more by itself, and is heard when a person asks.
    @Test func `a clip that was in hand when the program died twice is set aside`() async throws {
        for death in 1...2 {
            let live = try listen()
            await eventually { events(live).contains { $0.event == "started" } }
            if death == 1 {
                // Long enough to be killed in its middle.
                try await publish(1, seconds: 20)
                try await publish(2)
                await eventually { ids(live, "fetched") == [1, 2] }
            }
            await eventually { ids(live, "playing") == [1] }
            live.send(SIGKILL)
            #expect(try await live.outcome().signal == SIGKILL)
        }
        let third = try listen()
        await eventually { ids(third, "played") == [2] }
        third.send(SIGINT)
        _ = try await third.outcome()
        #expect(ids(third, "set-aside") == [1] && !ids(third, "playing").contains(1))

        func listed() async throws -> [[String: Any]] {
            try await home.run("replay", "--json").json()["clips"] as? [[String: Any]] ?? []
        }
        #expect(try await listed().map { $0["setAside"] as? Bool } == [false, true])
        #expect(try await home.run("replay").text.contains("set aside"))
        let again = try await home.run("replay", "1", "--json", environment: environment)
        #expect(again.status == 0, "\(again.errors)")
        #expect(try await listed().map { $0["setAside"] as? Bool } == [false, false])
    }

    @Test func `on a terminal the board shows who speaks, the queue and the keys, and keys work`() async throws {
        let pipe = home.path("keys")
        #expect(mkfifo(pipe, 0o600) == 0)
        let keys = open(pipe, O_RDWR)
        defer { close(keys) }
        let live = try home.startOnTerminal("live --for 2h", input: pipe, environment: environment)
        // The chooser: mark the first, take it.
        await eventually { live.outputSoFar.contains("Whom to listen to") }
        #expect(live.outputSoFar.contains("[ ] @me"))
        // Nobody is no choice.
        #expect(write(keys, "\n", 1) == 1)
        await eventually { live.outputSoFar.contains("nobody is marked") }
        #expect(write(keys, " ", 1) == 1)
        await eventually { live.outputSoFar.contains("[x] @me") }
        #expect(write(keys, "\n", 1) == 1)
        await eventually { live.outputSoFar.contains("Live until") }
        #expect(live.outputSoFar.contains("space pause"))
        try await publish(1)
        await eventually { live.outputSoFar.contains("> @me") }
        #expect(live.outputSoFar.contains("number 1"))
        #expect(write(keys, " ", 1) == 1)
        await eventually { live.outputSoFar.contains("PAUSED") }
        #expect(write(keys, " +", 2) == 2)
        await eventually { live.outputSoFar.contains("1 heard") }
        #expect(write(keys, "q", 1) == 1)
        let outcome = try await live.outcome()
        #expect(outcome.status == 0, "\(outcome.text.suffix(500))")
    }

    /// Another machine's hub: its own library, served; this one knows only its address.
    @Test func `clips of a hub on another machine are played as they are posted`() async throws {
        let studio = try Household()
        let serving = try studio.start(["serve", "--port", "0", "--json"])
        await eventually { serving.outputSoFar.hasSuffix("\n") }
        let answer = try JSONSerialization.jsonObject(with: Data(serving.outputSoFar.utf8)) as? [String: Any]
        let port = try #require(answer?["port"] as? Int)
        let live = try home.start(
            ["live", "--from", "127.0.0.1:me", "--json"],
            environment: environment.merging(["CHIRP_LIVE_HUB": "http://127.0.0.1:\(port)"]) { $1 })
        await eventually { events(live).contains { $0.event == "started" } }
        try studio.write(Recording.wav(Recording.voice(seconds: 1)), to: "take.wav")
        for number in 1...2 {
            let outcome = try await studio.run("publish", "take.wav", "--text", "from the studio \(number)", "--again")
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        await eventually { ids(live, "played").count == 2 }
        live.send(SIGTERM)
        _ = try await live.outcome()
        let told = events(live).filter { $0.event == "played" }.compactMap(\.text)
        #expect(told.first?.hasPrefix("from the studio 1") == true && told.last?.hasPrefix("from the studio 2") == true)
        serving.send(SIGTERM)
        _ = try await serving.outcome()
    }

    /// Two networks in one queue, one of which pushes; a cut line loses nothing.
    @Test func `clips posted on Mastodon are played as they are pushed`() async throws {
        let town = try Neighbourhood()
        let signedIn = try await town.login("mastodon", town.mastodon.base)
        #expect(signedIn.status == 0, "\(signedIn.errors)")
        let friend = town.mastodon.follow(2)[1]
        var links: [String] = []
        for number in 1...3 {
            try town.home.write(Recording.wav(Recording.voice(seconds: 1)), to: "take.wav")
            let clip = try await town.run("publish", "take.wav", "--network", "none", "--again", "--title", "\(number)")
            #expect(clip.status == 0, "\(clip.errors)")
            links.append(try #require(clip.lines.last))
        }
        // The log is full: it is set aside, once.
        let log = town.home.work + "/../state/chirp/live.log"
        try Data(count: 999_990).write(to: URL(filePath: log))
        let live = try town.home.start(
            ["live", "--from", "@friend-1", "--json"], environment: town.environment.merging(environment) { $1 })
        await eventually { events(live).contains { $0.event == "started" } && town.mastodon.streamCount == 1 }
        func post(_ number: Int) {
            town.mastodon.receive("<p>clip \(number) <a href=\"\(links[number - 1])\">x</a> #Chirp</p>", by: friend)
        }
        post(1)
        await eventually { ids(live, "played").count == 1 }
        town.mastodon.cutStreams()
        post(2)
        await eventually { town.mastodon.streamCount == 1 }
        post(3)
        await eventually { ids(live, "played").count == 3 }
        // A link to nothing: told on no screen, but in the log.
        let lost = "http://127.0.0.1:4747/c/7a7a7a7a7a7a7a7a7a7a7a"
        town.mastodon.receive("<p>lost <a href=\"\(lost)\">x</a> #Chirp</p>", by: friend)
        await eventually { ids(live, "skipped") == [4] }
        live.send(SIGTERM)
        _ = try await live.outcome()
        #expect(ids(live, "detected") == [1, 2, 3, 4] && ids(live, "played") == [1, 2, 3], "\(live.outputSoFar)")
        let lines = try String(contentsOfFile: log, encoding: .utf8)
        #expect(lines.contains("Z skipped @friend-1: ") && lines.utf8.count < 1000, "\(lines)")
        #expect(try Data(contentsOf: URL(filePath: log + ".1")).count == 999_990)
    }

    @Test(arguments: [
        (["--from", "@nobody"], "nobody"), ([], "--from"), (["--from", ","], "--from"),
        (["--from", "@me", "--between", "25-26"], "14:00-16:00"), (["--from", "@me", "--between", "9-9"], "empty"),
        (["--from", "@me", "--for", "2h", "--between", "9-10"], "exclude"), (["--from", "@me", "--for", "90d"], "31"),
    ])
    func `no account and an invalid time are refused with a reason`(words: [String], mention: String) async throws {
        let outcome = try await home.start(["live"] + words).outcome()
        #expect(outcome.status == 64, "\(outcome.errors)")
        #expect(outcome.errors.contains(mention), "\(outcome.errors)")
    }

    @Test func `accounts are listed and searched`() async throws {
        let all = try await home.run("accounts", "--json").json()["accounts"] as? [[String: Any]]
        #expect(all?.compactMap { $0["handle"] as? String } == ["me"])
        #expect(try await home.run("accounts", "--search", "@ME").text.contains("@me"))
        let none = try await home.run("accounts", "--search", "zzz")
        #expect(none.status == 0 && none.text.isEmpty)
    }
}
