internal import ChirpAccounts
internal import ChirpCommunity
package import FoundationEssentials
internal import GRDB

extension StakeStore {
    /// So many in one transaction, so that others get their turn.
    private static let settledAtOnce = 20
    /// In ms: nothing is left alone for longer, whatever has become of its challenge.
    private static let (hour, day): (Int64, Int64) = (3_600_000, 86_400_000)

    /// Settles what is due: pays, gives back, and takes back what was paid for an attempt that counts no more. Each step is in one
    /// transaction with the state that it leads to, so that it may be repeated after a kill, and by two processes at once. Pledges of a time when
    /// stakes were switched on are settled too when they are off.
    ///
    /// - Returns: how many movements were written.
    @discardableResult
    package func sweep(at now: Date) async throws -> Int {
        let instant = Accounts.milliseconds(now)
        var (moved, isLast) = (0, false)
        while !isLast {
            let (looked, many) = try await library.transact { database in
                let rows = try Row.fetchAll(
                    database.cachedStatement(
                        sql: """
                            SELECT * FROM stakes WHERE due IS NOT NULL AND due <= ? ORDER BY due, sequence
                            LIMIT \(Self.settledAtOnce)
                            """), arguments: [instant]
                ).map(StakeRow.init)
                return (rows.count, try rows.reduce(0) { try $0 + Self.settle($1, at: instant, in: database) })
            }
            moved += many
            isLast = looked < Self.settledAtOnce
        }
        return moved
    }

    /// - Returns: how many movements were written.
    private static func settle(_ row: StakeRow, at now: Int64, in database: Database) throws -> Int {
        switch row.state {
        case "open": return try settleOpen(row, at: now, in: database)
        case "paid":
            let winner = try Row.fetchOne(
                database.cachedStatement(sql: "SELECT account, state FROM attempts WHERE sequence = ?"),
                arguments: [row.attempt])
            guard let winner, (winner["state"] as String) != Attempt.State.verified.rawValue else {
                try postpone(row, to: nil, in: database)
                return 0
            }
            try change(row, "state = 'open', settled = NULL, attempt = NULL, recalls = recalls + 1", [], in: database)
            try row.move(.recall, from: .person(winner["account"]), to: .pot, at: now, in: database)
            let open = StakeRow(
                sequence: row.sequence, account: row.account, challenge: row.challenge, rule: row.rule,
                amount: row.amount, unit: row.unit, made: row.made, ends: row.ends, state: "open", attempt: nil)
            return try settleOpen(open, at: now, in: database) + 1
        default:
            try postpone(row, to: nil, in: database)
            return 0
        }
    }

    private static func settleOpen(_ row: StakeRow, at now: Int64, in database: Database) throws -> Int {
        switch try outcome(of: row, at: now, notingTies: true, in: database) {
        case .open: try postpone(row, to: min(row.ends + 1, now + day), in: database)
        case .waiting: try postpone(row, to: now + hour, in: database)
        case .frozen(_, let until):
            try postpone(row, to: until > now ? min(until + 1, now + day) : now + hour, in: database)
        case .won(let attempt):
            let winner = try AccountID.fetchOne(
                database.cachedStatement(sql: "SELECT account FROM attempts WHERE sequence = ?"), arguments: [attempt])
            try change(row, "state = 'paid', settled = ?, attempt = ?, due = NULL", [now, attempt], in: database)
            try row.move(.payout, from: .pot, to: .person(winner), at: now, in: database)
            return 1
        case .back:
            try change(row, "state = 'back', settled = ?, due = NULL", [now], in: database)
            try row.move(.back, from: .pot, to: .person(row.account), at: now, in: database)
            return 1
        }
        return 0
    }

    private static func postpone(_ row: StakeRow, to due: Int64?, in database: Database) throws {
        try change(row, "due = ?", [due], in: database)
    }

    private static func change(
        _ row: StakeRow, _ what: String, _ arguments: StatementArguments, in database: Database
    ) throws {
        try database.cachedStatement(sql: "UPDATE stakes SET \(what) WHERE sequence = ? AND state = ?").execute(
            arguments: arguments + [row.sequence, row.state])
        guard database.changesCount == 1 else { throw StakeRefusal.already }
    }

