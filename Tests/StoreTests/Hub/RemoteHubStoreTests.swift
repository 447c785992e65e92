import ChirpCore
import ChirpHTTP
import ChirpStores
import ChirpTestKit
import Foundation
import LoopbackService
import Testing

// A hub on another machine as a store, against one on loopback that speaks tus and the hub's own API.
// One at a time: each of many cases holds a server and its connections, and a process may have but 1,024 descriptors.
@Suite(.serialized) struct RemoteHubStoreTests {
    @Test(arguments: StoreConformance.Check.allCases)
    func `a hub on another machine conforms`(check: StoreConformance.Check) async throws {
        let world = try HubWorld()
        let conformance = StoreConformance { limit in
            world.hub.setLimit(limit?.bytes)
            return try world.store()
        }
        #expect(try await conformance.violations(of: check) == [])
    }

    private func save(
        _ payload: Payload, _ store: any Store, as id: StoredObject.ID? = nil,
        _ checkpoint: UploadCheckpoint = UploadCheckpoint()
    ) async throws -> StoredObject {
        let known = if let id { id } else { try await store.reserve() }
        return try await store.save(payload, id: known, checkpoint: checkpoint)
    }

    /// What saving fails with.
    private func failure(
        _ payload: Payload, _ store: any Store, as id: StoredObject.ID? = nil,
        _ checkpoint: UploadCheckpoint = UploadCheckpoint()
    ) async throws -> StoreError? {
        do { _ = try await save(payload, store, as: id, checkpoint) } catch { return error as? StoreError }
        return nil
    }

    @Test func `what goes along with a clip says what it is and until when`() async throws {
        let world = try HubWorld()
        let store = try world.store()
        var payload = try world.payload(bytes: 1000)
        payload.title = "Fog, horn \u{1F4EF}"
        payload.expires = Date(timeIntervalSince1970: 1_795_253_400.25)
        let saved = try await save(payload, store)
        let clip = try #require(world.hub.clips.first)
        #expect(clip.id == saved.id.text && clip.title == payload.title && clip.expires == "1795253400250")
        #expect(clip.sha256 == payload.sha256 && !clip.isShared)
        #expect(try await store.share(saved.id) == "\(world.hub.base)/c/\(clip.id)")
        #expect(world.hub.clips.first?.isShared == true)
        #expect(store.properties.name == "hub" && store.properties.place == world.hub.base)
        // Nothing was sent before it was begun, and everything in one piece.
        #expect(world.hub.calls.prefix(4) == [.create, .head, .patch, .state])
        #expect(world.hub.calls.contains(.describe))
    }

    @Test func `what never expires and has no title says nothing of either`() async throws {
        let world = try HubWorld()
        var payload = try world.payload(bytes: 10)
        payload.title = ""
        _ = try await save(payload, world.store())
        #expect(world.hub.clips.first?.expires == nil)
        let field = world.hub.requests.first { $0.method == "POST" }?.headers["Upload-Metadata"] ?? ""
        #expect(!field.contains("title") && !field.contains("expires"))
    }

    // MARK: going on

    @Test func `an upload that was cut goes on from what the hub has`() async throws {
        let world = try HubWorld()
        let payload = try world.payload(bytes: 900_000)
        let id = try await world.store().reserve()
        world.hub.plan(.reset(afterBytes: 400_000), at: .patch)
        let cut = try await failure(payload, world.store(), as: id, world.checkpoint())
        #expect(cut?.isPermanent == false)
        let session = try #require(world.lastSession)
        // Another process: it knows what the journal knows.
        _ = try await save(payload, world.store(), as: id, world.checkpoint(session))
        #expect(world.hub.clips.map(\.bytes.count) == [900_000])
        #expect(world.hub.count(.create) == 1)
        #expect(world.hub.uploadedBytes <= 900_000)
    }

    @Test func `a lost answer after the beginning makes no second upload`() async throws {
        let world = try HubWorld()
        let payload = try world.payload(bytes: 5000)
        world.hub.plan(.lost, at: .create)
        _ = try await save(payload, world.patient())
        #expect(world.hub.clips.count == 1 && world.hub.uploadCount == 1)
    }

    @Test func `a hub that begins anew for an id that comes again ends with one clip too`() async throws {
        let world = try HubWorld()
        world.hub.setReplaces(true)
        let payload = try world.payload(bytes: 5000)
        world.hub.plan(.lost, at: .create)
        let saved = try await save(payload, world.patient())
        #expect(world.hub.clips.count == 1 && world.hub.uploadCount == 1)
        // The id holds other bytes, and what the hub has received is not what it shows.
        let other = try world.payload(bytes: 5000, seed: 2, name: "other")
        #expect(try await failure(other, world.store(), as: saved.id)?.isPermanent == true)
        #expect(world.hub.clips.map(\.sha256) == [payload.sha256])
        #expect(try await save(payload, world.store(), as: saved.id) == saved)
    }

