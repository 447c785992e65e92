import ChirpDatabase
import ChirpTestKit
import GRDB
import Synchronization
import Testing

@Suite struct ReaderThreadsTests {
    private let folder: TemporaryFolder
    private let pool: DatabasePool

    @TaskLocal private static var told = ""

    init() async throws {
        folder = try TemporaryFolder()
        pool = try DatabaseFile(path: folder.path("d.sqlite"), label: "tests").pool(readers: 3)
        try await pool.write {
            try $0.execute(sql: "CREATE TABLE one (id INTEGER PRIMARY KEY); INSERT INTO one VALUES (7)")
        }
    }

    @Test func `hundreds ask at once, others by the pool itself, and all are answered`() async throws {
        let threads = ReaderThreads(3, label: "tests")
        let counts = Counts()
        let sum = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<400 {
                group.addTask {
                    let ask: @Sendable (Database) throws -> Int = { database in
                        counts.begin()
                        defer { counts.end() }
                        return try Int.fetchOne(database, sql: "SELECT id FROM one") ?? 0
                    }
                    return number % 4 == 0 ? try await pool.read(ask) : try await threads.read(pool, ask)
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(sum == 400 * 7)
        #expect(counts.most <= 3)
    }

    @Test func `what a question throws, and what its task has, goes with it`() async throws {
        struct Fault: Error {}
        let threads = ReaderThreads(1, label: "tests")
        await #expect(throws: Fault.self) { try await threads.read(pool) { _ in throw Fault() } }
        try await Self.$told.withValue("by the task") {
            let told = try await threads.read(pool) { _ in Self.told }
            #expect(told == "by the task")
        }
        // The only thread is free again.
        #expect(try await threads.read(pool) { try Int.fetchOne($0, sql: "SELECT id FROM one") } == 7)
    }

    @Test func `a question of a task that was cancelled is not asked`() async throws {
        let threads = ReaderThreads(1, label: "tests")
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await threads.read(pool) { _ in 1 }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `a question that takes longer than its task lets it ends, and the reader answers others`() async throws {
        let threads = ReaderThreads(1, label: "tests")
        let count = """
            WITH RECURSIVE some (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM some WHERE n < ?) SELECT COUNT(*) FROM some
            """
        await ReadingLimit.$processorTime.withValue(50) {
            for _ in 0..<2 {
                let failure = await #expect(throws: DatabaseFailure.self) {
                    try await threads.read(pool) { try Int.fetchOne($0, sql: count, arguments: [Int.max]) }
                }
                #expect(failure?.kind == .busy)
            }
            await #expect(throws: DatabaseError.self) { try await threads.read(pool) { try $0.execute(sql: "no SQL") } }
        }
        let short = try await ReadingLimit.$processorTime.withValue(10_000) {
            try await threads.read(pool) { try Int.fetchOne($0, sql: count, arguments: [50_000]) }
        }
        #expect(short == 50_000)
        // Where nothing is said of time, none is counted.
        #expect(try await threads.read(pool) { try Int.fetchOne($0, sql: count, arguments: [50_000]) } == 50_000)
    }

    @Test func `a question sees nothing of what is written meanwhile, and writes nothing`() async throws {
        let threads = ReaderThreads(2, label: "tests")
        let (before, after) = try await threads.read(pool) { [pool] database in
            let before = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM one")
            try pool.writeWithoutTransaction { try $0.execute(sql: "INSERT INTO one VALUES (8)") }
            return (before, try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM one"))
        }
        #expect(before == 1 && after == 1)
        await #expect(throws: DatabaseError.self) {
            try await threads.read(pool) { try $0.execute(sql: "DELETE FROM one") }
        }
        #expect(try await threads.read(pool) { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM one") } == 2)
    }
}

/// How many do something at once.
private final class Counts: Sendable {
    private let counts = Mutex((now: 0, most: 0))
    var most: Int { counts.withLock(\.most) }

    func begin() {
        counts.withLock { counts in
            counts.now += 1
            counts.most = max(counts.most, counts.now)
        }
    }

    func end() { counts.withLock { $0.now -= 1 } }
}
