import ChirpFlows
import ChirpTestKit
import Foundation
import Glibc
import LoopbackService
import Testing

/// `chirp login hub`, and then `--store hub --network hub`, through the built program against a hub on loopback.
@Suite struct RemoteHubTests {
    private let town: Neighbourhood
    private let hub: LoopbackHub

    init() throws {
        town = try Neighbourhood()
        hub = try LoopbackHub()
        _ = try town.record()
    }

    private func publish(_ more: String..., environment: [String: String] = [:]) async throws -> Outcome {
        try await town.home.start(
            ["publish", "take.wav", "--store", "hub", "--network", "hub"] + more, environment: environment
        ).outcome()
    }

    /// As after `chirp login hub`, without a browser.
    private func signIn() throws { try HubSignIn.write(for: hub, into: town.configuration) }

    private func media() -> [String] { town.home.files(in: "data").filter { $0.hasSuffix(".mp3") } }

    @Test func `signed in, store and network hub are that hub, and signed out they are this machine's`() async throws {
        let login = try await town.login("hub", hub.base)
        #expect(login.status == 0, "\(login.errors)")
        #expect(login.lines == ["signed in to the hub as @ada"])
        let scopes = hub.requests.first { $0.path == "/api/v1/apps" }?.form["scopes"]
        #expect(scopes == "read write follow")

        let outcome = try await publish("--title", "A horn", "--json")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let clip = try #require(hub.clips.first)
        let status = try #require(hub.mastodon.statuses.first)
        #expect(hub.calls.first == .quota)
        #expect(clip.title == "A horn" && clip.isShared)
        #expect(status.text.contains("#Chirp") && status.text.contains("\(hub.base)/c/\(clip.id)"))
        let receipt = try outcome.json()
        let store = try #require(receipt["store"] as? [String: Any])
        #expect(Set(store.keys) == ["name", "id", "link", "freeBytesBefore"])
        #expect(store["name"] as? String == "hub" && store["id"] as? String == clip.id)
        let network = try #require(receipt["network"] as? [String: Any])
        #expect(network["name"] as? String == "hub" && network["postID"] as? String == status.id)
        #expect((receipt["clip"] as? [String: Any])?["sha256"] as? String == clip.sha256)
        #expect(media().isEmpty)

        // Without flags too, and the same recording is known.
        let again = try await town.home.run("publish", "take.wav", "--title", "A horn")
        #expect(again.lines.last == "\(hub.base)/c/\(clip.id)" && hub.clips.count == 1, "\(again.errors)")

        let out = try await town.home.run("logout", "hub")
        #expect(out.lines == ["signed out of the hub"])
        #expect(hub.mastodon.oauth.isSignedOut)
        #expect(!hub.mastodon.oauth.secrets.contains { town.credentials.contains($0) })
        let here = try await town.home.run("publish", "take.wav", "--title", "A horn")
        #expect(here.lines.last?.hasPrefix("http://127.0.0.1:4747/c/") == true, "\(here.errors)")
        #expect(hub.clips.count == 1 && media().count == 1)
    }

    @Test func `declined, nothing changes`() async throws {
        hub.mastodon.oauth.decide(.deny)
        let login = try await town.login("hub", hub.base)
        #expect(login.status != 0 && login.errors.contains("not allowed"), "\(login.errors)")
        #expect(try await publish().status == 0)
        #expect(hub.clips.isEmpty && media().count == 1)
    }

    @Test(arguments: [
        (["login", "hub"], "chirp login hub https://hub.example"),
        (["login", "hub", "http://studio.example"], "https"),
        (["login", "hub", "what ever"], "address"), (["login", "hub", "https://h.example", "--device"], "--device"),
    ])
    func `what cannot be signed in to is said`(arguments: [String], word: String) async throws {
        let outcome = try await town.home.start(arguments).outcome()
        #expect(outcome.status == 64, "\(outcome.errors)")
        #expect(outcome.errors.contains(word), "\(outcome.errors)")
    }

    @Test func `an account with too little room is refused with both numbers and nothing is sent`() async throws {
        try signIn()
        hub.setLimit(1000)
        let outcome = try await publish()
        #expect(outcome.status == 4, "\(outcome.errors)")
        #expect(outcome.errors.contains("(1000 bytes)"), "\(outcome.errors)")
        #expect(hub.calls == [.quota])
        hub.setLimit(nil)
        #expect(try await publish().status == 0)
    }

    @Test func `a sign-in that the hub has ended is said, and nothing goes elsewhere`() async throws {
        try signIn()
        hub.mastodon.oauth.revokeAll()
        for _ in 0..<2 {
            let outcome = try await publish()
            #expect(outcome.status == 77, "\(outcome.errors)")
            #expect(outcome.errors.contains("chirp login hub"), "\(outcome.errors)")
        }
        #expect(media().isEmpty && hub.clips.isEmpty)
        let finding = try await town.finding("hub")
        #expect(finding?["level"] as? String == "problem")
        #expect(finding?["cure"] as? String == "Run: chirp login hub")
        // The hub is known still, so its name need not be typed.
        #expect(try await town.login("hub").status == 0)
        #expect(try await town.home.run("outbox", "resume").status == 0)
        #expect(hub.clips.count == 1 && hub.mastodon.statuses.count == 1)
    }

