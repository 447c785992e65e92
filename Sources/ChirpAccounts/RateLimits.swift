internal import ChirpDatabase
internal import Crypto
package import FoundationEssentials
internal import GRDB

/// How often something may be done: a bucket that holds some, and fills again evenly.
package struct RateRule: Hashable, Sendable {
    /// How many at once.
    package let most: Double
    /// The time in which an empty bucket is full again, in seconds.
    package let seconds: Double

    package init(_ most: Double, per seconds: Double) {
        precondition(most >= 1 && seconds > 0)
        self.most = most
        self.seconds = seconds
    }
}

/// Counts what is limited, in a database of its own, so that reading a page writes nothing into the hub's. A power cut may forget the
/// last moments, a restart forgets nothing.
package struct RateLimits: Sendable {
    private let database: DatabaseQueue
    private let scale: Double
    private let now: @Sendable () -> Date

    private static let steps = [
        SchemaStep(
            "limits-001",
            """
            CREATE TABLE buckets (
                name  TEXT PRIMARY KEY,
                level REAL NOT NULL,
                at    INTEGER NOT NULL,
                -- When it is full again and need not be kept.
                full  INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX bucketsByEnd ON buckets (full);
            """)
    ]

    /// - Parameters:
    ///   - path: of the database; made when there is none.
    ///   - scale: multiplies what every rule allows; for tests, and for hubs whose people are known.
    package init(
        path: String, scale: Double = 1, now: @escaping @Sendable () -> Date = { Date() }
    ) throws(AccountError) {
        precondition(scale > 0)
        do throws(DatabaseFailure) {
            database = try DatabaseFile(path: path, label: "chirp.limits", durability: .eventual).queue()
            try DatabaseMigrator(Self.steps).bringUpToDate(database)
            // What is removed is overwritten: the digest of a short name is as good as the name.
            do { try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA secure_delete = ON") } } catch {
                throw DatabaseFailure(error)
            }
        } catch {
            throw AccountError(error)
        }
        self.scale = scale
        self.now = now
    }

    /// Takes one of a bucket.
    ///
    /// - Parameters:
    ///   - name: what is counted and for whom, such as `signin:192.0.2.1`.
    /// - Throws: ``AccountError/tooOften(seconds:)`` when it is empty; then nothing is taken.
    package func take(_ name: String, _ rule: RateRule) async throws(AccountError) {
        if let seconds = try await missing(name, rule, taking: 1) { throw .tooOften(seconds: seconds) }
    }

    /// Whether there is one left, without taking it: for acts of which only failures count.
    ///
    /// - Throws: ``AccountError/tooOften(seconds:)``.
    package func look(_ name: String, _ rule: RateRule) async throws(AccountError) {
        if let seconds = try await missing(name, rule, taking: 0) { throw .tooOften(seconds: seconds) }
    }

    /// Forgets the buckets that are full again, also in the write-ahead log. Otherwise they would stay for as long as nothing is limited.
    package func sweep() async throws(AccountError) {
        let now = Accounts.milliseconds(now())
        do {
            try await database.write { database in
                // A bucket of a time in which the clock was ahead counts from now on, see `missing`.
                try database.cachedStatement(sql: "UPDATE buckets SET full = ?1 + (full - at), at = ?1 WHERE at > ?1")
                    .execute(arguments: [now])
                try database.cachedStatement(sql: "DELETE FROM buckets WHERE full <= ?").execute(arguments: [now])
            }
            // One that cannot be had now, because somebody reads, is had the next time.
            _ = try await database.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        } catch {
            throw AccountError(DatabaseFailure(error))
        }
    }

    /// How a bucket is called on the disk. People type mail addresses where a name is asked for, and sometimes a password.
    private static func kept(_ name: String) -> String {
        Data(SHA256.hash(data: Data(name.utf8))).base64EncodedString()
    }

    /// Seconds until there is one; nil when there is one now.
    private func missing(_ name: String, _ rule: RateRule, taking: Double) async throws(AccountError) -> Int? {
        let most = rule.most * scale
        let perMillisecond = most / rule.seconds / 1000
        let now = Accounts.milliseconds(now())
        let name = Self.kept(name)
        do {
            return try await database.write { database in
                try database.cachedStatement(sql: "DELETE FROM buckets WHERE full <= ?").execute(arguments: [now])
                let row = try Row.fetchOne(
                    database.cachedStatement(sql: "SELECT level, at FROM buckets WHERE name = ?"), arguments: [name])
                var level = most
                if let row {
                    let (before, at): (Double, Int64) = (row["level"], row["at"])
                    // A clock that was set back fills nothing at once. From then on it counts as it is now: otherwise an hour in which it
                    // was years ahead would close the bucket for years.
                    level = min(most, before + Double(max(0, now - at)) * perMillisecond)
                    if at > now { try Self.write(name, level, now, most, perMillisecond, in: database) }
                }
                guard level >= 1 else {
                    return max(1, Int(clamping: ((1 - level) / perMillisecond / 1000).rounded(.up)))
                }
                guard taking > 0 else { return nil }
                level -= taking
                try Self.write(name, level, now, most, perMillisecond, in: database)
                return nil
            }
        } catch {
            throw AccountError(DatabaseFailure(error))
        }
    }

    private static func write(
        _ name: String, _ level: Double, _ now: Int64, _ most: Double, _ perMillisecond: Double,
        in database: Database
    ) throws {
        let full = now + Int64(clamping: ((most - level) / perMillisecond).rounded(.up))
        try database.cachedStatement(sql: "INSERT OR REPLACE INTO buckets (name, level, at, full) VALUES (?, ?, ?, ?)")
            .execute(arguments: [name, level, now, full])
    }
}
