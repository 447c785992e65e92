package import ChirpAccounts
package import ChirpNumbers
internal import FoundationEssentials
internal import GRDB

extension HubLibrary {
    /// The cases in some states, for a moderator: those that wait by their deadline, the others the newest first.
    ///
    /// - Parameters:
    ///   - waiting: those that somebody has to decide; otherwise those that were decided.
    ///   - limit: the most that are given.
    /// - Throws: ``CaseError/notAllowed``.
    package func cases(
        waiting: Bool, for moderator: AccountID, limit: Int = 100
    ) async throws(CaseError) -> [ModerationCase] {
        let now = Self.milliseconds(now())
        return try await look { database in
            _ = try Self.rank(of: moderator, at: now, in: database)
            return try self.cases(
                waiting ? "cases.state IN ('open', 'appealed')" : "cases.state IN ('decided', 'closed')", [],
                (waiting ? "cases.deadline, cases.id" : "cases.created DESC, cases.id") + " LIMIT \(limit)",
                in: database)
        }
    }

    /// One case with all that is about it, for a moderator. Only here are posts shown that nobody else sees.
    ///
    /// - Throws: ``CaseError/notAllowed``, ``CaseError/notFound``.
    package func moderationCase(_ id: String, for moderator: AccountID) async throws(CaseError) -> ModerationCase {
        let now = Self.milliseconds(now())
        return try await look { database in
            _ = try Self.rank(of: moderator, at: now, in: database)
            guard let found = try self.cases("cases.id = ?", [id], "cases.id", in: database).first else {
                throw CaseError.notFound
            }
            return found
        }
    }

    /// Begins a case without a report, for what a moderator has seen; the one that waits already, if there is one.
    ///
    /// - Returns: its id.
    package func openCase(about subject: CaseSubject, by moderator: AccountID) async throws(CaseError) -> String {
        let now = Self.milliseconds(now())
        return try await act { database in
            _ = try Self.rank(of: moderator, at: now, in: database)
            let account: AccountID?
            switch subject {
            case .post(let sequence):
                // What is for somebody alone is seen only when one of them reports it.
                account = try AccountID.fetchOne(
                    database.cachedStatement(
                        sql: "SELECT account FROM posts WHERE sequence = ? AND visibility IN ('public', 'unlisted')"),
                    arguments: [sequence])
            case .account(let id):
                account = try AccountID.fetchOne(
                    database.cachedStatement(
                        sql: "SELECT id FROM accounts WHERE id = ? AND state IN ('active', 'suspended')"),
                    arguments: [id])
            case .item(let id): account = try Items.summary(of: id, in: database)?.author
            case .comment(let id): account = try Comments.summary(of: id, in: database)?.author.id
            }
            guard let account else { throw CaseError.notFound }
            guard account != moderator else { throw CaseError.own }
            return try Self.openCase(about: subject, of: account, deadline: now + 24 * 3_600_000, at: now, in: database)
        }
    }

    /// What was decided, newest first, for a moderator.
    ///
    /// - Parameter before: the place in the log that the list begins below.
    package func log(
        for moderator: AccountID, before: PageCursor = .end, limit: Int
    ) async throws(CaseError) -> [Decision] {
        let now = Self.milliseconds(now())
        return try await look { database in
            _ = try Self.rank(of: moderator, at: now, in: database)
            return try Row.fetchAll(
                database,
                sql:
                    "\(Decision.selection) WHERE decisions.sequence < ? ORDER BY decisions.sequence DESC LIMIT \(limit)",
                arguments: [before.row]
            ).map(Decision.init)
        }
    }

    /// The cases about what is somebody's own, and about items that somebody says are hers, newest first. Who has reported it, and who
    /// has decided, is not told.
    package func standing(of account: AccountID) async throws(CaseError) -> [ModerationCase] {
        try await look { database in
            try self.cases(
                """
                cases.account = ? OR cases.claim = 1 AND EXISTS (
                    SELECT 1 FROM reports WHERE reports."case" = cases.id AND reports.reporter = ?)
                """, [account, account], "cases.created DESC, cases.id LIMIT 200", in: database
            ).map {
                var own = $0
                // Only moderators see where exactly it is.
                own.item?.place = nil
                if own.account.id != account {
                    (own.answer, own.appeal) = ("", "")
                    if case .item(let id) = own.subject, try !Items.isSeen(id, by: account, in: database) {
                        own.item = nil
                    }
                }
                own.reports = own.reports.map {
                    ModerationCase.Report(reporter: nil, reason: $0.reason, text: "", at: $0.at)
                }
                for place in own.decisions.indices { own.decisions[place].moderator = nil }
                return own
            }
        }
    }

    private func cases(
        _ condition: String, _ arguments: StatementArguments, _ order: String, in database: Database
    ) throws -> [ModerationCase] {
        let found = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT cases.*, accounts.handle, accounts.name
                    FROM cases JOIN accounts ON accounts.id = cases.account WHERE \(condition) ORDER BY \(order)
                    """), arguments: arguments
        ).compactMap(ModerationCase.init)
        return try found.map { found in
            var found = found
            switch found.subject {
            case .post(let sequence):
                found.post = try posts("posts.sequence = ?", [sequence], "posts.sequence", in: database).first
            case .item(let id): found.item = try Items.summary(of: id, in: database)
            case .comment(let id): found.comment = try Comments.summary(of: id, in: database)
            case .account: break
            }
            found.reports = try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT reports.*, accounts.handle, accounts.name
                        FROM reports LEFT JOIN accounts ON accounts.id = reports.reporter
                        WHERE reports."case" = ? ORDER BY reports.at, reports.rowid
                        """), arguments: [found.id]
            ).map { row in
                ModerationCase.Report(
                    reporter: (row["reporter"] as AccountID?).map {
                        PostAuthor(id: $0, handle: row["handle"] ?? "", name: row["name"] ?? "")
                    }, reason: ReportReason(rawValue: row["reason"]) ?? .other, text: row["text"],
                    at: Self.date(row["at"]), picture: (row["picture"] as String?).flatMap { HubID($0) },
                    server: row["server"])
            }
            found.decisions = try Row.fetchAll(
                database, sql: "\(Decision.selection) WHERE decisions.\"case\" = ? ORDER BY decisions.sequence",
                arguments: [found.id]
            ).map(Decision.init)
            return found
        }
    }
}