    @Test func `the doctor says where one is signed in and how much room is there`() async throws {
        try signIn()
        hub.setLimit(5_000_000)
        let finding = try await town.finding("hub")
        #expect(finding?["level"] as? String == "ok")
        #expect((finding?["text"] as? String)?.contains("as @ada at \(hub.base)") == true)
        let store = try await town.finding("store")
        #expect(store?["text"] as? String == "hub answers, 5.0 MB free")
    }

    // MARK: what was begun

    @Test func `what was begun here stays here, also when somebody signs in to another hub`() async throws {
        let killed = try await publish(environment: ["CHIRP_FAULT": "posting"])
        #expect(killed.signal == SIGKILL && media().count == 1)
        try signIn()
        let resumed = try await town.home.run("outbox", "resume", "--json")
        #expect(resumed.status == 0, "\(resumed.errors)")
        #expect(hub.clips.isEmpty && hub.mastodon.statuses.isEmpty && media().count == 1)
    }

    @Test func `what was begun at a hub waits for a sign-in there`() async throws {
        try signIn()
        for fault in ["idReserved", "posting"] {
            #expect(try await publish("--again", environment: ["CHIRP_FAULT": fault]).signal == SIGKILL)
        }
        _ = try await town.home.run("logout", "hub")
        let without = try await town.home.run("outbox", "resume")
        #expect(without.status == 77, "\(without.errors)")
        #expect(without.errors.contains(hub.base) && media().isEmpty, "\(without.errors)")
        // Another hub is not that one.
        let other = try LoopbackHub()
        defer { other.close() }
        try HubSignIn.write(for: other, into: town.configuration)
        #expect(try await town.home.run("outbox", "resume").status == 77)
        #expect(other.clips.isEmpty && other.mastodon.statuses.isEmpty)
        try signIn()
        #expect(try await town.home.run("outbox", "resume").status == 0)
        #expect(hub.clips.count == 2 && hub.mastodon.statuses.count == 2)
    }

    @Test(arguments: CrashTests.points.map(\.rawValue) + ["uploading:2"])
    func `killed at any step and resumed there is one clip and one post`(point: String) async throws {
        try signIn()
        hub.setChecks(1)
        let killed = try await publish(environment: ["CHIRP_FAULT": point])
        #expect(killed.signal == SIGKILL, "\(killed.errors)")
        // The hub has forgotten the key of the post meanwhile.
        hub.mastodon.forgetKeys()
        let resumed = try await town.home.run("outbox", "resume", "--json")
        #expect(resumed.status == 0, "\(resumed.errors)")
        let items = try await town.home.run("outbox", "--json").json()["items"] as? [Any]
        #expect(items?.isEmpty == true)
        #expect(hub.clips.count == 1 && hub.uploadCount == 1 && hub.mastodon.statuses.count == 1)
        #expect(town.home.files(in: "state/chirp/outbox").isEmpty)
        // What was confirmed before the death is not sent again.
        #expect(hub.uploadedBytes == hub.clips.first.map { Int64($0.bytes.count) })
    }

    @Test(arguments: [HubCall.create, .patch, .state, .share, nil])
    func `a lost answer ends as one clip and one post`(call: HubCall?) async throws {
        try signIn()
        if let call { hub.plan(.lost, at: call) } else { hub.mastodon.lose("/statuses") }
        var outcome = try await publish()
        if outcome.status == 75 { outcome = try await town.home.run("outbox", "resume") }
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(hub.clips.count == 1 && hub.uploadCount == 1 && hub.mastodon.statuses.count == 1)
    }

    @Test func `an expired clip goes with its post`() async throws {
        try signIn()
        #expect(try await publish("--expires", "1ms").status == 0)
        #expect(hub.clips.first?.expires != nil)
        let swept = try await town.home.run("sweep", "--json")
        #expect(swept.status == 0, "\(swept.errors)")
        #expect(hub.clips.isEmpty && hub.mastodon.statuses.isEmpty)
    }

    @Test func `nothing secret is ever printed`() async throws {
        let login = try await town.login("hub", hub.base, "-v")
        let published = try await publish("-v", "--progress", "plain")
        let killed = try await publish("-v", "--again", environment: ["CHIRP_FAULT": "uploading"])
        let doctor = try await town.home.run("doctor", "-v")
        let resumed = try await town.home.run("outbox", "resume", "-v")
        #expect(published.errors.contains("PATCH \(hub.base)/api/uploads/"), "\(published.errors)")
        let secrets = hub.mastodon.oauth.secrets.filter { !$0.isEmpty } + ["Bearer"]
        for outcome in [login, published, killed, doctor, resumed] {
            for secret in secrets {
                #expect(!outcome.text.contains(secret) && !outcome.errors.contains(secret), "\(outcome.errors)")
            }
        }
        let path = "\(town.configuration)/credentials.json"
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }
}

/// The credentials of a sign-in to a loopback hub.
enum HubSignIn {
    /// Replaces the file.
    ///
    /// - Parameter folder: Chirp's folder of settings.
    static func write(for hub: LoopbackHub, into folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let entry = [
            "accessToken": hub.mastodon.oauth.grant(scope: "read write follow").access, "instance": hub.base,
            "clientID": "client-1", "clientSecret": "hush", "accountID": LoopbackMastodon.me, "handle": "ada",
        ]
        let path = folder + "/credentials.json"
        try JSONEncoder().encode(["hub": entry]).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }
}
