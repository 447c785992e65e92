internal import ChirpAccounts
internal import ChirpCommunity
internal import GRDB

/// The table of who holds what: always what ``HoldFold`` makes of the verified attempts.
enum HoldTable {
    /// Writes that of one rule anew, within the transaction that has changed an attempt at it. Only the rows that differ are written.
    ///
    /// - Returns: what is held now that was not before, and what is no more as it was; a hold that has ended, or ended at another time, is
    ///   in both.
    @discardableResult
    static func rebuild(
        _ rule: Int64, _ terms: RuleTerms, in database: Database
    ) throws -> (begun: Set<Hold>, ended: Set<Hold>) {
        let wanted = Set(HoldFold.holds(try verified(rule, in: database).map(\.attempt), terms))
        let known = Set(try holds(of: rule, in: database))
        let (begun, ended) = (wanted.subtracting(known), known.subtracting(wanted))
        for hold in ended {
            try database.cachedStatement(
                sql: "DELETE FROM holds WHERE rule = ? AND level = ? AND place = ? AND \"from\" = ?"
            ).execute(arguments: [rule, hold.area.level.rawValue, hold.area.key, hold.from])
        }
        for hold in begun {
            try database.cachedStatement(
                sql: "INSERT INTO holds (rule, level, place, attempt, \"from\", until) VALUES (?, ?, ?, ?, ?, ?)"
            ).execute(arguments: [
                rule, hold.area.level.rawValue, hold.area.key, hold.attempt, hold.from, hold.until,
            ])
        }
        return (begun, ended)
    }

    /// Whose records, or days of them, are other ones with an attempt than without, whether it is verified now or not.
    static func touched(
        by attempt: Int64, of rule: Int64, _ terms: RuleTerms, in database: Database
    ) throws -> Set<AccountID> {
        var rows = try verified(rule, in: database)
        if !rows.contains(where: { $0.attempt.sequence == attempt }) {
            rows += try self.rows("sequence = ?", [attempt], in: database)
        }
        let with = Set(HoldFold.holds(rows.map(\.attempt), terms))
        let without = Set(HoldFold.holds(rows.map(\.attempt).filter { $0.sequence != attempt }, terms))
        let changed = Set(with.symmetricDifference(without).map(\.attempt))
        return Set(rows.filter { changed.contains($0.attempt.sequence) }.map(\.account))
    }

    /// Of some people those whose attempts that wait would, if they were verified, take a record from the author of an attempt, or hold
    /// another one, or for other days, with that attempt than without.
    ///
    /// - Parameter now: in ms: what is not here whole may be by then.
    static func rivals(
        of attempt: Int64, by author: AccountID, at rule: Int64, _ terms: RuleTerms, among people: [AccountID],
        at now: Int64, in database: Database
    ) throws -> Set<AccountID> {
        guard !people.isEmpty else { return [] }
        let open = try rows(
            """
            rule = ? AND state IN ('receiving', 'checking', 'waiting') AND sequence <> ?
            AND account IN (SELECT value FROM json_each(?))
            """, [rule, attempt, people.map(\.rawValue).statementList()], at: now, in: database)
        guard !open.isEmpty else { return [] }
        let without = try verified(rule, in: database).filter { $0.attempt.sequence != attempt }
        let with = without + (try rows("sequence = ?", [attempt], at: now, in: database))
        let authors = Dictionary(with.map { ($0.attempt.sequence, $0.account) }) { first, _ in first }
        var found: Set<AccountID> = []
        for own in open {
            let sequence = own.attempt.sequence
            let histories = [with, without].map { HoldFold.holds(($0 + [own]).map(\.attempt), terms) }
            let held = histories.map { history in history.filter { $0.attempt == sequence } }
            let isTaking = histories.contains { history in
                zip(history, history.dropFirst()).contains { before, after in
                    after.attempt == sequence && before.area == after.area && authors[before.attempt] == author
                }
            }
            if isTaking || held[0] != held[1] { found.insert(own.account) }
        }
        return found
    }

    /// Takes somebody's attempts out of the history before she is erased: it becomes what it had been without her. Challenges of hers that
    /// others have tried stay for them, with their rules.
    static func forget(_ person: AccountID, in database: Database) throws {
        let tried = try String.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT DISTINCT challenge FROM rules WHERE setter = :me AND EXISTS (
                        SELECT 1 FROM rules AS versions JOIN attempts ON attempts.rule = versions.sequence
                        WHERE versions.challenge = rules.challenge AND attempts.account <> :me
                            AND attempts.state IN ('receiving', 'checking', 'waiting', 'verified'))
                    """), arguments: ["me": person])
        for id in tried.compactMap({ HubID($0) }) { try Items.inherit(id, in: database) }
        let rules = try Int64.fetchAll(
            database.cachedStatement(
                sql: "SELECT DISTINCT rule FROM attempts WHERE account = ? AND state = 'verified'"),
            arguments: [person])
        for rule in rules {
            try database.cachedStatement(sql: "DELETE FROM holds WHERE rule = ?").execute(arguments: [rule])
        }
        try database.cachedStatement(sql: "DELETE FROM attempts WHERE account = ?").execute(arguments: [person])
        for id in rules {
            guard let rule = try Rule.rule(id, in: database) else { continue }
            try rebuild(id, rule.terms, in: database)
        }
    }

    private typealias Verified = (attempt: VerifiedAttempt, account: AccountID)

    private static func verified(_ rule: Int64, in database: Database) throws -> [Verified] {
        try rows("rule = ? AND state = 'verified' ORDER BY received, sequence", [rule], in: database)
    }

    private static func rows(
        _ condition: String, _ arguments: StatementArguments, at now: Int64? = nil, in database: Database
    ) throws -> [Verified] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT sequence, score, received, place, town, country, account FROM attempts WHERE \(condition)
                    """), arguments: arguments
        ).compactMap { row in
            // By their places: of a rule that many have tried there are many.
            guard let received = (row[2] as Int64?) ?? now else { return nil }
            return (
                VerifiedAttempt(
                    sequence: row[0], score: row[1], received: received,
                    areas: RecordPlace.areas(place: row[3], town: row[4], country: row[5])), row[6]
            )
        }
    }

    /// As they are written down.
    static func holds(of rule: Int64, in database: Database) throws -> [Hold] {
        try Row.fetchAll(
            database.cachedStatement(
                sql:
                    "SELECT level, place, attempt, \"from\", until FROM holds WHERE rule = ? ORDER BY level, place, \"from\""
            ),
            arguments: [rule]
        ).compactMap { row in
            RecordLevel(rawValue: row["level"]).map { level in
                Hold(
                    area: RecordArea(level, row["place"]), attempt: row["attempt"], from: row["from"],
                    until: row["until"])
            }
        }
    }
}
