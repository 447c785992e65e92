import Foundation
import Glibc
import Testing

/// `chirp hub backup`, `restore` and `check`, and two servers of one folder.
@Suite struct HubBackupTests {
    private let home: Household
    /// The clip that is published.
    private let id: String

    init() async throws {
        home = try Household()
        try home.write(Recording.wav(Recording.voice(seconds: 1)), to: "take.wav")
        let published = try await home.run("publish", "take.wav", "--json").json()
        id = try #require((published["store"] as? [String: Any])?["id"] as? String)
    }

    private var hub: String { home.top("data") + "/chirp/hub" }

    /// Data of another machine.
    private var elsewhere: [String: String] { ["XDG_DATA_HOME": home.top("elsewhere")] }

    @Test func `a hub moves to another machine while it is served`() async throws {
        try await home.serving { port in
            let outcome = try await home.run("hub", "backup", "hub.tar", "--json")
            #expect(outcome.status == 0, "\(outcome.errors)")
            let answer = try outcome.json()
            #expect(answer["clips"] as? Int == 1 && answer["exit"] as? Int == 0)
            #expect((answer["missing"] as? [String])?.isEmpty == true)
            #expect(try await home.run("hub", "check", "--full").status == 0)
        }
        let listed = try await home.shell("tar -tf hub.tar")
        #expect(listed.lines == ["manifest.json", "key", "media/\(id).mp3", "hub.sqlite"], "\(listed.errors)")

        let restored = try await home.run("hub", "restore", "hub.tar", environment: elsewhere)
        #expect(restored.status == 0, "\(restored.errors)")
        #expect(restored.text.contains("1 clip,"))
        let same = try await home.shell("cmp ../data/chirp/hub/media/\(id).mp3 ../elsewhere/chirp/hub/media/\(id).mp3")
        #expect(same.status == 0, "\(same.errors)")
        let check = try await home.run("hub", "check", "--full", "--json", environment: elsewhere)
        #expect(check.status == 0, "\(check.text)")
        let findings = try #require(try check.json()["checks"] as? [[String: Any]])
        #expect(findings.allSatisfy { $0["level"] as? String == "ok" })
        #expect(findings.map { $0["check"] as? String } == ["database", "version", "clips", "secrets"])
        let again = try await home.run("publish", "take.wav", "--again", environment: elsewhere)
        #expect(again.status == 0, "\(again.errors)")

        let second = try await home.run("hub", "restore", "hub.tar", environment: elsewhere)
        #expect(second.status == 73)
        #expect(second.errorLines.count == 2 && second.errors.contains("not empty"), "\(second.errors)")
        #expect(home.files(in: "elsewhere/chirp/hub/media").count == 2)
        #expect(home.files(in: "work").sorted() == ["hub.tar", "take.wav"])
    }

    @Test func `a folder has one server, and publishing goes on beside it`() async throws {
        try await home.serving { port in
            let second = try await home.run("serve", "--port", "0")
            #expect(second.status == 69)
            #expect(second.errorLines.count == 2 && second.errors.contains("being served already"), "\(second.errors)")
            #expect(second.output.isEmpty)
            let published = try await home.run("publish", "take.wav", "--again")
            #expect(published.status == 0, "\(published.errors)")
            let restored = try await home.run("hub", "restore", "hub.tar")
            #expect(restored.status == 69 && restored.errors.contains("being served"), "\(restored.errors)")
            let page = try await home.shell("curl -sf http://127.0.0.1:\(port)/c/\(id)")
            #expect(page.status == 0)
        }
        // A killed server holds nothing back.
        let killed = try home.start(["serve", "--port", "0"])
        await eventually { killed.outputSoFar.hasSuffix("\n") }
        killed.send(SIGKILL)
        _ = try await killed.outcome()
        try await home.serving { #expect($0 > 0) }
    }

    @Test func `several processes share a folder when all say so, and go on when one is killed`() async throws {
        let shared = ["CHIRP_HUB_SHARED": "true", "CHIRP_HUB_PUBLIC_URL": "http://hub.example.org"]
        func shows(_ port: Int) async throws -> Bool {
            try await home.shell("curl -sf http://127.0.0.1:\(port)/c/\(id)").status == 0
        }
        let (first, second) = (try await home.served(environment: shared), try await home.served(environment: shared))
        for port in [first.port, second.port] { #expect(try await shows(port)) }
        let alone = try await home.run("serve", "--port", "0")
        #expect(alone.status == 69 && alone.errors.contains("being served already"), "\(alone.errors)")
        let nameless = try await home.run("serve", "--shared", "--port", "0")
        #expect(nameless.status == 69 && nameless.errors.contains("hub.publicURL"), "\(nameless.errors)")
        first.running.send(SIGKILL)
        _ = try await first.running.outcome()
        #expect(try await shows(second.port))
        let restored = try await home.run("hub", "restore", "hub.tar")
        #expect(restored.status == 69 && restored.errors.contains("being served"), "\(restored.errors)")
        let third = try await home.served(environment: shared)
        #expect(try await shows(third.port))
        for server in [second, third] {
            server.running.send(SIGTERM)
            #expect(try await server.running.outcome().status == 130)
        }
        try await home.serving { #expect($0 > 0) }
    }

    @Test func `what is wrong with a hub is found, each with its cure`() async throws {
        try FileManager.default.removeItem(atPath: "\(hub)/media/\(id).mp3")
        #expect(chmod("\(hub)/hub.sqlite", 0o644) == 0)
        let check = try await home.run("hub", "check")
        #expect(check.status == 3)
        #expect(check.text.contains("1 clip without a file: \(id)"), "\(check.text)")
        #expect(check.text.contains("Run: chmod 600 '\(hub)/hub.sqlite'"), "\(check.text)")
        let backup = try await home.run("hub", "backup", "hub.tar", "--json")
        #expect(backup.status == 3)
        #expect(try backup.json()["missing"] as? [String] == [id])
        #expect(home.files(in: "work").contains("hub.tar"))
    }

    @Test func `what is no backup changes nothing`() async throws {
        try home.write(Array("no archive".utf8), to: "odd.tar")
        for (name, status) in [("odd.tar", 65), ("take.wav", 65), ("none.tar", 66), (".", 66)] as [(String, Int32)] {
            let outcome = try await home.run("hub", "restore", name, environment: elsewhere)
            #expect(outcome.status == status, "\(name): \(outcome.errors)")
            #expect(outcome.errorLines.count == 2, "\(name): \(outcome.errors)")
        }
        #expect(home.files(in: "elsewhere").isEmpty)
        let none = try await home.run("hub", "backup", "hub.tar", environment: elsewhere)
        #expect(none.status == 66 && none.errors.contains("no hub"), "\(none.errors)")
        let inside = try await home.run("hub", "backup", "\(hub)/hub.tar")
        #expect(inside.status == 73, "\(inside.errors)")
        #expect(try await home.run("hub", "check", environment: elsewhere).status == 66)
        #expect(home.files(in: "elsewhere").isEmpty)
    }
}
