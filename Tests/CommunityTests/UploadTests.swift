import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpTestKit
import Foundation
import HubHousehold
import Testing

/// What is being received: its bytes, its room, its end.
@Suite struct UploadTests {
    private let house: HubHousehold
    private let me = AccountID(rawValue: "me")
    private static let quota = ByteCount(Int64(1_000_000))

    init() throws { house = try HubHousehold() }

    private func begin(_ bytes: Int64?, wish: HubID? = nil) async throws -> MediaItem {
        var wishes = MediaItem.Wishes()
        wishes.clip = wish
        return try await house.library.beginUpload(wishes, bytes: bytes, of: me, quota: Self.quota)
    }

    private func item(_ id: HubID) async throws -> MediaItem? { try await house.library.mediaItem(id, of: me) }

    // With a typed `throws` in the closure the optimiser of Swift 6.3.1 crashes here.
    private func write(_ bytes: [UInt8], to file: UploadFile) throws {
        let failure = bytes.withUnsafeBytes { bytes -> LibraryError? in
            do throws(LibraryError) {
                try file.write(bytes)
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw failure }
    }

    private func clip(_ bytes: Int64) -> HubClip {
        var clip = HubClip(
            id: HubID(), title: "A clip", fileName: "clip.mp3", contentType: "audio/mpeg", bytes: bytes,
            sha256: String(repeating: "0", count: 64), sound: HubSound(seconds: 1), created: house.now, expires: nil,
            shared: false)
        clip.owner = me
        return clip
    }

    @Test func `a hundred uploads at once never get more room than there is`() async throws {
        let granted = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<100 {
                group.addTask { (try? await begin(39_000)) != nil }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        // 25 of 39 kB are 975 kB.
        #expect(granted == 25)
        await #expect(throws: UploadRefusal.overQuota(limit: Self.quota, free: ByteCount(25_000))) {
            try await begin(25_001)
        }
        _ = try await begin(25_000)
        // What was refused has left no file.
        let names = try FileManager.default.contentsOfDirectory(atPath: house.folder.path("hub/uploads"))
        #expect(names.count == 26)
    }

    @Test func `an account begins thirty uploads that reserve nothing`() async throws {
        let most = HubLibrary.mostUnfinished
        let granted = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<(2 * most) {
                group.addTask { (try? await begin(nil)) != nil }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(granted == most)
        // Neither one of an unknown length nor an empty one.
        for bytes in [nil, 0, 1] as [Int64?] {
            await #expect(throws: UploadRefusal.tooMany(most: most)) { try await begin(bytes) }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: house.folder.path("hub/uploads")).count == most)
        // Another account begins its own.
        let ann = try await house.person("ann")
        let other = try await house.library.beginUpload(MediaItem.Wishes(), bytes: nil, of: ann, quota: Self.quota)
        #expect(try await house.library.removeUpload(other.id, of: ann))
        // What is left alone goes after a day, and then there is room for others.
        house.wait(HubLibrary.uploadPatience + 1)
        #expect(try await house.library.sweep(at: house.now).uploads == most)
        _ = try await begin(nil)
    }

    @Test func `empty uploads wait for their check and stay refused in bounds`() async throws {
        for _ in 0..<HubLibrary.mostUnfinished {
            #expect(try await house.library.completeUpload(try await begin(0).id))
        }
        await #expect(throws: UploadRefusal.tooMany(most: HubLibrary.mostUnfinished)) { try await begin(0) }
        for item in try await house.library.waitingMedia() {
            try await house.library.refuse(item.id, because: "it is empty")
        }
        var last: HubID?
        for _ in HubLibrary.mostUnfinished..<HubLibrary.mostRefused {
            let id = try await begin(0).id
            #expect(try await house.library.completeUpload(id))
            try await house.library.refuse(id, because: "it is empty")
            last = id
        }
        await #expect(throws: UploadRefusal.tooMany(most: HubLibrary.mostRefused)) { try await begin(10) }
        // Who removes one begins another.
        let removed = try #require(last)
        #expect(try await house.library.removeUpload(removed, of: me))
        _ = try await begin(10)
    }

    @Test func `the offset is what the file holds, whoever wrote it and died`() async throws {
        let item = try await begin(10)
        #expect(await house.library.received(item) == 0)
        let file = try await house.library.openUpload(item, at: 0, isToBeChecked: false)
        try write([1, 2, 3], to: file)
        // Nobody has ended it: a process that was killed here. Another one looks.
        let other = try HubHousehold(sharing: house)
        let found = try #require(try await other.library.mediaItem(item.id, of: me))
        #expect(await other.library.received(found) == 3)
        await #expect(throws: UploadRefusal.elsewhere(at: 3)) {
            try await other.library.openUpload(found, at: 0, isToBeChecked: false)
        }
    }

    @Test func `a chunk that was not checked when the process died does not count`() async throws {
        var item = try await begin(10)
        let file = try await house.library.openUpload(item, at: 0, isToBeChecked: false)
        try write([1, 2, 3], to: file)
        try await house.library.endUpload(file, of: item, isChecked: false, keepsAll: true)
        do {
            let unchecked = try await house.library.openUpload(item, at: 3, isToBeChecked: true)
            try write([9, 9], to: unchecked)
        }
        item = try #require(try await self.item(item.id))
        #expect(await house.library.received(item) == 3)
        let again = try await house.library.openUpload(item, at: 3, isToBeChecked: true)
        try write([4], to: again)
        try await house.library.endUpload(again, of: item, isChecked: true, keepsAll: true)
        item = try #require(try await self.item(item.id))
        #expect(await house.library.received(item) == 4)
        #expect([UInt8](try Data(contentsOf: URL(filePath: house.library.uploads.file(item.id)))) == [1, 2, 3, 4])
    }

    @Test func `only a whole upload is handed on, and once`() async throws {
        let item = try await begin(3)
        #expect(try await !house.library.completeUpload(item.id))
        let file = try await house.library.openUpload(item, at: 0, isToBeChecked: false)
        try write([1, 2, 3], to: file)
        try await house.library.endUpload(file, of: item, isChecked: false, keepsAll: true)
        #expect(try await house.library.completeUpload(item.id))
        #expect(try await !house.library.completeUpload(item.id))
        #expect(try await house.library.waitingMedia().map(\.id) == [item.id])
    }

    @Test func `a clip takes the room that its upload had reserved, and no more`() async throws {
        let item = try await begin(900_000)
        try Data(count: 900_000).write(to: URL(filePath: house.library.uploads.file(item.id)))
        #expect(try await house.library.completeUpload(item.id))
        await #expect(throws: UploadRefusal.overQuota(limit: Self.quota, free: Self.quota)) {
            try await house.library.finish(item, as: clip(1_000_001), receipt: nil, quota: Self.quota)
        }
        #expect(try await house.library.finish(item, as: clip(600_000), receipt: "{}", quota: Self.quota))
        // Nothing twice.
        #expect(try await !house.library.finish(item, as: clip(1), receipt: nil, quota: Self.quota))
        let done = try #require(try await self.item(item.id))
        #expect(done.state == .ready && done.clip != nil)
        #expect(!FileManager.default.fileExists(atPath: house.library.uploads.file(item.id)))
        await #expect(throws: UploadRefusal.overQuota(limit: Self.quota, free: ByteCount(400_000))) {
            try await begin(400_001)
        }
        _ = try await begin(400_000)
    }

