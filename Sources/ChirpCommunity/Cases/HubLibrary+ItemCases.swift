package import ChirpAccounts
internal import GRDB

/// What reports and decisions do to the entries of boards (LF-6, LF-16, LF-18).
extension HubLibrary {
    /// What a report of a subject has to bring along.
    static func check(
        _ reason: ReportReason, _ text: String, _ picture: HubID?, about subject: CaseSubject
    ) throws(CaseError) {
        guard ReportReason.choices(about: subject).contains(reason) else {
            throw .refused(field: "reason", .noReason)
        }
        guard case .item = subject, text.isEmpty else { return }
        // A picture alone does not say what about it is whose.
        if reason == .ownership { throw .refused(field: "text", .ownershipWithoutProof) }
        if picture == nil { throw .refused(field: "text", .reportWithoutWords) }
    }

    /// Whose an item is that somebody reports. What others' reports have just taken from sight may have been on her page before.
    static func author(
        ofItem id: HubID, reportedBy viewer: AccountID, in database: Database
    ) throws -> AccountID? {
        guard let found = try Items.summary(of: id, in: database) else { return nil }
        if try Items.isSeen(id, by: viewer, in: database) { return found.author }
        let isHiddenByReports = try Bool.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT EXISTS (SELECT 1 FROM cases WHERE kind = 'item' AND about = ? AND hides = 1 AND state = 'open')
                    """), arguments: [id.text])
        let wouldBeSeen = try Items.isSeen(id, by: viewer, evenIfHidden: true, in: database)
        return isHiddenByReports == true && wouldBeSeen ? found.author : nil
    }

    /// What somebody may report, by its address; nil for what she may not see. Where it is, is not told.
    package func itemToReport(_ id: HubID, by account: AccountID) async throws(LibraryError) -> ItemSummary? {
        try await read { database in
            guard try Self.author(ofItem: id, reportedBy: account, in: database) != nil else { return nil }
            var found = try Items.summary(of: id, in: database)
            found?.place = nil
            return found
        }
    }

    /// An item for a moderator who has seen something, to begin a case about it.
    ///
    /// - Throws: ``CaseError/notAllowed``, ``CaseError/notFound``.
    package func item(_ id: HubID, for moderator: AccountID) async throws(CaseError) -> (ItemSummary, PostAuthor) {
        let now = Self.milliseconds(now())
        return try await look { database in
            _ = try Self.rank(of: moderator, at: now, in: database)
            // Nobody has seen a draft.
            guard var found = try Items.summary(of: id, in: database), found.state != .draft,
                let author = try Row.fetchOne(
                    database.cachedStatement(sql: "SELECT id, handle, name FROM accounts WHERE id = ?"),
                    arguments: [found.author]
                ).map({ PostAuthor($0) })
            else { throw CaseError.notFound }
            // That is for moderators within a case.
            found.place = nil
            return (found, author)
        }
    }

    /// What a report does besides reaching the queue. One of ownership freezes the item until that is decided; another one hides it
    /// for a day at most, once in a case. Who was wrong three times running does neither.
    static func hold(
        _ item: HubID, in id: String, for reason: ReportReason, by account: AccountID, _ rules: ReportRules,
        at now: Int64, in database: Database
    ) throws -> ReportReceipt {
        guard let reporter = try reporter(account, at: now, in: database), !rules.isDoubted(reporter) else {
            return ReportReceipt(caseID: id, hides: false)
        }
        if reason == .ownership {
            try database.cachedStatement(sql: "UPDATE cases SET freezes = 1 WHERE id = ? AND state = 'open'").execute(
                arguments: [id])
            let freezes = database.changesCount == 1
            try settle(item, at: now, in: database)
            return ReportReceipt(caseID: id, hides: false, freezes: freezes)
        }
        let isNews = try isNews(reason, about: .item(item), in: database)
        guard rules.hidesItem(reporter, isNews: isNews) else { return ReportReceipt(caseID: id, hides: false) }
        try database.cachedStatement(
            sql: "UPDATE cases SET hides = 1, deadline = ? WHERE id = ? AND hides = 0 AND state = 'open'"
        ).execute(arguments: [now + Int64(clamping: rules.hiddenFor * 1000), id])
        let hides = database.changesCount == 1
        try settle(item, at: now, in: database)
        return ReportReceipt(caseID: id, hides: hides)
    }

    /// An item is hidden and frozen as long as one of its cases says so: to end one ends no other.
    static func settle(_ item: HubID, at now: Int64, in database: Database) throws {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT MAX(hides IN (1, 3)) AS hides, MAX(freezes) AS freezes FROM cases
                    WHERE kind = 'item' AND about = ?
                    """), arguments: [item.text])
        let (hides, freezes): (Bool?, Bool?) = (row?["hides"], row?["freezes"])
        try Items.hide(item, hides ?? false, at: now, in: database)
        try Items.freeze(item, freezes ?? false, in: database)
    }

    /// Does to an item what was decided, within the decision's transaction, and tells those who say that it is theirs.
    static func apply(
        _ verdict: Verdict, to item: HubID, in id: String, _ decision: Int64, at now: Int64, in database: Database
    ) throws {
        // What an appeal has not changed stays as the first decision left it.
        if verdict.step != .uphold {
            if verdict.step == .restore {
                try database.cachedStatement(
                    sql: """
                        UPDATE cases SET hides = 0, freezes = 0
                        WHERE kind = 'item' AND about = ? AND state IN ('decided', 'closed')
                        """
                ).execute(arguments: [item.text])
            }
            try database.cachedStatement(sql: "UPDATE cases SET hides = ?, freezes = ? WHERE id = ?").execute(
                arguments: [verdict.hidesItem ? 3 : 0, verdict.step == .freeze, id])
        }
        try settle(item, at: now, in: database)
        let claimants = try AccountID.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT reports.reporter FROM reports JOIN cases ON cases.id = reports."case"
                    WHERE cases.id = ? AND cases.claim = 1 AND reports.reporter IS NOT NULL ORDER BY reports.at
                    """), arguments: [id])
        for claimant in claimants {
            try Notice.add(
                Notice.Draft(account: claimant, kind: .moderation, cause: "decision:\(decision)"), at: now, in: database
            )
        }
    }
}
