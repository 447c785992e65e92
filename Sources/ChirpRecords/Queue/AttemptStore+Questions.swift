package import ChirpAccounts
package import ChirpCommunity
internal import FoundationEssentials
internal import GRDB

extension AttemptStore {
    /// Whether somebody may decide about an attempt now, by the same rules as ``decide(_:_:by:)``: for what a page offers.
    package func judging(_ id: HubID, by account: AccountID) async throws(AttemptRefusal) -> AttemptJudging {
        do {
            let now = Accounts.milliseconds(library.now())
            return try await library.reading { database in
                let row = try AttemptStanding(id, in: database)
                do { return .may(try judge(row, account, at: now, in: database)) } catch let refusal as AttemptRefusal {
                    return .refused(refusal)
                }
            }
        } catch {
            throw AttemptRefusal(error)
        }
    }

    /// - Throws: ``AttemptRefusal`` for whom ``decide(_:_:by:)`` would refuse.
    private func judge(
        _ row: AttemptStanding, _ account: AccountID, at now: Int64, in database: Database
    ) throws -> Ruling.Standing {
        // Most who look at an attempt judge nothing: who has to do with it by what she has tried or pledged is asked for those alone who could.
        if let tie = try nearest(to: row, and: account, at: now, in: database).tie(of: account) {
            throw AttemptRefusal.involved(tie)
        }
        let standing = try standing(of: account, by: row, at: now, in: database)
        let ties = try involvement(in: row, and: account, at: now, in: database)
        if let tie = ties.tie(of: account) { throw AttemptRefusal.involved(tie) }
        if standing == .verifier {
            _ = try ChallengeStore(library: library).challenge(row.challenge, for: account, in: database)
        }
        guard row.state == .waiting || row.state == .verified && standing == .moderator else {
            throw AttemptRefusal.state(row.state)
        }
        guard standing == .moderator || row.round == 0 else { throw AttemptRefusal.notAllowed }
        if row.round == 1, try hasDecided(account, on: row, others: ties, at: now, in: database) {
            throw AttemptRefusal.involved(.decided)
        }
        let hasSpoken = try Bool.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT 1 FROM verdicts WHERE attempt = ? AND round = ? AND standing = 'verifier' AND "by" = ?
                    """), arguments: [row.sequence, row.round, account])
        if standing == .verifier, hasSpoken == true { throw AttemptRefusal.decidedAlready }
        return standing
    }

    /// Asks its author something, who learns of it by a notice and not by whom. Whoever may not decide does not ask.
    package func ask(_ id: HubID, _ text: String, by account: AccountID) async throws(AttemptRefusal) {
        let text = try AttemptVerdict.plain(text)
        try await change { database in
            let now = Accounts.milliseconds(library.now())
            let row = try AttemptStanding(id, in: database)
            _ = try judge(row, account, at: now, in: database)
            guard row.state == .waiting else { throw AttemptRefusal.state(row.state) }
            let (many, same) =
                try Row.fetchOne(
                    database.cachedStatement(
                        sql: """
                            SELECT COUNT(*) AS many, COUNT(*) FILTER (WHERE text = ? AND "by" = ?) AS same
                            FROM attemptQuestions WHERE attempt = ?
                            """), arguments: [text, account, row.sequence]
                ).map { ($0["many"] as Int, $0["same"] as Int) } ?? (0, 0)
            // Whoever presses twice asks once.
            guard same == 0 else { return }
            guard many < AttemptQuestion.most else { throw AttemptRefusal.tooOften(seconds: 24 * 3600) }
            try database.cachedStatement(
                sql: "INSERT INTO attemptQuestions (attempt, \"by\", text, at) VALUES (?, ?, ?, ?)"
            ).execute(arguments: [row.sequence, account, text, now])
            try Notice.add(
                Notice.Draft(
                    account: row.account, kind: .listing, item: row.challenge,
                    cause: "question:\(id):\(database.lastInsertedRowID)"), at: now, in: database)
        }
    }

    /// Its author answers a question, once, while nobody has decided.
    package func answer(
        _ question: Int64, of id: HubID, _ text: String, by account: AccountID
    ) async throws(AttemptRefusal) {
        let text = try AttemptVerdict.plain(text)
        try await change { database in
            let now = Accounts.milliseconds(library.now())
            let row = try AttemptStanding(id, in: database)
            guard row.account == account else { throw AttemptRefusal.notFound }
            guard row.state == .waiting else { throw AttemptRefusal.state(row.state) }
            try database.cachedStatement(
                sql: """
                    UPDATE attemptQuestions SET answer = ?, answered = ?
                    WHERE sequence = ? AND attempt = ? AND answered IS NULL
                    """
            ).execute(arguments: [text, now, question, row.sequence])
            guard database.changesCount == 1 else { throw AttemptRefusal.decidedAlready }
        }
    }

    /// What was asked about an attempt, the oldest first: for its author and for who may judge; nothing for everybody else.
    package func questions(of id: HubID, for account: AccountID) async throws -> [AttemptQuestion] {
        let now = Accounts.milliseconds(library.now())
        return try await library.reading { database in
            let row = try AttemptStanding(id, in: database)
            if row.account != account {
                let isModerator = try AccountStanding(of: account, at: now, in: database)?.isModerator == true
                let isVerifier = try Verifiers.isOne(account, of: row.challenge, rule: row.rule, in: database)
                guard isModerator || isVerifier else { return [] }
            }
            return try Row.fetchAll(
                database.cachedStatement(sql: "SELECT * FROM attemptQuestions WHERE attempt = ? ORDER BY sequence"),
                arguments: [row.sequence]
            ).map { found in
                AttemptQuestion(
                    sequence: found["sequence"], isOwn: (found["by"] as AccountID?) == account, text: found["text"],
                    at: Accounts.date(found["at"]), answer: found["answer"],
                    answered: (found["answered"] as Int64?).map(Accounts.date))
            }
        }
    }

    /// What somebody has asked goes with her account: of a question that was answered its place stays, for the answer to it. Called before her
    /// rows go.
    static func forgetQuestions(of person: AccountID, in database: Database) throws {
        try database.cachedStatement(sql: "DELETE FROM attemptQuestions WHERE \"by\" = ? AND answered IS NULL").execute(
            arguments: [person])
        try database.cachedStatement(sql: "UPDATE attemptQuestions SET text = '' WHERE \"by\" = ?").execute(
            arguments: [person])
    }

    /// How long decisions have taken of late, in seconds: half of them took no longer, and nineteen of twenty. Nil when too few were made.
    package func decisionTimes() async throws -> (median: Double, most: Double)? {
        let times = try await library.reading { database in
            try Int64.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT took FROM (SELECT decided - received AS took FROM attempts
                            WHERE sequence IN (SELECT attempt FROM verdicts WHERE standing <> 'hub' AND round = 0
                                ORDER BY sequence DESC LIMIT 200)
                            AND state IN ('verified', 'rejected') AND decided >= received) ORDER BY took
                        """))
        }
        guard times.count >= 5 else { return nil }
        func seconds(_ share: Double) -> Double {
            Double(times[min(times.count - 1, Int(clamping: Double(times.count) * share))]) / 1000
        }
        return (seconds(0.5), seconds(0.95))
    }
}
