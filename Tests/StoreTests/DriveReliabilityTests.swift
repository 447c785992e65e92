import ChirpCore
import ChirpStores
import ChirpTestKit
import Foundation
import LoopbackService
import Testing

/// Whatever goes wrong on the way, and however often the process dies, one upload is one file, and what was confirmed is not
/// sent again beyond one chunk per mishap.
@Suite struct DriveReliabilityTests {
    private static let faults: [(DriveCall, DriveFault)] = [
        (.chunk, .reset(afterBytes: 100_000)), (.chunk, .reset(afterBytes: 400_000)), (.chunk, .lost),
        (.chunk, .refusal(500)), (.chunk, .refusal(503, retryAfter: "7")), (.chunk, .keep(bytes: 262_144)),
        (.chunk, .keep(bytes: 0)), (.chunk, .refusal(429, reason: "rateLimitExceeded")), (.chunk, .refusal(401)),
        (.chunk, .deadSession(status: 404)), (.chunk, .deadSession(status: 410)), (.chunk, .filledUp),
        (.start, .lost), (.start, .refusal(500)), (.start, .reset(afterBytes: 5)), (.status, .refusal(502)),
        (.status, .lost), (.generateIDs, .lost), (.list, .refusal(500)), (.create, .lost), (.permit, .lost),
        (.get, .refusal(503)),
    ]

    @Test func `two hundred uploads with mishaps end as two hundred files`() async throws {
        let folder = try TemporaryFolder()
        let payload = try TestPayload.make(folder.path("in"), bytes: 5 * Int(DriveWorld.chunk) + 12_345)
        var generator = SeededGenerator(seed: 4_200)
        for run in 0..<200 {
            let world = try DriveWorld()
            // In pieces, or all that is left in one.
            let chunk = run.isMultiple(of: 2) ? 2 * DriveWorld.chunk : nil
            var resent: Int64 = 0
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                guard let (call, fault) = Self.faults.randomElement(using: &generator) else { continue }
                world.drive.plan(fault, at: call)
                // A session that is lost takes all it had with it; any other mishap one chunk at most.
                if case .deadSession = fault { resent += payload.bytes } else { resent += chunk ?? payload.bytes }
            }
            var id: StoredObject.ID?
            var link: String?
            // Each round is a process: it knows what the journal knows.
            for _ in 0..<20 where link == nil {
                let store = try world.store(chunkBytes: chunk)
                do throws(StoreError) {
                    let known = if let id { id } else { try await store.reserve() }
                    id = known
                    _ = try await store.save(payload, id: known, checkpoint: world.checkpoint(world.lastSession))
                    link = try await store.share(known)
                } catch {
                    if case .full = error { world.drive.setLimit(nil) }
                }
            }
            #expect(link != nil, "run \(run)")
            #expect(world.drive.clips.map(\.id) == [id?.text], "run \(run)")
            #expect(world.drive.clips.first?.size == payload.bytes, "run \(run)")
            #expect(world.drive.folders.count == 1, "run \(run)")
            #expect(world.drive.uploadedBytes <= payload.bytes + resent, "run \(run)")
        }
    }
}
