import Foundation
import Glibc
import Testing

/// The disk is full while somebody signs up or a backup is taken. A limit on the size of files fails the same writes, with another
/// reason.
@Suite struct HubFullDiskTests {
    private let home: Household
    private let open = ["CHIRP_HUB_REGISTRATION": "open", "CHIRP_HUB_LIMIT_SCALE": "100"]

    init() async throws {
        home = try Household()
        try home.write(Recording.wav(Recording.voice(seconds: 1)), to: "take.wav")
        #expect(try await home.run("publish", "take.wav").status == 0)
    }

    @Test func `a backup that finds no room leaves the one before, and the hub as it was`() async throws {
        #expect(try await home.run("hub", "backup", "hub.tar").status == 0)
        let before = FileManager.default.contents(atPath: home.path("hub.tar"))
        let outcome = try await home.shell("ulimit -f 100; trap '' XFSZ; chirp hub backup hub.tar")
        #expect(outcome.status == 4, "\(outcome.errors)")
        #expect(outcome.errors.contains("'hub.tar' would be larger than a file may be there"))
        #expect(outcome.errorLines.count == 2)
        #expect(FileManager.default.contents(atPath: home.path("hub.tar")) == before)
        #expect(home.files(in: "work") == ["hub.tar", "take.wav"])
        #expect(try await home.run("hub", "check", "--full").status == 0)
        #expect(try await home.run("hub", "backup", "hub.tar").status == 0)
    }

    @Test func `a sign-up that finds no room is refused as a whole, and pages go on`() async throws {
        func signUp(_ name: String, _ browser: HubBrowser) async throws -> Int {
            try await browser.submit(
                "/signup",
                [("email", "\(name)@example.org"), ("username", name), ("password", "correct horse battery")]
            ).status
        }
        // Makes all files, so that later ones are only written on.
        try await home.serving(environment: open) { port in
            let status = try await signUp("first", HubBrowser(home, port: port, jar: "jar"))
            #expect(status == 200)
        }
        let full = try home.start(limiting: 200, ["serve", "--port", "0", "--json"], environment: open)
        await eventually { full.outputSoFar.hasSuffix("\n") }
        let answer = try JSONSerialization.jsonObject(with: Data(full.outputSoFar.utf8)) as? [String: Any]
        let browser = HubBrowser(home, port: try #require(answer?["port"] as? Int), jar: "jar")
        var statuses: [Int] = []
        for number in 0..<20 { statuses.append(try await signUp("ann\(number)", browser)) }
        // Some may still have found room; the last has not.
        #expect(statuses.allSatisfy { [200, 500, 507].contains($0) } && statuses.last != 200, "\(statuses)")
        #expect(try await browser.get("/").status == 200)
        #expect(try await browser.get("/signin").status == 200)
        full.send(SIGKILL)
        _ = try await full.outcome()

        #expect(try await home.run("hub", "check", "--full").status == 0)
        try await home.serving(environment: open) { port in
            // A name that was refused was not half taken.
            let status = try await signUp("ann19", HubBrowser(home, port: port, jar: "later"))
            #expect(status == 200)
        }
    }
}

extension Household {
    /// Starts the program with files of at most so many KiB.
    fileprivate func start(
        limiting kibibytes: Int, _ arguments: [String], environment extra: [String: String]
    ) throws -> Running {
        try startShell(
            "ulimit -f \(kibibytes); trap '' XFSZ; exec chirp \(arguments.joined(separator: " "))", environment: extra)
    }
}
