import ChirpJournal
import ChirpTestKit
import Testing

@Suite struct SpendingTests {
    private let folder: TemporaryFolder
    private let journal: Journal

    init() throws {
        folder = try TemporaryFolder()
        journal = try Journal(path: folder.path("journal.sqlite"))
    }

    @Test func `costs add up by month and network, each key once`() async throws {
        #expect(try await journal.spend("a", on: "x", month: "2026-11", amount: 200, limit: nil))
        #expect(try await journal.spend("a", on: "x", month: "2026-11", amount: 200, limit: nil))
        #expect(try await journal.spend("b", on: "x", month: "2026-12", amount: 300, limit: nil))
        #expect(try await journal.spent(on: "x", month: "2026-11") == 200)
        #expect(try await journal.spent(on: "x", month: "2026-12") == 300)
        #expect(try await journal.spent(on: "y", month: "2026-11") == 0)
        try await journal.unspend("a")
        try await journal.unspend("a")
        #expect(try await journal.spent(on: "x", month: "2026-11") == 0)
    }

    @Test func `what is read is counted once a day, and forgotten with the day but for its sum`() async throws {
        func read(_ items: [String], _ day: String) async throws {
            try await journal.spendOnReading(items, price: 10, on: "x", day: day)
        }
        try await read(["account-1", "account-2", "post-1"], "2026-11-21")
        try await read(["account-2", "account-3"], "2026-11-21")
        #expect(try await journal.spent(on: "x", month: "2026-11") == 40)
        #expect(try await journal.spentOnReading("account-", on: "x", day: "2026-11-21") == 30)
        try await read(["account-1"], "2026-11-22")
        try await read([], "2026-11-23")
        #expect(try await journal.spent(on: "x", month: "2026-11") == 50)
        #expect(try await journal.spentOnReading("account-", on: "x", day: "2026-11-21") == 0)
        try await read(["account-1"], "2026-12-01")
        #expect(try await journal.spent(on: "x", month: "2026-11") == 50)
        #expect(try await journal.spent(on: "x", month: "2026-12") == 10)
        #expect(try await journal.spent(on: "y", month: "2026-11") == 0)
        // What was spent otherwise stays as it is.
        #expect(try await journal.spend("read-it", on: "x", month: "2026-12", amount: 7, limit: nil))
        try await read([], "2026-12-02")
        #expect(try await journal.spent(on: "x", month: "2026-12") == 17)
    }

    @Test func `a limit is reached and never passed, also by several at once`() async throws {
        let path = journal.path
        let written = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<10 {
                group.addTask {
                    try await Journal(path: path).spend(
                        "k\(number)", on: "x", month: "2026-11", amount: 200, limit: 1000)
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(written == 5)
        #expect(try await journal.spent(on: "x", month: "2026-11") == 1000)
    }
}
