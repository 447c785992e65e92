import ChirpTestKit
import Foundation
import Testing

@Suite struct ConfigurationTests {
    private func setting(_ name: String, _ outcome: Outcome) throws -> (value: String, origin: String) {
        let settings = try #require(try outcome.json()["settings"] as? [String: [String: String]])
        let entry = try #require(settings[name])
        return (entry["value"] ?? "", entry["origin"] ?? "")
    }

    @Test func `a flag wins over a variable, that over the file, that over what is built in`() async throws {
        let home = try Household()
        let builtIn = try setting("color", try await home.run("config", "show", "--json"))
        #expect(builtIn == ("auto", "built in"))
        try home.configure("# colours\ncolor: always\nhub:\n  port: 8080\n")
        let file = try setting("color", try await home.run("config", "show", "--json"))
        #expect(file.value == "always" && file.origin.hasSuffix("/chirp/config.yaml:2"))
        let nested = try setting("hub.port", try await home.run("config", "show", "--json"))
        #expect(nested.value == "8080" && nested.origin.hasSuffix("config.yaml:4"))
        let variable = try setting(
            "color", try await home.run("config", "show", "--json", environment: ["CHIRP_COLOR": "never"]))
        #expect(variable == ("never", "CHIRP_COLOR"))
        let flag = try setting(
            "color",
            try await home.run("config", "show", "--json", "--color", "auto", environment: ["CHIRP_COLOR": "never"]))
        #expect(flag == ("auto", "--color"))
    }

    /// A mistake, the line it is in, and what the two lines must name.
    static let mistakes: [(String, Int, [String])] = [
        ("preset: loud\n", 1, ["'loud'", "voice, music, tiny", "preset: voice"]),
        ("trim: true\n\nmaxLength: 140\n", 3, ["'140'", "140s"]),
        ("hub:\n  port: seventy\n", 2, ["'seventy'", "hub.port"]),
        ("hub:\n  prot: 4747\n", 2, ["'hub.prot'", "hub.port"]),
        ("vorlage: x\n", 1, ["'vorlage'"]),
        ("preset: [voice\n", 2, ["YAML"]),
        ("- a\n- b\n", 1, ["settings are expected"]),
        ("target: 3\n", 1, ["-50 to -5"]),
        ("preset: voice\npreset: music\n", 1, ["more than once"]),
        ("hub:\n  publicURL: ftp://x\n", 2, ["http"]),
    ]

