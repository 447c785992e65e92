import ChirpCommunity
import ChirpCore
import ChirpNetworks
import ChirpNumbers
import ChirpOwnHub
import ChirpStores
import ChirpTestKit
import Foundation
import HubHousehold
import Testing

/// The library itself: several processes, versions, folders that cannot be used.
@Suite struct HubLibraryTests {
    @Test func `two that open a new library at once both succeed`() async throws {
        for _ in 0..<5 {
            let folder = try TemporaryFolder()
            let opened = try await withThrowingTaskGroup(of: HubLibrary.self) { group in
                for _ in 0..<4 {
                    group.addTask { try await offPool { try HubLibrary(folder: folder.path("a/b/hub")) } }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(opened.count == 4)
            #expect(try await HubNetwork(library: opened[3]).followed().map(\.handle) == ["me"])
        }
    }

    @Test func `what one process publishes another sees at once`() async throws {
        let writer = try HubHousehold()
        let reader = try HubHousehold(sharing: writer)
        for round in 1...20 {
            let id = try await writer.publish(title: "clip \(round)")
            let clip = try #require(HubID(id))
            #expect(try await reader.library.seen(by: .visitor).clip(clip) != .nothing)
            #expect(try await reader.network.posts(by: [.init("me")], after: nil).posts.count == round)
        }
    }

    @Test func `processes that write at once lose nothing and do nothing twice`() async throws {
        let first = try HubHousehold()
        let second = try HubHousehold(sharing: first)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask {
                    let house = number.isMultiple(of: 2) ? first : second
                    let id = try await house.save(Array("clip \(number)".utf8))
                    // Each key is used from both sides.
                    try await house.post("post", link: "\(HubHousehold.publicURL)/c/\(id)", key: "key \(number / 2)")
                }
            }
            try await group.waitForAll()
        }
        let posts = try await first.network.posts(by: [.init("me")], after: nil).posts
        #expect(posts.count == 20)
        #expect(Set(posts.map(\.id)).count == 20)
        #expect(try first.mediaNames().count == 40)
    }

    @Test func `a library of a later release is left alone`() throws {
        let house = try HubHousehold()
        let sqlite = try ExternalProgram("python3").run([
            "-c",
            "import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); c.execute('PRAGMA user_version=999'); c.commit()",
            house.folder.path("hub/hub.sqlite"),
        ])
        #expect(sqlite.status == 0)
        let error = #expect(throws: LibraryError.self) { try HubLibrary(folder: house.folder.path("hub")) }
        #expect(error == .newerLibrary(path: house.folder.path("hub/hub.sqlite")))
        #expect(error?.exitCode == .badConfiguration)
    }

    /// The tables as releases before named steps made them, with what such a release had written.
    static let earlierLibrary = """
        CREATE TABLE accounts (
            id TEXT PRIMARY KEY, handle TEXT NOT NULL UNIQUE, name TEXT NOT NULL, created INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE clips (
            id TEXT PRIMARY KEY, title TEXT NOT NULL, fileName TEXT NOT NULL, contentType TEXT NOT NULL,
            bytes INTEGER NOT NULL, sha256 TEXT NOT NULL, seconds REAL, peaks BLOB, created INTEGER NOT NULL,
            expires INTEGER, shared INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE INDEX clipsByExpiry ON clips (expires) WHERE expires IS NOT NULL;
        CREATE TABLE posts (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, key TEXT NOT NULL,
            account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE, text TEXT NOT NULL, link TEXT NOT NULL,
            clip TEXT REFERENCES clips (id) ON DELETE CASCADE, created INTEGER NOT NULL, UNIQUE (account, key)
        ) STRICT;
        CREATE INDEX postsByClip ON posts (clip) WHERE clip IS NOT NULL;
        CREATE TABLE gone (id TEXT PRIMARY KEY, removed INTEGER NOT NULL) STRICT;
        INSERT INTO accounts VALUES ('me', 'me', 'Me', 1700000000000);
        INSERT INTO clips VALUES ('aaaaaaaaaaaaaaaaaaaaaa', 'Rain', 'rain.mp3', 'audio/mpeg', 3, 'abc', 1.5, x'00ff', \
        1700000000000, NULL, 1);
        INSERT INTO posts VALUES (7, 'p', 'k', 'me', 'Rain #Chirp', 'https://clips.example.org/c/aaaaaaaaaaaaaaaaaaaaaa', \
        'aaaaaaaaaaaaaaaaaaaaaa', 1700000000000);
        INSERT INTO gone VALUES ('bbbbbbbbbbbbbbbbbbbbbb', 1700000000000);
        PRAGMA user_version = 1;
        """

