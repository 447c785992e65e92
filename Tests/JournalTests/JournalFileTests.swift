import ChirpCore
import ChirpJournal
import ChirpTestKit
import Foundation
import GRDB
import Testing

@Suite struct JournalFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `a journal that is open elsewhere can be used too`() async throws {
        let one = try Journal(path: folder.path("j.sqlite"))
        let two = try Journal(path: folder.path("j.sqlite"))
        let record = PublicationRecord(
            id: "a", inputSHA256: "i", settingsSHA256: "s", inputName: "n", inputPath: "p", order: "{}",
            storeName: "memory", networkName: "none", created: Date(timeIntervalSince1970: 0))
        _ = try await one.insert(record, anew: false, now: record.created)
        #expect(try await two.publication("a") == record)
    }

    @Test func `a writer that does not let go is told apart from damage`() async throws {
        let path = folder.path("j.sqlite")
        let journal = try Journal(path: path, patience: .zero)
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let holder = try DatabaseQueue(path: path, configuration: configuration)
        try await holder.writeWithoutTransaction { database in
            try database.execute(sql: "BEGIN IMMEDIATE")
        }
        await #expect(throws: JournalError.locked(path: path)) { try await journal.delete("a") }
        try await holder.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        try await journal.delete("a")
    }

    @Test func `a file that is no database is damage, and says what to do`() throws {
        let path = folder.path("j.sqlite")
        try Data(repeating: 0x41, count: 8192).write(to: URL(filePath: path))
        let error = #expect(throws: JournalError.self) { _ = try Journal(path: path) }
        guard case .corrupt = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(error?.cure.description.contains("Move the file away") == true)
        #expect(error?.exitCode == .inputOutput)
    }

    @Test func `a journal of a newer version is left alone`() async throws {
        let path = folder.path("j.sqlite")
        _ = try Journal(path: path)
        let queue = try DatabaseQueue(path: path)
        try await queue.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('99 from the future')") }
        #expect(throws: JournalError.newerSchema(path: path)) { _ = try Journal(path: path) }
    }

    @Test func `a publication of a version without places is one of this machine's hub`() async throws {
        let path = folder.path("j.sqlite")
        let record = PublicationRecord(
            id: "a", inputSHA256: "i", settingsSHA256: "s", inputName: "n", inputPath: "p", order: "{}",
            storeName: "hub", networkName: "hub", created: Date(timeIntervalSince1970: 0))
        _ = try await Journal(path: path).insert(record, anew: false, now: record.created)
        // As it was before the last step.
        let queue = try DatabaseQueue(path: path)
        try await queue.write { database in
            try database.execute(sql: "ALTER TABLE publication DROP COLUMN networkPlace")
            try database.execute(sql: "DELETE FROM grdb_migrations WHERE identifier = '8 places of networks'")
        }
        try queue.close()
        #expect(try await Journal(path: path).publication("a") == record)
    }

    @Test func `a folder that cannot be made is an error`() throws {
        try Data().write(to: URL(filePath: folder.path("file")))
        let error = #expect(throws: JournalError.self) { _ = try Journal(path: folder.path("file/j.sqlite")) }
        #expect(error?.exitCode == .inputOutput)
    }

    @Test func `a lease has one holder, in this process too, until it ends`() throws {
        let one = try Journal(path: folder.path("j.sqlite"))
        let two = try Journal(path: folder.path("j.sqlite"))
        guard let lease = try one.lease("a") else {
            Issue.record("no lease")
            return
        }
        #expect(try taken(by: two, "a"))
        #expect(try taken(by: one, "a"))
        #expect(try !taken(by: two, "b"))
        lease.end()
        #expect(try !taken(by: two, "a"))
    }

    private func taken(by journal: Journal, _ id: String) throws -> Bool {
        guard let lease = try journal.lease(id) else { return true }
        lease.end()
        return false
    }

    /// A process that locks the whole lock file, as any holder locks its byte, is killed; the system lets go of its lock.
    @Test func `the lease dies with its process`() async throws {
        let journal = try Journal(path: folder.path("j.sqlite"))
        let script = """
            import fcntl, struct, sys, time
            file = open(sys.argv[1], "r+b")
            fcntl.fcntl(file, 37, struct.pack("hhqqi4x", 1, 0, 0, 0, 0))
            print("held", flush=True, file=open(sys.argv[2], "w"))
            time.sleep(600)
            """
        guard let first = try journal.lease("a") else {
            Issue.record("no lease")
            return
        }
        first.end()
        // Opening one for reading waits for the other side.
        let pipe = folder.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let process = try StartedProgram(["python3", "-c", script, folder.path("j.sqlite.locks"), pipe])
        let output = try await offPool { try FileHandle(forReadingFrom: URL(filePath: pipe)) }
        #expect(String(decoding: output.availableData, as: UTF8.self).hasPrefix("held"))
        #expect(try taken(by: journal, "a"))
        process.send(SIGKILL)
        process.wait()
        #expect(try !taken(by: journal, "a"))
    }

    /// A second connection of the process must not take the first one's locks away: another process that comes and goes would
    /// remove the write-ahead log under it.
    @Test func `two journals of one process and one of another see each other's rows`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("journal.sqlite")
        let first = try Journal(path: path)
        let second = try Journal(path: path)
        func detected(_ post: String) -> DetectedPlay {
            DetectedPlay(
                postID: post, part: 0, address: "{}", authorID: "1", handle: "a", authorName: "A", words: "",
                posted: Date())
        }
        _ = try await first.detect([detected("1")], on: "hub", cursor: nil, now: Date())
        let count =
            "import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute('SELECT count(*) FROM play').fetchone()[0])"
        #expect(try ExternalProgram("python3").run(["-c", count, path]).text == "1")
        _ = try await second.detect([detected("2")], on: "hub", cursor: nil, now: Date())
        _ = try await first.detect([detected("3")], on: "hub", cursor: nil, now: Date())
        #expect(try ExternalProgram("python3").run(["-c", count, path]).text == "3")
        #expect(try await second.openPlays().count == 3)
        try await first.check()
    }
}
