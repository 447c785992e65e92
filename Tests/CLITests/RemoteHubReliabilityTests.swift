import ChirpFlows
import ChirpTestKit
import Foundation
import LoopbackService
import Testing

/// Publications to a hub on another machine: killed at a random point or met by a random fault, resumed until nothing is open
/// (`CHIRP_LONG_TESTS=1`: 200 runs). `Tests/Peers/remote-hub.py` does the same against a real one.
@Suite struct RemoteHubReliabilityTests {
    private enum Mishap {
        case hub(HubCall, HubFault)
        case lostPost
        case refusedPost(Int, retryAfter: String? = nil)
    }

    private static let mishaps: [Mishap] = [
        .hub(.patch, .reset(afterBytes: 3000)), .hub(.patch, .lost), .hub(.patch, .refusal(500)),
        .hub(.patch, .refusal(423, retryAfter: "1")), .hub(.patch, .refusal(409)), .hub(.patch, .filledUp),
        .hub(.patch, .refusal(401)), .hub(.head, .forgotten), .hub(.head, .lost), .hub(.create, .lost),
        .hub(.create, .refusal(429)), .hub(.create, .filledUp), .hub(.state, .lost), .hub(.state, .refusal(503)),
        .hub(.share, .lost), .hub(.describe, .lost), .lostPost, .lostPost, .refusedPost(500),
        .refusedPost(429, retryAfter: "1"),
    ]

    @Test func `after any death and any fault there is one clip and one post`() async throws {
        let runs = ProcessInfo.processInfo.environment["CHIRP_LONG_TESTS"] == nil ? 8 : 200
        let (home, hub) = (try Household(), try LoopbackHub())
        defer { hub.close() }
        let folder = (home.environment["XDG_CONFIG_HOME"] ?? "") + "/chirp"
        try HubSignIn.write(for: hub, into: folder)
        try home.write(Recording.wav(Recording.voice(seconds: 1)), to: "take.wav")
        var generator = SeededGenerator(seed: 4_434)
        var published = 0
        for run in 0..<runs {
            let point = CrashTests.points.randomElement(using: &generator) ?? .begun
            let mishap = Self.mishaps.randomElement(using: &generator)
            if run % 3 != 1 {
                switch mishap {
                case .hub(let call, let fault)?: hub.plan(fault, at: call)
                case .lostPost?: hub.mastodon.lose("/statuses")
                case .refusedPost(let status, let retryAfter)?:
                    let headers = retryAfter.map { [("Retry-After", $0)] } ?? []
                    hub.mastodon.fail("/statuses", .json(status, "{}", headers: headers))
                case nil: break
                }
            }
            let environment = run % 3 != 0 ? ["CHIRP_FAULT": point.rawValue] : [:]
            var outcome = try await home.run("publish", "take.wav", "--again", environment: environment)
            var isWithdrawn = outcome.status == 4
            for _ in 0..<8 where outcome.status != 0 && !isWithdrawn {
                hub.setLimit(nil)
                // A refused token is taken for a sign-in that is over, and a person signs in again.
                if outcome.status == 77 { try HubSignIn.write(for: hub, into: folder) }
                outcome = try await home.run("outbox", "resume")
                if outcome.status == 4 { isWithdrawn = true }
            }
            hub.setLimit(nil)
            hub.forgetFaults()
            #expect(outcome.status == 0 || isWithdrawn, "run \(run): \(outcome.errors)")
            if !isWithdrawn { published += 1 }
            let items = try await home.run("outbox", "--json").json()["items"] as? [Any]
            #expect(items?.isEmpty == true, "run \(run)")
            #expect(hub.clips.count == published, "run \(run): \(point), \(String(describing: mishap))")
            #expect(Set(hub.clips.map(\.sha256)).count <= 1, "run \(run)")
            let texts = hub.mastodon.statuses.map(\.text)
            let posted = hub.clips.filter { clip in texts.contains { $0.contains(clip.id) } }
            #expect(texts.count == published && posted.count == published, "run \(run): \(point)")
        }
    }
}
