internal import ChirpAccounts
internal import GRDB

/// A verified attempt, or one that may be, with who has made it.
struct TriedAttempt {
    let attempt: VerifiedAttempt
    let account: AccountID
    let isVerified: Bool
}

/// As much of the table of holds as some attempts at one area could change.
struct HoldPart {
    let run: HoldRun
    /// By ``VerifiedAttempt/sequence``.
    private(set) var authors: [Int64: AccountID] = [:]

    /// Reads from what was held before the first of them came to what no one of them could have beaten any more.
    ///
    /// - Parameter attempts: at least one.
    init(
        of area: RecordArea, at rule: Int64, around attempts: [VerifiedAttempt], _ terms: RuleTerms,
        in database: Database
    ) throws {
        let (first, last) = (attempts.map(\.received).min() ?? 0, attempts.map(\.received).max() ?? 0)
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT holds.attempt, attempts.score, holds."from", holds.until, attempts.account
                    FROM holds CROSS JOIN attempts ON attempts.sequence = holds.attempt
                    WHERE holds.rule = :rule AND holds.level = :level AND holds.place = :place AND holds."from" >= COALESCE(
                        (SELECT MAX("from") FROM holds
                            WHERE rule = :rule AND level = :level AND place = :place AND "from" < :first), :first)
                    ORDER BY holds."from"
                    """),
            arguments: ["rule": rule, "level": area.level.rawValue, "place": area.key, "first": first])
        var (entries, end): ([VerifiedAttempt], Int64?) = ([], nil)
        while let row = try rows.next() {
            let entry = VerifiedAttempt(sequence: row[0], score: row[1], received: row[2], areas: [area])
            entries.append(entry)
            authors[entry.sequence] = row[4] as AccountID
            end = row[3]
            if entry.received > last, attempts.allSatisfy({ terms.beats(entry.score, $0.score) }) { break }
        }
        run = HoldRun(area: area, entries: entries, end: end)
    }

    private init(run: HoldRun, authors: [Int64: AccountID]) { (self.run, self.authors) = (run, authors) }

    /// With one attempt more.
    func with(_ tried: TriedAttempt, _ terms: RuleTerms) -> HoldPart {
        HoldPart(
            run: run.with(tried.attempt, terms),
            authors: authors.merging([tried.attempt.sequence: tried.account]) { $1 })
    }

    /// Without one of those that were verified. Of others only those are read that came while it held.
    func without(_ tried: TriedAttempt, at rule: Int64, _ terms: RuleTerms, in database: Database) throws -> HoldPart {
        let (area, gone) = (run.area, tried.attempt.sequence)
        guard let index = run.entries.firstIndex(where: { $0.sequence == gone }) else { return self }
        let before = index > 0 ? run.entries[index - 1].score : nil
        let until = index + 1 < run.entries.count ? run.entries[index + 1].received : run.end
        let (sign, least): (String, Int64) = terms.better == .more ? (">", .min) : ("<", .max)
        let others = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT sequence, score, received, account FROM attempts INDEXED BY attemptsVerified
                    WHERE rule = :rule AND state = 'verified' AND received >= :from AND received < :until
                        AND sequence <> :gone AND score \(sign) :before
                        AND \(area.level == .world ? "'' = :place" : "\(area.level.rawValue) = :place")
                    """),
            arguments: [
                "rule": rule, "from": run.entries[index].received, "until": until ?? .max, "gone": gone,
                "before": before ?? least, "place": area.key,
            ])
        var authors = authors
        for row in others { authors[row[0]] = row[3] }
        let entries = others.map { VerifiedAttempt(sequence: $0[0], score: $0[1], received: $0[2], areas: [area]) }
        return HoldPart(run: run.without(gone, among: entries, terms), authors: authors)
    }

    /// From whom an attempt has taken the area; nil: from nobody.
    func taken(by attempt: Int64) -> AccountID? {
        guard let index = run.entries.firstIndex(where: { $0.sequence == attempt }), index > 0 else { return nil }
        return authors[run.entries[index - 1].sequence]
    }
}
