import ChirpFlows
import ChirpTestKit
import Foundation
import Glibc
import LoopbackService
import Testing

/// Through the built program (CH-5): killed at a random point or met by a random fault, resumed until nothing is open. Figures of
/// the long form (`CHIRP_LONG_TESTS=1`, 200 runs) are in Docs/reliability.md.
@Suite(.serialized) struct ReliabilityTests {
    private static let faults: [(DriveCall, DriveFault)] = [
        (.chunk, .reset(afterBytes: 3000)), (.chunk, .lost), (.chunk, .refusal(500)), (.chunk, .deadSession()),
        (.chunk, .refusal(503, retryAfter: "1")), (.start, .refusal(429)), (.start, .lost), (.status, .refusal(500)),
        (.chunk, .refusal(401)), (.chunk, .filledUp), (.start, .filledUp), (.permit, .lost), (.create, .lost),
        (.get, .lost),
    ]

    private static let points = FaultPoint.allCases.filter {
        ![.withdrawing, .postRemoved, .objectRemoved].contains($0)
    }

    @Test func `after any death and any fault there is one file and one post`() async throws {
        let runs = ProcessInfo.processInfo.environment["CHIRP_LONG_TESTS"] == nil ? 8 : 200
        let home = try Household()
        let drive = try LoopbackDrive()
        defer { drive.close() }
        try home.write(Recording.wav(Recording.voice(seconds: 1)), to: "take.wav")
        let services = [
            "CHIRP_DRIVE_API_URL": drive.api, "CHIRP_DRIVE_UPLOAD_URL": drive.upload, "CHIRP_DRIVE_WEB_URL": drive.base,
            "CHIRP_DRIVE_TOKEN": LoopbackDrive.token,
        ]
        var generator = SeededGenerator(seed: 4_433)
        var published = 0
        for run in 0..<runs {
            let point = Self.points.randomElement(using: &generator) ?? .begun
            let fault = Self.faults.randomElement(using: &generator)
            var environment = services
            if run % 3 != 0 { environment["CHIRP_FAULT"] = point.rawValue }
            if run % 3 != 1, let fault { drive.plan(fault.1, at: fault.0) }
            let arguments = ["publish", "take.wav", "--store", "drive", "--network", "hub", "--again"]
            var outcome = try await home.start(arguments, environment: environment).outcome()
            var isWithdrawn = outcome.status == 4
            for _ in 0..<8 where outcome.status != 0 && !isWithdrawn {
                drive.setLimit(nil)
                outcome = try await home.run("outbox", "resume", environment: services)
                if outcome.status == 4 { isWithdrawn = true }
            }
            drive.setLimit(nil)
            drive.forgetFaults()
            #expect(outcome.status == 0 || isWithdrawn, "run \(run): \(outcome.errors)")
            if !isWithdrawn { published += 1 }
            let items = try await home.run("outbox", "--json").json()["items"] as? [Any]
            #expect(items?.isEmpty == true, "run \(run)")
            // One file each, all in the one folder, and of the same bytes; what was refused for lack of room left nothing.
            #expect(drive.clips.count == published, "run \(run): \(point), \(String(describing: fault))")
            #expect(drive.folders.count == 1 && Set(drive.clips.map(\.md5)).count == 1, "run \(run)")
        }
        // The posts, counted by a program that is not ours.
        let script =
            "import sqlite3; print(sqlite3.connect('../data/chirp/hub/hub.sqlite').execute('select count(*) from posts').fetchone()[0])"
        let posts = try await home.shell("python3 -c \"\(script)\"")
        #expect(posts.text == "\(published)\n", "\(posts.errors)")
    }
}