    @Test func `an id that is taken by the same clip is no failure`() async throws {
        let world = try HubWorld()
        let payload = try world.payload(bytes: 500)
        let saved = try await save(payload, world.store())
        world.hub.plan(.refusal(409), at: .create)
        #expect(try await save(payload, world.store(), as: saved.id) == saved)
        world.hub.plan(.refusal(409), at: .create)
        let fresh = try await failure(payload, world.store())
        #expect(fresh?.exitCode == .refused)
    }

    @Test func `a lost answer after the last byte sends nothing again`() async throws {
        let world = try HubWorld()
        let payload = try world.payload(bytes: 5000)
        world.hub.plan(.lost, at: .patch)
        _ = try await save(payload, world.patient())
        #expect(world.hub.clips.count == 1)
        #expect(world.hub.uploadedBytes == 5000)
    }

    @Test func `a process that died after the last byte only waits for the check`() async throws {
        let world = try HubWorld()
        let payload = try world.payload(bytes: 5000)
        let id = try await world.store().reserve()
        world.hub.plan(.refusal(503), at: .state)
        #expect(try await failure(payload, world.store(), as: id, world.checkpoint())?.isPermanent == false)
        // Even when the journal has lost where it was.
        _ = try await save(payload, world.store(), as: id)
        #expect(world.hub.count(.patch) == 1 && world.hub.clips.count == 1)
    }

    @Test(arguments: [404, 410])
    func `an upload that the hub has forgotten begins anew`(status: Int) async throws {
        let world = try HubWorld()
        let payload = try world.payload(bytes: 900_000)
        let id = try await world.store().reserve()
        world.hub.plan(.reset(afterBytes: 300_000), at: .patch)
        _ = try await failure(payload, world.store(), as: id, world.checkpoint())
        world.hub.plan(.refusal(status), at: .head)
        world.hub.plan(.forgotten, at: .create)
        _ = try await save(payload, world.store(), as: id, world.checkpoint(world.lastSession))
        #expect(world.hub.clips.map(\.bytes.count) == [900_000])
        #expect(world.hub.count(.create) == 2 && world.hub.uploadCount == 1)
    }

