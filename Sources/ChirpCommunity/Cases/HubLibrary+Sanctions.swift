internal import ChirpAccounts
internal import Crypto
internal import FoundationEssentials
internal import GRDB

extension HubLibrary {
    /// Does what was decided, within the decision's transaction.
    static func apply(
        _ verdict: Verdict, to subject: CaseSubject, of account: AccountID, until: Int64?, _ decision: Int64,
        at now: Int64, in database: Database
    ) throws {
        if verdict.step != .uphold {
            switch subject {
            case .post(let sequence): try show(sequence, !verdict.hidesItem, in: database)
            case .comment(let id): try Comments.show(id, !verdict.hidesItem, in: database)
            case .account, .item: break
            }
        }
        guard let sanction = verdict.step.sanction else { return }
        try database.cachedStatement(
            sql: "INSERT INTO sanctions (decision, account, kind, \"from\", until) VALUES (?, ?, ?, ?, ?)"
        ).execute(arguments: [decision, account, sanction, now, until])
        if verdict.step == .ban, let mail = try mail(of: account, in: database) {
            try database.cachedStatement(
                sql:
                    "INSERT INTO bannedMails (hash, decision) VALUES (?, ?) ON CONFLICT (hash) DO UPDATE SET until = NULL"
            ).execute(arguments: [digest(ofMail: mail.mailbox), decision])
        }
        try settleState(of: account, at: now, in: database)
        switch verdict.step {
        // Suspended people stay signed in: they read, export, appeal.
        case .suspension: try credentialRows.carryOut(.suspension, on: account, in: database)
        case .closing, .ban: try credentialRows.carryOut(.closing, on: account, in: database)
        case .show, .uphold, .restore, .hide, .freeze, .notice, .warning, .limit: break
        }
    }

    /// Takes back what the decisions of a case have done: an appeal was granted, or another decision takes their place.
    static func lift(_ id: String, of account: AccountID, at now: Int64, in database: Database) throws {
        try database.cachedStatement(
            sql: """
                UPDATE sanctions SET lifted = ? WHERE lifted IS NULL
                    AND decision IN (SELECT sequence FROM decisions WHERE "case" = ?)
                """
        ).execute(arguments: [now, id])
        try database.cachedStatement(
            sql: "DELETE FROM bannedMails WHERE decision IN (SELECT sequence FROM decisions WHERE \"case\" = ?)"
        ).execute(arguments: [id])
        try settleState(of: account, at: now, in: database)
    }

    /// An account's state is what its sanctions say.
    private static func settleState(of account: AccountID, at now: Int64, in database: Database) throws {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT SUM(kind IN ('closing', 'ban')) AS closing, MAX(until) FILTER (WHERE kind = 'suspension') AS until
                    FROM sanctions WHERE account = ? AND lifted IS NULL AND (until IS NULL OR until > ?)
                    """), arguments: [account, now])
        let closing: Int? = row?["closing"]
        let until: Int64? = row?["until"]
        let state = (closing ?? 0) > 0 ? "closed" : until != nil ? "suspended" : "active"
        try database.cachedStatement(
            sql: "UPDATE accounts SET state = ?, until = ? WHERE id = ? AND state <> 'unconfirmed'"
        ).execute(arguments: [state, state == "suspended" ? until : nil, account])
    }

    private static func show(_ sequence: Int64, _ shows: Bool, in database: Database) throws {
        try database.cachedStatement(sql: "UPDATE posts SET state = ? WHERE sequence = ?").execute(arguments: [
            shows ? "shown" : "hidden", sequence,
        ])
    }

    private static func mail(of account: AccountID, in database: Database) throws -> MailAddress? {
        try String.fetchOne(
            database.cachedStatement(sql: "SELECT mail FROM accounts WHERE id = ?"), arguments: [account]
        ).map(MailAddress.init(stored:))
    }

    /// What stands for a mail address that is banned: the list of them names nobody.
    ///
    /// - Parameter text: its ``MailAddress/mailbox``; releases before have kept bans by the address itself.
    static func digest(ofMail text: String) -> Data {
        Data(SHA256.hash(data: Data("banned mail:\(text.lowercased())".utf8)))
    }

    /// What ends by itself: suspensions, and the time for which reports alone hide something. Called now and then; what it has not seen
    /// yet ends all the same where rights are asked for.
    package func settleCases() async throws(LibraryError) {
        let now = Self.milliseconds(now())
        // Most of the time there is nothing to write.
        let isDue = try await read { database in
            try Bool.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT EXISTS (SELECT 1 FROM cases WHERE state = 'open' AND hides = 1 AND deadline <= :now)
                            OR EXISTS (SELECT 1 FROM accounts WHERE state = 'suspended' AND until <= :now)
                        """), arguments: ["now": now]) ?? false
        }
        guard isDue else { return }
        try await write { database in
            try database.cachedStatement(
                sql: """
                    UPDATE posts SET state = 'shown' WHERE state = 'hidden' AND sequence IN (
                        SELECT CAST(about AS INTEGER) FROM cases
                        WHERE kind = 'post' AND state = 'open' AND hides = 1 AND deadline <= ?)
                    """
            ).execute(arguments: [now])
            try database.cachedStatement(
                sql: """
                    UPDATE comments SET state = 'shown' WHERE state = 'hidden' AND id IN (
                        SELECT about FROM cases
                        WHERE kind = 'comment' AND state = 'open' AND hides = 1 AND deadline <= ?)
                    """
            ).execute(arguments: [now])
            let items = try String.fetchAll(
                database.cachedStatement(
                    sql:
                        "SELECT about FROM cases WHERE kind = 'item' AND state = 'open' AND hides = 1 AND deadline <= ?"
                ), arguments: [now]
            ).compactMap { HubID($0) }
            try database.cachedStatement(
                sql: "UPDATE cases SET hides = 2 WHERE state = 'open' AND hides = 1 AND deadline <= ?"
            ).execute(arguments: [now])
            for item in items { try Self.settle(item, at: now, in: database) }
            try database.cachedStatement(
                sql: "UPDATE accounts SET state = 'active', until = NULL WHERE state = 'suspended' AND until <= ?"
            ).execute(arguments: [now])
        }
    }
}
