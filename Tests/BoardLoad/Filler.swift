import ChirpAccounts
import ChirpCommunity
import ChirpListings
import ChirpPlaces
import Foundation
import GRDB

/// Writes accounts, listings and marks.
struct Filler: Sendable {
    let library: HubLibrary
    let towns: Towns
    let vocabulary: Vocabulary
    let options: Options

    var pairs: PairFiller { PairFiller(library: library, towns: towns, options: options) }

    /// Few large transactions: the index of words makes a new part of itself for each.
    private static let batch = 50_000

    @Sendable func addAccounts() async throws -> Int {
        // Votes of accounts that are older than a day count.
        let created = Int64((library.now().timeIntervalSince1970 - 120 * 86_400) * 1000)
        for start in stride(from: 0, to: options.accounts, by: Self.batch) {
            let end = min(options.accounts, start + Self.batch)
            try await library.transact { database in
                for number in start..<end {
                    try database.cachedStatement(
                        sql: """
                            INSERT INTO accounts (id, handle, skeleton, name, role, state, created)
                            VALUES (?, ?, ?, ?, 'member', 'active', ?) ON CONFLICT DO NOTHING
                            """
                    ).execute(
                        arguments: ["load\(number)", "load\(number)", "load\(number)", "Person \(number)", created])
                }
            }
        }
        return options.accounts
    }

    @Sendable func addListings() async throws -> Int {
        let store = ListingStore(library: library)
        for start in stride(from: 0, to: options.items, by: Self.batch) {
            let end = min(options.items, start + Self.batch)
            // Each batch has its own numbers, so that one can be made again.
            var generator = SplitMix(seed: options.seed &* 1_000_003 &+ UInt64(start))
            let drafts = (start..<end).map { number in
                let isAlone = options.pairs > 0 && number.isMultiple(of: 2)
                return (number, isAlone ? pairs.alone(using: &generator) : draft(using: &generator))
            }
            try await library.transact { database in
                for (number, draft) in drafts {
                    try store.create(
                        draft, by: AccountID(rawValue: "load\(number % options.accounts)"), key: "load:\(number)",
                        in: database)
                }
            }
            if start % 50_000 == 0 { FileHandle.standardError.write(Data("\(end) listings\n".utf8)) }
        }
        return options.items
    }

    private func draft(using generator: inout SplitMix) -> ListingDraft {
        let (category, title, text) = vocabulary.listing(using: &generator)
        let town = towns.any(using: &generator)
        var draft = ListingDraft(
            side: Bool.random(using: &generator) ? .lost : .found,
            category: Listing.Category(rawValue: category) ?? .other,
            title: title)
        draft.text = text
        // Within some 4 km of the town's middle.
        draft.point = GeoPoint(
            latitude: max(-90, min(90, town.point.latitude + .random(in: -0.04...0.04, using: &generator))),
            longitude: town.point.longitude + .random(in: -0.04...0.04, using: &generator))
        draft.precision = PositionPrecision.allCases.randomElement(using: &generator) ?? .near
        draft.town = town.point
        draft.placeName = "\(town.name), \(town.country)"
        return draft
    }

    /// What was listed waits for a look for matches and alerts, which would go on for hours behind a measurement.
    @Sendable func forgetWork() async throws -> Int {
        try await library.transact { database in
            try database.execute(sql: "DELETE FROM listingWork")
        }
        return 0
    }

    /// As many for each account, since marks lie together by who has put them. What is kept of each item's marks is made from all of them in
    /// the end.
    @Sendable func addMarks() async throws -> Int {
        let (first, last) = try await library.reading { database in
            (
                try Int64.fetchOne(database, sql: "SELECT min(sequence) FROM items") ?? 0,
                try Int64.fetchOne(database, sql: "SELECT max(sequence) FROM items") ?? 0
            )
        }
        guard last > 0, options.marks > 0 else { return 0 }
        let (each, rest) = options.marks.quotientAndRemainder(dividingBy: options.accounts)
        let byItem = try await library.transact { database in
            let kept = try Row.fetchAll(
                database,
                sql: """
                    SELECT type, name, sql FROM sqlite_schema WHERE name IN ('itemMarksAdded', 'itemMarksByItem')
                    """)
            guard kept.count == 2 else { throw BrokenOff() }
            for one in kept { try database.execute(sql: "DROP \(one["type"] as String) \(one["name"] as String)") }
            return kept.map { $0["sql"] as String }
        }
        var generator = SplitMix(seed: options.seed &+ 77)
        for start in stride(from: 0, to: options.accounts, by: Self.batch) {
            let accounts = start..<min(options.accounts, start + Self.batch)
            let rows = accounts.flatMap { account in
                (0..<each + (account < rest ? 1 : 0)).map { number in
                    (
                        account, Int64.random(in: first...last, using: &generator), number,
                        Int.random(in: 0..<10, using: &generator)
                    )
                }
            }
            try await library.transact { database in
                let statement = try database.cachedStatement(
                    sql: "INSERT INTO itemMarks (account, kind, item, at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING")
                for (account, item, number, kind) in rows {
                    try statement.execute(arguments: [
                        "load\(account)", kind < 7 ? "view" : kind < 9 ? "save" : "up", item, Int64(number),
                    ])
                }
            }
        }
        try await library.transact { database in
            for sql in byItem { try database.execute(sql: sql) }
            try database.execute(
                sql: """
                    INSERT OR REPLACE INTO itemTallies (item, saves, views, watches, ups, downs)
                    SELECT item, SUM(kind = 'save'), SUM(kind = 'view'), SUM(kind = 'watch'), SUM(kind = 'up'), SUM(kind = 'down')
                    FROM itemMarks GROUP BY item ORDER BY item
                    """)
        }
        return options.marks
    }

