import ChirpCommunity
import ChirpCore
import ChirpOwnHub
import ChirpStores
import ChirpTestKit
import Foundation
import HubHousehold
import Testing

/// A hub in a store, and back from it on a machine that knows nothing.
@Suite struct BackupShelfTests {
    private let house: HubHousehold

    init() throws { house = try HubHousehold() }

    private func backup() -> HubBackup {
        let house = house
        return HubBackup(folder: house.folder.path("hub"), program: "1.2.3", now: { house.now })
    }

    private var shelf: BackupShelf {
        BackupShelf(FolderStore(FolderStore.Settings(path: house.folder.path("shelf"))))
    }

    @Test func `the newest comes back, or the one that is named`() async throws {
        let first = try await house.publish(Array("the first".utf8))
        let older = try await shelf.save(backup())
        house.wait(3600)
        let second = try await house.publish(Array("the second".utf8))
        let newer = try await shelf.save(backup())
        #expect(try await shelf.names() == [newer.name, older.name])
        for (name, clips) in [(nil, [first, second]), (older.name, [first])] as [(BackupName?, [String])] {
            let goal = house.folder.path("elsewhere-\(clips.count)/chirp/hub")
            let found = try await shelf.restore(name, to: goal, boards: [])
            #expect(found.report.clips == clips.count && found.name == name ?? newer.name)
            let names = try FileManager.default.contentsOfDirectory(atPath: "\(goal)/media").sorted()
            #expect(names == clips.map { "\($0).mp3" }.sorted())
            let beside = try FileManager.default.contentsOfDirectory(
                atPath: house.folder.path("elsewhere-\(clips.count)/chirp"))
            #expect(beside == ["hub"])
        }
    }

    @Test func `what is not there, or no backup, changes nothing`() async throws {
        let goal = house.folder.path("elsewhere/hub")
        await #expect(throws: StoredBackupError.noBackup(place: shelf.place)) {
            _ = try await shelf.restore(nil, to: goal, boards: [])
        }
        let name = BackupName(house.now)
        await #expect(throws: StoredBackupError.store(.missing(StoredObject.ID(name.text)))) {
            _ = try await shelf.restore(name, to: goal, boards: [])
        }
        try FileManager.default.createDirectory(
            atPath: house.folder.path("shelf"), withIntermediateDirectories: true)
        try Data("no archive".utf8).write(to: URL(filePath: house.folder.path("shelf/\(name)")))
        let error = await #expect(throws: StoredBackupError.self) {
            _ = try await shelf.restore(nil, to: goal, boards: [])
        }
        #expect(error?.exitCode == .badInput)
        #expect(!FileManager.default.fileExists(atPath: goal))
        // A hub that is there is not even compared.
        let taken = await #expect(throws: StoredBackupError.self) {
            _ = try await shelf.restore(nil, to: house.folder.path("hub"), boards: [])
        }
        #expect(taken?.exitCode == .cannotCreateOutput)
        let hubless = HubBackup(folder: goal, program: "1.2.3")
        await #expect(throws: StoredBackupError.hub(.noHub(path: goal))) { _ = try await shelf.save(hubless) }
    }

    @Test func `a name that is taken by something else is not overwritten`() async throws {
        try await house.publish()
        try FileManager.default.createDirectory(
            atPath: house.folder.path("shelf"), withIntermediateDirectories: true)
        let path = house.folder.path("shelf/\(BackupName(house.now))")
        try Data("mine".utf8).write(to: URL(filePath: path))
        await #expect(throws: StoredBackupError.self) { _ = try await shelf.save(backup()) }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
    }

    @Test(arguments: RealS3.Kind.allCases)
    func `a hub goes through a bucket, and its newest backup is found there`(kind: RealS3.Kind) async throws {
        let server = try await RealS3.started(kind)
        let shelf = BackupShelf(try server.store(folder: "backups"))
        let id = try await house.publish(Array("in a bucket".utf8))
        var saved: [BackupName] = []
        for _ in 0..<3 {
            saved.insert(try await shelf.save(backup()).name, at: 0)
            house.wait(3600)
        }
        #expect(try await shelf.names() == saved)
        try await shelf.tidy(keeping: 2, with: saved[0], at: house.now)
        #expect(try await shelf.names() == Array(saved.prefix(2)))
        let goal = house.folder.path("elsewhere/hub")
        #expect(try await shelf.restore(nil, to: goal, boards: []).name == saved[0])
        #expect(try String(contentsOfFile: "\(goal)/media/\(id).mp3", encoding: .utf8) == "in a bucket")
    }
}
