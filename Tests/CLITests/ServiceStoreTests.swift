import Foundation
import Glibc
import LoopbackService
import Testing

/// `--store drive` and `--store webdav` through the built program, against services on loopback (CH-5, CH-6, W-4, W-5).
@Suite struct ServiceStoreTests {
    private let home: Household
    private let drive: LoopbackDrive

    init() throws {
        home = try Household()
        drive = try LoopbackDrive()
        try home.write(Recording.wav(Recording.voice(seconds: 1)), to: "take.wav")
    }

    /// Where the services are and the sign-ins.
    private var services: [String: String] {
        [
            "CHIRP_DRIVE_API_URL": drive.api, "CHIRP_DRIVE_UPLOAD_URL": drive.upload, "CHIRP_DRIVE_WEB_URL": drive.base,
            "CHIRP_DRIVE_TOKEN": LoopbackDrive.token,
        ]
    }

    private func publish(_ more: String..., environment: [String: String] = [:]) async throws -> Outcome {
        try await home.start(
            ["publish", "take.wav", "--store", "drive", "--network", "none"] + more,
            environment: services.merging(environment) { $1 }
        ).outcome()
    }

    /// The size that the clip is going to have.
    private func clipBytes() async throws -> Int64 {
        let outcome = try await home.run("publish", "take.wav", "--network", "none", "--dry-run", "--json")
        let clip = try #require(try outcome.json()["clip"] as? [String: Any])
        return try #require(clip["predictedBytes"] as? Int64)
    }

    @Test func `a recording becomes a public clip on Drive, and the room is asked for first`() async throws {
        let outcome = try await publish("--text", "Morning report")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let clip = try #require(drive.clips.first)
        #expect(outcome.lines.last == "\(drive.base)/file/d/\(clip.id)/view?usp=drivesdk")
        #expect(outcome.text.hasPrefix("Morning report "))
        #expect(drive.isPublic(clip.id))
        #expect(drive.clips.count == 1 && drive.folders.count == 1)
        #expect(drive.calls.first == .about)
        #expect(home.files(in: "state/chirp/outbox").isEmpty)
    }

