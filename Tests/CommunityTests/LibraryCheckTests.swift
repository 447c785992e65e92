import ChirpCommunity
import ChirpTestKit
import Foundation
import Glibc
import HubHousehold
import Testing

/// What a check of a hub's folder finds.
@Suite struct LibraryCheckTests {
    private func check(
        _ house: HubHousehold, readsClips: Bool = false, later seconds: Double = 0
    ) async throws -> LibraryCheck.Report {
        let now = Date().addingTimeInterval(seconds)
        return try await LibraryCheck(folder: house.folder.path("hub"), now: { now }).run(readsClips: readsClips)
    }

    private func sqlite(_ statement: String, _ path: String) throws {
        let script = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute(sys.argv[2]); c.commit()"
        let result = try ExternalProgram("python3").run(["-c", script, path, statement])
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test func `clips without their files, with others, and files without clips are found`() async throws {
        let house = try HubHousehold()
        let (whole, missing, short, odd) = (
            try await house.publish(), try await house.publish(), try await house.publish(),
            try await house.publish()
        )
        #expect(try await check(house).clips == 4)
        try FileManager.default.removeItem(atPath: "\(house.mediaFolder)/\(missing).mp3")
        try Data("some".utf8).write(to: URL(filePath: "\(house.mediaFolder)/\(short).mp3"))
        try Data("some noise".utf8).write(to: URL(filePath: "\(house.mediaFolder)/\(odd).mp3"))
        try Data("stray".utf8).write(to: URL(filePath: "\(house.mediaFolder)/\(HubID()).mp3"))
        let quick = try await check(house)
        #expect(quick.clips == 4 && quick.bytes == 40)
        #expect(quick.missing == [missing] && quick.damaged == [short])
        // It may be of a publication that is in progress.
        #expect(quick.strays == 0)
        let full = try await check(house, readsClips: true, later: 2 * 3600)
        #expect(full.missing == [missing] && Set(full.damaged) == [short, odd])
        #expect(!full.damaged.contains(whole))
        #expect(full.strays == 1 && full.complaints.isEmpty && full.exposed.isEmpty)
    }

    @Test func `secrets that others may read are named`() async throws {
        let house = try HubHousehold()
        let names = ["key", "mail/a.eml", "limits.sqlite"].map { house.folder.path("hub/\($0)") }
        try FileManager.default.createDirectory(
            atPath: house.folder.path("hub/mail"), withIntermediateDirectories: true)
        for name in names {
            try Data("secret".utf8).write(to: URL(filePath: name))
            #expect(chmod(name, 0o600) == 0)
        }
        #expect(try await check(house).exposed.isEmpty)
        for (name, mode) in zip(names, [0o640, 0o604, 0o602] as [UInt32]) { #expect(chmod(name, mode) == 0) }
        #expect(try await Set(check(house).exposed) == Set(names))
    }

    @Test func `tables of other releases are told apart, and nothing is changed`() async throws {
        let house = try HubHousehold()
        let path = house.folder.path("hub/hub.sqlite")
        #expect(try await check(house).tables == .current)
        try sqlite("DELETE FROM grdb_migrations WHERE identifier LIKE 'accounts-%'", path)
        #expect(try await check(house).tables == .older)
        #expect(try await check(house).tables == .older)
        try sqlite("INSERT INTO grdb_migrations VALUES ('community-999')", path)
        #expect(try await check(house).tables == .newer)
    }

    @Test func `a damaged database is a finding, wherever the damage is`() async throws {
        let house = try HubHousehold()
        for number in 0..<40 { try await house.publish(title: "clip \(number)") }
        let (file, copy) = (house.folder.path("hub.tar"), house.folder.path("copy/hub"))
        _ = try await HubBackup(folder: house.folder.path("hub"), program: "1").write(to: file)
        _ = try await HubRestore(file: file, folder: copy).run()
        let path = "\(copy)/hub.sqlite"
        let whole = try Data(contentsOf: URL(filePath: path))
        #expect(whole.count.isMultiple(of: 4096) && whole.count >= 5 * 4096)
        // Nobody misses what an empty page has, behind its head (sqlite.org/fileformat.html, 1.6).
        var (complaining, filled) = (0, 0)
        for page in 0..<whole.count / 4096 {
            var bytes = whole
            let head = page == 0 ? 100 : page * 4096
            filled += whole[head + 3] == 0 && whole[head + 4] == 0 ? 0 : 1
            bytes.replaceSubrange(page * 4096 + 100..<(page + 1) * 4096, with: Data(repeating: 0xA5, count: 3996))
            try bytes.write(to: URL(filePath: path))
            for name in ["hub.sqlite-wal", "hub.sqlite-shm"] {
                try? FileManager.default.removeItem(atPath: "\(copy)/\(name)")
            }
            let report = try await LibraryCheck(folder: copy).run(readsClips: false)
            complaining += report.complaints.isEmpty ? 0 : 1
        }
        #expect(complaining >= filled * 2 / 3)
        try Data(repeating: 65, count: 5000).write(to: URL(filePath: path))
        #expect(try await !LibraryCheck(folder: copy).run(readsClips: false).complaints.isEmpty)
    }

    @Test func `a folder without a hub is not made one`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("hub")
        await #expect(throws: BackupError.noHub(path: path)) {
            try await LibraryCheck(folder: path).run(readsClips: true)
        }
        #expect(try folder.names().isEmpty)
    }
}
