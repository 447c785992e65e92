import Foundation
import LoopbackService
import Testing

/// No token, code, verifier, secret or header of a sign-in in anything that is printed, whatever goes wrong, and nowhere on disk
/// but in the credentials.
@Suite struct SecrecyTests {
    @Test func `nothing printed at the highest verbosity holds a secret`() async throws {
        let town = try Neighbourhood()
        var printed = ""
        func take(_ outcome: Outcome) { printed += outcome.text + outcome.errors }
        take(try await town.login("drive", "-v"))
        take(try await town.login("x", "-v"))
        take(try await town.login("mastodon", town.mastodon.base, "-v"))
        _ = try town.record()
        let link = ["CHIRP_X_MODE": "link"]
        take(try await town.run("publish", "take.wav", "--network", "mastodon", "-v"))
        take(try await town.run("publish", "take.wav", "--network", "x", "-v", environment: link))
        // Faults of all kinds, each answering with what it was asked, as careless services do.
        let echo = #"{"error":"invalid_grant","detail":"what","title":"bad"}"#
        for status in [400, 403, 422, 500] {
            town.mastodon.fail("/statuses", .json(status, echo))
            town.x.fail("/2/tweets", .json(status, echo))
            for network in ["mastodon", "x"] {
                take(
                    try await town.run(
                        "publish", "take.wav", "--network", network, "--again", "-v", environment: link))
            }
        }
        town.google.revokeAll()
        town.x.oauth.revokeAll()
        town.mastodon.oauth.revokeAll()
        for arguments in [["doctor", "-v"], ["doctor", "--json"], ["config", "show"], ["outbox", "--json"]] {
            take(try await town.home.start(arguments, environment: town.environment).outcome())
        }
        take(try await town.run("outbox", "resume", "-v", environment: link))
        take(try await town.run("logout", "-v"))
        #expect(town.secrets.count > 10)
        #expect(!printed.contains("Bearer ") && !printed.contains("code_verifier"))
        #expect(printed.contains("/2/tweets"))  // the log is there
        for secret in town.secrets {
            #expect(!printed.contains(secret), "a secret is printed: \(secret.prefix(5))…")
        }
        for top in ["state", "data", "cache", "tmp"] {
            for file in town.home.files(in: top) {
                let content = FileManager.default.contents(atPath: town.home.top(top) + "/" + file) ?? Data()
                let found = town.secrets.filter { content.range(of: Data($0.utf8)) != nil }
                #expect(found.isEmpty, "\(top)/\(file)")
            }
        }
    }
}
