import ChirpFiles
import Foundation
import LoopbackService
import Testing

// CH-1, CH-2, UF-2: sign-in at the command line, over real sockets and processes.
@Suite struct SignInTests {
    @Test func `one service after the other, each ending in a success`() async throws {
        let town = try Neighbourhood()
        let first = try await town.login("mastodon", town.mastodon.base)
        #expect(first.status == 0, "\(first.errors)")
        #expect(first.lines == ["signed in to Mastodon as @ada"])
        let all = try await town.login()
        #expect(all.status == 0, "\(all.errors)")
        #expect(
            all.lines == [
                "signed in to Google Drive", "signed in to X as @ada", "signed in to Mastodon as @ada",
            ])
        let path = "\(town.configuration)/credentials.json"
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        for service in ["drive", "x", "mastodon"] {
            #expect(try await town.finding(service)?["level"] as? String == "ok")
        }
    }

    @Test func `declining one leaves the rest usable and says what is missing`() async throws {
        let town = try Neighbourhood()
        town.google.decide(.deny)
        let outcome = try await town.login("--json")
        #expect(outcome.status == 3, "\(outcome.errors)")
        let services = try #require(try outcome.json()["services"] as? [[String: Any]])
        #expect(services.map { $0["service"] as? String } == ["drive", "x"])
        #expect(services.map { $0["signedIn"] as? Bool } == [false, true])
        #expect(outcome.errors.contains("Google Drive was not allowed"))
        #expect(outcome.errors.contains("Missing without Google Drive: --store drive. The rest works."))
    }

    @Test func `force makes the service ask for the account again`() async throws {
        let town = try Neighbourhood()
        _ = try await town.login("drive")
        #expect(!town.google.wasForced)
        #expect(try await town.login("drive", "--force").status == 0)
        #expect(town.google.wasForced)
    }

    @Test func `a code typed elsewhere signs in to Drive`() async throws {
        let town = try Neighbourhood()
        let outcome = try await town.run("login", "drive", "--device")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("GQVQ-JKEC") && outcome.errors.contains("https://www.google.com/device"))
        #expect(outcome.lines == ["signed in to Google Drive"])
    }

    @Test(arguments: [
        (["login", "drive"], "CHIRP_GOOGLE_CLIENT_ID", 78), (["login", "x"], "CHIRP_X_CLIENT_ID", 78),
        (["login"], "CHIRP_GOOGLE_CLIENT_ID", 78), (["login", "mastodon"], "mastodon.social", 64),
        (["login", "drive", "mastodon.social"], "instances", 64), (["login", "x", "--device"], "--device", 64),
    ])
    func `what is missing to begin is said`(arguments: [String], word: String, status: Int32) async throws {
        let extra = arguments.contains("--device") ? ["CHIRP_X_CLIENT_ID": "client-1"] : [:]
        let outcome = try await Household().start(arguments, environment: extra).outcome()
        #expect(outcome.status == status, "\(outcome.errors)")
        #expect(outcome.errors.contains(word), "\(outcome.errors)")
    }

    @Test func `signing out revokes at the service and forgets`() async throws {
        let town = try Neighbourhood()
        _ = try await town.login("x")
        _ = try await town.login("mastodon", town.mastodon.base)
        let outcome = try await town.run("logout")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.lines == ["signed out of X", "signed out of Mastodon"])
        #expect(town.x.oauth.isSignedOut && town.mastodon.oauth.isSignedOut)
        #expect(!town.secrets.contains { town.credentials.contains($0) })
    }

    @Test func `two processes that need a new token at once send one refresh, and both succeed`() async throws {
        let town = try Neighbourhood()
        town.x.oauth.live(30)  // less than the minute before which a token is renewed
        #expect(try await town.login("x").status == 0)
        let before = town.x.oauth.refreshes
        town.x.oauth.live(7200)
        let both = try (0..<2).map { _ in try town.home.start(["accounts"], environment: town.environment) }
        for running in both {
            let outcome = try await running.outcome()
            #expect(outcome.status == 0 && !outcome.errors.contains("no accounts from x"), "\(outcome.errors)")
            // Every account that is read costs, which is said.
            #expect(outcome.errors.contains("$0.01 an account, counted against x.monthlyBudgetUSD"))
        }
        #expect(town.x.oauth.refreshes == before + 1)
    }

    @Test func `a revoked sign-in is wiped, exits with 77 and names the cure, now and later`() async throws {
        let town = try Neighbourhood()
        _ = try await town.login("mastodon", town.mastodon.base)
        town.mastodon.oauth.revokeAll()
        _ = try town.record()
        for _ in 0..<2 {
            let outcome = try await town.run("publish", "take.wav", "--network", "mastodon")
            #expect(outcome.status == 77, "\(outcome.errors)")
            #expect(outcome.errors.contains("chirp login mastodon"))
        }
        #expect(!town.mastodon.oauth.secrets.filter { $0.hasPrefix("at-") }.contains { town.credentials.contains($0) })
        let finding = try await town.finding("mastodon")
        #expect(finding?["level"] as? String == "problem")
        #expect(finding?["cure"] as? String == "Run: chirp login mastodon")
    }

    @Test func `a sign-in to X that was revoked shows without a charge, in the doctor and before anything is sent`()
        async throws
    {
        let town = try Neighbourhood()
        _ = try town.record()
        for command in ["doctor", "publish"] {
            #expect(try await town.login("x").status == 0)
            town.x.oauth.revokeAll()
            let before = town.x.server.requests.filter { $0.path.hasPrefix("/2/users") }.count
            if command == "doctor" {
                let finding = try await town.finding("x")
                #expect(finding?["level"] as? String == "problem")
                #expect(finding?["cure"] as? String == "Run: chirp login x")
            } else {
                let outcome = try await town.run(
                    "publish", "take.wav", "--network", "x", environment: ["CHIRP_X_MODE": "link"])
                #expect(outcome.status == 77, "\(outcome.errors)")
                #expect(town.home.files(in: "data").filter { $0.hasSuffix(".mp3") }.isEmpty)
            }
            #expect(town.x.server.requests.filter { $0.path.hasPrefix("/2/users") }.count == before)
            #expect(!town.x.oauth.secrets.contains { town.credentials.contains($0) })
        }
    }

    @Test func `a WebDAV password is tried, kept for its server alone, and forgotten`() async throws {
        let town = try Neighbourhood()
        let service = try LoopbackWebDAV()
        defer { service.close() }
        _ = try town.record()
        let environment = [
            "CHIRP_WEBDAV_URL": service.folder, "CHIRP_WEBDAV_USER": LoopbackWebDAV.user,
            "CHIRP_WEBDAV_PUBLIC_URL": "https://clips.example/anna",
        ]
        func login(_ password: String, _ extra: [String: String] = [:]) async throws -> Outcome {
            let input = try town.home.write(Array(password.utf8), to: "password")
            return try await town.home.start(
                ["login", "webdav"], input: input, environment: environment.merging(extra) { $1 }
            ).outcome()
        }
        let wrong = try await login("wrong\n")
        #expect(wrong.status == 77 && town.credentials.isEmpty, "\(wrong.errors)")
        #expect(try await login("").status == 64)
        #expect(try await login("x\n", ["CHIRP_WEBDAV_URL": ""]).status == 78)

        let right = try await login(LoopbackWebDAV.password + "\r\nmore")
        #expect(right.status == 0, "\(right.errors)")
        #expect(right.lines == ["signed in to WebDAV as \(LoopbackWebDAV.user)"])
        #expect(!right.errors.contains(LoopbackWebDAV.password))
        let arguments = ["publish", "take.wav", "--store", "webdav", "--network", "none", "-v"]
        let published = try await town.home.start(arguments, environment: environment).outcome()
        #expect(published.status == 0 && !published.errors.contains(LoopbackWebDAV.password), "\(published.errors)")
        #expect(try await town.finding("webdav", environment: environment)?["level"] as? String == "ok")

        // Somebody else's server gets no password.
        let other = try LoopbackWebDAV()
        defer { other.close() }
        let elsewhere = environment.merging(["CHIRP_WEBDAV_URL": other.folder]) { $1 }
        let refused = try await town.home.start(arguments + ["--again"], environment: elsewhere).outcome()
        #expect(refused.status == 77 && other.requests.isEmpty, "\(refused.errors)")

        #expect(try await town.run("logout", "webdav").lines == ["signed out of WebDAV"])
        #expect(!town.credentials.contains(LoopbackWebDAV.password))
        let out = try await town.home.start(arguments + ["--again"], environment: environment).outcome()
        #expect(out.status == 77 && out.errors.contains("chirp login webdav"), "\(out.errors)")
    }

    @Test func `the seven days of a client in testing are named as a cause`() async throws {
        let town = try Neighbourhood()
        town.google.live(30)
        _ = try await town.login("drive")
        town.google.revokeAll()
        let finding = try await town.finding("drive")
        #expect((finding?["text"] as? String)?.contains("7 days") == true)
        #expect(finding?["cure"] as? String == "Run: chirp login drive")
    }

    @Test func `the doctor finds a service that is away, and one that is missing`() async throws {
        let town = try Neighbourhood()
        _ = try await town.login("mastodon", town.mastodon.base)
        town.mastodon.close()
        let away = try await town.finding("mastodon")
        #expect(away?["level"] as? String == "problem")
        #expect((away?["text"] as? String)?.contains("no connection") == true)
        let missing = try await town.finding("x", environment: ["CHIRP_NETWORK": "x", "CHIRP_X_MODE": "link"])
        #expect(missing?["level"] as? String == "problem")
        #expect(missing?["cure"] as? String == "Run: chirp login x")
    }

    @Test func `the doctor finds a clock that is wrong`() async throws {
        let town = try Neighbourhood()
        _ = try await town.login("mastodon", town.mastodon.base)
        town.mastodon.fail(
            "/verify_credentials", .json(200, "{}", headers: [("Date", "Sat, 21 Nov 2020 09:30:00 GMT")]))
        let finding = try await town.finding("clock")
        #expect((finding?["text"] as? String)?.contains("ahead of that of Mastodon") == true)
    }

    @Test func `the browser ignores no signal that this program ignores`() async throws {
        let town = try Neighbourhood()
        let folder = town.home.top("bin")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let script = "#!/bin/sh\ngrep '^Sig[IB]' /proc/self/status > \(folder)/new && mv \(folder)/new \(folder)/told\n"
        // A program that another test starts meanwhile must not inherit the open file: nothing runs a file open for writing.
        try AtomicFile.write(Array(script.utf8), to: "\(folder)/xdg-open", mode: 0o755)
        let path = (town.home.environment["PATH"] ?? "")
        let running = try town.home.start(
            ["login", "drive"],
            environment: town.environment.merging(["DISPLAY": ":9", "PATH": "\(folder):\(path)"]) { $1 })
        await eventually { FileManager.default.fileExists(atPath: "\(folder)/told") }
        running.send(SIGTERM)
        _ = try await running.outcome()
        let told = try String(contentsOfFile: "\(folder)/told", encoding: .utf8)
        // The first 31 are those that programs use; the C library keeps two of the others to itself.
        let masks = told.split(separator: "\n").compactMap { UInt64($0.suffix(16), radix: 16).map { $0 & 0x7FFF_FFFF } }
        #expect(masks == [0, 0], "\(told)")
    }
}
