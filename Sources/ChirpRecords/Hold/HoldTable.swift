package import ChirpAccounts
internal import ChirpCommunity
package import GRDB

/// The table of who holds what: always what ``HoldFold`` makes of the verified attempts.
package enum HoldTable {
    /// What is held now that was not before, and what is no more as it was; a hold that has ended, or ended at another time, is in both.
    package typealias Change = (begun: Set<Hold>, ended: Set<Hold>)

    /// Writes that of one rule anew, from all attempts at it. Only the rows that differ are written.
    @discardableResult
    static func rebuild(_ rule: Int64, _ terms: RuleTerms, in database: Database) throws -> Change {
        let verified = try rows("rule = ? AND state = 'verified'", [rule], in: database)
        let wanted = Set(HoldFold.holds(verified.map(\.attempt), terms))
        let known = Set(try holds(of: rule, in: database))
        let change = (begun: wanted.subtracting(known), ended: known.subtracting(wanted))
        try write(change, at: rule, in: database)
        return change
    }

    /// Writes what follows from it that one attempt is verified now, or is no more, within the transaction that has changed it. Of the
    /// table and of other attempts only what that can change is read, so that it takes no longer where many have tried.
    @discardableResult
    package static func follow(
        _ attempt: Int64, at rule: Int64, _ terms: RuleTerms, in database: Database
    ) throws -> Change {
        guard let tried = try rows("sequence = ?", [attempt], in: database).first else { return ([], []) }
        var change: Change = ([], [])
        for area in tried.attempt.areas {
            let before = try HoldPart(of: area, at: rule, around: [tried.attempt], terms, in: database)
            let after =
                try tried.isVerified
                ? before.with(tried, terms) : before.without(tried, at: rule, terms, in: database)
            let (old, new) = (Set(before.run.holds), Set(after.run.holds))
            change.begun.formUnion(new.subtracting(old))
            change.ended.formUnion(old.subtracting(new))
        }
        try write(change, at: rule, in: database)
        return change
    }

    private static func write(_ change: Change, at rule: Int64, in database: Database) throws {
        for hold in change.ended {
            try database.cachedStatement(
                sql: "DELETE FROM holds WHERE rule = ? AND level = ? AND place = ? AND \"from\" = ?"
            ).execute(arguments: [rule, hold.area.level.rawValue, hold.area.key, hold.from])
        }
        for hold in change.begun {
            try database.cachedStatement(
                sql: "INSERT INTO holds (rule, level, place, attempt, \"from\", until) VALUES (?, ?, ?, ?, ?, ?)"
            ).execute(arguments: [
                rule, hold.area.level.rawValue, hold.area.key, hold.attempt, hold.from, hold.until,
            ])
        }
    }

    /// Whose records, or days of them, are other ones with an attempt than without, whether it is verified now or not.
    package static func touched(
        by attempt: Int64, of rule: Int64, _ terms: RuleTerms, in database: Database
    ) throws -> Set<AccountID> {
        guard let tried = try rows("sequence = ?", [attempt], in: database).first else { return [] }
        var found: Set<AccountID> = []
        for area in tried.attempt.areas {
            let now = try HoldPart(of: area, at: rule, around: [tried.attempt], terms, in: database)
            let other =
                try tried.isVerified ? now.without(tried, at: rule, terms, in: database) : now.with(tried, terms)
            let changed = Set(now.run.holds).symmetricDifference(other.run.holds)
            found.formUnion(changed.compactMap { other.authors[$0.attempt] })
        }
        return found
    }

    /// Of some people those whose attempts that wait would, if they were verified, take a record from the author of an attempt, or hold
    /// another one, or for other days, with that attempt than without.
    ///
    /// - Parameter now: in ms: what is not here whole may be by then.
    package static func rivals(
        of attempt: Int64, by author: AccountID, at rule: Int64, _ terms: RuleTerms, among people: [AccountID],
        at now: Int64, in database: Database
    ) throws -> Set<AccountID> {
        guard !people.isEmpty else { return [] }
        let open = try rows(
            """
            rule = ? AND state IN ('receiving', 'checking', 'waiting') AND sequence <> ?
            AND account IN (SELECT value FROM json_each(?))
            """, [rule, attempt, people.map(\.rawValue).statementList()], at: now, in: database)
        guard !open.isEmpty, let tried = try rows("sequence = ?", [attempt], at: now, in: database).first else {
            return []
        }
        let rivals = try open.filter { own in
            try own.attempt.areas.contains { area in
                let isHere = tried.attempt.areas.contains(area)
                let around = [own.attempt] + (isHere ? [tried.attempt] : [])
                let known = try HoldPart(of: area, at: rule, around: around, terms, in: database)
                let without =
                    try isHere && tried.isVerified ? known.without(tried, at: rule, terms, in: database) : known
                let with = isHere && !tried.isVerified ? known.with(tried, terms) : known
                let histories = [with, without].map { $0.with(own, terms) }
                let held = histories.map { $0.run.holds.first { $0.attempt == own.attempt.sequence } }
                return held[0] != held[1] || histories.contains { $0.taken(by: own.attempt.sequence) == author }
            }
        }
        return Set(rivals.map(\.account))
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

    private static func rows(
        _ condition: String, _ arguments: StatementArguments, at now: Int64? = nil, in database: Database
    ) throws -> [TriedAttempt] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT sequence, score, received, place, town, country, account, state = 'verified'
                    FROM attempts WHERE \(condition)
                    """), arguments: arguments
        ).compactMap { row in
            // By their places: of a rule that many have tried there are many.
            guard let received = (row[2] as Int64?) ?? now else { return nil }
            return TriedAttempt(
                attempt: VerifiedAttempt(
                    sequence: row[0], score: row[1], received: received,
                    areas: RecordPlace.areas(place: row[3], town: row[4], country: row[5])), account: row[6],
                isVerified: row[7])
        }
    }

    /// As they are written down.
    package static func holds(of rule: Int64, in database: Database) throws -> [Hold] {
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