    /// What becomes of an open pledge.
    ///
    /// - Parameter notingTies: whether accounts are written down that turn out to be the setter's.
    static func outcome(
        of row: StakeRow, at now: Int64, notingTies: Bool = false, in database: Database
    ) throws -> StakeOutcome {
        // Nobody can win what is gone.
        guard let number = row.rule, let rule = try Rule.rule(number, in: database), let challenge = row.challenge,
            try Bool.fetchOne(
                database.cachedStatement(
                    sql: "SELECT EXISTS (SELECT 1 FROM items WHERE id = ? AND state <> 'withdrawn')"),
                arguments: [challenge]) == true
        else { return .back }
        let rows = try deciding(row, of: number, at: now, in: database)
        var authors: Set<AccountID> = []
        for entry in rows where isIn(row, entry["received"]) { authors.insert(entry["account"]) }
        if notingTies { authors.formUnion(try trying(row, of: number, in: database)) }
        let own = try own(of: row, among: authors, at: now, notingTies: notingTies, in: database)
        let tries = rows.compactMap { entry -> StakeOutcome.Try? in
            guard let state = Attempt.State(rawValue: entry["state"]) else { return nil }
            let attempt = VerifiedAttempt(
                sequence: entry["sequence"], score: entry["score"], received: entry["received"], areas: [.world])
            return StakeOutcome.Try(
                attempt, state, decided: entry["decided"], isSetters: own.contains(entry["account"]))
        }
        return StakeOutcome.outcome(tries, rule.terms, from: row.made, until: row.ends, at: now)
    }

    /// The attempts that decide it: of the verified ones those that hold the world's record, or held it, from when it was pledged on, as none
    /// of the others changes who wins (``HoldRun``); and what may still come to count.
    private static func deciding(
        _ row: StakeRow, of rule: Int64, at now: Int64, in database: Database
    ) throws -> [Row] {
        let columns = "sequence, score, received, state, decided, account"
        return try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT \(columns) FROM holds CROSS JOIN attempts ON attempts.sequence = holds.attempt
                    WHERE holds.rule = :rule AND holds.level = 'world' AND holds.place = '' AND holds."from" <= :ends
                        AND holds."from" >= COALESCE((SELECT MAX("from") FROM holds
                            WHERE rule = :rule AND level = 'world' AND place = '' AND "from" <= :made), :made)
                    UNION ALL
                    SELECT \(columns) FROM attempts INDEXED BY attemptsOpen
                    WHERE rule = :rule AND state IN ('receiving', 'checking', 'waiting') AND state <> 'receiving'
                        AND received <= :ends
                    UNION ALL
                    SELECT \(columns) FROM attempts INDEXED BY attemptsByRule
                    WHERE rule = :rule AND state = 'rejected' AND decided >= :latest AND received <= :ends
                    """),
            arguments: [
                "rule": rule, "made": row.made, "ends": row.ends,
                "latest": now - Int64(clamping: Attempt.appealTime * 1000),
            ])
    }

    /// Who has tried in time, and could come to win.
    private static func trying(
        _ row: StakeRow, of rule: Int64, in database: Database
    ) throws -> Set<AccountID> {
        try AccountID.fetchSet(
            database.cachedStatement(
                sql: """
                    SELECT account FROM attempts WHERE rule = ? AND received > ? AND received <= ?
                        AND state IN ('checking', 'waiting', 'verified', 'rejected')
                    """), arguments: [rule, row.made, row.ends])
    }

    private static func isIn(_ row: StakeRow, _ received: Int64) -> Bool {
        received > row.made && received <= row.ends
    }

    /// Which of some accounts are the setter's: the same, or with the same confirmed address now or when it was looked at before.
    private static func own(
        of row: StakeRow, among accounts: Set<AccountID>, at now: Int64, notingTies: Bool, in database: Database
    ) throws -> Set<AccountID> {
        var own = try AccountID.fetchSet(
            database.cachedStatement(sql: "SELECT account FROM stakeTies WHERE stake = ?"), arguments: [row.sequence])
        guard let setter = row.account else { return own }
        own.insert(setter)
        guard let mailbox = try AccountStanding(of: setter, at: now, in: database)?.mailbox else { return own }
        for account in accounts.subtracting(own)
        where try AccountStanding(of: account, at: now, in: database)?.mailbox == mailbox {
            own.insert(account)
            guard notingTies else { continue }
            try database.cachedStatement(sql: "INSERT INTO stakeTies (stake, account) VALUES (?, ?)").execute(
                arguments: [row.sequence, account])
        }
        return own
    }

    /// Somebody who is erased breaks no promise by it: what others have handed in until now may still win, and otherwise it goes back to nobody.
    /// Called before her rows go. What the ledger says stays without her name.
    static func forget(_ person: AccountID, in database: Database) throws {
        let rows = try Row.fetchAll(
            database.cachedStatement(sql: "SELECT * FROM stakes WHERE account = ? AND state = 'open'"),
            arguments: [person]
        ).map(StakeRow.init)
        for row in rows {
            let last =
                try Int64.fetchOne(
                    database.cachedStatement(sql: "SELECT MAX(received) FROM attempts WHERE rule = ? AND account <> ?"),
                    arguments: [row.rule, person]) ?? row.made
            let end = min(row.ends, max(row.made, last))
            // Her other accounts are known by her address alone, which goes.
            _ = try outcome(of: row, at: end, notingTies: true, in: database)
            try change(row, "ends = ?, due = 0", [end], in: database)
        }
    }
}
