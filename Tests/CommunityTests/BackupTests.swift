import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpNumbers
import ChirpOwnHub
import ChirpTestKit
import Foundation
import Glibc
import HubHousehold
import Synchronization
import Testing

/// A hub in one file, and back.
@Suite struct BackupTests {
    private func backup(_ house: HubHousehold) -> HubBackup {
        HubBackup(folder: house.folder.path("hub"), program: "1.2.3", now: { HubHousehold.start })
    }

    private func open(_ folder: String) throws -> HubLibrary {
        try HubLibrary(folder: folder, reserve: ByteCount(Int64(0)), now: { HubHousehold.start })
    }

    /// The rights of a file, as `chmod` has them.
    private func mode(_ path: String) throws -> UInt32 {
        var facts = stat()
        try #require(lstat(path, &facts) == 0, "\(path)")
        return facts.st_mode & 0o777
    }

    @Test func `a hub that people use meanwhile comes back as it was at one moment`() async throws {
        let house = try HubHousehold()
        var sounds: [String: [UInt8]] = [:]
        for number in 0..<20 {
            let sound = Array("sound \(number) ".utf8) + [UInt8](repeating: UInt8(number), count: number * 1000)
            sounds[try await house.publish(sound, title: "clip \(number)")] = sound
        }
        let accounts = house.library.accounts()
        let link = try await accounts.ownerLink()
        let session = try await accounts.signIn(byOwnerLink: link.token, agent: "a browser")
        let key = [UInt8](0..<32)
        #expect(FileManager.default.createFile(atPath: house.folder.path("hub/key"), contents: Data(key)))

        // When the first piece is written, before any clip, one is removed and another published.
        let target = house.folder.path("hub.tar")
        let removed = try #require(sounds.keys.max())
        let (reached, signal) = AsyncStream<Void>.makeStream()
        let goOn = DispatchSemaphore(value: 0)
        let isFirst = Atomic(true)
        async let written = backup(house).write(to: target) { _ in
            guard isFirst.exchange(false, ordering: .relaxed) else { return }
            signal.yield()
            goOn.wait()
        }
        for await _ in reached { break }
        try await house.library.remove(#require(HubID(removed)))
        let late = try await house.publish(title: "too late")
        goOn.signal()
        let report = try await written
        sounds[removed] = nil
        #expect(report.clips == 19 && report.removed == 1)
        #expect(report.missing.isEmpty && report.damaged.isEmpty)
        #expect(try mode(target) == 0o600)

        let folder = house.folder.path("elsewhere/hub")
        let restored = try await HubRestore(file: target, folder: folder).run()
        #expect(restored.clips == 19 && restored.program == "1.2.3")
        let library = try open(folder)
        for (text, sound) in sounds {
            let id = try #require(HubID(text))
            let clip = try #require(try await library.unfilteredClip(id))
            #expect(FileManager.default.contents(atPath: "\(folder)/media/\(text).mp3") == Data(sound))
            #expect(try clip == #require(try await house.library.unfilteredClip(id)))
        }
        #expect(try await library.unfilteredClip(#require(HubID(late))) == nil)
        #expect(try await library.seen(by: .visitor).clip(#require(HubID(removed))) == .gone)
        #expect(try await library.seen(by: .owner).posts(after: 0, limit: 100).count == 19)
        #expect(FileManager.default.contents(atPath: "\(folder)/key") == Data(key))
        for name in ["key", "hub.sqlite", "media/\(sounds.keys.first ?? "").mp3"] {
            #expect(try mode("\(folder)/\(name)") == 0o600)
        }
        #expect(try mode(folder) == 0o700)

        // Who was signed in still is, and the link that was used up stays so.
        let found = try await library.accounts().account(of: session.token)
        #expect(found?.id == session.account)
        await #expect(throws: AccountError.deadLink) {
            try await library.accounts().signIn(byOwnerLink: link.token, agent: "")
        }
        let check = try await LibraryCheck(folder: folder).run(readsClips: true)
        var sound = LibraryCheck.Report()
        sound.clips = 19
        sound.bytes = Int64(sounds.values.reduce(0) { $0 + $1.count })
        #expect(check == sound)
        #expect(try house.folder.names().filter { $0.hasPrefix(".") }.isEmpty)
    }

