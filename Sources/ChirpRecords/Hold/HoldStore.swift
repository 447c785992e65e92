package import ChirpAccounts
package import ChirpCommunity
package import ChirpPlaces
package import FoundationEssentials
internal import GRDB

/// A record as a page tells it: who held it, by what, how long and where.
package struct RecordSpan: Hashable, Sendable {
    package let hold: Hold
    package let challenge: HubID
    /// What it is the record by: the version of the challenge's rule.
    package let version: Int
    package let terms: RuleTerms
    /// The id of the attempt, and what it reached.
    package let attempt: HubID
    package let score: Int64
    /// Nil for whom the viewer does not see: that somebody held it is still told.
    package let person: PostAuthor?
    package let isOwn: Bool
    /// The attempt is out of sight while a report of it is looked at: it holds the record, and its page is for its author and moderators.
    package let isHidden: Bool
    /// What the area is called, as in `Bonn` for a town; empty for the world and where nobody named it.
    package let name: String
    package let shown: GeoPoint?
    package let from: Date
    package let until: Date?
    /// Whole days of 24 hours until now, or until it ended.
    package let days: Int
}

/// Who held what, in the library. Rows are written by what changes attempts alone.
package struct HoldStore: Sendable {
    private let library: HubLibrary

    package init(library: HubLibrary) { self.library = library }

    /// The history of a record, the first holder first; nothing where the viewer does not see the challenge.
    ///
    /// - Parameters:
    ///   - rule: ``Rule/id``.
    ///   - limit: of a longer one the last so many; at most 500.
    package func history(
        of rule: Int64, in area: RecordArea, for viewer: Viewer, limit: Int = 500
    ) async throws -> [RecordSpan] {
        try await spans(
            "holds.rule = ? AND holds.level = ? AND holds.place = ? AND ",
            "ORDER BY holds.\"from\" DESC LIMIT \(min(max(limit, 0), 500))",
            [rule, area.level.rawValue, area.key], for: viewer
        ).reversed()
    }

    /// Who holds a rule's records now: the world first, then countries, towns and places by what they are called.
    ///
    /// - Parameter limit: at most 500.
    package func holders(of rule: Int64, for viewer: Viewer, limit: Int = 100) async throws -> [RecordSpan] {
        try await spans(
            "holds.rule = ? AND holds.until IS NULL AND ",
            """
            ORDER BY CASE holds.level WHEN 'world' THEN 0 WHEN 'country' THEN 1 WHEN 'town' THEN 2 ELSE 3 END, areaName,
                areaKey LIMIT \(min(max(limit, 0), 500))
            """, [rule], for: viewer)
    }

    /// What somebody holds, or has held, at any challenge that the viewer sees; the newest first.
    ///
    /// - Parameters:
    ///   - isNow: what she holds still.
    ///   - limit: at most 500.
    package func records(
        of person: AccountID, isNow: Bool, for viewer: Viewer, limit: Int = 100
    ) async throws -> [RecordSpan] {
        let seen = library.seen(by: viewer).sees("attempts.account")
        return try await spans(
            "attempts.account = ? AND \(isNow ? "holds.until IS NULL" : "1") AND \(seen.sql) AND ",
            "ORDER BY holds.\"from\" DESC, holds.level, holds.place LIMIT \(min(max(limit, 0), 500))",
            [person] + seen.arguments, for: viewer)
    }

    /// Who holds the world's records of some rules now, by challenge.
    ///
    /// - Parameter rules: ``Rule/id`` of the newest version of each; at most 500.
    package func worldHolders(of rules: [Int64], for viewer: Viewer) async throws -> [HubID: RecordSpan] {
        guard !rules.isEmpty else { return [:] }
        let spans = try await spans(
            """
            holds.rule IN (SELECT value FROM json_each(?)) AND holds.level = 'world' AND holds.place = ''
            AND holds.until IS NULL AND
            """, "LIMIT 500", [try rules.statementList()], for: viewer)
        return Dictionary(spans.map { ($0.challenge, $0) }) { first, _ in first }
    }

    /// At which of some rules somebody holds a record now, of whichever area.
    ///
    /// - Parameter rules: ``Rule/id``.
    package func led(by account: AccountID, of rules: [Int64]) async throws -> Set<Int64> {
        guard !rules.isEmpty else { return [] }
        let list = try rules.statementList()
        return try await library.reading { database in
            Set(
                try Int64.fetchAll(
                    database.cachedStatement(
                        sql: """
                            SELECT DISTINCT holds.rule FROM holds JOIN attempts ON attempts.sequence = holds.attempt
                            WHERE holds.rule IN (SELECT value FROM json_each(?)) AND holds.until IS NULL
                                AND attempts.account = ?
                            """), arguments: [list, account]))
        }
    }

    /// Columns are read by their places and each rule once: there are hundreds of rows in a history, and asking a row for a column's name is
    /// what such a list would spend its time with.
    private func spans(
        _ condition: String, _ order: String, _ arguments: StatementArguments, for viewer: Viewer
    ) async throws -> [RecordSpan] {
        let reader = library.seen(by: viewer)
        return try await library.reading { database in
            let item = reader.seesItem("rules.challenge")
            let rows = try Row.fetchCursor(
                database.cachedStatement(
                    sql: """
                        SELECT holds.rule, holds.level, holds.place AS areaKey, holds.attempt, holds."from", holds.until,
                            attempts.id, attempts.account, attempts.score, attempts.shownLat, attempts.shownLon,
                            CASE holds.level WHEN 'place' THEN placeName WHEN 'town' THEN townName
                                WHEN 'country' THEN countryName ELSE '' END AS areaName,
                            \(HubReader.hidesPart("attempts.id"))
                        FROM holds JOIN attempts ON attempts.sequence = holds.attempt
                        JOIN rules ON rules.sequence = holds.rule
                        WHERE \(condition) \(item.sql) \(order)
                        """), arguments: arguments + item.arguments)
            var found: [HeldSpan] = []
            while let row = try rows.next() { if let span = HeldSpan(row) { found.append(span) } }
            let people = try reader.authors(found.map(\.account), in: database)
            let rules = try Rule.places(of: Set(found.map(\.rule)), in: database)
            let now = Accounts.milliseconds(reader.now)
            return found.compactMap { span in
                rules[span.rule].map { RecordSpan(span, $0, people[span.account], viewer: reader.account, at: now) }
            }
        }
    }
}

