import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpDatabase
import ChirpFiles
import ChirpStores
import ChirpTestKit
import Foundation
import GRDB
import Glibc
import HubHousehold
import Testing

/// Files that a board keeps for those who have bought them: in a backup, in a check, and away once nobody keeps them (AR-12).
@Suite struct KeptFileTests {
    private let house: HubHousehold
    private var folder: String { house.folder.path("hub") }
    private let quota = ByteCount(Int64(100_000))

    private static let shop = BoardTables(
        name: "shop",
        steps: [
            SchemaStep(
                "shop-001",
                """
                CREATE TABLE bought (sha256 TEXT PRIMARY KEY, bytes INTEGER NOT NULL) STRICT;
                CREATE TABLE wares (film TEXT PRIMARY KEY REFERENCES films (id) ON DELETE CASCADE) STRICT;
                """)
        ],
        files: { database in
            guard try database.tableExists("bought") else { return [] }
            return try Row.fetchAll(database, sql: "SELECT sha256, bytes FROM bought").compactMap {
                KeptFile(sha256: $0["sha256"], bytes: $0["bytes"])
            }
        })

    init() throws { house = try HubHousehold(boards: [Self.shop]) }

    /// Somebody has bought a file.
    private func buy(_ path: String) async throws -> String {
        let digest = try house.library.keep(path)
        try await house.change("INSERT INTO bought VALUES ('\(digest.sha256)', \(digest.bytes)) ON CONFLICT DO NOTHING")
        return digest.sha256
    }

    /// What somebody has sent, which is on sale.
    private func ware(_ content: [UInt8]) async throws -> (id: HubID, path: String) {
        let ann = try await house.person("ann")
        var wishes = MediaItem.Wishes()
        wishes.film = MediaItem.Film(timer: nil, isTrack: true)
        let item = try await house.library.beginUpload(wishes, bytes: Int64(content.count), of: ann, quota: quota)
        try Data(content).write(to: URL(filePath: house.library.uploads.file(item.id)))
        #expect(try await house.library.completeUpload(item.id))
        try house.library.films.keep(house.library.uploads.file(item.id), as: item.id)
        let clip = HubID()
        try Data([9]).write(to: URL(filePath: house.library.media.file(clip)))
        var preview = HubClip(
            id: clip, title: "A preview", fileName: "preview.mp3", contentType: "audio/mpeg", bytes: 1,
            sha256: try house.payload([9]).sha256, sound: HubSound(seconds: 1, peaks: [1]), created: house.now,
            expires: nil, shared: false)
        preview.owner = ann
        let payload = try house.payload(content)
        let made = MadeTrack(
            milliseconds: 1000,
            master: MadeFilm.File(name: .original, bytes: payload.bytes, sha256: payload.sha256), preview: preview,
            findings: "{}")
        #expect(try await house.library.finish(item.id, asTrack: made, quota: quota))
        try await house.change("INSERT INTO wares VALUES ('\(item.id)')")
        return (item.id, house.library.master(item.id))
    }

    private func made(_ content: [UInt8]) throws -> String {
        let path = house.folder.path("made-\(content.count)")
        try Data(content).write(to: URL(filePath: path))
        return path
    }

    private func backup(_ name: String = "hub.tar") async throws -> HubBackup.Report {
        try await HubBackup(folder: folder, program: "1", boards: [Self.shop]).write(to: house.folder.path(name))
    }

    private func restore(_ name: String = "hub.tar", to goal: String = "again") async throws -> String {
        let goal = house.folder.path(goal)
        _ = try await HubRestore(file: house.folder.path(name), folder: goal, boards: [Self.shop]).run()
        return goal
    }

    private func check(_ folder: String, later seconds: Double = 0) async throws -> LibraryCheck.Report {
        let now = Date().addingTimeInterval(seconds)
        return try await LibraryCheck(folder: folder, boards: [Self.shop], now: { now }).run(readsClips: true)
    }

    private func inode(_ path: String) throws -> UInt {
        var facts = stat()
        try #require(lstat(path, &facts) == 0, "\(path)")
        return facts.st_ino
    }

    @Test func `a backup has what was sold, once where it is what its author has sent`() async throws {
        let (id, path) = try await ware([UInt8](repeating: 7, count: 5000))
        let (master, other) = (try await buy(path), try await buy(try made([1, 2, 3])))
        try Data([UInt8](repeating: 5, count: 32)).write(to: URL(filePath: "\(folder)/licence-key"))
        let report = try await backup()
        #expect(report.keptFiles == 2 && report.missing.isEmpty && report.damaged.isEmpty)
        let tape = try Data(contentsOf: URL(filePath: house.folder.path("hub.tar")))
        #expect(tape.ranges(of: Data(repeating: 7, count: 5000)).count == 1, "the same file is there once")

        let again = try await restore()
        #expect(try Data(contentsOf: URL(filePath: "\(again)/sold/\(other)")) == Data([1, 2, 3]))
        #expect(try Data(contentsOf: URL(filePath: "\(again)/sold/\(master)")).count == 5000)
        #expect(try inode("\(again)/sold/\(master)") == inode("\(again)/films/\(id)-original.film"))
        #expect(try Data(contentsOf: URL(filePath: "\(again)/licence-key")) == Data(repeating: 5, count: 32))
        let found = try await check(again)
        #expect(found.kept == 2 && found.missingKept.isEmpty && found.damagedKept.isEmpty && found.strays == 0)
        // What its author has sent may go: what was sold stays.
        let library = try HubLibrary(folder: again, reserve: ByteCount(Int64(0)), boards: [Self.shop])
        library.films.remove(id)
        #expect(library.kept(master).flatMap { FileManager.default.contents(atPath: $0) }?.count == 5000)
    }

