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

/// What is counted, how often it may be, and who is counted for it.
package struct RateBucket: Sendable {
    /// The name is written in the sources, so that nothing of a request gets into it.
    let what: StaticString
    let rule: RateRule
    let holder: LimitHolder

    package init(_ what: StaticString, _ rule: RateRule, by holder: LimitHolder) {
        (self.what, self.rule, self.holder) = (what, rule, holder)
    }

    /// What its digest is made of.
    var name: String { "\(what):\(holder.key)" }
}

/// The table of buckets in a database: `name`, `level`, `at`, and `full`, when it is full again and need not be kept.
struct BucketTable {
    let name: StaticString
    /// Multiplies what every rule allows.
    let scale: Double
    /// How a bucket is called on the disk.
    let kept: (String) -> String

    /// - Parameter table: its name.
    static func columns(of table: StaticString, index: StaticString) -> String {
        """
        CREATE TABLE \(table) (
            name  TEXT PRIMARY KEY,
            level REAL NOT NULL,
            at    INTEGER NOT NULL,
            -- When it is full again and need not be kept.
            full  INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX \(index) ON \(table) (full);
        """
    }

    /// Takes one of each bucket, or none of any.
    ///
    /// - Parameter now: in ms.
    /// - Returns: seconds until each has one; nil when they have.
    func consume(_ buckets: [RateBucket], at now: Int64, in database: Database) throws -> Int? {
        try database.cachedStatement(sql: "DELETE FROM \(name) WHERE full <= ?").execute(arguments: [now])
        let levels = try buckets.map { try level(of: $0, at: now, in: database) }
        let waits = zip(buckets, levels).filter { $1 < 1 }.map { bucket, level in
            max(1, Int(clamping: ((1 - level) / rate(bucket) / 1000).rounded(.up)))
        }
        if let longest = waits.max() { return longest }
        for (bucket, level) in zip(buckets, levels) { try write(bucket, level - 1, at: now, in: database) }
        return nil
    }

    /// Gives back what was taken.
    func restore(_ buckets: [RateBucket], at now: Int64, in database: Database) throws {
        for bucket in buckets {
            try write(
                bucket, min(most(bucket), level(of: bucket, at: now, in: database) + 1), at: now, in: database)
        }
    }

    /// Forgets the buckets that are full again. One of a time in which the clock was ahead counts from now on.
    func sweep(at now: Int64, in database: Database) throws {
        try database.cachedStatement(sql: "UPDATE \(name) SET full = ?1 + (full - at), at = ?1 WHERE at > ?1")
            .execute(arguments: [now])
        try database.cachedStatement(sql: "DELETE FROM \(name) WHERE full <= ?").execute(arguments: [now])
    }

    private func most(_ bucket: RateBucket) -> Double { bucket.rule.most * scale }

    /// How much a ms fills.
    private func rate(_ bucket: RateBucket) -> Double { most(bucket) / bucket.rule.seconds / 1000 }

    private func level(of bucket: RateBucket, at now: Int64, in database: Database) throws -> Double {
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT level, at FROM \(name) WHERE name = ?"),
            arguments: [kept(bucket.name)])
        guard let row else { return most(bucket) }
        let (before, at): (Double, Int64) = (row["level"], row["at"])
        // A clock that was set back fills nothing at once. From then on it counts as it is now: otherwise an hour in which it was years
        // ahead would close the bucket for years.
        let level = min(most(bucket), before + Double(max(0, now - at)) * rate(bucket))
        if at > now { try write(bucket, level, at: now, in: database) }
        return level
    }

    private func write(_ bucket: RateBucket, _ level: Double, at now: Int64, in database: Database) throws {
        let full = now + Int64(clamping: ((most(bucket) - level) / rate(bucket)).rounded(.up))
        try database.cachedStatement(
            sql: "INSERT OR REPLACE INTO \(name) (name, level, at, full) VALUES (?, ?, ?, ?)"
        ).execute(arguments: [kept(bucket.name), level, now, full])
    }
}