    private func sqlite(_ statements: String, _ path: String) throws -> String {
        let script = """
            import sqlite3, sys
            database = sqlite3.connect(sys.argv[1])
            database.executescript(sys.argv[2])
            print(database.execute("PRAGMA user_version").fetchone()[0])
            for (name,) in database.execute("SELECT name FROM sqlite_master ORDER BY name"):
                if not name.startswith("sqlite_") and name != "grdb_migrations": print(name)
            """
        let result = try ExternalProgram("python3").run(["-c", script, path, statements])
        #expect(result.status == 0, "\(result.errors)")
        return result.text
    }

    @Test func `a library of an earlier release is carried over unharmed`() async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("hub"), withIntermediateDirectories: true)
        let path = folder.path("hub/hub.sqlite")
        let before = try sqlite(Self.earlierLibrary, path)
        let kept = try #require(HubID("aaaaaaaaaaaaaaaaaaaaaa"))
        let removed = try #require(HubID("bbbbbbbbbbbbbbbbbbbbbb"))
        for round in 1...3 {
            let library = try HubLibrary(folder: folder.path("hub"), reserve: ByteCount(Int64(0)))
            let network = HubNetwork(library: library, publicURL: HubHousehold.publicURL)
            let clip = try #require(try await library.unfilteredClip(kept))
            #expect(clip.title == "Rain" && clip.shared && clip.sound == HubSound(seconds: 1.5, peaks: [0, 255]))
            #expect(try await library.seen(by: .visitor).clip(removed) == .gone)
            let posts = try await network.posts(by: [.init("me")], after: nil).posts
            #expect(posts.map(\.text) == ["Rain #Chirp"] + (1..<round).map { "round \($0)" })
            _ = try await network.publish(Draft(key: Draft.Key("\(round)"), text: "round \(round)", link: ""))
            #expect(try await library.seen(by: .owner).lastSequence() == Int64(7 + round))
        }
        // What it had is there, and a new library has the same tables and indices.
        let after = try sqlite("", path)
        #expect(Set(after.split(separator: "\n")).isSuperset(of: before.split(separator: "\n")))
        _ = try HubLibrary(folder: folder.path("new"))
        #expect(try sqlite("", folder.path("new/hub.sqlite")) == after)
    }

    @Test func `what is not shared yet is seen by the owner alone, and counts for nobody else`() async throws {
        let house = try HubHousehold()
        let saved = try await house.save(share: false)
        let id = try #require(HubID(saved))
        let link = "\(HubHousehold.publicURL)/c/\(id)"
        try await house.post("early \(link)", link: link)
        for number in 1...3 { try await house.post("words \(number)") }
        let (visitor, owner) = (house.library.seen(by: .visitor), house.library.seen(by: .owner))
        #expect(try await visitor.clip(id) == .nothing)
        #expect(try await visitor.post(about: id) == nil)
        #expect(try await visitor.posts(after: 0, limit: 2).map(\.sequence) == [2, 3])
        #expect(try await visitor.posts(before: .end, limit: 4).map(\.sequence) == [4, 3, 2])
        #expect(try await owner.posts(after: 0, limit: 2).map(\.sequence) == [1, 2])
        #expect(try await owner.post(about: id)?.clip?.id == id)
        _ = try await house.library.share(id)
        #expect(try await visitor.posts(after: 0, limit: 2).map(\.sequence) == [1, 2])
        #expect(try await visitor.clip(id) != .nothing)
    }

    @Test func `a page of one account's posts is full when hidden ones lie between`() async throws {
        let house = try HubHousehold()
        for number in 1...6 {
            let id = try await house.save(share: number.isMultiple(of: 2))
            try await house.post("post \(number)", link: "\(HubHousehold.publicURL)/c/\(id)")
        }
        let visitor = house.library.seen(by: .visitor)
        let owner = try #require(try await visitor.person(named: "ME")).id
        #expect(owner == house.library.owner.id)
        #expect(try await visitor.posts(.published(owner), limit: 2).map(\.sequence) == [6, 4])
        #expect(try await visitor.posts(before: 4, .published(owner), limit: 2).map(\.sequence) == [2])
        #expect(try await house.library.seen(by: .owner).posts(.by(owner), limit: 2).map(\.sequence) == [6, 5])
        #expect(try await visitor.person(named: "nobody") == nil)
    }

    @Test func `a file where the folder should be is explained`() throws {
        let folder = try TemporaryFolder()
        try Data().write(to: URL(filePath: folder.path("hub")))
        let error = #expect(throws: LibraryError.self) { try HubLibrary(folder: folder.path("hub")) }
        #expect(error?.exitCode == .cannotCreateOutput)
        #expect(error?.whatHappened.contains(folder.path("hub")) == true)
    }

    @Test func `a database that is none is explained`() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("hub"), withIntermediateDirectories: true)
        try Data(repeating: 65, count: 5000).write(to: URL(filePath: folder.path("hub/hub.sqlite")))
        let error = #expect(throws: LibraryError.self) { try HubLibrary(folder: folder.path("hub")) }
        #expect(error?.exitCode == .cannotCreateOutput)
    }
}
