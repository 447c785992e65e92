internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpDatabase
internal import FoundationEssentials
internal import GRDB

/// How an attempt stands before it is changed.
struct AttemptStanding {
    let sequence: Int64
    let account: AccountID
    let challenge: HubID
    /// Nil: whose account is gone.
    let setter: AccountID?
    let rule: Int64
    let terms: RuleTerms
    let state: Attempt.State
    let round: Int
    let decided: Int64?

    /// - Throws: ``AttemptRefusal/notFound``.
    init(_ id: HubID, in database: Database) throws {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT rules.*, attempts.sequence AS attempt, attempts.account, attempts.state, attempts.round,
                        attempts.decided
                    FROM attempts JOIN rules ON rules.sequence = attempts.rule WHERE attempts.id = ?
                    """), arguments: [id.text])
        guard let row, let terms = RuleTerms(NamedRow(row)), let challenge = HubID(row["challenge"] as String),
            let state = Attempt.State(rawValue: row["state"])
        else { throw AttemptRefusal.notFound }
        (sequence, account, round) = (row["attempt"], row["account"], row["round"])
        (self.challenge, setter, rule) = (challenge, row["setter"], row["sequence"])
        (self.terms, self.state, decided) = (terms, state, row["decided"])
    }
}

extension AttemptStanding {
    /// All of its media were here at an instant by the server's clock, which is the one that counts for events and ties.
    func arrive(at instant: Date, in database: Database) throws {
        guard state == .receiving else { throw AttemptRefusal.state(state) }
        try terms.event?.check(instant)
        try database.cachedStatement(
            sql: "UPDATE attempts SET state = 'checking', received = ? WHERE sequence = ? AND state = 'receiving'"
        ).execute(arguments: [Accounts.milliseconds(instant), sequence])
        guard database.changesCount == 1 else { throw AttemptRefusal.state(state) }
    }

    /// Its author reads what has become of it, once for each round.
    func tell(_ state: Attempt.State, _ id: HubID, at now: Int64, in database: Database) throws {
        try Notice.add(
            Notice.Draft(
                account: account, kind: state == .verified ? .verified : .rejected, item: challenge,
                cause: "\(state.rawValue):\(id):\(round)"), at: now, in: database)
    }
}
