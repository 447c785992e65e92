import ChirpDatabase
import ChirpTestKit
import GRDB
import Testing

/// What services have cost, in a table that has a column more than these functions know.
@Suite struct SpendingTableTests {
    private let folder: TemporaryFolder
    private let queue: DatabaseQueue
    private let table = SpendingTable("costs")

    init() throws {
        folder = try TemporaryFolder()
        queue = try DatabaseFile(path: folder.path("d.sqlite"), label: "tests").queue()
        let step = SchemaStep(
            "tests-001",
            """
            CREATE TABLE costs (
                key TEXT PRIMARY KEY, network TEXT NOT NULL, month TEXT NOT NULL, amount INTEGER NOT NULL, note TEXT
            ) STRICT
            """)
        try DatabaseMigrator([step]).bringUpToDate(queue)
    }

    private func spend(_ key: String, _ month: String, _ amount: Int64, limit: Int64? = nil) throws -> Bool {
        try queue.write { try table.spend(key, on: "x", month: month, amount: amount, limit: limit, in: $0) }
    }

    private func spent(_ network: String = "x", _ month: String = "2026-11") throws -> Int64 {
        try queue.read { try table.spent(on: network, month: month, in: $0) }
    }

    private func read(_ items: [String], on network: String = "x", _ day: String) throws {
        try queue.write { try table.spendOnReading(items, price: 10, on: network, day: day, in: $0) }
    }

    @Test func `costs add up by month and network, each key once, and can be taken back`() throws {
        #expect(try spend("a", "2026-11", 200))
        #expect(try spend("a", "2026-11", 200))
        #expect(try spend("b", "2026-12", 300))
        #expect(try spent() == 200 && spent("x", "2026-12") == 300 && spent("y") == 0)
        for _ in 1...2 { try queue.write { try table.unspend("a", in: $0) } }
        #expect(try spent() == 0)
    }

    @Test func `the limit can be spent and no more, and what is written stays so`() throws {
        #expect(try spend("a", "2026-11", 60, limit: 100))
        #expect(try !spend("b", "2026-11", 41, limit: 100))
        #expect(try !spend("b", "2026-11", .max, limit: .max))
        #expect(try spend("b", "2026-11", 40, limit: 100))
        #expect(try spend("a", "2026-11", 60, limit: 1))
        #expect(try spend("c", "2026-12", 100, limit: 100))
        #expect(try spent() == 100)
    }

    @Test func `what is read counts once a day, and only the month's sum outlives the day`() throws {
        try read(["account-1", "account-2", "post-1"], "2026-11-21")
        try read(["account-2", "account-3"], "2026-11-21")
        func today(_ prefix: String) throws -> Int64 {
            try queue.read { try table.spentOnReading(prefix, on: "x", day: "2026-11-21", in: $0) }
        }
        #expect(try spent() == 40 && today("account-") == 30 && today("") == 40)
        try read(["account-1"], "2026-11-22")
        try read([], "2026-12-01")
        #expect(try spent() == 50 && today("") == 0)
        let keys = try queue.read { try String.fetchAll($0, sql: "SELECT key FROM costs") }
        #expect(keys == ["reading-x-2026-11"])
    }

    @Test func `a day that ends takes nothing with it but readings of its network`() throws {
        #expect(try spend("read-it", "2026-11", 7))
        try read(["post-1"], on: "x-y", "2026-11-21")
        try read([], "2026-11-22")
        let keys = try queue.read { try String.fetchAll($0, sql: "SELECT key FROM costs ORDER BY key") }
        #expect(keys == ["read-it", "read-x-y-2026-11-21-post-1"])
        #expect(try spent() == 7 && spent("x-y") == 10)
    }
}
