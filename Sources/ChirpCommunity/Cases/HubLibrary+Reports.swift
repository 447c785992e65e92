package import ChirpAccounts
internal import FoundationEssentials
internal import GRDB

/// What became of a report.
package struct ReportReceipt: Hashable, Sendable {
    package let caseID: String
    /// What was reported was taken from sight until a moderator has looked.
    package let hides: Bool
    /// The item stays as it is until somebody has decided whose it is.
    package var freezes = false
}

extension HubLibrary {
    /// Reports something. Case, report, what is hidden or frozen by it and the notice to its author are one transaction.
    ///
    /// - Parameters:
    ///   - text: what a moderator should know. Of an item there are words or a picture, and of whose it is there are words.
    ///   - picture: one of the reporter's own that shows it.
    /// - Throws: ``CaseError/notFound`` for what the reporter may not see; ``CaseError/own``, ``CaseError/already``,
    ///   ``CaseError/tooOften(seconds:)``, ``CaseError/rightLost``, ``CaseError/notActive``, ``CaseError/refused(field:_:)``.
    @discardableResult
    package func report(
        _ subject: CaseSubject, by reporter: AccountID, for reason: ReportReason, text: String,
        picture: HubID? = nil, rules: ReportRules = ReportRules()
    ) async throws(CaseError) -> ReportReceipt {
        let text = try Verdict.text(text, field: "text")
        try Self.check(reason, text, picture, about: subject)
        let now = Self.milliseconds(now())
        let sight = seen(by: .member(reporter)).visiblePosts
        return try await act { database in
            try Self.checkRight(toReport: reporter, at: now, in: database)
            let author = try self.author(of: subject, seenBy: reporter, sight, in: database)
            guard author != reporter else { throw CaseError.own }
            let isKnown = try Bool.fetchOne(
                database.cachedStatement(sql: "SELECT 1 FROM reports WHERE kind = ? AND about = ? AND reporter = ?"),
                arguments: [subject.kind, subject.about, reporter])
            guard isKnown != true else { throw CaseError.already }
            let before = try Int64.fetchAll(
                database.cachedStatement(sql: "SELECT at FROM reports WHERE reporter = ? AND at > ? ORDER BY at DESC"),
                arguments: [reporter, now - 24 * 3_600_000])
            if let seconds = rules.wait(after: before, at: now) { throw CaseError.tooOften(seconds: seconds) }

            if let picture, try !Items.isPicture(picture, of: reporter, in: database) {
                throw CaseError.refused(field: "picture", .noPicture)
            }
            let id = try Self.openCase(
                about: subject, of: author, isClaim: reason == .ownership,
                deadline: now + Int64(clamping: rules.hiddenFor * 1000), at: now, in: database)
            try database.cachedStatement(
                sql: """
                    INSERT INTO reports ("case", kind, about, reporter, reason, text, picture, at)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """
            ).execute(arguments: [id, subject.kind, subject.about, reporter, reason.rawValue, text, picture?.text, now])
            try Self.tell(author, about: subject, cause: "case:\(id)", at: now, in: database)
            switch subject {
            case .account: return ReportReceipt(caseID: id, hides: false)
            case .post, .comment:
                let hides = try Self.hide(subject, in: id, for: reason, rules, at: now, in: database)
                return ReportReceipt(caseID: id, hides: hides)
            case .item(let item):
                return try Self.hold(item, in: id, for: reason, by: reporter, rules, at: now, in: database)
            }
        }
    }