    @Test func `pieces follow one another, and each is confirmed`() async throws {
        let world = try HubWorld()
        let payload = try world.payload(bytes: 2500)
        _ = try await save(payload, world.store(chunkBytes: 1000), as: nil, world.checkpoint())
        #expect(world.hub.count(.patch) == 3)
        #expect(world.recorded.map(\.bytes) == [0, 1000, 2000, 2500])
        // A process that dies now finds that nothing is left to be sent.
        let session = try #require(world.lastSession)
        let id = try StoredObject.ID(#require(world.hub.clips.first).id)
        _ = try await save(payload, world.store(), as: id, world.checkpoint(session))
        #expect(world.hub.count(.patch) == 3 && world.hub.count(.create) == 1)
    }

    @Test(arguments: [
        HubFault.refusal(423, retryAfter: "1"), .refusal(423), .refusal(409), .refusal(460), .refusal(500),
        .refusal(503, retryAfter: "3"), .refusal(429), .page(200), .page(502), .lost, .reset(afterBytes: 100),
    ])
    func `what passes is tried again and ends as one clip`(fault: HubFault) async throws {
        // Only a piece can be at another place, be damaged, or be cut in its middle.
        let isOfPieces = [.refusal(409), .refusal(460), .reset(afterBytes: 100)].contains(fault)
        for call in isOfPieces ? [HubCall.patch] : [.create, .head, .patch, .state, .describe] {
            let world = try HubWorld()
            world.hub.plan(fault, at: call)
            _ = try await save(world.payload(bytes: 3000), world.patient(chunkBytes: 1000))
            #expect(world.hub.clips.map(\.bytes.count) == [3000], "\(call)")
            #expect(world.hub.uploadCount == 1, "\(call)")
        }
    }

    @Test func `a clip that was made anew since does not go on with the bytes of the former one`() async throws {
        let world = try HubWorld()
        let id = try await world.store().reserve()
        world.hub.plan(.reset(afterBytes: 300_000), at: .patch)
        _ = try await failure(world.payload(bytes: 900_000), world.store(), as: id, world.checkpoint())
        let anew = try world.payload(bytes: 800_000, seed: 2, name: "anew")
        _ = try await save(anew, world.store(), as: id, world.checkpoint(world.lastSession))
        #expect(world.hub.clips.map(\.sha256) == [anew.sha256])
        #expect(world.hub.uploadCount == 1)
    }

    @Test func `the sign-in goes to the hub alone, whatever an upload's address says`() async throws {
        let world = try HubWorld()
        let elsewhere = try LoopbackServer { _ in .init(204, headers: [("Upload-Offset", "1000")]) }
        defer { elsewhere.close() }
        for place in ["\(elsewhere.base)/api/uploads/abc", "/api/uploads/../statuses", "/oauth/token", "", "ftp://x/"] {
            _ = try await save(
                world.payload(bytes: 1000), world.store(), as: nil, world.checkpoint(place))
        }
        #expect(elsewhere.requests.isEmpty)
        #expect(world.hub.clips.count == 5)
    }

    // MARK: the check

    @Test func `the check is waited for, longer each time, and as long as the hub asks`() async throws {
        let world = try HubWorld()
        world.hub.setChecks(4)
        _ = try await save(world.payload(bytes: 10), world.store())
        #expect(world.waited == [20, 40, 80, 160].map { .milliseconds($0) })
        world.hub.setChecks(2, retryAfter: "7")
        _ = try await save(world.payload(bytes: 11, name: "second"), world.store())
        #expect(world.waited.suffix(2) == [.seconds(7), .seconds(7)])
    }

    @Test func `a check that takes too long is left to the outbox, and found done later`() async throws {
        let world = try HubWorld()
        world.hub.setChecks(20)
        let payload = try world.payload(bytes: 10)
        let id = try await world.store().reserve()
        let error = try await failure(payload, world.store(), as: id, world.checkpoint())
        #expect(error == .busy(retryAfter: nil))
        #expect(world.waited.reduce(.zero, +) <= .seconds(60))
        let session = try #require(world.lastSession)
        for _ in 0..<2 where world.hub.clips.isEmpty {
            _ = try await failure(payload, world.store(), as: id, world.checkpoint(session))
        }
        #expect(world.hub.clips.count == 1 && world.hub.count(.patch) == 1)
    }

    @Test func `a clip that the hub refuses is refused for good, in its words, and leaves nothing there`() async throws
    {
        let world = try HubWorld()
        world.hub.refuse("this is no sound")
        let error = try await failure(world.payload(bytes: 10), world.patient(), as: nil, world.checkpoint())
        #expect(error == .refused(status: 422, detail: "this is no sound"))
        #expect(world.hub.clips.isEmpty && world.hub.uploadCount == 0)
        #expect(world.lastSession == nil)
    }

    @Test func `bytes that were damaged on the way never become a clip`() async throws {
        let world = try HubWorld()
        world.hub.plan(.damage, at: .patch)
        let error = try await failure(world.payload(bytes: 1000), world.store())
        #expect(error?.isPermanent == true)
        #expect(world.hub.clips.isEmpty && world.hub.uploadCount == 0)
    }

    // MARK: room and sign-in

    @Test func `an account that others fill meanwhile refuses with the size that was needed`() async throws {
        for call in [HubCall.create, .patch] {
            let world = try HubWorld(limit: 10_000_000)
            world.hub.plan(.filledUp, at: call)
            let error = try await failure(world.payload(bytes: 600_000), world.patient())
            #expect(error == .full(needed: ByteCount(600_000), free: nil), "\(call)")
            #expect(world.hub.clips.isEmpty && world.hub.uploadCount == 0, "\(call)")
        }
    }

    @Test(
        arguments: [
            ("{}", nil), (#"{"quota":{}}"#, nil), (#"{"quota":{"limit":10,"used":4,"free":6}}"#, 6),
            (#"{"quota":{"limit":10,"used":12,"free":-2}}"#, 0),
            (#"{"quota":{"limit":9223372036854775807,"used":0,"free":9223372036854775807}}"#, Int64.max),
        ] as [(String, Int64?)])
    func `a room of any size is read without harm`(answer: String, free: Int64?) async throws {
        let server = try LoopbackServer { _ in .json(200, answer) }
        defer { server.close() }
        let store = try HubWorld.store(at: server.base)
        #expect(try await store.quota().free == free.map { ByteCount($0) })
    }

    @Test(arguments: [404, 405])
    func `a hub that does not tell its room is not known to have any or none`(status: Int) async throws {
        let world = try HubWorld()
        world.hub.plan(.refusal(status), at: .quota)
        #expect(try await world.store().quota() == Quota())
    }

    @Test func `numbers that no machine holds are refused, not believed`() async throws {
        let server = try LoopbackServer { _ in .json(200, #"{"quota":{"limit":1e99,"used":0}}"#) }
        defer { server.close() }
        let store = try HubWorld.store(at: server.base)
        let error = await #expect(throws: StoreError.self) { try await store.quota() }
        #expect(error?.exitCode == .refused)
    }

    @Test func `a sign-in that is over says so`() async throws {
        let world = try HubWorld()
        world.hub.mastodon.oauth.revokeAll()
        let error = try await failure(world.payload(bytes: 10), world.patient())
        #expect(error?.exitCode == .signInNeeded)
        #expect(error?.whatHappened.contains("hub") == true)
    }

    @Test(arguments: ["", "..", "no-such-object", "0OIl567890123456789012", String(repeating: "a", count: 23)])
    func `an id that cannot be one of a clip is never asked for`(text: String) async throws {
        let world = try HubWorld()
        let store = try world.store()
        let id = StoredObject.ID(text)
        try await store.remove(id)
        await #expect(throws: StoreError.missing(id)) { _ = try await store.share(id) }
        await #expect(throws: StoreError.missing(id)) { try await store.load(id, to: world.folder.path("out")) }
        #expect(try await failure(world.payload(bytes: 10), store, as: id)?.isPermanent == true)
        #expect(world.hub.requests.isEmpty)
    }
}