    @Test func `any number of backups beside publishers are each whole`() async throws {
        let house = try HubHousehold()
        let folder = house.folder
        try await withThrowingTaskGroup(of: Void.self) { group in
            for publisher in 0..<4 {
                group.addTask {
                    for number in 0..<15 {
                        let id = try await house.publish(Array("clip \(publisher) \(number)".utf8))
                        guard number % 3 == 0, let id = HubID(id) else { continue }
                        try await house.library.remove(id)
                    }
                }
            }
            for number in 0..<6 {
                let report = try await backup(house).write(to: folder.path("\(number).tar"))
                #expect(report.missing.isEmpty && report.damaged.isEmpty)
                let goal = folder.path("restored-\(number)/hub")
                let restored = try await HubRestore(file: folder.path("\(number).tar"), folder: goal).run()
                #expect(restored.clips == report.clips)
                let check = try await LibraryCheck(folder: goal).run(readsClips: true)
                #expect(check.clips == report.clips && check.complaints.isEmpty)
                #expect(check.missing.isEmpty && check.damaged.isEmpty)
            }
            try await group.waitForAll()
        }
    }

    @Test func `tar reads a backup, and its manifest is true`() async throws {
        let house = try HubHousehold()
        let id = try await house.publish(Array("some sound".utf8))
        let target = house.folder.path("hub.tar")
        _ = try await backup(house).write(to: target)
        let tar = ExternalProgram("tar")
        let listed = try tar.run(["-tf", target])
        #expect(listed.status == 0 && listed.errors.isEmpty, "\(listed.errors)")
        #expect(listed.text == "manifest.json\nmedia/\(id).mp3\nhub.sqlite")
        let unpacked = house.folder.path("unpacked")
        try FileManager.default.createDirectory(atPath: unpacked, withIntermediateDirectories: false)
        #expect(try tar.run(["-xf", target, "-C", unpacked]).status == 0)
        let script = """
            import hashlib, json, os, sqlite3
            manifest = json.load(open("manifest.json"))
            for member in manifest["members"]:
                data = open(member["name"], "rb").read()
                assert len(data) == member["bytes"]
                assert hashlib.sha256(data).hexdigest() == member["sha256"]
            database = sqlite3.connect("file:hub.sqlite?mode=ro", uri=True)
            print(manifest["v"], manifest["created"], manifest["program"], len(manifest["members"]),
                database.execute("PRAGMA journal_mode").fetchone()[0],
                database.execute("SELECT count(*) FROM clips").fetchone()[0])
            """
        let judged = try ExternalProgram("sh").run(["-c", "cd '\(unpacked)' && python3 -c '\(script)'"])
        #expect(judged.text == "1 2027-01-15T08:00:00Z 1.2.3 2 delete 1", "\(judged.errors)")
    }

    @Test(arguments: [0, 1, 511, 512, 0o77_777_777_777, 0o77_777_777_777 + 1, 1 << 50] as [Int64])
    func `the header of any size is what Python makes of it`(bytes: Int64) throws {
        let header = TapeHeader(name: "media/a.mp3", bytes: bytes, time: 1_800_000_000)
        #expect(TapeHeader(header.block) == header)
        let script = """
            import sys, tarfile
            info = tarfile.TarInfo.frombuf(sys.stdin.buffer.read(), "ascii", "strict")
            print(info.name, info.size, info.mtime, oct(info.mode), info.isreg())
            """
        let judged = try ExternalProgram("python3").run(["-c", script], input: header.block)
        #expect(judged.text == "media/a.mp3 \(bytes) 1800000000 0o600 True", "\(judged.errors)")
    }

