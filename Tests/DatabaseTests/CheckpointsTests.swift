import ChirpDatabase
import ChirpTestKit
import Foundation
import GRDB
import Testing

/// What was committed comes into the file without a commit that waits for it.
struct CheckpointsTests {
    private let folder: TemporaryFolder
    private let file: DatabaseFile

    init() throws {
        folder = try TemporaryFolder()
        file = DatabaseFile(path: folder.path("d.sqlite"), label: "tests", logged: 100_000)
    }

    /// How many rows the file has by itself, without its log.
    private func moved() throws -> Int {
        let copy = folder.path("copy.sqlite")
        try? FileManager.default.removeItem(atPath: copy)
        try FileManager.default.copyItem(atPath: file.path, toPath: copy)
        let queue = try DatabaseQueue(path: copy)
        return try queue.read { database in
            guard try database.tableExists("one") else { return 0 }
            return try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM one") ?? 0
        }
    }

    private func add(_ count: Int, to pool: DatabasePool) throws {
        for _ in 0..<count {
            try pool.write { try $0.execute(sql: "INSERT INTO one (text) VALUES (hex(randomblob(4000)))") }
        }
    }

    @Test func `commits leave it to others, and it is done beside a reader`() throws {
        let pool = try file.pool(readers: 2)
        try pool.write { try $0.execute(sql: "CREATE TABLE one (id INTEGER PRIMARY KEY, text TEXT)") }
        let checkpoints = Checkpoints(file)
        // Of more pages than SQLite leaves in the log by itself.
        try add(600, to: pool)
        #expect(try moved() == 0)
        try checkpoints.move()
        #expect(try moved() == 600)
        try pool.read { database in
            #expect(try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM one") == 600)
            try add(3, to: pool)
            try checkpoints.move()
            #expect(try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM one") == 600, "a reader sees what it saw")
        }
        try checkpoints.move()
        #expect(try moved() == 603)
        #expect(try pool.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM one") } == 603)
    }

    @Test func `what cannot be opened is said`() throws {
        let missing = DatabaseFile(path: folder.path("no/such.sqlite"), label: "tests")
        #expect(throws: DatabaseFailure.self) { try Checkpoints(missing).move() }
    }
}