    @Test func `a hub that has sold nothing makes a backup that earlier releases read`() async throws {
        _ = try await ware([4, 5, 6])
        _ = try await backup()
        let manifest = try ExternalProgram("tar").run(["-xOf", house.folder.path("hub.tar"), "manifest.json"])
        let list = String(decoding: manifest.output, as: UTF8.self)
        #expect(list.contains("\"v\":3"), "\(list.prefix(200))")
    }

    @Test func `files that are not there or not what was sold are named, and the rest is backed up`() async throws {
        let (lost, odd, whole) = (
            try await buy(try made([1])), try await buy(try made([2, 2])), try await buy(try made([3, 3, 3]))
        )
        try FileManager.default.removeItem(atPath: "\(folder)/sold/\(lost)")
        try Data([9, 9]).write(to: URL(filePath: "\(folder)/sold/\(odd)"))
        let found = try await check(folder)
        #expect(found.kept == 3 && found.missingKept == [lost] && found.damagedKept == [odd])
        let report = try await backup()
        #expect(report.missing == ["sold/\(lost)"] && report.damaged == ["sold/\(odd)"] && report.keptFiles == 2)
        let again = try await restore()
        #expect(FileManager.default.contents(atPath: "\(again)/sold/\(whole)") == Data([3, 3, 3]))
        #expect(try await check(again).missingKept == [lost])
    }

    @Test func `what nobody keeps any more is swept after an hour, whatever age its content has`() async throws {
        let (kept, ended) = (try await buy(try made([1])), try await buy(try made([2, 2])))
        try await house.change("DELETE FROM bought WHERE sha256 = '\(ended)'")
        func left() throws -> Set<String> { Set(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/sold")) }
        #expect(try await house.library.sweep(at: Date()).strays == 0)
        #expect(try left() == [kept, ended], "somebody may be about to write it down")
        #expect(try await check(folder, later: 7200).strays == 1)
        #expect(try await house.library.sweep(at: Date().addingTimeInterval(7200)).strays == 1)
        #expect(try left() == [kept])
        #expect(try await house.library.sweep(at: Date().addingTimeInterval(7200)).strays == 0)
    }

    @Test func `a file that is kept again is young again, and the same one`() async throws {
        let path = try made([1, 2])
        let old = try house.library.keep(path)
        var facts = stat()
        #expect(lstat("\(folder)/sold/\(old.sha256)", &facts) == 0)
        let before = facts.st_ctim
        #expect(try house.library.keep(path) == old)
        #expect(lstat("\(folder)/sold/\(old.sha256)", &facts) == 0)
        #expect((facts.st_ctim.tv_sec, facts.st_ctim.tv_nsec) >= (before.tv_sec, before.tv_nsec))
        #expect(facts.st_nlink == 2 && facts.st_mode & 0o777 == 0o600)
    }

    @Test(arguments: [
        "../../etc/passwd", "", "key", String(repeating: "a", count: 63), String(repeating: "A", count: 64),
        String(repeating: "a", count: 65), String(repeating: "é", count: 32),
    ])
    func `only a SHA-256 is the name of a file`(_ name: String) {
        #expect(house.library.kept(name) == nil)
        #expect(KeptFile(sha256: name, bytes: 1) == nil)
    }

    @Test func `a list that calls a file another one's is refused`() async throws {
        let (id, path) = try await ware([UInt8](repeating: 7, count: 50))
        _ = try await buy(path)
        try Data([UInt8](repeating: 5, count: 32)).write(to: URL(filePath: "\(folder)/key"))
        _ = try await backup()
        let whole = [UInt8](try Data(contentsOf: URL(filePath: house.folder.path("hub.tar"))))
        let original = "films/\(id)-original.film"
        for (number, other) in ["key", "hub.sqlite", "films/\(id)-poster.jpg", "../../etc/passwd"].enumerated() {
            var bytes = whole
            let said = Array("\"same\":\"\(original)\"".utf8)
            let instead = Array("\"same\":\"\(other)\"".utf8)
            let place = try #require(bytes.firstRange(of: said))
            // White space is part of JSON: the list stays as long as it was.
            bytes.replaceSubrange(
                place, with: instead + [UInt8](repeating: 0x20, count: said.count - instead.count))
            try Data(bytes).write(to: URL(filePath: house.folder.path("hostile.tar")))
            let goal = "no-\(number)"
            await #expect(throws: BackupError.self, "\(other)") { try await restore("hostile.tar", to: goal) }
            #expect(!FileManager.default.fileExists(atPath: house.folder.path(goal)))
        }
    }
}
