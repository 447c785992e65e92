import ChirpFlows
import Foundation
import Glibc
import Testing

/// The process is killed at every step of a publication, as by a power cut, and resumed.
@Suite struct CrashTests {
    /// The points that a publication to the hub passes.
    static let points: [FaultPoint] = [
        .begun, .analysed, .admitted, .rendered, .prepared, .reserved, .idReserved, .uploading, .saved, .stored,
        .linked, .shared, .posting, .published, .posted, .cleaned, .done,
    ]

    @Test(arguments: points, [false, true])
    func `killed at any step and resumed there is one clip and one post`(
        point: FaultPoint, fromPipe: Bool
    ) async throws {
        let home = try Household()
        let wav = try home.write(Recording.wav(Recording.voice(seconds: 0.5)), to: "take.wav")
        let killed = try await home.start(
            ["publish", fromPipe ? "-" : "take.wav"], input: fromPipe ? wav : "/dev/null",
            environment: ["CHIRP_FAULT": point.rawValue]
        ).outcome()
        #expect(killed.signal == SIGKILL, "\(killed.errors)")
        #expect(killed.output.isEmpty)

        let resumed = try await home.run("outbox", "resume", "--json")
        #expect(resumed.status == 0, "\(resumed.errors)")
        let waiting = try await home.run("outbox", "--json")
        #expect((try waiting.json()["items"] as? [Any])?.isEmpty == true)
        let media = home.files(in: "data/chirp/hub/media")
        #expect(media.count == 1, "\(media)")
        #expect(home.files(in: "state/chirp/outbox").isEmpty)
        let posts = try await home.shell(
            "python3 -c \"import sqlite3; print(sqlite3.connect('../data/chirp/hub/hub.sqlite')"
                + ".execute('SELECT count(*) FROM posts').fetchone()[0])\"")
        #expect(posts.text == "1\n", "\(posts.errors)")

        // Publishing the recording now finds what the resumption has made.
        let later = try await home.run("publish", "take.wav", "--json")
        #expect(later.status == 0)
        #expect(home.files(in: "data/chirp/hub/media") == media)
    }

    @Test func `a recording from a pipe is on the disk before the journal promises it`() async throws {
        let home = try Household()
        try home.write(Recording.wav(Recording.voice(seconds: 0.5)), to: "take.wav")
        // As many bytes of each write as a page of the journal has, so that the row is recognised.
        let traced = try await home.shell(
            "strace -f -y -s 4096 -e trace=write,pwrite64,writev,pwritev,fsync,fdatasync,kill,tkill,tgkill -o trace "
                + "chirp publish - < take.wav",
            environment: ["CHIRP_FAULT": "begun"])
        let trace = try String(contentsOfFile: home.path("trace"), encoding: .utf8)
        let fault = PromiseOrder.fault(in: trace)
        #expect(fault == nil, "\(traced.errors) \(trace.split(separator: "\n").map { $0.prefix(120) })")
    }

    @Test func `a publication that was killed can be dropped, which asks only a person`() async throws {
        let home = try Household()
        try home.write(Recording.wav(Recording.voice(seconds: 0.5)), to: "take.wav")
        _ = try await home.run("publish", "take.wav", environment: ["CHIRP_FAULT": "shared"])
        let items = try await home.run("outbox", "--json").json()["items"] as? [[String: Any]]
        let id = try #require(items?.first?["id"] as? String)
        let unasked = try await home.run("outbox", "drop", id)
        #expect(unasked.status == 64)
        #expect(unasked.errors.contains("--yes"))
        let dropped = try await home.run("outbox", "drop", String(id.prefix(6)), "--yes", "--json")
        #expect(dropped.status == 0, "\(dropped.errors)")
        #expect(try dropped.json()["state"] as? String == "dropped")
        #expect(home.files(in: "data/chirp/hub/media").isEmpty)
        #expect(FileManager.default.fileExists(atPath: home.path("take.wav")))
    }

    @Test func `a recording that has gone meanwhile is said to be gone`() async throws {
        let home = try Household()
        let path = try home.write(Recording.wav(Recording.voice(seconds: 0.5)), to: "take.wav")
        _ = try await home.run("publish", "take.wav", environment: ["CHIRP_FAULT": "begun"])
        try FileManager.default.removeItem(atPath: path)
        let resumed = try await home.run("outbox", "resume", "--json")
        #expect(resumed.status == 66, "\(resumed.errors)")
        let after = try await home.run("outbox", "--json")
        #expect((try after.json()["items"] as? [Any])?.isEmpty == true)
    }
}
