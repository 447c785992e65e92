package import ChirpAccounts
package import ChirpCommunity
internal import FoundationEssentials
package import GRDB

/// Pledges in the library, and the ledger of what has become of them (OU-17). It is an account of promises in a unit that the hub's owner
/// names: no money is moved by it.
package struct StakeStore: Sendable {
    package let library: HubLibrary
    package let limits: StakeLimits

    package init(library: HubLibrary, limits: StakeLimits = .off) {
        self.library = library
        self.limits = limits
    }

    /// Pledges at one's own challenge, once for the author and key; then that pledge is given again.
    ///
    /// - Parameter version: of the challenge's rule, as she has read it.
    package func pledge(
        _ terms: StakeTerms, at challenge: HubID, version: Int, by account: AccountID, key: String
    ) async throws(StakeRefusal) -> HubID {
        guard limits.isOn else { throw .off }
        do {
            return try await library.transact {
                try write(terms, at: challenge, version: version, by: account, key: key, in: $0)
            }
        } catch { throw StakeRefusal(error) }
    }

    private func write(
        _ terms: StakeTerms, at id: HubID, version: Int, by account: AccountID, key: String, in database: Database
    ) throws -> HubID {
        let now = library.now()
        let instant = Accounts.milliseconds(now)
        let known = try String.fetchOne(
            database.cachedStatement(sql: "SELECT id FROM stakes WHERE account = ? AND key = ?"),
            arguments: [account, key])
        if let known = known.flatMap({ HubID($0) }) { return known }
        guard try AccountStanding(of: account, at: instant, in: database)?.isActive == true else {
            throw StakeRefusal.noAccount
        }
        let challenge = try ChallengeStore(library: library).challenge(id, for: account, in: database)
        let (item, rule) = (challenge.item, challenge.rule)
        guard item.author.id == account else { throw StakeRefusal.notSetter }
        guard item.state == .open else { throw StakeRefusal.ended(item.state) }
        guard rule.version == version else { throw StakeRefusal.changed(version: rule.version) }
        let isOpen = try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM stakes WHERE rule = ? AND state = 'open')"),
            arguments: [rule.id])
        guard isOpen == false else { throw StakeRefusal.already }
        let open = try Int64.fetchOne(
            database.cachedStatement(
                sql: "SELECT COALESCE(SUM(amount), 0) FROM stakes WHERE account = ? AND state = 'open'"),
            arguments: [account])
        var faults = terms.faults(limits, open: open ?? 0, at: now)
        if key.isEmpty { faults[.key] = .missing }
        if key.utf8.count > Stake.longestKey { faults[.key] = .tooLong(most: Stake.longestKey) }
        guard faults.isEmpty, let amount = terms.amount else { throw StakeRefusal.fields(faults) }
        let stake = HubID()
        try database.cachedStatement(
            sql: """
                INSERT INTO stakes (id, account, key, challenge, rule, amount, unit, isAdult, made, ends, due)
                VALUES (?, ?, ?, ?, ?, ?, ?, 1, ?, ?, 0)
                """
        ).execute(
            arguments: [
                stake.text, account, key, id.text, rule.id, amount, terms.unit, instant,
                Accounts.milliseconds(terms.until),
            ])
        let row = StakeRow(
            sequence: database.lastInsertedRowID, account: account, challenge: id.text, rule: rule.id,
            amount: amount, unit: terms.unit, made: instant, ends: Accounts.milliseconds(terms.until),
            state: "open", attempt: nil)
        try row.move(.pledge, from: .person(account), to: .pot, at: instant, in: database)
        return stake
    }

    /// Who would gain or lose by what is decided about an attempt (OU-20): who has pledged, and whoever has tried while it was pledged and could
    /// come to win it; also when it was paid for that attempt.
    package static func interested(
        in attempt: Int64, at challenge: HubID, in database: Database
    ) throws -> Set<AccountID> {
        try AccountID.fetchSet(
            database.cachedStatement(
                sql: """
                    SELECT account FROM stakes
                    WHERE challenge = :challenge AND (state = 'open' OR attempt = :attempt) AND account IS NOT NULL
                    UNION SELECT attempts.account FROM stakes
                    CROSS JOIN attempts INDEXED BY attemptsByRule ON attempts.rule = stakes.rule
                        AND attempts.received > stakes.made AND attempts.received <= stakes.ends
                        AND attempts.state IN ('checking', 'waiting', 'verified', 'rejected')
                    WHERE stakes.challenge = :challenge AND (stakes.state = 'open' OR stakes.attempt = :attempt)
                    """), arguments: ["challenge": challenge.text, "attempt": attempt])
    }
}

/// A pledge as it stands before something is done with it.
struct StakeRow {
    let sequence: Int64
    /// Nil: whose account is gone.
    let account: AccountID?
    let challenge: String?
    let rule: Int64?
    let amount: Int64
    let unit: String
    let made: Int64
    let ends: Int64
    let state: String
    let attempt: Int64?

    /// Where the ledger has something.
    enum Place {
        case pot
        /// Nil: whose account is gone.
        case person(AccountID?)
    }

    /// Writes a movement of the whole amount, both rows of it.
    func move(
        _ why: StakeEntry.Reason, from giver: Place, to taker: Place, at now: Int64, in database: Database
    ) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO stakeMovements (stake, step, why, unit, at)
                VALUES (?1, (SELECT COUNT(*) FROM stakeMovements WHERE stake = ?1), ?2, ?3, ?4)
                """
        ).execute(arguments: [sequence, why.rawValue, unit, now])
        let movement = database.lastInsertedRowID
        for (place, amount) in [(giver, -amount), (taker, amount)] {
            var (name, account): (String, AccountID?) = ("pot", nil)
            if case .person(let someone) = place { (name, account) = ("person", someone) }
            try database.cachedStatement(
                sql: "INSERT INTO stakeLedger (movement, place, account, amount) VALUES (?, ?, ?, ?)"
            ).execute(arguments: [movement, name, account, amount])
        }
    }
}

extension StakeRow {
    init(_ row: Row) {
        self.init(
            sequence: row["sequence"], account: row["account"], challenge: row["challenge"], rule: row["rule"],
            amount: row["amount"], unit: row["unit"], made: row["made"], ends: row["ends"], state: row["state"],
            attempt: row["attempt"])
    }
}