    /// Who may report: accounts in good standing that have not lost the right.
    private static func checkRight(toReport reporter: AccountID, at now: Int64, in database: Database) throws {
        guard try isActive(reporter, at: now, in: database) else { throw CaseError.notActive }
        let hasLost = try Bool.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT 1 FROM sanctions WHERE account = ? AND kind = 'limit' AND lifted IS NULL
                        AND (until IS NULL OR until > ?)
                    """), arguments: [reporter, now])
        guard hasLost != true else { throw CaseError.rightLost }
    }

    /// Whose something is that a viewer sees.
    private func author(
        of subject: CaseSubject, seenBy viewer: AccountID, _ sight: (sql: String, arguments: StatementArguments),
        in database: Database
    ) throws -> AccountID {
        switch subject {
        case .post(let sequence):
            let found = try posts(
                "posts.sequence = ? AND \(sight.sql)", [sequence] + sight.arguments, "posts.sequence", in: database)
            if let post = found.first { return post.author.id }
            // What others' reports have just taken from sight may have been on her page before.
            let hidden = try AccountID.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT posts.account FROM posts JOIN cases ON cases.kind = 'post' AND cases.about = posts.sequence
                        WHERE posts.sequence = ? AND cases.hides = 1 AND cases.state IN ('open', 'appealed')
                            AND posts.visibility IN ('public', 'unlisted')
                        """), arguments: [sequence])
            guard let hidden else { throw CaseError.notFound }
            return hidden
        case .account(let account):
            let found = try AccountID.fetchOne(
                database.cachedStatement(
                    sql: "SELECT id FROM accounts WHERE id = ? AND state IN ('active', 'suspended')"),
                arguments: [account])
            guard let found else { throw CaseError.notFound }
            return found
        case .item(let id):
            guard let author = try Self.author(ofItem: id, reportedBy: viewer, in: database) else {
                throw CaseError.notFound
            }
            return author
        case .comment(let id):
            let now = Self.milliseconds(now())
            guard let found = try Self.commentToReport(id, by: viewer, at: now, in: database) else {
                throw CaseError.notFound
            }
            return found.author.id
        }
    }

    /// The case that waits about a subject, or a new one: fifty reports of one thing are one case. Whose it is, is a case of its own.
    static func openCase(
        about subject: CaseSubject, of account: AccountID, isClaim: Bool = false, deadline: Int64, at now: Int64,
        in database: Database
    ) throws -> String {
        let waiting = try String.fetchOne(
            database.cachedStatement(
                sql: "SELECT id FROM cases WHERE kind = ? AND about = ? AND claim = ? AND state IN ('open', 'appealed')"
            ), arguments: [subject.kind, subject.about, isClaim])
        if let waiting { return waiting }
        let id = HubID().text
        try database.cachedStatement(
            sql: "INSERT INTO cases (id, kind, about, account, claim, deadline, created) VALUES (?, ?, ?, ?, ?, ?, ?)"
        ).execute(arguments: [id, subject.kind, subject.about, account, isClaim, deadline, now])
        return id
    }

    /// Takes what people have written, a post or a comment, from sight if its reports are enough for that. Nothing is hidden for a second day
    /// in the same case.
    private static func hide(
        _ subject: CaseSubject, in id: String, for reason: ReportReason, _ rules: ReportRules, at now: Int64,
        in database: Database
    ) throws -> Bool {
        let isUntouched = try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT hides = 0 AND state = 'open' FROM cases WHERE id = ?"),
            arguments: [id])
        guard isUntouched == true else { return false }
        let isNews = try isNews(reason, about: subject, in: database)
        let reporters = try AccountID.fetchAll(
            database.cachedStatement(sql: "SELECT reporter FROM reports WHERE \"case\" = ? AND reporter IS NOT NULL"),
            arguments: [id]
        ).compactMap { try Self.reporter($0, at: now, in: database) }
        guard rules.hide(reporters, isNews: isNews) else { return false }
        switch subject {
        case .post(let sequence):
            try database.cachedStatement(
                sql: "UPDATE posts SET state = 'hidden' WHERE sequence = ? AND state = 'shown'"
            ).execute(arguments: [sequence])
            guard database.changesCount > 0 else { return false }
        case .comment(let comment):
            guard try Comments.show(comment, false, in: database) else { return false }
        case .account, .item: return false
        }
        try database.cachedStatement(sql: "UPDATE cases SET hides = 1, deadline = ? WHERE id = ?").execute(arguments: [
            now + Int64(clamping: rules.hiddenFor * 1000), id,
        ])
        return true
    }

    /// Whether a reason was not judged wrong about this before.
    static func isNews(_ reason: ReportReason, about subject: CaseSubject, in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT NOT EXISTS (SELECT 1 FROM reports JOIN cases ON cases.id = reports."case"
                        WHERE cases.kind = ? AND cases.about = ? AND cases.upheld = 0 AND reports.reason = ?)
                    """), arguments: [subject.kind, subject.about, reason.rawValue]) ?? true
    }

    /// What is known of somebody who reports; nil: the account is gone.
    static func reporter(
        _ account: AccountID, at now: Int64, in database: Database
    ) throws -> ReportRules.Reporter? {
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT role, created FROM accounts WHERE id = ?"), arguments: [account])
        guard let row else { return nil }
        let verdicts = try Bool.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT cases.upheld FROM reports JOIN cases ON cases.id = reports."case"
                    WHERE reports.reporter = ? AND cases.upheld IS NOT NULL ORDER BY reports.at DESC LIMIT 3
                    """), arguments: [account])
        let created: Int64 = row["created"]
        return ReportRules.Reporter(
            age: Double(max(0, now - created)) / 1000, verdicts: verdicts,
            isModerator: row["role"] as String != "member")
    }

    /// Whether an account may act: of this hub, confirmed, not closed, no suspension holds.
    static func isActive(_ account: AccountID, at now: Int64, in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT remote IS NULL AND (state = 'active' OR (state = 'suspended' AND until <= ?))
                    FROM accounts WHERE id = ?
                    """), arguments: [now, account]) ?? false
    }

    /// Tells somebody that a case is about what is hers. Of a decision a letter is written down in the same transaction.
    static func tell(
        _ account: AccountID, about subject: CaseSubject, cause: String, decision: Int64? = nil, at now: Int64,
        in database: Database
    ) throws {
        if let decision, try NoticeChoice.of(account, .moderation, in: database).byMail,
            let found = try Row.fetchOne(
                database, sql: "\(Decision.selection) WHERE decisions.sequence = ?", arguments: [decision])
        {
            try Accounts.tell(account, ofDecision: Decision(found).nameInTable, at: now, in: database)
        }
        // It may be gone; what was decided about it is told all the same.
        var (post, item) = (Int64?.none, HubID?.none)
        switch subject {
        case .post(let sequence):
            post = try Int64.fetchOne(
                database.cachedStatement(sql: "SELECT sequence FROM posts WHERE sequence = ?"), arguments: [sequence])
        case .item(let id): item = try Items.summary(of: id, in: database)?.item
        case .account, .comment: break
        }
        try Notice.add(
            Notice.Draft(account: account, kind: .moderation, post: post, item: item, cause: cause), at: now,
            in: database)
    }
}
