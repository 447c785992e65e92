import ChirpCore
import ChirpStores
import ChirpTestKit
import LoopbackService
import Testing

/// Whatever goes wrong on the way to a hub, and however often the process dies, one upload is one clip, and what was confirmed is
/// not sent again beyond one piece per mishap.
@Suite struct RemoteHubReliabilityTests {
    private static let faults: [(HubCall, HubFault)] = [
        (.patch, .reset(afterBytes: 100_000)), (.patch, .reset(afterBytes: 400_000)), (.patch, .lost),
        (.patch, .refusal(500)), (.patch, .refusal(503, retryAfter: "7")), (.patch, .refusal(423)),
        (.patch, .refusal(409)), (.patch, .refusal(460)), (.patch, .refusal(401)), (.patch, .filledUp),
        (.patch, .page(200)), (.head, .forgotten), (.head, .refusal(502)), (.head, .lost), (.create, .lost),
        (.create, .refusal(500)), (.create, .filledUp), (.state, .lost), (.state, .refusal(429)), (.state, .page(503)),
        (.share, .lost), (.share, .refusal(500)), (.describe, .lost), (.describe, .refusal(503)),
    ]

    @Test func `two hundred uploads with mishaps end as two hundred clips`() async throws {
        let folder = try TemporaryFolder()
        let payload = try TestPayload.make(folder.path("in"), bytes: 1_323_065)
        var generator = SeededGenerator(seed: 4_201)
        for run in 0..<200 {
            let world = try HubWorld()
            world.hub.setChecks(run % 3)
            // In pieces, or all that is left in one.
            let chunk: Int64? = run.isMultiple(of: 2) ? 524_288 : nil
            var resent: Int64 = 0
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                guard let (call, fault) = Self.faults.randomElement(using: &generator) else { continue }
                world.hub.plan(fault, at: call)
                // An upload that is forgotten takes all it had with it, and so does one that is given up for lack of room.
                let takesAll = fault == .forgotten || fault == .filledUp
                resent += takesAll ? payload.bytes : chunk ?? payload.bytes
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
                    if case .full = error { world.hub.setLimit(nil) }
                }
            }
            #expect(link == id.map { "\(world.hub.base)/c/\($0)" }, "run \(run)")
            #expect(world.hub.clips.map(\.id) == [id?.text], "run \(run)")
            #expect(world.hub.clips.first?.sha256 == payload.sha256, "run \(run)")
            #expect(world.hub.uploadCount == 1, "run \(run)")
            #expect(world.hub.uploadedBytes <= payload.bytes + resent, "run \(run)")
        }
    }
}
