import ChirpCore
import ChirpFiles
import ChirpStores
import ChirpTestKit
import Foundation
import Glibc
import Testing

@Suite struct FolderStoreTests {
    private let folder: TemporaryFolder
    private let store: FolderStore

    init() throws {
        folder = try TemporaryFolder()
        store = FolderStore(FolderStore.Settings(path: folder.path("my clips")))
    }

    private func rights(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func `a clip is private until it is shared, and its link is a file address`() async throws {
        let id = try await store.reserve()
        let payload = try TestPayload.make(folder.path("in"), bytes: 10)
        _ = try await store.save(payload, id: id, checkpoint: UploadCheckpoint())
        let file = folder.path("my clips/\(id)")
        #expect(try rights(file) == 0o600)
        let link = try await store.share(id)
        #expect(try rights(file) == 0o644)
        #expect(link.hasSuffix("/my%20clips/\(id)"))
        #expect(URL(string: link)?.path(percentEncoded: false) == file)
    }

    @Test(arguments: ["https://clips.example", "https://clips.example/"])
    func `a base address is put before the name`(base: String) async throws {
        let store = FolderStore(FolderStore.Settings(path: folder.path("c"), linkBase: base))
        let id = try await store.reserve()
        let payload = try TestPayload.make(folder.path("in"), bytes: 10)
        _ = try await store.save(payload, id: id, checkpoint: UploadCheckpoint())
        #expect(try await store.share(id) == "https://clips.example/\(id)")
    }

    @Test(arguments: ["../in", "a/b", ".hidden", "", "..", "a\u{0}b", "ä", String(repeating: "a", count: 201)])
    func `an id from outside cannot leave the folder`(text: String) async throws {
        let payload = try TestPayload.make(folder.path("in"), bytes: 10)
        let id = StoredObject.ID(text)
        await #expect(throws: StoreError.self) {
            _ = try await store.save(payload, id: id, checkpoint: UploadCheckpoint())
        }
        await #expect(throws: StoreError.missing(id)) { _ = try await store.share(id) }
        await #expect(throws: StoreError.missing(id)) { try await store.load(id, to: folder.path("out")) }
        try await store.remove(id)
        #expect(try folder.names().contains("in"))
    }

    @Test func `what begins so is listed, and nothing else`() async throws {
        #expect(try await store.ids(beginningWith: "hub-") == [])
        let payload = try TestPayload.make(folder.path("in"), bytes: 10)
        for name in ["hub-1.tar", "hub-2.tar", "hob-3.tar"] {
            _ = try await store.save(payload, id: StoredObject.ID(name), checkpoint: UploadCheckpoint())
        }
        try Data("x".utf8).write(to: URL(filePath: folder.path("my clips/hub-ä")))
        #expect(try await store.ids(beginningWith: "hub-").map(\.text).sorted() == ["hub-1.tar", "hub-2.tar"])
    }

    @Test func `without a limit the quota is what the disk has free`() async throws {
        let quota = try await store.quota()
        #expect((quota.free?.bytes ?? 0) > 0)
        #expect(quota.limit == nil && quota.used == nil && !quota.unlimited)
    }

    @Test func `a folder that cannot be made is an error that names it`() async throws {
        try Data().write(to: URL(filePath: folder.path("file")))
        let store = FolderStore(FolderStore.Settings(path: folder.path("file/clips")))
        let error = await #expect(throws: StoreError.self) { _ = try await store.quota() }
        #expect(error?.whatHappened.contains("file") == true)
        #expect(error?.exitCode == .inputOutput)
    }

    @Test func `what a dead process left half written is swept, what a living one writes is not`() async throws {
        let path = folder.path("s")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let dead = URL(filePath: path + "/.chirp-tmp-dead")
        try Data("half".utf8).write(to: dead)
        let old = Date(timeIntervalSinceNow: -120)
        try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: dead.path(percentEncoded: false))
        try Data("new".utf8).write(to: URL(filePath: path + "/.chirp-tmp-new"))
        let living = try AtomicFile.create(at: path + "/whole.mp3")
        let names = try FileManager.default.contentsOfDirectory(atPath: path)
        for name in names where !name.hasSuffix("new") {
            try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: "\(path)/\(name)")
        }
        #expect(await FolderStore(FolderStore.Settings(path: path)).removeStrays() == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).count == 2)
        #expect(!FileManager.default.fileExists(atPath: dead.path(percentEncoded: false)))
        try living.commit(replacing: false)
        #expect(FileManager.default.fileExists(atPath: path + "/whole.mp3"))
    }

    @Test(arguments: [Int.min, -1, 0, Int.max])
    func `the age of a file of any date is a number`(date: Int) {
        let age = FileAge.seconds(from: date, to: 1_800_000_000)
        #expect(date > 1_800_000_000 ? age < 0 : age >= 1_800_000_000)
    }

    @Test(arguments: [Int.min, -62_135_596_801, 9_223_372_037, Int.max])
    func `left-overs of any date are looked at`(date: Int) async throws {
        // In memory, where a file may have any date; other file systems take the nearest they know.
        let path = "/dev/shm/chirp-test-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let file = "\(path)/.chirp-tmp-abc"
        try Data("x".utf8).write(to: URL(filePath: file))
        let times = [timespec](repeating: timespec(tv_sec: date, tv_nsec: 0), count: 2)
        #expect(utimensat(AT_FDCWD, file, times, 0) == 0)
        let removed = await FolderStore(FolderStore.Settings(path: path)).removeStrays()
        #expect(removed == (date < 0 ? 1 : 0))
    }

    @Test func `a disk of more blocks than 64 bits can count is as large as a number can be`() {
        #expect(ByteCount(blocks: .max, of: 4096) == ByteCount(Int64.max))
        #expect(ByteCount(blocks: 1 << 62, of: 2) == ByteCount(Int64.max))
        #expect(ByteCount(blocks: 3, of: 4096) == ByteCount(Int64(12288)))
    }
}
