internal import ChirpDatabase
package import FoundationEssentials
internal import GRDB
internal import Synchronization

/// How much a hub is used: counts by the hour and the kind, with no person in them.
///
/// They are added up in memory and written once a minute, into a database of their own, so that reading a page writes nothing into
/// the hub's. A process that dies loses the last minute.
package final class UsageBook: Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case home = "visit.home"
        case clip = "visit.clip"
        case profile = "visit.profile"
        case otherPage = "visit.other"
        case play, publication
        case signUp = "signup"
    }

    /// What happened in one hour.
    package struct Hour: Sendable {
        /// When it began.
        package let start: Date
        package let counts: [Kind: Int]
        /// What pages have counted themselves.
        package let marks: [UsageMark: Int]
    }

    private static let steps = [
        SchemaStep(
            "usage-001",
            """
            CREATE TABLE usage (
                -- Hours since 1970 in UTC.
                hour  INTEGER NOT NULL,
                kind  TEXT NOT NULL,
                count INTEGER NOT NULL,
                PRIMARY KEY (hour, kind)
            ) STRICT, WITHOUT ROWID;
            -- Up to which post publications are counted.
            CREATE TABLE counted (name TEXT PRIMARY KEY, place INTEGER NOT NULL) STRICT, WITHOUT ROWID;
            """)
    ]
    private static let hour = 3600.0

    private let library: HubLibrary
    private let database: DatabaseQueue
    private let path: String
    /// Up to which post publications are counted; nil when this process has not looked.
    private let counted = Mutex<Int64?>(nil)
    private let waiting = Mutex<[Int64: [String: Int]]>([:])

    /// Opens it in the library's folder. Blocks for a moment.
    package init(_ library: HubLibrary) throws(LibraryError) {
        self.library = library
        path = "\(library.folder)/usage.sqlite"
        do throws(DatabaseFailure) {
            database = try DatabaseFile(path: path, label: "chirp.usage", durability: .eventual).queue()
            try DatabaseMigrator(Self.steps).bringUpToDate(database)
        } catch {
            throw LibraryError(error, path: path)
        }
    }

    private var thisHour: Int64 {
        let hours = library.now().timeIntervalSince1970 / Self.hour
        return hours.isFinite ? Int64(clamping: min(max(hours, 0), 1e12)) : 0
    }

    package func count(_ kind: Kind) { count(named: kind.rawValue) }

    /// Counts what a page has told.
    package func count(_ mark: UsageMark) { count(named: mark.rawValue) }

    private func count(named name: String) {
        let hour = thisHour
        waiting.withLock { $0[hour, default: [:]][name, default: 0] += 1 }
    }

    /// Writes what was counted. Posts are counted from the library, whichever process made them.
    package func write() async throws(LibraryError) {
        let last = try await library.seen(by: .visitor).lastSequence()
        try writeNow(last: last)
    }

    /// The same at the end, when the task may have been cancelled and nothing is asked any more. Blocks for a moment.
    package func writeNow(last: Int64? = nil) throws(LibraryError) {
        let found = waiting.withLock { waiting in
            defer { waiting = [:] }
            return waiting
        }
        guard !found.isEmpty || last != nil && last != counted.withLock({ $0 }) else { return }
        let hour = thisHour
        do {
            try database.write { database in
                for (hour, counts) in found {
                    for (name, count) in counts { try Self.add(count, name, hour, database) }
                }
                guard let last else { return }
                let before = try Int64.fetchOne(
                    database.cachedStatement(sql: "SELECT place FROM counted WHERE name = 'posts'"))
                // What was there before counting began is not of this hour.
                if let before, last > before {
                    try Self.add(Int(last - before), Kind.publication.rawValue, hour, database)
                }
                // Another process may have counted further already.
                if before.map({ last > $0 }) ?? true {
                    try database.cachedStatement(
                        sql: "INSERT OR REPLACE INTO counted (name, place) VALUES ('posts', ?)"
                    ).execute(arguments: [last])
                }
            }
            if let last { counted.withLock { $0 = last } }
        } catch {
            // It stays counted, for the next time.
            waiting.withLock { waiting in
                for (hour, counts) in found {
                    waiting[hour, default: [:]].merge(counts, uniquingKeysWith: +)
                }
            }
            throw LibraryError(DatabaseFailure(error), path: path)
        }
    }

    private static func add(_ count: Int, _ name: String, _ hour: Int64, _ database: Database) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO usage (hour, kind, count) VALUES (?, ?, ?)
                ON CONFLICT (hour, kind) DO UPDATE SET count = count + excluded.count
                """
        ).execute(arguments: [hour, name, count])
    }

    /// The hours in which anything happened, the newest first, as far as they are written.
    package func hours(limit: Int) async throws(LibraryError) -> [Hour] {
        do {
            return try await database.read { database in
                let rows = try Row.fetchAll(
                    database.cachedStatement(
                        sql: """
                            SELECT hour, kind, count FROM usage
                            WHERE hour IN (SELECT DISTINCT hour FROM usage ORDER BY hour DESC LIMIT ?)
                            """), arguments: [limit])
                var hours: [Int64: (counts: [Kind: Int], marks: [UsageMark: Int])] = [:]
                for row in rows {
                    let (hour, name): (Int64, String) = (row["hour"], row["kind"])
                    if let kind = Kind(rawValue: name) { hours[hour, default: ([:], [:])].counts[kind] = row["count"] }
                    if let mark = UsageMark(rawValue: name) {
                        hours[hour, default: ([:], [:])].marks[mark] = row["count"]
                    }
                }
                return hours.sorted { $0.key > $1.key }.map { hour in
                    Hour(
                        start: Date(timeIntervalSince1970: Double(hour.key) * Self.hour), counts: hour.value.counts,
                        marks: hour.value.marks)
                }
            }
        } catch {
            throw LibraryError(DatabaseFailure(error), path: path)
        }
    }
}

extension HubLibrary {
    /// How many posts and clips there are, and the bytes of these.
    package func totals() async throws(LibraryError) -> (posts: Int, clips: Int, bytes: Int) {
        try await read { database in
            let row = try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT (SELECT COUNT(*) FROM posts) AS posts, COUNT(*) AS clips, COALESCE(SUM(bytes), 0) AS bytes
                        FROM clips
                        """))
            return (row?["posts"] ?? 0, row?["clips"] ?? 0, row?["bytes"] ?? 0)
        }
    }
}
