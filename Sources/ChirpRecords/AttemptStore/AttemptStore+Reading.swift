package import ChirpAccounts
package import ChirpCommunity
internal import ChirpDatabase
internal import ChirpPlaces
internal import FoundationEssentials
internal import GRDB

/// Which attempts belong into a list.
package enum AttemptSelection: Hashable, Sendable {
    /// At a rule, by ``Rule/id``.
    case rule(Int64)
    /// At any version of a challenge's rule.
    case challenge(HubID)
    case person(AccountID)
}

extension AttemptStore {
    /// The most of a page.
    package static let mostOnPage = 100

    /// Nil when there is none of that id, or the viewer may not see it: all that were received and not rejected are for everybody, the rest,
    /// and what was hidden, for their authors and moderators, and what was rejected for those who have judged it too.
    package func attempt(_ id: HubID, for viewer: Viewer) async throws -> Attempt? {
        let reader = library.seen(by: viewer)
        return try await library.reading { database in
            let seen = try seen(by: reader, in: database)
            return try Self.attempts(
                "attempts.id = ? AND \(seen.sql)", [id.text] + seen.arguments, for: reader, in: database
            ).first
        }
    }

    /// Somebody's own at a rule that is not decided; there is at most one.
    ///
    /// - Parameter rule: ``Rule/id``.
    package func open(at rule: Int64, by account: AccountID) async throws -> Attempt? {
        let reader = library.seen(by: .member(account))
        return try await library.reading { database in
            try Self.attempts(
                """
                attempts.rule = ? AND attempts.account = ? AND attempts.state IN ('receiving', 'checking', 'waiting')
                """, [rule, account], by: "attemptsOpen", for: reader, in: database
            ).first
        }
    }

    /// Those of a selection that the viewer may see, the newest first.
    ///
    /// - Parameters:
    ///   - states: nil: all that she may see.
    ///   - before: ``Attempt/sequence`` of the last one of the page before.
    package func attempts(
        _ selection: AttemptSelection, states: Set<Attempt.State>? = nil, for viewer: Viewer, before: PageCursor = .end,
        limit: Int
    ) async throws -> [Attempt] {
        let limit = min(limit, Self.mostOnPage)
        guard limit > 0 else { return [] }
        let reader = library.seen(by: viewer)
        let wanted = try (states ?? Set(Attempt.State.allCases)).map(\.rawValue).sorted().statementList()
        return try await library.reading { database in
            let seen = try seen(by: reader, in: database)
            func page(
                _ index: String, _ column: String, _ value: any DatabaseValueConvertible, _ limit: Int
            ) throws -> [Attempt] {
                try Self.attempts(
                    """
                    \(column) = ? AND attempts.sequence < ? AND attempts.state IN (SELECT value FROM json_each(?))
                    AND \(seen.sql) ORDER BY attempts.sequence DESC LIMIT \(limit)
                    """, [value, before.row, wanted] + seen.arguments, by: index, for: reader, in: database)
            }
            switch selection {
            case .rule(let rule): return try page("attemptsByRule", "attempts.rule", rule, limit)
            case .person(let account): return try page("attemptsByAccount", "attempts.account", account, limit)
            case .challenge(let id):
                // One version after another takes attempts, so that those of a later one are all later.
                var found: [Attempt] = []
                for rule in try Rule.versions(of: id, in: database) where found.count < limit {
                    found += try page("attemptsByRule", "attempts.rule", rule, limit - found.count)
                }
                return found
            }
        }
    }