    @Test func `a clip without its file is left out and told, a damaged one is told`() async throws {
        let house = try HubHousehold()
        let (whole, missing, damaged) = (
            try await house.publish(), try await house.publish(), try await house.publish()
        )
        try FileManager.default.removeItem(atPath: "\(house.mediaFolder)/\(missing).mp3")
        try Data("other sound".utf8).write(to: URL(filePath: "\(house.mediaFolder)/\(damaged).mp3"))
        let target = house.folder.path("hub.tar")
        let report = try await backup(house).write(to: target)
        #expect(report.clips == 2 && report.removed == 0)
        #expect(report.missing == [missing] && report.damaged == [damaged])
        let folder = house.folder.path("elsewhere/hub")
        _ = try await HubRestore(file: target, folder: folder).run()
        let reader = try open(folder).seen(by: .visitor)
        #expect(try await reader.clip(#require(HubID(missing))) == .gone)
        #expect(try await reader.clip(#require(HubID(whole))) != .gone)
        let check = try await LibraryCheck(folder: folder).run(readsClips: true)
        #expect(check.damaged == [damaged] && check.missing.isEmpty && check.complaints.isEmpty)
    }

    @Test func `an older backup stays until the new one is whole, and what is cancelled leaves nothing`() async throws {
        let house = try HubHousehold()
        for number in 0..<3 { try await house.publish(title: "\(number)") }
        let target = house.folder.path("hub.tar")
        try Data("older".utf8).write(to: URL(filePath: target))
        let before = try house.folder.names()
        let cancelled = Task { [backup = backup(house)] () throws(BackupError) in
            try await backup.write(to: target) { _ in withUnsafeCurrentTask { $0?.cancel() } }
        }
        await #expect(throws: BackupError.cancelled) { try await cancelled.value }
        #expect(try house.folder.names() == before)
        #expect(FileManager.default.contents(atPath: target) == Data("older".utf8))
        let report = try await backup(house).write(to: target)
        #expect(report.clips == 3)
        #expect(try house.folder.names() == before)

        let folder = house.folder.path("elsewhere/hub")
        let restoring = Task { () throws(BackupError) in
            try await HubRestore(file: target, folder: folder).run { _ in withUnsafeCurrentTask { $0?.cancel() } }
        }
        await #expect(throws: BackupError.cancelled) { try await restoring.value }
        #expect(try FileManager.default.contentsOfDirectory(atPath: house.folder.path("elsewhere")).isEmpty)
    }

