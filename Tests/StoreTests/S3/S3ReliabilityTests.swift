import ChirpCore
import ChirpHTTP
import ChirpStores
import ChirpTestKit
import Foundation
import LoopbackService
import Synchronization
import Testing

/// Whatever goes wrong on the way to a real service, and however often the process dies, one upload is one object, and no part of it
/// is left behind.
@Suite struct S3ReliabilityTests {
    /// The smallest that services take.
    private static let part = 5 << 20
    private static let slow = "<Error><Code>SlowDown</Code><Message>Please reduce your request rate</Message></Error>"

    private static func fault(_ generator: inout SeededGenerator) -> FaultyRelay.Fault? {
        switch Int.random(in: 0..<24, using: &generator) {
        case 0: .refusal(500)
        case 1: .refusal(503, body: slow)
        case 2: .untrue(500)
        case 3: .untrue(503, body: slow)
        case 4: .lost
        case 5: .broken(Int.random(in: 0..<1000, using: &generator))
        case 6: .cut(Int.random(in: 0..<1000, using: &generator))
        case 7: .retagged
        default: nil
        }
    }

    @Test func `two hundred disturbed uploads end as two hundred objects`() async throws {
        let server = try await RealS3.started(.seaweedfs)
        let folder = try TemporaryFolder()
        let payloads = try [1, 30_000, 400_000, Self.part + 1, 2 * Self.part + 12_345].map { bytes in
            try TestPayload.make(folder.path("in-\(bytes)"), bytes: bytes)
        }
        var (requests, faults, deaths, wrongTags) = (0, 0, 0, 0)
        for run in 0..<200 {
            var generator = SeededGenerator(seed: 1_900 + UInt64(run))
            guard let payload = payloads.randomElement(using: &generator) else { continue }
            let faulty = Mutex((generator: generator, retags: 0))
            let relay = try FaultyRelay(to: server.port) { _, _ in
                faulty.withLock { state in
                    let fault = Self.fault(&state.generator)
                    if fault == .retagged { state.retags += 1 }
                    return fault
                }
            }
            defer { relay.close() }
            let place = "run-\(run)"
            let (journal, isDropped) = (UploadJournal(), run % 10 == 9)
            var (id, link): (StoredObject.ID?, String?)
            var mishaps = 0
            // Each round is a process: it knows what the journal knows, and may die after any request.
            for _ in 0..<40 where link == nil {
                let isMortal = Bool.random(using: &generator)
                let life = isMortal ? Int.random(in: 1...10, using: &generator) : 100_000
                let base = try server.store(
                    folder: place, at: relay.base, partBytes: Int64(Self.part),
                    transport: MortalTransport(CurlTransport(), requests: life))
                let store = RetryingStore(base, policy: RetryPolicy(attempts: 3), wait: { _ in })
                do throws(StoreError) {
                    let known = if let id { id } else { try await store.reserve() }
                    id = known
                    _ = try await store.save(payload, id: known, checkpoint: journal.checkpoint)
                    link = try await store.share(known)
                } catch {
                    if error == .cancelled { mishaps += 1 }
                    #expect(!error.isPermanent, "run \(run): \(error)")
                    if isDropped { break }
                }
            }
            deaths += mishaps
            faults += relay.faultCount
            requests += relay.requestCount
            // What has arrived is not sent again: a mishap costs one part, and lists of parts are short. Parts by wrong tags are no object, so
            // such an upload begins anew.
            let retags = faulty.withLock { $0.retags }
            wrongTags += retags
            let most =
                payload.bytes * Int64(1 + retags)
                + Int64((mishaps + relay.faultCount) * Self.part + 1000 * relay.requestCount)
            #expect(relay.contentBytes <= most, "run \(run)")
            // Looked at without the relay.
            let store = try server.store(folder: place)
            if let link, let id {
                #expect(link == "https://clips.example/\(id)", "run \(run)")
                #expect(try await server.names(in: place) == ["\(place)/\(id)"], "run \(run)")
                let copy = folder.path("out-\(run)")
                try await store.load(id, to: copy)
                #expect(FileManager.default.contentsEqual(atPath: payload.path, andPath: copy), "run \(run)")
                #expect(unlink(copy) == 0)
            } else {
                #expect(isDropped, "run \(run)")
                if let id, run % 20 == 9 { try await store.remove(id) }
            }
            _ = try await store.sweep(at: Date() + 8 * 86_400)
            #expect(try await server.begun(in: place) == [], "run \(run)")
        }
        #expect(faults > 200 && deaths > 50 && wrongTags > 20)
        if ProcessInfo.processInfo.environment["CHIRP_LONG_TESTS"] != nil {
            print("S3: \(requests) requests, \(faults) disturbed, \(wrongTags) of them by wrong tags, \(deaths) deaths")
        }
    }
}
