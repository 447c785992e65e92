import ChirpCommunity
import Foundation
import GRDB

/// Writes votes as rows, as many of each account, since votes lie together by who gives them. What follows from them, tallies, sums and ranks,
/// is made by the hub's own code in the end. A few entries are voted on a lot, most of them seldom.
struct VoteFiller: Sendable {
    let library: HubLibrary
    let clock: MovedClock
    let options: Options

    /// Votes on a board.
    struct Wish: Sendable {
        let board: String
        let count: Int
        /// People like, or say nothing.
        let isOfLikes: Bool
    }

    private static let batch = 500_000
    /// Each of so many blocks of addresses votes like any other.
    private static let blocks = 20_000
    /// What keeps tallies, sums and an index while votes come one by one.
    private static let kept = ["itemMarksAdded", "votesCome", "itemMarksByItem"]

    func add(_ wishes: [Wish]) async throws -> Int {
        let wishes = wishes.filter { $0.count > 0 }
        guard !wishes.isEmpty else { return 0 }
        let makers = try await library.transact { database in
            let rows = try Row.fetchAll(
                database,
                sql: "SELECT type, name, sql FROM sqlite_schema WHERE name IN (SELECT value FROM json_each(?))",
                arguments: ["[\(Self.kept.map { "\"\($0)\"" }.joined(separator: ","))]"])
            guard rows.count == Self.kept.count else { throw BrokenOff() }
            for one in rows { try database.execute(sql: "DROP \(one["type"] as String) \(one["name"] as String)") }
            return rows.map { $0["sql"] as String }
        }
        for wish in wishes { try await add(wish) }
        try await library.transact { database in
            for sql in makers { try database.execute(sql: sql) }
            try database.execute(
                sql: """
                    INSERT INTO itemTallies (item, saves, views, watches, ups, downs)
                    SELECT item, 0, 0, 0, SUM(kind = 'up'), SUM(kind = 'down') FROM itemMarks
                    WHERE kind IN ('up', 'down') GROUP BY item ORDER BY item
                    ON CONFLICT (item) DO UPDATE SET ups = excluded.ups, downs = excluded.downs
                    """)
            try Votes.recount(in: database)
        }
        return try await library.reading {
            try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM itemMarks WHERE kind IN ('up', 'down')") ?? 0
        }
    }

    private func add(_ wish: Wish) async throws {
        let items = try await library.reading { database in
            try Int64.fetchAll(
                database, sql: "SELECT sequence FROM items WHERE board = ? ORDER BY sequence", arguments: [wish.board])
        }
        guard !items.isEmpty else { return }
        let now = Int64(clock.now.timeIntervalSince1970 * 1000)
        let (each, rest) = wish.count.quotientAndRemainder(dividingBy: options.accounts)
        let step = max(1, Self.batch / max(1, each))
        for start in stride(from: 0, to: options.accounts, by: step) {
            let accounts = start..<min(options.accounts, start + step)
            try await library.transact { database in
                var generator = SplitMix(seed: options.seed &* 4_000_037 &+ UInt64(start))
                let statement = try database.cachedStatement(
                    sql: """
                        INSERT INTO itemMarks (account, kind, item, at, counted, block) VALUES (?, ?, ?, ?, 1, ?)
                        ON CONFLICT DO NOTHING
                        """)
                for account in accounts {
                    let name = "load\(account)"
                    for index in Self.chosen(each + (account < rest ? 1 : 0), of: items.count, using: &generator) {
                        let isUp = wish.isOfLikes || Self.isUp(index, using: &generator)
                        try statement.execute(arguments: [
                            name, isUp ? "up" : "down", items[index], now - Int64(account % 1000),
                            Int64(index) &* 1_000_003 &+ Int64(account % Self.blocks) &+ 1,
                        ])
                    }
                }
            }
            FileHandle.standardError.write(Data("\(wish.board): votes of \(accounts.upperBound) accounts\n".utf8))
        }
    }

    /// Places among all, each once; the more often the smaller.
    private static func chosen(_ wanted: Int, of count: Int, using generator: inout SplitMix) -> [Int] {
        var chosen: Set<Int> = []
        while chosen.count < min(wanted, count) {
            let one = generator.favourite(of: count)
            // Where few are left any will do.
            chosen.insert(chosen.contains(one) ? Int.random(in: 0..<count, using: &generator) : one)
        }
        return chosen.sorted()
    }

    /// Each is as good as its number says, so that they stand in some order.
    private static func isUp(_ index: Int, using generator: inout SplitMix) -> Bool {
        let quality = 0.2 + 0.75 * Double((UInt64(index) &* 0x9E37_79B9_7F4A_7C15) >> 40) / Double(1 << 24)
        return Double.random(in: 0..<1, using: &generator) < quality
    }
}
