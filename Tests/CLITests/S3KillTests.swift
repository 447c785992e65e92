import ChirpStores
import ChirpTestKit
import Foundation
import Glibc
import LoopbackService
import Synchronization
import Testing

/// The built program is killed (`kill -9`) while a part of an upload is on its way, or has arrived unheard of, by a service that was not
/// written here (CH-5). Figures of the long form (`CHIRP_LONG_TESTS=1`) are in Docs/reliability.md.
@Suite struct S3KillTests {
    /// What becomes of the parts of one upload.
    private struct Way: Sendable {
        var generator: SeededGenerator
        /// Deaths that are still to come.
        var deaths: Int
        /// How often each part was sent whole.
        var arrived: [String: Int] = [:]
        var cut = 0
        var unheard = 0

        /// The first part is always cut; the others go through now and then, so that any of them may be the one that is cut.
        mutating func fault(_ method: String, _ target: String) -> FaultyRelay.Fault? {
            let query = target.split(separator: "?").last?.split(separator: "&") ?? []
            if method == "POST" {
                // An upload begun or completed, and nobody there to hear it.
                guard deaths > 0, Int.random(in: 0..<4, using: &generator) == 0 else { return nil }
                (deaths, unheard) = (deaths - 1, unheard + 1)
                return .lost
            }
            guard method == "PUT", let part = query.first(where: { $0.hasPrefix("partNumber=") }) else { return nil }
            let isFirst = cut == 0
            if deaths > 0, isFirst || Int.random(in: 0..<4, using: &generator) > 0 {
                deaths -= 1
                if isFirst || Int.random(in: 0..<4, using: &generator) > 0 {
                    cut += 1
                    return .cut(Int.random(in: 0..<1000, using: &generator))
                }
                unheard += 1
                arrived[String(part), default: 0] += 1
                return .lost
            }
            arrived[String(part), default: 0] += 1
            return nil
        }
    }

    /// A clip of 40 kB a second at the highest rate; parts have 8 MiB.
    private static func recording(seconds: Int) -> Data {
        let second = Recording.wav(Recording.voice(seconds: 1, rate: 32_000), rate: 32_000).dropFirst(44)
        var bytes = Data(
            Recording.header(
                format: 1, bits: 16, rate: 32_000, channels: 1, dataBytes: seconds * second.count, sizes: .right))
        for _ in 0..<seconds { bytes.append(contentsOf: second) }
        return bytes
    }

    @Test func `killed within parts again and again, every part arrives once and one object is there`() async throws {
        let isLong = ProcessInfo.processInfo.environment["CHIRP_LONG_TESTS"] != nil
        let (runs, parts) = isLong ? (10, 3) : (1, 2)
        let server = try await RealS3.started(.seaweedfs)
        let home = try Household()
        try home.write(Self.recording(seconds: 210 * parts - 190), to: "take.wav")
        let copies = try TemporaryFolder()
        var (killed, cut, unheard) = (0, 0, 0)
        for run in 0..<runs {
            let way = Mutex(Way(generator: SeededGenerator(seed: 9_700 + UInt64(run)), deaths: 5))
            let relay = try FaultyRelay(to: server.port) { method, target in
                way.withLock { $0.fault(method, target) }
            }
            defer { relay.close() }
            let folder = "run-\(run)"
            let settings = [
                "CHIRP_S3_ENDPOINT": relay.base, "CHIRP_S3_BUCKET": RealS3.bucket, "CHIRP_S3_FOLDER": folder,
                "CHIRP_S3_ACCESS_KEY_ID": RealS3.accessKeyID, "CHIRP_S3_SECRET_ACCESS_KEY": RealS3.secretKey,
            ]
            var arguments = [
                "publish", "take.wav", "--again", "--store", "s3", "--network", "none", "--bitrate", "320",
                "--max-length", "none", "--no-verify",
            ]
            let clip = copies.path("clip-\(run)")
            var outcome: Outcome?
            for life in 0..<10 where outcome?.status != 0 {
                let program = try home.start(arguments, environment: settings)
                relay.whenDisturbed { program.send(SIGKILL) }
                let end = try await program.outcome()
                outcome = end
                if end.signal == SIGKILL { killed += 1 }
                #expect(end.signal == SIGKILL || end.status == 0, "run \(run), life \(life): \(end.errors)")
                if life == 0 {
                    let made = try #require(home.files(in: "state/chirp/outbox").first { $0.hasSuffix(".mp3") })
                    try FileManager.default.copyItem(
                        atPath: home.top("state") + "/chirp/outbox/\(made)", toPath: clip)
                    let items = try await home.run("outbox", "--json").json()["items"] as? [[String: Any]]
                    // Two deaths set a publication aside until somebody names it.
                    arguments = ["outbox", "resume", try #require(items?.first?["id"] as? String)]
                }
            }
            #expect(outcome?.status == 0, "run \(run)")
            let found = way.withLock { $0 }
            #expect(found.arrived.count == parts && found.arrived.values.allSatisfy { $0 == 1 }, "run \(run)")
            (cut, unheard) = (cut + found.cut, unheard + found.unheard)
            // Looked at without the relay.
            let names = try await server.names(in: folder)
            #expect(names.count == 1, "run \(run)")
            #expect(try await server.begun(in: folder) == [], "run \(run)")
            let copy = copies.path("copy-\(run)")
            let name = try #require(names.first?.split(separator: "/").last)
            try await server.store(folder: folder).load(StoredObject.ID(String(name)), to: copy)
            #expect(FileManager.default.contentsEqual(atPath: clip, andPath: copy), "run \(run)")
            for path in [clip, copy] { #expect(unlink(path) == 0) }
        }
        #expect(killed == cut + unheard)
        if isLong {
            print("S3: \(killed) deaths within \(runs) uploads, \(cut) within a part and \(unheard) after it")
        }
    }
}
