import ChirpFlows
import ChirpTestKit
import Foundation
import Glibc
import LoopbackService
import Testing

/// Through the built program (CH-5): killed at a random point or met by a random fault, resumed until nothing is open. Figures of
/// the long form (`CHIRP_LONG_TESTS=1`, 200 runs) are in Docs/reliability.md.
@Suite struct ReliabilityTests {
    /// Something that goes wrong once at a service.
    private enum Mishap {
        case drive(DriveCall, DriveFault)
        /// Posting is carried out, and its answer lost.
        case lostPost
        /// Posting is answered so, and nothing done.
        case refusedPost(Int, retryAfter: String? = nil)
    }

    private static let mishaps: [Mishap] = [
        .drive(.chunk, .reset(afterBytes: 3000)), .drive(.chunk, .lost), .drive(.chunk, .refusal(500)),
        .drive(.chunk, .deadSession()), .drive(.chunk, .refusal(503, retryAfter: "1")), .drive(.start, .refusal(429)),
        .drive(.start, .lost), .drive(.status, .refusal(500)), .drive(.chunk, .refusal(401)),
        .drive(.chunk, .filledUp), .drive(.start, .filledUp), .drive(.permit, .lost), .drive(.create, .lost),
        .drive(.get, .lost), .lostPost, .lostPost, .refusedPost(500), .refusedPost(429, retryAfter: "1"),
        .refusedPost(503, retryAfter: "Sat, 21 Nov 2020 09:30:00 GMT"),
    ]

    /// Those that a publication comes by.
    private static let points = FaultPoint.allCases.filter {
        ![.withdrawing, .postRemoved, .objectRemoved, .clipMade, .clipPlaced, .clipRecorded].contains($0)
    }

    /// As after `chirp login mastodon`.
    private func signIn(_ home: Household, to mastodon: LoopbackMastodon) throws {
        let folder = (home.environment["XDG_CONFIG_HOME"] ?? "") + "/chirp"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let entry = [
            "accessToken": mastodon.oauth.grant().access, "instance": mastodon.base, "clientID": "client-1",
            "clientSecret": "hush", "accountID": LoopbackMastodon.me, "handle": "ada",
        ]
        let path = folder + "/credentials.json"
        try JSONEncoder().encode(["mastodon": entry]).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }

    @Test func `after any death and any fault there is one file and one post`() async throws {
        let runs = ProcessInfo.processInfo.environment["CHIRP_LONG_TESTS"] == nil ? 8 : 200
        let home = try Household()
        let (drive, mastodon) = (try LoopbackDrive(), try LoopbackMastodon())
        defer {
            drive.close()
            mastodon.close()
        }
        try signIn(home, to: mastodon)
        try home.write(Recording.wav(Recording.voice(seconds: 1)), to: "take.wav")
        let services = [
            "CHIRP_DRIVE_API_URL": drive.api, "CHIRP_DRIVE_UPLOAD_URL": drive.upload, "CHIRP_DRIVE_WEB_URL": drive.base,
            "CHIRP_DRIVE_TOKEN": LoopbackDrive.token,
        ]
        var generator = SeededGenerator(seed: 4_433)
        var (published, inHub) = (0, 0)
        for run in 0..<runs {
            let network = run % 2 == 0 ? "mastodon" : "hub"
            let point = Self.points.randomElement(using: &generator) ?? .begun
            let mishap = Self.mishaps.randomElement(using: &generator)
            var environment = services
            if run % 3 != 0 { environment["CHIRP_FAULT"] = point.rawValue }
            if run % 3 != 1 {
                switch mishap {
                case .drive(let call, let fault)?: drive.plan(fault, at: call)
                case .lostPost?: mastodon.lose("/statuses")
                case .refusedPost(let status, let retryAfter)?:
                    let headers = retryAfter.map { [("Retry-After", $0)] } ?? []
                    mastodon.fail("/statuses", .json(status, "{}", headers: headers))
                case nil: break
                }
            }
            let arguments = ["publish", "take.wav", "--store", "drive", "--network", network, "--again"]
            var outcome = try await home.start(arguments, environment: environment).outcome()
            if run == 0 { #expect(drive.calls.first == .about) }
            var isWithdrawn = outcome.status == 4
            for _ in 0..<8 where outcome.status != 0 && !isWithdrawn {
                drive.setLimit(nil)
                outcome = try await home.run("outbox", "resume", environment: services)
                if outcome.status == 4 { isWithdrawn = true }
            }
            drive.setLimit(nil)
            drive.forgetFaults()
            mastodon.forgetFaults()
            #expect(outcome.status == 0 || isWithdrawn, "run \(run): \(outcome.errors)")
            if !isWithdrawn {
                published += 1
                if network == "hub" { inHub += 1 }
            }
            let items = try await home.run("outbox", "--json").json()["items"] as? [Any]
            #expect(items?.isEmpty == true, "run \(run)")
            // One file each, all in the one folder, and of the same bytes; what was refused for lack of room left nothing.
            #expect(drive.clips.count == published, "run \(run): \(point), \(String(describing: mishap))")
            #expect(drive.folders.count == 1 && Set(drive.clips.map(\.md5)).count == 1, "run \(run)")
            // One post each, of a file that is there.
            let texts = mastodon.statuses.map(\.text)
            let posted = drive.clips.filter { clip in texts.contains { $0.contains(clip.id) } }
            #expect(texts.count == published - inHub && posted.count == texts.count, "run \(run): \(point)")
        }
        // Those of the hub, counted by a program that is not ours.
        let script =
            "import sqlite3; print(sqlite3.connect('../data/chirp/hub/hub.sqlite').execute('select count(*) from posts').fetchone()[0])"
        let posts = try await home.shell("python3 -c \"\(script)\"")
        #expect(posts.text == "\(inHub)\n", "\(posts.errors)")
    }
}
