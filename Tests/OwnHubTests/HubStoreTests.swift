import ChirpCommunity
import ChirpCore
import ChirpNetworks
import ChirpOwnHub
import ChirpStores
import ChirpTestKit
import Foundation
import HubHousehold
import Testing

/// The hub as a store (W-4, W-5, CH-5, CH-6, CH-12).
@Suite struct HubStoreTests {
    @Test func `reserved ids are long, plain and different`() async throws {
        let house = try HubHousehold()
        var ids: Set<String> = []
        for _ in 0..<200 { ids.insert(try await house.store.reserve().text) }
        #expect(ids.count == 200)
        for id in ids {
            #expect(id.utf8.count == 22)  // 22 of 58 letters: 128.9 bits
            #expect(id.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) })
        }
    }

    @Test func `what was saved is loaded again byte for byte`() async throws {
        let house = try HubHousehold()
        let bytes = (0..<700_001).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) }
        let id = try await house.save(bytes, share: false)
        let copy = house.folder.path("copy")
        try await house.store.load(StoredObject.ID(id), to: copy)
        #expect(try Data(contentsOf: URL(filePath: copy)) == Data(bytes))
        #expect(try house.mediaNames() == ["\(id).mp3"])
    }

    @Test func `loading never replaces a file`() async throws {
        let house = try HubHousehold()
        let id = try await house.save()
        let path = house.folder.path("mine")
        try Data("keep me".utf8).write(to: URL(filePath: path))
        await #expect(throws: StoreError.self) { try await house.store.load(StoredObject.ID(id), to: path) }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "keep me")
        #expect(try house.folder.names().filter { $0.hasPrefix("mine") } == ["mine"])
    }

    @Test func `saving the same again is done at once and changes nothing`() async throws {
        let house = try HubHousehold()
        let id = try await house.store.reserve()
        let payload = try house.payload(Array("abc".utf8))
        let first = try await house.store.save(payload, id: id, checkpoint: UploadCheckpoint())
        let link = try await house.store.share(id)
        try FileManager.default.removeItem(atPath: payload.path)  // not even read again
        let second = try await house.store.save(payload, id: id, checkpoint: UploadCheckpoint())
        #expect(first == second)
        #expect(try await house.store.share(id) == link)
        #expect(link == "https://clips.example.org/c/\(id.text)")
    }

    @Test func `an id that holds another clip is not overwritten`() async throws {
        let house = try HubHousehold()
        let id = try await house.store.reserve()
        _ = try await house.store.save(house.payload([1, 2, 3]), id: id, checkpoint: UploadCheckpoint())
        await #expect(throws: StoreError.self) {
            try await house.store.save(house.payload([4, 5, 6]), id: id, checkpoint: UploadCheckpoint())
        }
        #expect(FileManager.default.contents(atPath: "\(house.mediaFolder)/\(id.text).mp3") == Data([1, 2, 3]))
    }

    @Test(arguments: [
        "", "..", "../../etc/passwd", "a/b", "short", String(repeating: "a", count: 23), "0OIl0OIl0OIl0OIl0OIl00",
    ])
    func `an id that is none of ours is refused`(id: String) async throws {
        let house = try HubHousehold()
        let payload = try house.payload([1])
        await #expect(throws: StoreError.self) {
            try await house.store.save(payload, id: StoredObject.ID(id), checkpoint: UploadCheckpoint())
        }
        await #expect(throws: StoreError.missing(StoredObject.ID(id))) {
            try await house.store.load(StoredObject.ID(id), to: house.folder.path("x"))
        }
        await #expect(throws: StoreError.missing(StoredObject.ID(id))) {
            try await house.store.share(StoredObject.ID(id))
        }
        try await house.store.remove(StoredObject.ID(id))
        #expect(try house.mediaNames().isEmpty)
    }

    @Test func `a file that is not what was announced is refused and leaves nothing`() async throws {
        let house = try HubHousehold()
        var payload = try house.payload([1, 2, 3])
        payload.sha256 = String(repeating: "0", count: 64)
        let id = try await house.store.reserve()
        await #expect(throws: StoreError.self) {
            try await house.store.save(payload, id: id, checkpoint: UploadCheckpoint())
        }
        #expect(try house.mediaNames().isEmpty)
        #expect(try await house.store.quota().used == ByteCount(0))
    }

    @Test func `the configured limit is the room, and a clip beyond it is refused before a byte is copied`()
        async throws
    {
        let house = try HubHousehold(limit: 1000)
        try await house.save([UInt8](repeating: 1, count: 600))
        let quota = try await house.store.quota()
        #expect(quota.limit == ByteCount(1000))
        #expect(quota.used == ByteCount(600))
        #expect(quota.free == ByteCount(400))
        await #expect(throws: StoreError.full(needed: ByteCount(401), free: ByteCount(400))) {
            try await house.save([UInt8](repeating: 2, count: 401))
        }
        #expect(try house.mediaNames().count == 1)
        try await house.save([UInt8](repeating: 3, count: 400))
        #expect(try await house.store.quota().free == ByteCount(0))
    }

    @Test func `the reserve stays free on the disk`() async throws {
        let house = try HubHousehold()
        let all = try #require(try await house.store.quota().free)
        let half = all.bytes / 2
        let careful = try HubLibrary(folder: house.folder.path("hub"), reserve: ByteCount(half))
        let less = try #require(try await HubStore(library: careful).quota().free)
        // Other processes use the disk too.
        #expect(abs(all.bytes - less.bytes - half) < half / 4)
        let full = try HubLibrary(folder: house.folder.path("hub"), reserve: ByteCount(Int64.max / 4))
        #expect(try await HubStore(library: full).quota().free == ByteCount(0))
    }

    @Test func `removing takes file, row and posts, and may be repeated`() async throws {
        let house = try HubHousehold()
        let id = try await house.publish()
        try await house.store.remove(StoredObject.ID(id))
        try await house.store.remove(StoredObject.ID(id))
        #expect(try house.mediaNames().isEmpty)
        #expect(try await house.network.posts(by: [.init("me")], after: nil).posts.isEmpty)
        await #expect(throws: StoreError.missing(StoredObject.ID(id))) {
            try await house.store.share(StoredObject.ID(id))
        }
        let clip = try #require(HubID(id))
        #expect(try await house.library.seen(by: .visitor).clip(clip) == .gone)
    }

    @Test func `a process that died between file and row is repaired by the same save`() async throws {
        let house = try HubHousehold()
        let id = try await house.store.reserve()
        let payload = try house.payload(Array("whole".utf8))
        // What such a process leaves: a half temporary file, or the whole file without its row.
        try Data("wh".utf8).write(to: URL(filePath: "\(house.mediaFolder)/.\(id.text).\(id.text)"))
        try Data("whole".utf8).write(to: URL(filePath: "\(house.mediaFolder)/\(id.text).mp3"))
        let clip = try #require(HubID(id.text))
        #expect(try await house.library.seen(by: .visitor).clip(clip) == .nothing)
        _ = try await house.store.save(payload, id: id, checkpoint: UploadCheckpoint())
        let copy = house.folder.path("copy")
        try await house.store.load(id, to: copy)
        #expect(try String(contentsOfFile: copy, encoding: .utf8) == "whole")
    }

    @Test func `a row whose file was taken away gets it back by the same save`() async throws {
        let house = try HubHousehold()
        let id = try await house.store.reserve()
        let payload = try house.payload(Array("whole".utf8))
        _ = try await house.store.save(payload, id: id, checkpoint: UploadCheckpoint())
        try FileManager.default.removeItem(atPath: "\(house.mediaFolder)/\(id.text).mp3")
        _ = try await house.store.save(payload, id: id, checkpoint: UploadCheckpoint())
        #expect(try house.mediaNames() == ["\(id.text).mp3"])
    }

    @Test func `files without a row are swept when they are old, and not before`() async throws {
        let house = try HubHousehold()
        let kept = try await house.save()
        let stray = try await house.store.reserve().text
        try Data("x".utf8).write(to: URL(filePath: "\(house.mediaFolder)/\(stray).mp3"))
        try Data("x".utf8).write(to: URL(filePath: "\(house.mediaFolder)/.\(stray).\(stray)"))
        try Data("x".utf8).write(to: URL(filePath: "\(house.mediaFolder)/notes.txt"))
        #expect(try await house.library.sweep(at: Date()).strays == 0)
        #expect(try await house.library.sweep(at: Date() + 7200).strays == 2)
        #expect(try house.mediaNames() == ["\(kept).mp3", "notes.txt"].sorted())
    }

    @Test func `sweeping removes what has expired and nothing else`() async throws {
        let house = try HubHousehold()
        let brief = try await house.publish(title: "brief", expires: house.now + 60)
        let lasting = try await house.publish(title: "lasting", expires: house.now + 600)
        let eternal = try await house.publish(title: "eternal")
        #expect(try await house.library.sweep(at: house.now + 59.9).clips.isEmpty)
        #expect(try await house.library.expired(at: house.now + 60).map(\.id) == [brief])
        let report = try await house.library.sweep(at: house.now + 60)
        #expect(report.clips == [brief])
        #expect(report.bytes == 10)
        #expect(try house.mediaNames() == ["\(lasting).mp3", "\(eternal).mp3"].sorted())
        let clip = try #require(HubID(brief))
        #expect(try await house.library.seen(by: .visitor).clip(clip) == .gone)
        #expect(try await house.library.sweep(at: house.now + 60).clips.isEmpty)
    }

    @Test func `a title is kept as plain text on one line`() async throws {
        let house = try HubHousehold()
        let saved = try await house.save(title: "a\nb\u{202E}c\u{1B}[31m <b>")
        let id = try #require(HubID(saved))
        #expect(try await house.library.unfilteredClip(id)?.title == "a bc[31m <b>")
    }

    @Test func `what was measured is kept with the clip`() async throws {
        let house = try HubHousehold(sound: HubSound(seconds: 1.5, peaks: [0, 128, 255]))
        let saved = try await house.save()
        let id = try #require(HubID(saved))
        #expect(try await house.library.unfilteredClip(id)?.sound == HubSound(seconds: 1.5, peaks: [0, 128, 255]))
    }
}
