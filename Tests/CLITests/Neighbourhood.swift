import ChirpCore
import ChirpHTTP
import ChirpNetworks
import ChirpTestKit
import Foundation
import LoopbackService

/// The services of the outside world on loopback, and a household that is set up for them.
final class Neighbourhood: Sendable {
    let home: Household
    let google: LoopbackOAuth
    let x: LoopbackX
    let mastodon: LoopbackMastodon
    private let googleServer: LoopbackServer
    /// X wants the redirect address registered, so the program cannot take any port.
    private let redirectPort: ReservedPort

    static let clientSecret = "hush-client-secret"

    init() throws {
        home = try Household()
        let oauth = LoopbackOAuth(.google, clientSecret: Self.clientSecret)
        google = oauth
        googleServer = try LoopbackServer { request in
            if let reply = oauth.reply(to: request) { return reply }
            return oauth.accepts(request) ? .json(200, "{}") : .json(401, #"{"error":{"code":401}}"#)
        }
        x = try LoopbackX()
        mastodon = try LoopbackMastodon()
        redirectPort = try ReservedPort()
    }

    deinit {
        googleServer.close()
        x.close()
        mastodon.close()
    }

    var environment: [String: String] {
        [
            "CHIRP_GOOGLE_CLIENT_ID": "client-1", "CHIRP_GOOGLE_CLIENT_SECRET": Self.clientSecret,
            "CHIRP_GOOGLE_AUTH_URL": googleServer.base + "/o/oauth2/v2/auth",
            "CHIRP_GOOGLE_TOKEN_URL": googleServer.base + "/token",
            "CHIRP_GOOGLE_DEVICE_URL": googleServer.base + "/device/code",
            "CHIRP_GOOGLE_REVOKE_URL": googleServer.base + "/revoke",
            "CHIRP_DRIVE_API_URL": googleServer.base + "/drive/v3",
            "CHIRP_X_CLIENT_ID": "client-1", "CHIRP_X_API_URL": x.base,
            "CHIRP_X_AUTH_URL": x.base + "/i/oauth2/authorize", "CHIRP_X_REDIRECT_PORT": "\(redirectPort.number)",
        ]
    }

    func run(_ arguments: String..., environment extra: [String: String] = [:]) async throws -> Outcome {
        try await home.start(arguments, environment: environment.merging(extra) { $1 }).outcome()
    }

    /// Runs a command that signs in, with a person who opens every address that it prints.
    func login(_ arguments: String..., environment extra: [String: String] = [:]) async throws -> Outcome {
        let running = try home.start(
            ["login"] + arguments + ["--no-browser"], environment: environment.merging(extra) { $1 })
        let person = Task {
            var opened: Set<String> = []
            while !Task.isCancelled {
                var asked: [String] = []
                await eventually {
                    asked = Self.addresses(in: running.errorsSoFar).filter { !opened.contains($0) }
                    return !asked.isEmpty || Task.isCancelled
                }
                opened.formUnion(asked)
                for page in asked.compactMap({ WebAddress($0) }) { await LoopbackBrowser.open(page) }
            }
        }
        defer { person.cancel() }
        return try await running.outcome()
    }

    /// The pages of services that a person is asked to open.
    private static func addresses(in text: String) -> [String] {
        text.split(separator: "\n").map(String.init).filter {
            $0.hasPrefix("http://127.0.0.1:") && $0.contains("redirect_uri=")
        }
    }

    /// Every secret that was ever on the wire.
    var secrets: [String] {
        (google.secrets + x.oauth.secrets + mastodon.oauth.secrets + [Self.clientSecret]).filter { !$0.isEmpty }
    }

    /// The file of credentials as text; empty without one.
    var credentials: String {
        (try? String(contentsOfFile: "\(configuration)/credentials.json", encoding: .utf8)) ?? ""
    }

    var configuration: String { (home.environment["XDG_CONFIG_HOME"] ?? "") + "/chirp" }

    /// A short recording in the working folder.
    func record() throws -> String {
        try home.write(Recording.wav(Recording.voice(seconds: 1)), to: "take.wav")
    }

    /// The doctor's finding of a name.
    func finding(_ check: String, environment extra: [String: String] = [:]) async throws -> [String: Any]? {
        let outcome = try await home.start(
            ["doctor", "--json"], environment: environment.merging(extra) { $1 }
        ).outcome()
        let checks = try outcome.json()["checks"] as? [[String: Any]]
        return checks?.last { $0["check"] as? String == check }
    }
}