/// A row of a span's question.
private struct HeldSpan {
    let rule: Int64
    let hold: Hold
    let attempt: HubID
    let account: AccountID
    let score: Int64
    let shown: GeoPoint?
    let name: String
    let isHidden: Bool

    /// Nil for what makes no sense.
    init?(_ row: Row) {
        guard let level = RecordLevel(rawValue: row[1]), let id = HubID(row[6] as String) else { return nil }
        rule = row[0]
        hold = Hold(area: RecordArea(level, row[2]), attempt: row[3], from: row[4], until: row[5])
        (attempt, account, score, name, isHidden) = (id, row[7], row[8], row[11], row[12])
        if let latitude: Double = row[9], let longitude: Double = row[10] {
            shown = GeoPoint(latitude: latitude, longitude: longitude)
        } else {
            shown = nil
        }
    }
}

extension RecordSpan {
    fileprivate init(
        _ span: HeldSpan, _ rule: Rule.Place, _ person: PostAuthor?, viewer: AccountID?, at now: Int64
    ) {
        (challenge, version, terms) = (rule.challenge, rule.version, rule.terms)
        (hold, attempt, score, name, shown) = (span.hold, span.attempt, span.score, span.name, span.shown)
        self.person = person
        isOwn = span.account == viewer
        isHidden = span.isHidden
        from = Accounts.date(hold.from)
        until = hold.until.map(Accounts.date)
        days = hold.days(at: now)
    }
}