    /// As many on each listing, each by somebody else.
    @Sendable func addComments() async throws -> Int {
        let items = try await library.reading {
            try Int64.fetchAll($0, sql: "SELECT sequence FROM items ORDER BY sequence")
        }
        guard !items.isEmpty else { return 0 }
        let created = Int64(library.now().timeIntervalSince1970 * 1000)
        var generator = SplitMix(seed: options.seed &+ 78)
        for start in stride(from: 0, to: options.comments, by: Self.batch) {
            let rows = (start..<min(options.comments, start + Self.batch)).map { number in
                (
                    number, Int.random(in: 0..<options.accounts, using: &generator),
                    vocabulary.listing(using: &generator).title
                )
            }
            try await library.transact { database in
                let statement = try database.cachedStatement(
                    sql: """
                        INSERT INTO comments (id, item, account, key, text, created) VALUES (?, ?, ?, ?, ?, ?)
                        ON CONFLICT DO NOTHING
                        """)
                for (number, account, text) in rows {
                    let item = items[Int(Int64(number) * Int64(items.count) / Int64(max(1, options.comments)))]
                    try statement.execute(arguments: [
                        HubID().text, item, "load\(account)", "load:\(number)", "I have seen it: \(text).", created,
                    ])
                }
            }
        }
        return options.comments
    }

    /// A loader may use more memory than a hub: what it writes lies all over the tables.
    ///
    /// The index of words is made from all listings at the end (sqlite.org/fts5.html, 6.10): SQLite writes what the index has gathered to its
    /// tables before each statement that could be taken back, and every listing is several.
    ///
    /// - Returns: what keeps the index in a hub, for ``index(by:)``.
    func prepare() async throws -> [String] {
        try await library.transact { database in
            try database.execute(sql: "PRAGMA cache_size = -1000000")
            _ = try Int.fetchOne(database, sql: "PRAGMA wal_autocheckpoint = 100000")
            guard options.items + options.rules + options.tracks > 0 else { return [] }
            let triggers = try Row.fetchAll(
                database,
                sql:
                    "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'items' AND name LIKE 'itemWords%'"
            )
            guard !triggers.isEmpty else { throw BrokenOff() }
            for trigger in triggers { try database.execute(sql: "DROP TRIGGER \(trigger["name"] as String)") }
            return triggers.map { $0["sql"] }
        }
    }

    /// Makes the index of words, and lets it be kept again.
    func index(by triggers: [String]) async throws -> Int {
        guard !triggers.isEmpty else { return 0 }
        try await library.transact { database in
            try Self.setHash(64 << 20, in: database)
            try database.execute(sql: "INSERT INTO itemWords (itemWords) VALUES ('rebuild')")
            // Its parts are made one: sixteen large ones would be merged by whoever writes a few words next, who waited for 14 seconds.
            try database.execute(sql: "INSERT INTO itemWords (itemWords) VALUES ('optimize')")
            // As it is for who writes one at a time.
            try Self.setHash(1 << 20, in: database)
            for trigger in triggers { try database.execute(sql: trigger) }
        }
        return 0
    }

    /// How many bytes of the index of words are gathered before they become a part of it, for which others are merged later: many for
    /// who writes a million (sqlite.org/fts5.html, 6.6).
    private static func setHash(_ bytes: Int, in database: Database) throws {
        try database.execute(sql: "INSERT INTO itemWords (itemWords, rank) VALUES ('hashsize', ?)", arguments: [bytes])
    }
}

/// A run before this one did not come to its end: what keeps its library right is not there.
struct BrokenOff: Error, CustomStringConvertible {
    let description = "this library was left half filled: begin with an empty folder"
}

/// The generator of Steele, Lea and Flood (OOPSLA 2014): the same numbers everywhere.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// The number of one of many, the more often the smaller it is.
    mutating func favourite(of count: Int) -> Int {
        let share = Double.random(in: 0..<1, using: &self)
        return Int(share * share * Double(count))
    }
}