    /// What was said of an attempt that the viewer sees, in that order. Who has said it is told to nobody but herself and moderators; why it
    /// was rejected to its author and to them.
    package func rulings(of id: HubID, for viewer: Viewer) async throws -> [Ruling] {
        let reader = library.seen(by: viewer)
        return try await library.reading { database in
            let seen = try seen(by: reader, in: database)
            let isModerator = try Self.isModerator(reader, in: database)
            let rows = try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT verdicts.*, attempts.account FROM attempts JOIN rules ON rules.sequence = attempts.rule
                        JOIN verdicts ON verdicts.attempt = attempts.sequence
                        WHERE attempts.id = ? AND \(seen.sql) ORDER BY verdicts.sequence
                        """), arguments: [id.text] + seen.arguments)
            return rows.compactMap { row in
                let (by, author): (AccountID?, AccountID) = (row["by"], row["account"])
                guard let what = Ruling.What(rawValue: row["what"]),
                    let standing = Ruling.Standing(rawValue: row["standing"])
                else { return nil }
                let isOwn = by != nil && by == reader.account
                var ruling = Ruling(
                    what: what, standing: standing, by: isOwn || isModerator ? by : nil,
                    why: isOwn || isModerator || author == reader.account ? row["why"] : "")
                ruling.isAfterAppeal = (row["round"] as Int) == 1
                ruling.at = Accounts.date(row["at"])
                return ruling
            }
        }
    }

    /// Moderators see all that is waiting or was decided.
    private static func isModerator(_ reader: HubReader, in database: Database) throws -> Bool {
        guard let account = reader.account else { return false }
        let now = Accounts.milliseconds(reader.now)
        return try AccountStanding(of: account, at: now, in: database)?.isModerator == true
    }

    /// A condition on `attempts` with their `rules`, and its arguments. Nobody keeps attempts from moderators by blocking them.
    func seen(
        by reader: HubReader, in database: Database
    ) throws -> (sql: String, arguments: StatementArguments) {
        let item = reader.seesItem("rules.challenge")
        guard try !Self.isModerator(reader, in: database) else {
            let everybody = library.seen(by: .visitor).seesItem("rules.challenge")
            return ("(\(item.sql) OR \(everybody.sql))", item.arguments + everybody.arguments)
        }
        let person = reader.sees("attempts.account")
        return (
            """
            \(item.sql) AND (attempts.account IS ? OR (attempts.state IN ('waiting', 'verified')
                OR attempts.state = 'rejected' AND EXISTS (SELECT 1 FROM verdicts
                    WHERE verdicts.attempt = attempts.sequence AND verdicts."by" = ?)) AND \(person.sql)
                AND NOT \(HubReader.hidesPart("attempts.id")))
            """,
            item.arguments + [reader.account, reader.account] + person.arguments
        )
    }

    static func attempts(
        _ condition: String, _ arguments: StatementArguments, by index: String? = nil, for reader: HubReader,
        in database: Database
    ) throws -> [Attempt] {
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT attempts.*, rules.challenge, rules.version
                    FROM attempts \(index.map { "INDEXED BY \($0)" } ?? "")
                    CROSS JOIN rules ON rules.sequence = attempts.rule WHERE \(condition)
                    """), arguments: arguments)
        let people = try reader.authors(rows.map { $0["account"] as AccountID }, in: database)
        let isModerator = try isModerator(reader, in: database)
        return NamedRow.all(rows).compactMap { row in
            let account: AccountID = row["account"]
            return Attempt(
                row, person: people[account], isOwn: account == reader.account,
                seesAppeal: account == reader.account || isModerator)
        }
    }
}

extension Attempt {
    /// Nil for what a later release has written.
    fileprivate init?(_ row: NamedRow, person: PostAuthor?, isOwn: Bool, seesAppeal: Bool) {
        guard let id = HubID(row["id"] as String), let challenge = HubID(row["challenge"] as String),
            let state = State(rawValue: row["state"])
        else { return nil }
        var place: RecordPlace?
        if let latitude: Double = row["shownLat"], let longitude: Double = row["shownLon"],
            let shown = GeoPoint(latitude: latitude, longitude: longitude)
        {
            place = RecordPlace(
                shown: shown, name: row["placeName"], place: row["place"], town: row["town"], country: row["country"],
                townName: row["townName"], countryName: row["countryName"])
        }
        let (received, decided, appeal): (Int64?, Int64?, String) = (row["received"], row["decided"], row["appeal"])
        self.init(
            id: id, sequence: row["sequence"], challenge: challenge, rule: row["rule"], version: row["version"],
            person: person, isOwn: isOwn, score: row["score"], text: row["text"], done: Accounts.date(row["done"]),
            received: received.map(Accounts.date), media: RuleTerms.Evidence.set(row["media"]), place: place,
            state: state, findings: row["findings"], appeal: seesAppeal && !appeal.isEmpty ? appeal : nil,
            decided: decided.map(Accounts.date))
    }
}
