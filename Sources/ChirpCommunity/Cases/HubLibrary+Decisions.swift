package import ChirpAccounts
internal import FoundationEssentials
internal import GRDB

extension HubLibrary {
    /// Decides a case: its state, what is done, the row in the log and the notice are one transaction. Of two who decide at once the
    /// first does.
    ///
    /// - Parameters:
    ///   - from: the state in which the moderator has seen it.
    /// - Returns: the decision's number in the log.
    /// - Throws: ``CaseError/notFound``, ``CaseError/notAllowed``, ``CaseError/involved``, ``CaseError/changedMeanwhile``,
    ///   ``CaseError/refused(field:_:)``.
    @discardableResult
    package func decide(
        _ id: String, _ verdict: Verdict, by moderator: AccountID, from: ModerationCase.State
    ) async throws(CaseError) -> Int64 {
        let verdict = try verdict.checked()
        guard from.waits else { throw .changedMeanwhile }
        guard verdict.step != .uphold || from == .appealed else {
            throw .refused(field: "what", .onlyAppeals)
        }
        let now = Self.milliseconds(now())
        return try await act { database in
            let rank = try Self.rank(of: moderator, at: now, in: database)
            guard
                let row = try Row.fetchOne(
                    database.cachedStatement(sql: "SELECT * FROM cases WHERE id = ?"), arguments: [id]),
                let subject = CaseSubject(kind: row["kind"], about: row["about"])
            else { throw CaseError.notFound }
            let account: AccountID = row["account"]
            var item: HubID?
            if case .item(let id) = subject { item = id }
            guard item != nil || !verdict.step.isForItems else { throw CaseError.refused(field: "what", .onlyItems) }
            try Self.checkInvolvement(of: moderator, in: id, about: account, isAppeal: from == .appealed, in: database)
            try Self.checkRank(rank, verdict, against: account, in: database)

            // The state that the moderator has seen, or none: so that one of two wins.
            let after: ModerationCase.State = from == .appealed ? .closed : .decided
            let isUpheld = verdict.step != .show
            try database.cachedStatement(
                sql: """
                    UPDATE cases SET state = ?, upheld = ?, hides = CASE WHEN kind = 'item' THEN hides ELSE 0 END
                    WHERE id = ? AND state = ?
                    """
            ).execute(arguments: [after.rawValue, isUpheld, id, from.rawValue])
            guard database.changesCount == 1 else { throw CaseError.changedMeanwhile }

            if from == .appealed, verdict.step != .uphold { try Self.lift(id, of: account, at: now, in: database) }
            let until = verdict.days.map { now + Int64($0) * 86_400_000 }
            let decision = try Self.log(
                verdict.step.rawValue, case: id, by: moderator, account: account, until: until, why: verdict.why,
                at: now, in: database)
            try Self.apply(verdict, to: subject, of: account, until: until, decision, at: now, in: database)
            if let item { try Self.apply(verdict, to: item, in: id, decision, at: now, in: database) }
            try Self.tell(
                account, about: subject, cause: "decision:\(decision)", decision: decision, at: now, in: database)
            return decision
        }
    }

    /// Asks for a decision to be looked at again, once. Suspended people may.
    ///
    /// - Throws: ``CaseError/notFound`` for what is not about the account; ``CaseError/changedMeanwhile`` when there is nothing to
    ///   appeal against, or it was done.
    package func appeal(_ id: String, by account: AccountID, text: String) async throws(CaseError) {
        let text = try Verdict.text(text, field: "text", .appealWithoutReason)
        let now = Self.milliseconds(now())
        try await act { database in
            guard try Self.isAbout(account, id, in: database) else { throw CaseError.notFound }
            try database.cachedStatement(
                sql: """
                    UPDATE cases SET state = 'appealed', appeal = ?, deadline = ?
                    WHERE id = ? AND state = 'decided' AND upheld = 1
                    """
            ).execute(arguments: [text, now + 24 * 3_600_000, id])
            guard database.changesCount == 1 else { throw CaseError.changedMeanwhile }
        }
    }

    /// Says something about a case before it is decided, once.
    package func answer(_ id: String, by account: AccountID, text: String) async throws(CaseError) {
        let text = try Verdict.text(text, field: "text", .answerWithoutWords)
        try await act { database in
            guard try Self.isAbout(account, id, in: database) else { throw CaseError.notFound }
            try database.cachedStatement(
                sql: "UPDATE cases SET answer = ? WHERE id = ? AND state = 'open' AND answer = ''"
            ).execute(arguments: [text, id])
            guard database.changesCount == 1 else { throw CaseError.changedMeanwhile }
        }
    }

    private static func isAbout(_ account: AccountID, _ id: String, in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT 1 FROM cases WHERE id = ? AND account = ?"), arguments: [id, account])
            ?? false
    }

    /// Writes a row of the log.
    static func log(
        _ what: String, case id: String?, by moderator: AccountID, account: AccountID?, until: Int64? = nil,
        why: String,
        at now: Int64, in database: Database
    ) throws -> Int64 {
        try database.cachedStatement(
            sql: """
                INSERT INTO decisions ("case", "by", account, what, until, why, at) VALUES (?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [id, moderator, account, what, until, why, now])
        return database.lastInsertedRowID
    }

    /// What a moderator is now: rights are asked for in the transaction that uses them.
    ///
    /// - Throws: ``CaseError/notAllowed`` for everybody else.
    static func rank(of moderator: AccountID, at now: Int64, in database: Database) throws -> HubAccount.Role {
        let text = try String.fetchOne(
            database.cachedStatement(sql: "SELECT role FROM accounts WHERE id = ?"), arguments: [moderator])
        guard let role = text.flatMap(HubAccount.Role.init), role > .member,
            try isActive(moderator, at: now, in: database)
        else { throw CaseError.notAllowed }
        return role
    }

    /// Nobody decides about own things, about own reports, or about an appeal against an own decision while somebody else could.
    private static func checkInvolvement(
        of moderator: AccountID, in id: String, about account: AccountID, isAppeal: Bool, in database: Database
    ) throws {
        guard moderator != account else { throw CaseError.involved }
        let hasReported = try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT 1 FROM reports WHERE \"case\" = ? AND reporter = ?"),
            arguments: [id, moderator])
        guard hasReported != true else { throw CaseError.involved }
        guard isAppeal else { return }
        let hasDecided = "SELECT 1 FROM decisions WHERE \"case\" = ? AND \"by\" = accounts.id"
        let hasOther = try Bool.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT EXISTS (SELECT 1 FROM accounts WHERE id = ? AND EXISTS (\(hasDecided)))
                        AND EXISTS (SELECT 1 FROM accounts WHERE role IN ('moderator', 'owner') AND state = 'active'
                            AND id NOT IN (?, ?) AND NOT EXISTS (\(hasDecided))
                            AND NOT EXISTS (SELECT 1 FROM reports WHERE "case" = ? AND reporter = accounts.id))
                    """), arguments: [moderator, id, account, moderator, id, id])
        if hasOther == true { throw CaseError.involved }
    }

    /// The owner is nobody's to punish, and a moderator the owner's alone.
    private static func checkRank(
        _ rank: HubAccount.Role, _ verdict: Verdict, against account: AccountID, in database: Database
    ) throws {
        guard verdict.step.isHeavy else { return }
        let text = try String.fetchOne(
            database.cachedStatement(sql: "SELECT role FROM accounts WHERE id = ?"), arguments: [account])
        guard let role = text.flatMap(HubAccount.Role.init), role < rank else { throw CaseError.notAllowed }
    }
}