    @Test(arguments: mistakes)
    func `a mistake in the file is named with file, line, value and an example`(
        yaml: String, line: Int, mentions: [String]
    ) async throws {
        let home = try Household()
        try home.configure(yaml)
        let outcome = try await home.run("config", "show")
        #expect(outcome.status == 78)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errorLines.count == 2, "\(outcome.errors)")
        #expect(outcome.errors.contains("/chirp/config.yaml:\(line):"), "\(outcome.errors)")
        for mention in mentions { #expect(outcome.errors.contains(mention), "\(outcome.errors)") }
    }

    /// What is refused, and what is a value; each with a secret.
    @Test(arguments: [
        ("CHIRP_HUB_PUBLIC_URL", "https://anna:hush-hush@clips.example.org", false),
        ("CHIRP_HUB_FLEET", "nats://anna:hush-hush@queue.example.org:4222", false),
        ("CHIRP_HUB_SIGNALS", "nats://one.example.org,nats://anna:hush-hush@two.example.org", false),
        ("CHIRP_LIVE_HUB", "http://hush-hush@studio.example:4747", false),
        ("CHIRP_WEBDAV_URL", "https://anna:hush-hush@cloud.example.org/dav", false),
        ("CHIRP_S3_ENDPOINT", "https://anna:hush/hush-hush@s3.example.org", true),
        ("CHIRP_WEBDAV_PUBLIC_URL", "https://example.org/clips?key=hush-hush", true),
        ("CHIRP_HUB_MAPS_TILES", "https://tiles.example.org/{z}/{x}/{y}.png?key=hush-hush", true),
        ("CHIRP_FLEET_ROOTS", "shared=https://anna:hush-hush@nas.example.org/audio", true),
    ]) func `the password or key of an address is never shown`(variable: String, text: String, isValue: Bool)
        async throws
    {
        let home = try Household()
        for arguments in [["config", "show"], ["config", "show", "--json"], ["doctor"], ["serve"]] {
            // A server with a value that can be used would not end.
            guard arguments != ["serve"] || !isValue else { continue }
            let outcome = try await home.start(arguments, environment: [variable: text]).outcome()
            #expect(!outcome.text.contains("hush") && !outcome.errors.contains("hush"), "\(outcome.text)")
            guard arguments.first == "config" else { continue }
            #expect(outcome.status == (isValue ? 0 : 78))
            #expect(outcome.text.contains("...") || outcome.errors.contains("..."), "\(outcome.errors)")
        }
    }

    @Test func `a mistake in a variable is named with the variable`() async throws {
        let outcome = try await Household().run("config", "show", environment: ["CHIRP_HUB_PORT": "x"])
        #expect(outcome.status == 78)
        #expect(outcome.errors.contains("CHIRP_HUB_PORT=4747"))
    }

    @Test func `a configuration that was named must exist`() async throws {
        let outcome = try await Household().run("config", "show", "--config", "none.yaml")
        #expect(outcome.status == 78)
    }

    @Test func `what README shows as a complete configuration is one`() async throws {
        let home = try Household()
        let manual = try String(contentsOfFile: "\(BuiltProgram.package)/README.md", encoding: .utf8)
        let yaml = try #require(manual.components(separatedBy: "```yaml\n").dropFirst().first)
        try home.configure(yaml.components(separatedBy: "```")[0])
        let outcome = try await home.run("config", "show", "--json")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let settings = try #require(try outcome.json()["settings"] as? [String: [String: String]])
        #expect(settings.values.allSatisfy { $0["origin"] != "built in" })
    }

    @Test func `a relative XDG folder is ignored as its specification demands`() async throws {
        let outcome = try await Household().run(
            "config", "show", "--json", environment: ["XDG_STATE_HOME": "state", "HOME": "/nowhere"])
        #expect(try outcome.json()["journal"] as? String == "/nowhere/.local/state/chirp/journal.sqlite")
    }

    @Test func `the doctor goes on after a mistake in the configuration and names the cure`() async throws {
        let home = try Household()
        try home.configure("preset: loud\n")
        let outcome = try await home.run("doctor", "--json")
        #expect(outcome.status == 3)
        let document = try outcome.json()
        #expect(document["exit"] as? Int == 3)
        let checks = try #require(document["checks"] as? [[String: Any]])
        #expect(checks.count >= 8)
        #expect(checks.first?["level"] as? String == "problem")
        #expect((checks.first?["cure"] as? String)?.contains("preset: voice") == true)
    }

    @Test func `credentials that others can read are a problem`() async throws {
        let home = try Household()
        try home.configure("preset: voice\n")
        let exposed = try await home.shell(
            "echo '{}' > $XDG_CONFIG_HOME/chirp/credentials.json; chmod 644 $XDG_CONFIG_HOME/chirp/*.json; chirp doctor"
        )
        #expect(exposed.status == 3)
        #expect(exposed.text.contains("chmod 600"))
        let safe = try await home.shell("chmod 600 $XDG_CONFIG_HOME/chirp/*.json; chirp doctor")
        #expect(safe.status == 0, "\(safe.text)")
    }

    @Test func `a secret that everybody can read is told, here and by the doctor`() async throws {
        let home = try Household()
        try home.configure("x:\n  clientSecret: hush\n")
        let path = home.top("config") + "/chirp/config.yaml"
        for (mode, isTold) in [(0o644, true), (0o602, true), (0o640, false), (0o600, false)] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            let shown = try await home.run("config", "show")
            #expect(shown.status == 0)
            #expect(shown.errors.contains("chmod 600 \(path)") == isTold, "\(shown.errors)")
            #expect(shown.errorLines.count == (isTold ? 1 : 0))
            let checks = try await home.run("doctor", "--json").json()["checks"] as? [[String: Any]]
            let finding = try #require(checks?.first { $0["check"] as? String == "configuration" })
            #expect(finding["level"] as? String == (isTold ? "problem" : "ok"))
        }
        try home.configure("x:\n  clientID: abc\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        #expect(try await home.run("config", "show").errors.isEmpty)
    }

    @Test func `settings may come through a pipe, and have an end`() async throws {
        let home = try Household()
        let piped = try await home.shell("chirp config show --json --config <(echo 'preset: music')")
        #expect(try setting("preset", piped).value == "music")
        let endless = try await home.run("config", "show", "--config", "/dev/zero")
        #expect(endless.status == 78)
        #expect(endless.errors.contains("too large"))
    }

    /// More than any number holds, and what is none.
    @Test(arguments: [
        "maxBytes: 99999999999GiB", "maxBytes: 9999999999999999999999999999", "maxBytes: 0", "maxBytes: -1",
        "maxBytes: nan", "hub:\n  limit: 1e400", "expires: 9999999999999d", "expires: 99999999999999999999999999999s",
        "maxLength: infs", "live:\n  keep: 0.0000000000000s", "jobs: 99999999999999999999", "hub:\n  port: -1",
        "target: 1e999", "target: nan", "x:\n  monthlyBudgetUSD: inf", "live:\n  limit: 9223372036854775808",
    ])
    func `a number that is out of range is refused with an example`(yaml: String) async throws {
        let home = try Household()
        try home.configure(yaml + "\n")
        let outcome = try await home.run("config", "show")
        #expect(outcome.status == 78, "\(outcome.text)")
        #expect(outcome.errorLines.count == 2, "\(outcome.errors)")
    }

    @Test(arguments: [
        ["--max-bytes", "99999999999GiB"], ["--expires", "9999999999999d"], ["--max-length", "1e9s"],
        ["--bitrate", "9223372036854775808"], ["--target", "-1e308"],
    ])
    func `a flag that is out of range is a mistake of usage`(flags: [String]) async throws {
        let home = try Household()
        try home.write(Recording.wav(Recording.voice(seconds: 0.5)), to: "take.wav")
        let outcome = try await home.start(["publish", "take.wav"] + flags).outcome()
        #expect(outcome.status == 64, "\(outcome.errors)")
    }
}
