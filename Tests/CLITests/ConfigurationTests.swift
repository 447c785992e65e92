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
}