    @Test func `an upload without a size pays as it grows`() async throws {
        var item = try await begin(nil)
        try await house.library.secure(600_000, of: item, quota: Self.quota)
        await #expect(throws: UploadRefusal.overQuota(limit: Self.quota, free: ByteCount(400_000))) {
            try await begin(400_001)
        }
        await #expect(throws: UploadRefusal.notAsAnnounced) {
            try await house.library.announce(5, received: 6, of: item, quota: Self.quota)
        }
        item = try await house.library.announce(100_000, received: 6, of: item, quota: Self.quota)
        #expect(item.bytes == 100_000)
        await #expect(throws: UploadRefusal.notAsAnnounced) {
            try await house.library.announce(100_001, received: 6, of: item, quota: Self.quota)
        }
        _ = try await begin(900_000)
    }

    @Test func `an id of a clip belongs to one upload, and never leads to another clip`() async throws {
        let wish = HubID()
        let first = try await begin(10, wish: wish)
        // The sender has lost the answer and begins again.
        let second = try await begin(10, wish: wish)
        #expect(try await item(first.id) == nil)
        #expect(try await item(second.id) != nil)
        let gone = try #require(HubID(try await house.save()))
        try await house.library.remove(gone)
        await #expect(throws: UploadRefusal.taken) { try await begin(10, wish: gone) }
    }

    @Test func `what was not completed within a day is removed, and what is checked stays`() async throws {
        let (left, whole) = (try await begin(10), try await begin(0))
        #expect(try await house.library.completeUpload(whole.id))
        house.wait(24 * 3600 - 1)
        #expect(try await house.library.sweep(at: house.now).uploads == 0)
        house.wait(1)
        #expect(try await house.library.sweep(at: house.now).uploads == 1)
        #expect(try await item(left.id) == nil)
        #expect(!FileManager.default.fileExists(atPath: house.library.uploads.file(left.id)))
        #expect(FileManager.default.fileExists(atPath: house.library.uploads.file(whole.id)))
        // A refused one is there for a day, so that its sender hears why.
        try await house.library.refuse(whole.id, because: "it is empty")
        #expect(try await item(whole.id)?.why == "it is empty")
        house.wait(24 * 3600)
        #expect(try await house.library.sweep(at: house.now).uploads == 1)
    }

    @Test func `a file that no upload accounts for is removed after an hour`() async throws {
        let stray = house.library.uploads.file(HubID())
        try Data([1]).write(to: URL(filePath: stray))
        let kept = try await begin(10)
        for path in [stray, house.library.uploads.file(kept.id)] {
            try FileManager.default.setAttributes(
                [.modificationDate: house.now.addingTimeInterval(-3601)], ofItemAtPath: path)
        }
        #expect(try await house.library.sweep(at: house.now).strays == 1)
        #expect(!FileManager.default.fileExists(atPath: stray))
        #expect(FileManager.default.fileExists(atPath: house.library.uploads.file(kept.id)))
    }

    @Test func `removing an account's upload frees its room, and a clip stays`() async throws {
        let item = try await begin(900_000)
        #expect(try await !house.library.removeUpload(item.id, of: AccountID(rawValue: "you")))
        #expect(try await house.library.removeUpload(item.id, of: me))
        #expect(try await !house.library.removeUpload(item.id, of: me))
        _ = try await begin(900_000)
    }
}
