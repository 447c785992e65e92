internal import ChirpDatabase
internal import Crypto
package import FoundationEssentials
internal import GRDB

/// Counts what is limited, in a database of its own, so that reading a page writes nothing into the hub's. A power cut may forget the
/// last moments, a restart forgets nothing.
package struct RateLimits: Sendable {
    private let database: DatabaseQueue
    /// Multiplies what every rule allows.
    package let scale: Double
    private let now: @Sendable () -> Date

    private static let steps = [
        SchemaStep("limits-001", BucketTable.columns(of: "buckets", index: "bucketsByEnd"))
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
    ///   - what: is counted, such as `signup`; written in the sources.
    ///   - holder: who is counted for it.
    /// - Throws: ``AccountError/tooOften(seconds:)`` when it is empty; then nothing is taken.
    package func consume(_ what: StaticString, _ rule: RateRule, by holder: LimitHolder) async throws(AccountError) {
        try await consume([RateBucket(what, rule, by: holder)])
    }

    /// Takes one of each bucket, or none of any.
    ///
    /// - Throws: ``AccountError/tooOften(seconds:)`` when one is empty.
    package func consume(_ buckets: [RateBucket]) async throws(AccountError) {
        let seconds = try await write { try $0.consume(buckets, at: $1, in: $2) }
        if let seconds { throw .tooOften(seconds: seconds) }
    }

    /// Gives back what was taken before an act of which only failures count. They are taken before, since otherwise all that are tried
    /// at once would find the bucket as it was before the first.
    package func restore(_ buckets: [RateBucket]) async throws(AccountError) {
        try await write { try $0.restore(buckets, at: $1, in: $2) }
    }

    /// Forgets the buckets that are full again, also in the write-ahead log. Otherwise they would stay for as long as nothing is limited.
    package func sweep() async throws(AccountError) {
        try await write { try $0.sweep(at: $1, in: $2) }
        // One that cannot be had now, because somebody reads, is had the next time.
        do { _ = try await database.writeWithoutTransaction { try $0.checkpoint(.truncate) } } catch {
            throw AccountError(DatabaseFailure(error))
        }
    }

    private func write<Done: Sendable>(
        _ body: @Sendable (BucketTable, _ now: Int64, Database) throws -> Done
    ) async throws(AccountError) -> Done {
        let (now, scale) = (Accounts.milliseconds(now()), scale)
        do {
            return try await database.write { database in
                // People type mail addresses where a name is asked for, and sometimes a password.
                let table = BucketTable(name: "buckets", scale: scale) { name in
                    Data(SHA256.hash(data: Data(name.utf8))).base64EncodedString()
                }
                return try body(table, now, database)
            }
        } catch {
            throw AccountError(DatabaseFailure(error))
        }
    }
}
