import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpHub
import ChirpStores
import ChirpTestKit
import Foundation
import HubHousehold
import Testing

/// What has had its time at a hub.
@Suite struct SweepTests {
    private let house: HubHousehold
    private static let quota = ByteCount(Int64(1_000_000))
    private static let day = 24 * 3600.0

    init() throws { house = try HubHousehold() }

    /// What somebody has sent, made a clip.
    private func send(_ bytes: [UInt8], of owner: AccountID) async throws -> (upload: HubID, clip: HubID) {
        let item = try await house.library.beginUpload(
            MediaItem.Wishes(), bytes: Int64(bytes.count), of: owner, quota: Self.quota)
        try Data(bytes).write(to: URL(filePath: house.library.uploads.file(item.id)))
        #expect(try await house.library.completeUpload(item.id))
        let id = HubID()
        try Data(bytes).write(to: URL(filePath: house.library.media.file(id)))
        var clip = HubClip(
            id: id, title: "", fileName: "clip.mp3", contentType: "audio/mpeg", bytes: Int64(bytes.count),
            sha256: try house.payload(bytes).sha256, sound: nil, created: house.now, expires: nil, shared: false)
        clip.owner = owner
        #expect(try await house.library.finish(item, as: clip, receipt: nil, quota: Self.quota))
        return (item.id, id)
    }

    private func exists(_ id: HubID) -> Bool {
        FileManager.default.fileExists(atPath: house.library.media.file(id))
    }

    @Test func `a member's clip that nobody was ever to hear goes after seven days, and no other`() async throws {
        let ann = try await HubCast(house: house).member("ann").id
        let (forgotten, shared, posted) = try await (send([1], of: ann), send([2], of: ann), send([3], of: ann))
        #expect(try await house.library.share(shared.clip))
        var draft = PostDraft(author: ann, text: "Hear", key: "one")
        draft.clip = posted.clip
        _ = try await house.library.post(draft)
        // The hub's own publications have steps of their own.
        let owners = try await house.save(share: false)

        house.wait(7 * Self.day - 1)
        #expect(try await house.library.sweep(at: house.now).unheard == 0)
        house.wait(1)
        #expect(try await house.library.sweep(at: house.now).unheard == 1)
        #expect(try await house.library.unfilteredClip(forgotten.clip) == nil && !exists(forgotten.clip))
        #expect(try await house.library.mediaItem(forgotten.upload, of: ann) == nil)
        for id in [shared.clip, posted.clip] + [try #require(HubID(owners))] {
            #expect(try await house.library.unfilteredClip(id) != nil && exists(id))
        }
        #expect(try await house.library.sweep(at: house.now).unheard == 0)
    }

    @Test func `what became of an upload is remembered for thirty days, its clip for longer`() async throws {
        let ann = try await HubCast(house: house).member("ann").id
        let sent = try await send([1], of: ann)
        #expect(try await house.library.share(sent.clip))
        house.wait(30 * Self.day - 1)
        #expect(try await house.library.sweep(at: house.now).forgotten == 0)
        house.wait(1)
        #expect(try await house.library.sweep(at: house.now).forgotten == 1)
        #expect(try await house.library.mediaItem(sent.upload, of: ann) == nil)
        #expect(try await house.library.unfilteredClip(sent.clip) != nil && exists(sent.clip))
    }

    @Test func `files of an account that was deleted are gone with the next sweep`() async throws {
        let cast = HubCast(house: house)
        let (ann, bob) = try await (cast.member("ann").id, cast.member("bob").id)
        let (hers, his) = try await (send([1], of: ann), send([2], of: bob))
        let upload = try await house.library.beginUpload(
            MediaItem.Wishes(), bytes: 10, of: ann, quota: Self.quota)
        _ = try await cast.accounts.delete(ann)
        // The clock of a household is ahead of the disk's by more than files without a row are left alone.
        let written = house.now.addingTimeInterval(-2 * 3600)
        for path in [hers.clip, his.clip].map(house.library.media.file) + [house.library.uploads.file(upload.id)] {
            try FileManager.default.setAttributes([.modificationDate: written], ofItemAtPath: path)
        }
        #expect(try await house.library.sweep(at: house.now).strays == 2)
        #expect(!exists(hers.clip) && exists(his.clip))
        #expect(!FileManager.default.fileExists(atPath: house.library.uploads.file(upload.id)))
    }

    @Test func `a running server sweeps by itself`() async throws {
        let ann = try await HubCast(house: house).member("ann").id
        let sent = try await send([1], of: ann)
        let expiring = try #require(HubID(try await house.save(expires: house.now.addingTimeInterval(Self.day))))
        try await withLiveHub(house, clock: HurriedClock()) { [house] _ in
            house.wait(8 * Self.day)
            for id in [sent.clip, expiring] {
                let isGone = try await until { try await house.library.unfilteredClip(id) == nil && !exists(id) }
                #expect(isGone)
            }
        }
    }
}
