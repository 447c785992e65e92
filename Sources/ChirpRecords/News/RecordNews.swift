internal import ChirpAccounts
package import ChirpCommunity
package import FoundationEssentials
internal import GRDB

/// Tells people of broken records and of events that begin (OU-6, OU-12). Whoever watches a challenge, holds the record, or held it before is
/// told once for each cause.
package struct RecordNews: Sendable {
    private let library: HubLibrary

    package init(library: HubLibrary) { self.library = library }

    /// So many are told in one transaction, so that others get their turn.
    private static let toldAtOnce = 200
    /// In ms: of what has begun longer ago nobody is told.
    private static let patience: Int64 = 86_400_000

    /// Tells all that is still to be told. May be repeated, also while another process does.
    ///
    /// - Returns: how many people were told of something.
    @discardableResult
    package func tell(at now: Date) async throws -> Int {
        let instant = Accounts.milliseconds(now)
        try await library.transact { try Self.findEvents(at: instant, in: $0) }
        var all = 0
        while let many = try await library.transact({ try Self.tellSome(at: instant, in: $0) }) { all += many }
        return all
    }

    /// An attempt that was verified has taken a record from somebody.
    ///
    /// - Parameters:
    ///   - before: what was held, and is not as it was (``HoldTable/follow(_:at:_:in:)``).
    ///   - after: what is held now.
    static func hear(
        of attempt: Int64, at rule: Int64, before: Set<Hold>, after: Set<Hold>, at now: Int64, in database: Database
    ) throws {
        let taken = after.filter { $0.attempt == attempt && $0.until == nil }.map(\.area)
        let isTaken = before.contains { $0.attempt != attempt && $0.until == nil && taken.contains($0.area) }
        guard isTaken else { return }
        try database.cachedStatement(
            sql: "INSERT INTO recordNews (kind, rule, attempt, at) VALUES ('record', ?, ?, ?) ON CONFLICT DO NOTHING"
        ).execute(arguments: [rule, attempt, now])
    }

    /// Who is erased is remembered nowhere: what was being told begins anew, and nobody is told twice.
    static func forget(_ person: AccountID, in database: Database) throws {
        try database.cachedStatement(sql: "UPDATE recordNews SET told = '' WHERE told = ?").execute(arguments: [person])
    }

    private static func findEvents(at now: Int64, in database: Database) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO recordNews (kind, rule, at)
                SELECT 'event', sequence, ?1 FROM rules INDEXED BY rulesByBegin
                WHERE begins <= ?1 AND begins > ?1 - \(patience) AND ends > ?1
                    AND NOT EXISTS (SELECT 1 FROM rules AS later
                        WHERE later.challenge = rules.challenge AND later.version > rules.version)
                    AND NOT EXISTS (SELECT 1 FROM recordNews WHERE rule = rules.sequence AND kind = 'event')
                """
        ).execute(arguments: [now])
    }

    /// - Returns: how many were told; nil when nothing is left.
    private static func tellSome(at now: Int64, in database: Database) throws -> Int? {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT recordNews.*, rules.challenge, attempts.id, attempts.account,
                        attempts.state IS 'verified' AS isVerified
                    FROM recordNews JOIN rules ON rules.sequence = recordNews.rule
                    LEFT JOIN attempts ON attempts.sequence = recordNews.attempt
                    WHERE isDone = 0 ORDER BY recordNews.sequence LIMIT 1
                    """))
        guard let row else { return nil }
        let (sequence, attempt, breaker): (Int64, String?, AccountID?) = (row["sequence"], row["id"], row["account"])
        guard let challenge = HubID(row["challenge"] as String), attempt == nil || row["isVerified"] else {
            try finish(sequence, in: database)
            return 0
        }
        let people = try people(row, challenge, in: database)
        for person in people where person != breaker {
            let draft =
                attempt.map {
                    Notice.Draft(account: person, kind: .record, actor: breaker, item: challenge, cause: "record:\($0)")
                }
                ?? Notice.Draft(
                    account: person, kind: .event, item: challenge, cause: "event:\(challenge):\(row["rule"] as Int64)")
            try Notice.add(draft, at: now, in: database)
        }
        if let last = people.last, people.count == toldAtOnce {
            try database.cachedStatement(sql: "UPDATE recordNews SET told = ? WHERE sequence = ?").execute(
                arguments: [last, sequence])
        } else {
            try finish(sequence, in: database)
        }
        return people.count { $0 != breaker }
    }

    private static func finish(_ sequence: Int64, in database: Database) throws {
        try database.cachedStatement(sql: "UPDATE recordNews SET told = '', isDone = 1 WHERE sequence = ?").execute(
            arguments: [sequence])
    }

    /// The next ones: who watches, and who has held, before this attempt, what it holds now.
    private static func people(_ row: Row, _ challenge: HubID, in database: Database) throws -> [AccountID] {
        let (attempt, told): (Int64?, String) = (row["attempt"], row["told"])
        let watching = Items.people(marking: challenge, .watch)
        return try AccountID.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT account FROM (\(watching.sql) UNION
                        SELECT attempts.account FROM holds AS mine
                        JOIN holds AS former ON former.rule = mine.rule AND former.level = mine.level
                            AND former.place = mine.place AND former."from" < mine."from"
                        JOIN attempts ON attempts.sequence = former.attempt
                        WHERE mine.attempt IS ? AND mine.until IS NULL)
                    WHERE account > ? ORDER BY account LIMIT \(toldAtOnce)
                    """), arguments: watching.arguments + [attempt, told])
    }
}
