import Foundation
import Glibc
import Testing

/// What the doctor says of a hub for others.
@Suite struct HubDoctorTests {
    private let home: Household

    init() throws { home = try Household() }

    private func findings(_ extra: [String: String]) async throws -> [String: (level: String, text: String)] {
        let document = try await home.run("doctor", "--json", environment: extra).json()
        let checks = try #require(document["checks"] as? [[String: Any]])
        return Dictionary(
            checks.compactMap { check in
                guard let name = check["check"] as? String, let level = check["level"] as? String else { return nil }
                return (name, (level, "\(check["text"] ?? "") \(check["cure"] ?? "")"))
            }, uniquingKeysWith: { first, _ in first })
    }

    @Test func `a hub for this machine alone needs nothing of the network`() async throws {
        let found = try await findings([:])
        for name in ["hub address", "proxy", "certificate", "staging"] { #expect(found[name] == nil, "\(name)") }
    }

    @Test func `a web server in front that nobody has named is noted, and one that leaves a way around is a problem`()
        async throws
    {
        var settings = ["CHIRP_HUB_PUBLIC_URL": "https://hub.example.org", "CHIRP_HUB_REGISTRATION": "invite"]
        let unnamed = try await findings(settings)
        #expect(unnamed["proxy"]?.level == "note")
        #expect(unnamed["proxy"]?.text.contains("hub.trustedProxies") == true)
        settings["CHIRP_HUB_TRUSTED_PROXIES"] = "127.0.0.1, ::1"
        let named = try await findings(settings)
        #expect(named["proxy"] == nil && named["hub address"]?.level == "ok")
        settings["CHIRP_HUB_TRUSTED_PROXIES"] = nil
        settings["CHIRP_HUB_BIND"] = "0.0.0.0"
        #expect(try await findings(settings)["hub address"]?.level == "problem")
        settings["CHIRP_HUB_PUBLIC_URL"] = "http://hub.example.org"
        let clear = try await findings(settings)["hub address"]
        #expect(clear?.level == "problem" && clear?.text.contains("can be read on the way") == true)
    }

    @Test func `several processes need one address for all links, and signals need several processes`() async throws {
        #expect(try await findings([:])["processes"] == nil)
        var settings = ["CHIRP_HUB_SIGNALS": "nats://127.0.0.1:4222"]
        let alone = try await findings(settings)["processes"]
        #expect(alone?.level == "note" && alone?.text.contains("hub.shared") == true)
        settings["CHIRP_HUB_SHARED"] = "true"
        let unnamed = try await findings(settings)["processes"]
        #expect(unnamed?.level == "problem" && unnamed?.text.contains("hub.publicURL") == true)
        settings["CHIRP_HUB_PUBLIC_URL"] = "https://hub.example.org"
        #expect(try await findings(settings)["processes"]?.level == "ok")
        settings["CHIRP_HUB_SIGNALS"] = "http://queue"
        #expect(try await findings(settings)["processes"]?.level == "problem")
    }

    @Test func `a hub that is to speak with other servers needs an https address`() async throws {
        var settings = ["CHIRP_HUB_FEDERATION": "on"]
        let local = try await findings(settings)["other servers"]
        #expect(local?.level == "problem" && local?.text.contains("hub.publicURL") == true)
        settings["CHIRP_HUB_FEDERATION_INSECURE_LOOPBACK"] = "true"
        #expect(try await findings(settings)["other servers"] == nil)
        settings = ["CHIRP_HUB_FEDERATION": "on", "CHIRP_HUB_PUBLIC_URL": "https://hub.example.org"]
        #expect(try await findings(settings)["other servers"] == nil)
    }

    @Test(
        arguments: [
            ("hub.example.org", 60, "hub.pem", "ok", "60 days left"),
            ("*.example.org", 60, "hub.pem", "ok", "days left"),
            ("hub.example.org", 5, "hub.pem", "problem", "Renew"),
            ("example.org", 60, "hub.pem", "problem", "it is for example.org, not for hub.example.org"),
            ("hub.example.org", 60, "other.pem", "problem", "does not belong to the certificate"),
            ("hub.example.org", 60, "none.pem", "problem", "the key cannot be read"),
        ])
    func `a certificate is looked at as browsers will`(
        name: String, days: Int, key: String, level: String, words: String
    ) async throws {
        let made = try await home.shell(
            """
            openssl req -x509 -newkey rsa:2048 -nodes -keyout hub.pem -out hub.crt -subj /CN=hub -days \(days) \
            -addext 'subjectAltName=DNS:\(name)' && openssl genrsa -out other.pem 2048 && chmod 600 *.pem
            """)
        try #require(made.status == 0, "\(made.errors)")
        let found = try await findings([
            "CHIRP_HUB_PUBLIC_URL": "https://hub.example.org", "CHIRP_HUB_TLS_CERTIFICATE": home.path("hub.crt"),
            "CHIRP_HUB_TLS_KEY": home.path(key),
        ])
        let finding = try #require(found["certificate"])
        // A certificate of 60 days has 59 whole ones left a moment later.
        let text = finding.text.replacing("59 days", with: "60 days")
        #expect(finding.level == level && text.contains(words), "\(finding)")
        #expect(found["certificate key"] == nil)
    }

    @Test func `a key or a database that others can read is a problem`() async throws {
        try home.write(Recording.wav(Recording.voice(seconds: 1)), to: "take.wav")
        #expect(try await home.run("publish", "take.wav").status == 0)
        let sound = try await findings([:])
        #expect(sound["hub data"]?.level == "ok")
        try home.write([1], to: "hub.crt")
        try home.write([1], to: "hub.pem")
        #expect(chmod(home.path("hub.pem"), 0o644) == 0)
        #expect(chmod(home.top("data") + "/chirp/hub/hub.sqlite", 0o644) == 0)
        let found = try await findings([
            "CHIRP_HUB_PUBLIC_URL": "https://hub.example.org", "CHIRP_HUB_TLS_CERTIFICATE": home.path("hub.crt"),
            "CHIRP_HUB_TLS_KEY": home.path("hub.pem"),
        ])
        #expect(found["certificate key"]?.level == "problem" && found["certificate"]?.level == "problem")
        #expect(found["secrets"]?.level == "problem")
    }

    @Test func `a hub to try things on, and one that is full, are told`() async throws {
        try home.write(Recording.wav(Recording.voice(seconds: 2)), to: "take.wav")
        let settings = ["CHIRP_HUB_STAGING": "true"]
        #expect(try await home.run("publish", "take.wav", environment: settings).status == 0)
        let found = try await findings(settings.merging(["CHIRP_HUB_LIMIT": "10kB"]) { $1 })
        #expect(found["staging"]?.level == "note")
        #expect(found["hub room"]?.level == "problem")
    }
}