    /// W-4: one byte too little.
    @Test func `a drive with one byte too little is refused with both numbers and nothing is sent`() async throws {
        let bytes = try await clipBytes()
        drive.setLimit(bytes + 5_000_000)
        drive.setOtherUse(5_000_001)
        let outcome = try await publish()
        #expect(outcome.status == 4, "\(outcome.errors)")
        #expect(
            outcome.errors.contains("\(bytes) bytes") && outcome.errors.contains("(\(bytes - 1) bytes)"),
            "\(outcome.errors)")
        #expect(drive.calls == [.about])
        drive.setOtherUse(5_000_000)
        #expect(try await publish().status == 0)
    }

    @Test func `--make-room removes the oldest clips, and no more than needed`() async throws {
        var ids: [String] = []
        for seconds in [1, 2, 3] {
            try home.write(Recording.wav(Recording.voice(seconds: Double(seconds))), to: "take.wav")
            #expect(try await publish().status == 0)
            ids.append(try #require(drive.clips.last).id)
        }
        try home.write(Recording.wav(Recording.voice(seconds: 1.5)), to: "take.wav")
        let used = drive.clips.reduce(0) { $0 + $1.size }
        drive.setLimit(used)
        #expect(try await publish().status == 4)
        #expect(try await publish("--make-room", "--dry-run").status == 4)
        #expect(drive.clips.count == 3)
        let outcome = try await publish("--make-room")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("oldest clips"))
        let kept = drive.clips.map(\.id)
        #expect(kept.count == 2 && kept.first == ids[2], "\(kept)")
    }

    @Test func `killed in the middle of the upload it goes on in the same session`() async throws {
        let killed = try await publish(environment: ["CHIRP_FAULT": "uploading"])
        #expect(killed.signal == SIGKILL)
        #expect(drive.clips.isEmpty)
        let resumed = try await home.run("outbox", "resume", environment: services)
        #expect(resumed.status == 0, "\(resumed.errors)")
        #expect(drive.clips.count == 1)
        #expect(drive.count(.start) == 1 && drive.count(.status) == 1)
    }

    @Test(arguments: ["reserved", "idReserved", "saved", "stored", "linked", "shared"])
    func `killed at any step it ends as one clip`(point: String) async throws {
        #expect(try await publish(environment: ["CHIRP_FAULT": point]).signal == SIGKILL)
        #expect(try await home.run("outbox", "resume", environment: services).status == 0)
        #expect(drive.clips.count == 1 && drive.folders.count == 1)
        #expect(drive.count(.permit) == 1)
    }

    @Test func `a missing or refused sign-in says which command helps`() async throws {
        let missing = try await publish(environment: ["CHIRP_DRIVE_TOKEN": ""])
        #expect(missing.status == 77)
        #expect(missing.errors.contains("chirp login drive"))
        drive.replaceToken(by: "another")
        let refused = try await publish()
        #expect(refused.status == 77)
        drive.replaceToken(by: LoopbackDrive.token)
        #expect(try await home.run("outbox", "resume", environment: services).status == 0)
        #expect(drive.clips.count == 1)
    }

    /// No token and no session address in any log or error at the highest verbosity.
    @Test func `nothing secret is ever printed or kept`() async throws {
        drive.plan(.refusal(400, reason: "invalid"), at: .chunk)
        drive.plan(.refusal(403, reason: "insufficientPermissions"), at: .get)
        let failed = try await publish("-v", "--progress", "plain")
        let again = try await publish("-v", "--json")
        let killed = try await publish("-v", "--again", environment: ["CHIRP_FAULT": "uploading"])
        let list = try await home.run("outbox", "-v", "--json", environment: services)
        let doctor = try await home.run("doctor", "-v", environment: services.merging(["CHIRP_STORE": "drive"]) { $1 })
        let dropped = try await home.run("outbox", "resume", "-v", environment: services)
        #expect(failed.status == 69, "\(failed.errors)")
        #expect(again.status == 0, "\(again.errors)")
        #expect(again.errors.contains("PUT \(drive.upload)/files: "))  // the log is there, and its queries are not
        for outcome in [failed, again, killed, list, doctor, dropped] {
            for secret in [LoopbackDrive.token, "upload-", "upload_id", "Bearer"] {
                #expect(!outcome.text.contains(secret) && !outcome.errors.contains(secret), "\(outcome.errors)")
            }
        }
    }

    // MARK: WebDAV

    private func webdav(_ service: LoopbackWebDAV) -> [String: String] {
        [
            "CHIRP_WEBDAV_URL": service.folder, "CHIRP_WEBDAV_USER": LoopbackWebDAV.user,
            "CHIRP_WEBDAV_PASSWORD": LoopbackWebDAV.password, "CHIRP_WEBDAV_PUBLIC_URL": "https://clips.example/anna",
        ]
    }

    @Test func `a recording becomes a file in a WebDAV folder`() async throws {
        let service = try LoopbackWebDAV()
        defer { service.close() }
        let arguments = ["publish", "take.wav", "--store", "webdav", "--network", "none", "-v"]
        let outcome = try await home.start(arguments, environment: webdav(service)).outcome()
        #expect(outcome.status == 0, "\(outcome.errors)")
        let name = try #require(service.names.first)
        #expect(outcome.lines.last == "https://clips.example/anna/\(name)")
        #expect(service.names.count == 1)
        #expect(!outcome.errors.contains(LoopbackWebDAV.password) && !outcome.errors.contains("Basic"))
        service.setLimit(1000)
        let full = try await home.start(arguments + ["--again"], environment: webdav(service)).outcome()
        #expect(full.status == 4)
        #expect(service.requests.filter { $0.method == "PUT" }.count == 1)
    }

    @Test func `what the WebDAV store needs is named`() async throws {
        let bare = try await home.run("publish", "take.wav", "--store", "webdav")
        #expect(bare.status == 78)
        #expect(bare.errors.contains("webdav.url") && bare.errors.contains("CHIRP_WEBDAV_URL"))
        let service = try LoopbackWebDAV()
        defer { service.close() }
        var environment = webdav(service)
        environment["CHIRP_WEBDAV_PASSWORD"] = nil
        let secretless = try await home.run("publish", "take.wav", "--store", "webdav", environment: environment)
        #expect(secretless.status == 77)
        #expect(secretless.errors.contains("CHIRP_WEBDAV_PASSWORD"))
    }
}
