internal import FoundationEssentials
internal import GRDB

/// What moderators have decided about the person, and what she has told them.
extension PersonalRows {
    struct Cases: Encodable {
        let cases: [Case]
        let decisions: [Verdict]
        let sanctions: [Sanction]
        /// What she has decided herself, as a moderator; whom it concerns is not hers to take along.
        let decided: [Verdict]
        /// When she was last here as a moderator.
        let seenAsModerator: Date?
    }

    /// About her, or about what is hers. Who has reported it is not told.
    struct Case: Encodable {
        let id: String
        let about: About
        /// Between her and somebody who says that her item is his.
        let isClaim: Bool
        let state: String
        let deadline: Date
        /// Whether it has taken something from sight, and keeps it as it is.
        let hides, freezes: Bool
        let upheld: Bool?
        let answer, appeal: String
        /// For what reasons it was reported.
        let reasons: [String]
        let created: Date
    }

    struct About: Encodable {
        let kind: String
        /// A handle, the id of a post or comment, or the address of an item below the hub's own; nil for what is gone.
        let what: String?
    }

    struct Verdict: Encodable {
        let caseID: String?
        let what, why: String
        let until: Date?
        let at: Date
    }

    struct Sanction: Encodable {
        let kind: String
        let from: Date
        let until, lifted: Date?
    }

    struct Report: Encodable {
        let about: About
        let reason, text: String
        let picture: String?
        let at: Date
    }

    /// What is reported, by what a person knows it by. `subject` is a table with the columns `kind` and `about`.
    private static func about(_ subject: String) -> String {
        """
        \(subject).kind AS kind, CASE \(subject).kind
            WHEN 'account' THEN (SELECT handle FROM accounts WHERE id = \(subject).about)
            WHEN 'post' THEN (SELECT id FROM posts WHERE sequence = CAST(\(subject).about AS INTEGER))
            WHEN 'item' THEN (SELECT '/' || board || '/' || id FROM items WHERE id = \(subject).about)
            ELSE (SELECT id FROM comments WHERE id = \(subject).about) END AS what
        """
    }

    func reports() throws -> [Report] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT reports.reason, reports.text, reports.picture, reports.at, \(Self.about("reports"))
                    FROM reports WHERE reporter = ? ORDER BY reports.at, reports.rowid
                    """), arguments: [person]
        ).map { row in
            Report(
                about: About(kind: row["kind"], what: row["what"]), reason: row["reason"], text: row["text"],
                picture: row["picture"], at: HubLibrary.date(row["at"]))
        }
    }

    func cases() throws -> Cases {
        let found = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT cases.id, claim, state, deadline, hides IN (1, 3) AS isHiding, freezes, upheld, answer, appeal,
                        created, \(Self.about("cases")),
                        (SELECT group_concat(reason, ' ') FROM (
                            SELECT reason FROM reports WHERE "case" = cases.id ORDER BY at, rowid)) AS reasons
                    FROM cases WHERE account = ? ORDER BY created, cases.rowid
                    """), arguments: [person]
        ).map { row in
            let reasons: String? = row["reasons"]
            return Case(
                id: row["id"], about: About(kind: row["kind"], what: row["what"]), isClaim: row["claim"],
                state: row["state"], deadline: HubLibrary.date(row["deadline"]), hides: row["isHiding"],
                freezes: row["freezes"], upheld: row["upheld"], answer: row["answer"], appeal: row["appeal"],
                reasons: reasons?.split(separator: " ").map(String.init) ?? [],
                created: HubLibrary.date(row["created"]))
        }
        let sanctions = try Row.fetchAll(
            database.cachedStatement(sql: "SELECT * FROM sanctions WHERE account = ? ORDER BY decision"),
            arguments: [person]
        ).map { row in
            Sanction(
                kind: row["kind"], from: HubLibrary.date(row["from"]),
                until: (row["until"] as Int64?).map(HubLibrary.date),
                lifted: (row["lifted"] as Int64?).map(HubLibrary.date))
        }
        let seen = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT at FROM moderatorsSeen WHERE account = ?"), arguments: [person])
        return Cases(
            cases: found, decisions: try verdicts("account"), sanctions: sanctions, decided: try verdicts("\"by\""),
            seenAsModerator: seen.map(HubLibrary.date))
    }

    private func verdicts(_ column: String) throws -> [Verdict] {
        try Row.fetchAll(
            database, sql: "SELECT * FROM decisions WHERE \(column) = ? ORDER BY sequence", arguments: [person]
        ).map { row in
            Verdict(
                caseID: row["case"], what: row["what"], why: row["why"],
                until: (row["until"] as Int64?).map(HubLibrary.date), at: HubLibrary.date(row["at"]))
        }
    }
}