    @Test func `a place where a backup cannot be is refused`() async throws {
        let house = try HubHousehold()
        let hub = house.folder.path("hub")
        try FileManager.default.createSymbolicLink(atPath: house.folder.path("link"), withDestinationPath: hub)
        let before = try house.folder.names()
        for target in ["hub/hub.sqlite", "hub/media/hub.tar", "link/hub.tar", "hub", "link", "nowhere/hub.tar"] {
            let error = await #expect(throws: BackupError.self) {
                try await backup(house).write(to: house.folder.path(target))
            }
            guard case .badTarget = error else {
                Issue.record("\(target): \(String(describing: error))")
                continue
            }
            #expect(error?.exitCode == .cannotCreateOutput)
        }
        let none = HubBackup(folder: house.folder.path("none"), program: "1")
        await #expect(throws: BackupError.noHub(path: house.folder.path("none"))) {
            try await none.write(to: house.folder.path("hub.tar"))
        }
        #expect(try house.folder.names() == before)
    }

    @Test func `what a killed backup has left is removed by the next, and what is at work is not`() async throws {
        let house = try HubHousehold()
        try await house.publish()
        let long = timespec(tv_sec: 1_000_000_000, tv_nsec: 0)
        for name in ["dead", "alive"] {
            let path = house.folder.path(".chirp-backup-\(name)")
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            try Data("copy".utf8).write(to: URL(filePath: "\(path)/hub.sqlite"))
            #expect(utimensat(AT_FDCWD, path, [long, long], 0) == 0)
        }
        let maker = Glibc.open(house.folder.path(".chirp-backup-alive"), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(maker) }
        #expect(flock(maker, LOCK_EX | LOCK_NB) == 0)
        _ = try await backup(house).write(to: house.folder.path("hub.tar"))
        #expect(try house.folder.names().filter { $0.hasPrefix(".") } == [".chirp-backup-alive"])
    }

    @Test func `a hub of an earlier release is restored in this one's form`() async throws {
        let folder = try TemporaryFolder()
        let (hub, id) = (folder.path("hub"), "aaaaaaaaaaaaaaaaaaaaaa")
        try FileManager.default.createDirectory(atPath: "\(hub)/media", withIntermediateDirectories: true)
        try Data([1, 2, 3]).write(to: URL(filePath: "\(hub)/media/\(id).mp3"))
        let script = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(sys.argv[2])"
        let made = try ExternalProgram("python3").run([
            "-c", script, "\(hub)/hub.sqlite", HubLibraryTests.earlierLibrary,
        ])
        #expect(made.status == 0, "\(made.errors)")
        #expect(try await LibraryCheck(folder: hub).run(readsClips: false).tables == .older)
        // A key of a wrong length is left out, since no hub could use it.
        try Data([1]).write(to: URL(filePath: "\(hub)/key"))
        let report = try await HubBackup(folder: hub, program: "1").write(to: folder.path("hub.tar"))
        #expect(report.clips == 1 && report.missing.isEmpty)
        #expect(try await LibraryCheck(folder: hub).run(readsClips: false).tables == .older)
        let goal = folder.path("elsewhere/hub")
        _ = try await HubRestore(file: folder.path("hub.tar"), folder: goal).run()
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: goal).sorted() == [
                "films", "hub.sqlite", "media", "pictures", "sold",
            ])
        let check = try await LibraryCheck(folder: goal).run(readsClips: false)
        #expect(check.tables == .current && check.clips == 1 && check.complaints.isEmpty)
        #expect(try await open(goal).unfilteredClip(#require(HubID(id)))?.title == "Rain")
    }

    @Test func `a damaged hub is not backed up as if it were sound`() async throws {
        let house = try HubHousehold()
        for number in 0..<40 { try await house.publish(title: "clip \(number)") }
        let (target, folder) = (house.folder.path("hub.tar"), house.folder.path("copy/hub"))
        _ = try await backup(house).write(to: target)
        _ = try await HubRestore(file: target, folder: folder).run()
        let path = "\(folder)/hub.sqlite"
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes.replaceSubrange(4096..<bytes.count, with: Data(repeating: 0xA5, count: bytes.count - 4096))
        try bytes.write(to: URL(filePath: path))
        let before = try house.folder.names()
        await #expect(throws: BackupError.damagedHub(path: path)) {
            try await HubBackup(folder: folder, program: "1").write(to: house.folder.path("damaged.tar"))
        }
        #expect(try house.folder.names() == before)
    }

    @Test func `a hub is restored only where none is`() async throws {
        let house = try HubHousehold()
        let id = try await house.publish()
        let (target, folder) = (house.folder.path("hub.tar"), house.folder.path("elsewhere/hub"))
        _ = try await backup(house).write(to: target)
        func restore(_ folder: String) async throws(BackupError) {
            _ = try await HubRestore(file: target, folder: folder).run()
        }
        let own = house.folder.path("hub")
        await #expect(throws: BackupError.occupied(path: own)) { try await restore(own) }
        await #expect(throws: BackupError.occupied(path: target)) { try await restore(target) }

        // Served, though there is nothing in it any more.
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let lock = try #require(try ServingLock(folder: folder))
        await #expect(throws: BackupError.served(path: folder)) { try await restore(folder) }
        lock.end()

        // What a killed restore has left is replaced; one that is at work is left alone.
        let staging = folder + ".restoring"
        try FileManager.default.createDirectory(atPath: "\(staging)/media/odd", withIntermediateDirectories: true)
        let other = Glibc.open(staging, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        #expect(flock(other, LOCK_EX | LOCK_NB) == 0)
        await #expect(throws: BackupError.restoring(path: folder)) { try await restore(folder) }
        close(other)
        try await restore(folder)
        #expect(try await open(folder).unfilteredClip(#require(HubID(id))) != nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: house.folder.path("elsewhere")) == ["hub"])

        // A link to a folder on another disk stays one.
        let (link, disk) = (house.folder.path("link"), house.folder.path("disk"))
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: disk)
        try await restore(link)
        #expect(try await open(disk).unfilteredClip(#require(HubID(id))) != nil)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == disk)
    }
}
