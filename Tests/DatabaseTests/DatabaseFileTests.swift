import ChirpDatabase
import ChirpTestKit
import Foundation
import GRDB
import Testing

/// Opening, bringing up to date, and what failures are called.
@Suite struct DatabaseFileTests {
    private let folder: TemporaryFolder
    private let file: DatabaseFile

    init() throws {
        folder = try TemporaryFolder()
        file = DatabaseFile(path: folder.path("d.sqlite"), label: "tests", patience: .zero)
    }

    /// What a power cut must not take away is written through (sqlite.org/pragma.html, "synchronous": 2 is FULL).
    @Test func `every commit is written through to the disk`() throws {
        let query = "PRAGMA synchronous"
        let queue = try file.queue().writeWithoutTransaction { try Int.fetchOne($0, sql: query) }
        let pool = try file.pool(readers: 2).writeWithoutTransaction { try Int.fetchOne($0, sql: query) }
        #expect(queue == 2 && pool == 2)
    }

    @Test func `its files are the owner's alone`() throws {
        let queue = try file.queue()
        try queue.write { try $0.execute(sql: "CREATE TABLE one (id INTEGER PRIMARY KEY)") }
        for name in try folder.names() {
            let facts = try FileManager.default.attributesOfItem(atPath: folder.path(name))
            #expect(facts[.posixPermissions] as? Int == 0o600, "\(name)")
        }
    }

    @Test func `steps are taken once each, in order, by releases that know ever more of them`() throws {
        let steps = [
            SchemaStep("tests-001", "CREATE TABLE one (id INTEGER PRIMARY KEY) STRICT"),
            SchemaStep("tests-002", "ALTER TABLE one ADD COLUMN name TEXT; INSERT INTO one (name) VALUES ('a')"),
            SchemaStep("tests-003", "INSERT INTO one (name) SELECT name || 'b' FROM one"),
        ]
        for known in 1...3 {
            let queue = try file.queue()
            try DatabaseMigrator(Array(steps.prefix(known))).bringUpToDate(queue)
        }
        let queue = try file.queue()
        try DatabaseMigrator(steps).bringUpToDate(queue)
        #expect(try queue.read { try String.fetchAll($0, sql: "SELECT name FROM one ORDER BY id") } == ["a", "ab"])
        let older = DatabaseMigrator(Array(steps.prefix(2)))
        let failure = #expect(throws: DatabaseFailure.self) { try older.bringUpToDate(queue) }
        #expect(failure?.kind == .superseded)
        // A step that is left to others makes no library newer, and is not taken.
        try older.bringUpToDate(queue, leaving: ["tests-003", "tests-004"])
        #expect(try queue.read { try older.appliedIdentifiers($0) } == ["tests-001", "tests-002", "tests-003"])
    }

    @Test func `a step is taken without looking through the rows that were there`() throws {
        let queue = try file.queue()
        let first = SchemaStep(
            "tests-001", "CREATE TABLE one (id INTEGER PRIMARY KEY, above INTEGER REFERENCES one) STRICT")
        try DatabaseMigrator([first]).bringUpToDate(queue)
        // A row that refers to nothing, as a damaged file may have it: the check for it would go through all rows.
        try queue.inDatabase {
            try $0.execute(sql: "PRAGMA foreign_keys = OFF; INSERT INTO one VALUES (1, 7); PRAGMA foreign_keys = ON")
        }
        let second = SchemaStep("tests-002", "ALTER TABLE one ADD COLUMN name TEXT")
        try DatabaseMigrator([first, second]).bringUpToDate(queue)
        #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM one WHERE name IS NULL") } == 1)
        #expect(throws: DatabaseError.self) {
            try queue.write { try $0.execute(sql: "INSERT INTO one (above) VALUES (8)") }
        }
    }

    @Test func `a step that fails leaves nothing of itself`() throws {
        let queue = try file.queue()
        let steps = [SchemaStep("tests-001", "CREATE TABLE one (id INTEGER PRIMARY KEY) STRICT; SELECT * FROM nothing")]
        #expect(throws: DatabaseFailure.self) { try DatabaseMigrator(steps).bringUpToDate(queue) }
        #expect(try queue.read { try !$0.tableExists("one") })
    }

    @Test func `failures are told apart`() throws {
        func failure(of path: String) -> DatabaseFailure? {
            #expect(throws: DatabaseFailure.self) { try DatabaseFile(path: path, label: "tests").queue() }
        }
        #expect(failure(of: folder.path("none/d.sqlite"))?.kind == .cannotOpen)
        try Data(repeating: 0x41, count: 8192).write(to: URL(filePath: folder.path("text")))
        #expect(failure(of: folder.path("text"))?.kind == .notADatabase)

        let (one, two) = (try file.queue(), try file.queue())
        try one.inDatabase { database in
            try database.beginTransaction(.immediate)
            do {
                try two.write { try $0.execute(sql: "CREATE TABLE one (id INTEGER PRIMARY KEY)") }
                Issue.record("two have written at once")
            } catch {
                #expect(DatabaseFailure(error).kind == .busy)
            }
            try database.rollback()
        }
        #expect(throws: DatabaseError.self) {
            try file.reader().write { try $0.execute(sql: "CREATE TABLE two (id INTEGER PRIMARY KEY)") }
        }
        #expect(DatabaseFailure(CancellationError()).kind == .cancelled)
    }
}
