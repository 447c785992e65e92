import ChirpHTTP
import ChirpTestKit
import Foundation
import Glibc
import LoopbackService
import Synchronization
import Testing

/// `hub.media`: older clips of a served hub in a bucket of a service that was not written here.
@Suite struct HubClipStoreTests {
    private let home: Household
    /// The clip that is published.
    private let id: String

    init() async throws {
        home = try Household()
        try home.write(Recording.wav(Recording.voice(seconds: 1)), to: "take.wav")
        let published = try await home.run("publish", "take.wav", "--json").json()
        id = try #require((published["store"] as? [String: Any])?["id"] as? String)
    }

    private var file: String { home.top("data") + "/chirp/hub/media/\(id).mp3" }
    private var isHere: Bool { FileManager.default.fileExists(atPath: file) }

    private func settings(_ endpoint: String) -> [String: String] {
        [
            "CHIRP_S3_ENDPOINT": endpoint, "CHIRP_S3_ACCESS_KEY_ID": RealS3.accessKeyID,
            "CHIRP_S3_SECRET_ACCESS_KEY": RealS3.secretKey, "CHIRP_HUB_MEDIA_STORE": "s3",
            "CHIRP_HUB_MEDIA_PLACE": "\(RealS3.bucket)/clips",
        ]
    }

    private func age() throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -30 * 86_400)], ofItemAtPath: file)
    }

    @Test func `killed on the way it moves once, is heard, and goes when it is deleted`() async throws {
        let server = try await RealS3.started(.seaweedfs)
        let isCut = Mutex(false)
        let relay = try FaultyRelay(to: server.port) { method, _ in
            isCut.withLock { cut in
                guard method == "PUT", !cut else { return nil }
                cut = true
                return .lost
            }
        }
        defer { relay.close() }
        let original = try #require(FileManager.default.contents(atPath: file))
        try age()
        // It has arrived, and nobody has heard so.
        let killed = try home.start(["serve", "--port", "0"], environment: settings(relay.base))
        relay.whenDisturbed { killed.send(SIGKILL) }
        #expect(try await killed.outcome().signal == SIGKILL)
        #expect(isHere)
        try await home.serving(environment: settings(relay.base)) { port in
            await until { !isHere }
            #expect(try await server.names(in: "clips").count == 1)
            let address = try #require(WebAddress("http://127.0.0.1:\(port)/media/\(id).mp3"))
            let answer = try await CurlTransport().send(
                HTTPRequest(.get, address, headers: ["Range": "bytes=10-29"], sink: .memory(limit: 1 << 20)))
            #expect(answer.status == 206 && Data(answer.body) == original[10..<30])
            #expect(FileManager.default.contents(atPath: file) == original)
            try age()
        }
        let check = try await home.run("hub", "check", "--full", environment: settings(relay.base))
        #expect(check.status == 0 && !check.text.contains("stored"), "\(check.text)")
        try await home.serving(environment: settings(relay.base)) { _ in await until { !isHere } }
        let away = try await home.run("hub", "check", "--full", environment: settings(relay.base))
        #expect(away.status == 0 && away.text.contains("1 clip kept in the store alone"), "\(away.text)")
        let delete = """
            import sqlite3; database = sqlite3.connect('../data/chirp/hub/hub.sqlite'); database.execute('PRAGMA foreign_keys = ON')
            with database: database.execute('DELETE FROM clips')
            """
        try home.write(Data(delete.utf8), to: "delete.py")
        let deleted = try await home.shell("python3 delete.py")
        #expect(deleted.status == 0, "\(deleted.errors)")
        #expect(try await server.names(in: "clips").count == 1)
        try await home.serving(environment: settings(relay.base)) { _ in
            try await until { try await server.names(in: "clips").isEmpty }
        }
        #expect(try await server.names(in: "clips").isEmpty)
    }

    @Test(arguments: RealWebDAV.Kind.allCases)
    func `a WebDAV server keeps what moves, and it is heard from there`(kind: RealWebDAV.Kind) async throws {
        let server = try RealWebDAV(kind)
        let settings = [
            "CHIRP_WEBDAV_USER": RealWebDAV.user, "CHIRP_WEBDAV_PASSWORD": RealWebDAV.password,
            "CHIRP_HUB_MEDIA_STORE": "webdav", "CHIRP_HUB_MEDIA_PLACE": "\(server.root)/hub/clips",
        ]
        let original = try #require(FileManager.default.contents(atPath: file))
        try age()
        try await home.serving(environment: settings) { port in
            await until { !isHere }
            #expect(server.names().count == 1)
            let address = try #require(WebAddress("http://127.0.0.1:\(port)/media/\(id).mp3"))
            let answer = try await CurlTransport().send(
                HTTPRequest(.get, address, headers: ["Range": "bytes=10-29"], sink: .memory(limit: 1 << 20)))
            #expect(answer.status == 206 && Data(answer.body) == original[10..<30])
            #expect(FileManager.default.contents(atPath: file) == original)
        }
    }

    @Test func `what cannot work is said before anything is served`() async throws {
        for (further, word) in [
            (["CHIRP_HUB_MEDIA_STORE": "folder"], "hub.media.place"),
            (["CHIRP_HUB_MEDIA_STORE": "folder", "CHIRP_HUB_MEDIA_PLACE": "clips"], "an absolute path"),
            (["CHIRP_HUB_MEDIA_STORE": "drive"], "hub.media.store"),
            (["CHIRP_HUB_MEDIA_AFTER": "59m"], "a time from 1h"),
        ] {
            let outcome = try await home.run("serve", "--port", "0", environment: further)
            #expect(outcome.status == 78 && outcome.errors.contains(word), "\(outcome.errors)")
        }
    }
}
