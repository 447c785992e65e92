package import ChirpAccounts
package import ChirpCommunity
internal import FoundationEssentials
internal import GRDB

extension AttemptStore {
    /// Two verifiers who agree decide, or one moderator.
    package static let enough = 2
    /// Who has so many verified attempts at a rule verifies others at it.
    package static let experience = 3

    /// Says what becomes of an attempt that waits; a moderator also rejects one that was verified. What follows from it, who holds the
    /// records, is written in the same transaction. Who may not decide is refused before anything is written.
    ///
    /// - Throws: ``AttemptRefusal/notAllowed``, ``AttemptRefusal/involved(_:)``, ``AttemptRefusal/decidedAlready`` and
    ///   ``AttemptRefusal/state(_:)``, also when somebody else was faster.
    @discardableResult
    package func decide(
        _ id: HubID, _ verdict: AttemptVerdict, by account: AccountID
    ) async throws(AttemptRefusal) -> AttemptOutcome {
        var (what, why) = (Ruling.What.verify, "")
        if case .reject(let reason) = verdict { (what, why) = (.reject, try AttemptVerdict.plain(reason)) }
        let (wanted, reason) = (what, why)
        return try await change { database in
            let now = Accounts.milliseconds(library.now())
            let row = try AttemptStanding(id, in: database)
            let ties = try involvement(in: row, and: account, at: now, in: database)
            if let tie = ties.tie(of: account) { throw AttemptRefusal.involved(tie) }
            let standing = try standing(of: account, by: row, at: now, in: database)
            // Who sets a challenge chooses no judges by blocking the others.
            if standing == .verifier {
                _ = try ChallengeStore(library: library).challenge(row.challenge, for: account, in: database)
            }
            let isUndoing = row.state == .verified && wanted == .reject && standing == .moderator
            guard row.state == .waiting || isUndoing else { throw AttemptRefusal.state(row.state) }
            guard standing == .moderator || row.round == 0 else { throw AttemptRefusal.notAllowed }
            if row.round == 1, try hasDecided(account, on: row, others: ties, at: now, in: database) {
                throw AttemptRefusal.involved(.decided)
            }
            let agreeing =
                standing == .moderator ? [] : try agreeing(wanted, on: row, with: account, at: now, in: database)
            try Ruling(what: wanted, standing: standing, by: account, why: reason).write(row, at: now, in: database)
            guard standing == .moderator || agreeing.count + 1 >= Self.enough else {
                return AttemptOutcome(state: row.state, begun: [], ended: [])
            }
            let state: Attempt.State = wanted == .verify ? .verified : .rejected
            try database.cachedStatement(
                sql: "UPDATE attempts SET state = ?, decided = ? WHERE id = ? AND state = ?"
            ).execute(arguments: [state.rawValue, now, id.text, row.state.rawValue])
            guard database.changesCount == 1 else { throw AttemptRefusal.state(row.state) }
            try row.tell(state, id, at: now, in: database)
            guard state == .verified || row.state == .verified else {
                return AttemptOutcome(state: state, begun: [], ended: [])
            }
            let (begun, ended) = try HoldTable.follow(
                row.sequence, at: row.rule, row.terms, in: database)
            if state == .verified {
                try RecordNews.hear(
                    of: row.sequence, at: row.rule, before: ended, after: begun, at: now, in: database)
            }
            return AttemptOutcome(state: state, begun: begun, ended: ended)
        }
    }

    /// As what somebody decides about an attempt.
    func standing(
        of account: AccountID, by row: AttemptStanding, at now: Int64, in database: Database
    ) throws -> Ruling.Standing {
        guard let standing = try AccountStanding(of: account, at: now, in: database), standing.isActive else {
            throw AttemptRefusal.noAccount
        }
        if standing.isModerator { return .moderator }
        guard try Verifiers.isOne(account, of: row.challenge, rule: row.rule, in: database) else {
            throw AttemptRefusal.notAllowed
        }
        return .verifier
    }

    /// Whose it is and who has set its challenge, with their mailboxes and that of somebody who wants to decide.
    func nearest(
        to row: AttemptStanding, and account: AccountID, at now: Int64, in database: Database
    ) throws -> Involvement {
        var ties = Involvement(author: row.account, setter: row.setter)
        for person in ties.people.union([account]) {
            ties.mailboxes[person] = try AccountStanding(of: person, at: now, in: database)?.mailbox
        }
        return ties
    }

    /// Who has to do with an attempt, with the mailboxes of all of them and of somebody who wants to decide. Of rivals only those who are she.
    func involvement(
        in row: AttemptStanding, and account: AccountID, at now: Int64, in database: Database
    ) throws -> Involvement {
        var ties = try nearest(to: row, and: account, at: now, in: database)
        ties.holders = try HoldTable.touched(by: row.sequence, of: row.rule, row.terms, in: database)
            .subtracting([row.account])
        ties.stakes = try stakes(row.sequence, row.challenge, database)
        for person in ties.people where ties.mailboxes[person] == nil {
            ties.mailboxes[person] = try AccountStanding(of: person, at: now, in: database)?.mailbox
        }
        let own = try Rule.people(trying: row.rule, in: database).filter { person in
            if person == account { return true }
            guard person != row.account, let mailbox = ties.mailboxes[account] else { return false }
            return try AccountStanding(of: person, at: now, in: database)?.mailbox == mailbox
        }
        let rivals = try HoldTable.rivals(
            of: row.sequence, by: row.account, at: row.rule, row.terms, among: own, at: now, in: database)
        for rival in rivals where ties.rivals.insert(rival).inserted {
            ties.mailboxes[rival] = ties.mailboxes[account]
        }
        return ties
    }

    /// Those who have said the same before, and whose word still counts: who has come to hold a record meanwhile, verifies no more, or is
    /// suspended, does not. Of one person, with whatever accounts, one word counts.
    private func agreeing(
        _ what: Ruling.What, on row: AttemptStanding, with account: AccountID, at now: Int64, in database: Database
    ) throws -> [AccountID] {
        let mailbox = try AccountStanding(of: account, at: now, in: database)?.mailbox
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT "by", what FROM verdicts
                    WHERE attempt = ? AND round = ? AND standing = 'verifier' AND "by" IS NOT NULL ORDER BY sequence
                    """), arguments: [row.sequence, row.round])
        var found: [AccountID] = []
        for said in rows {
            let other: AccountID = said["by"]
            let standing = try AccountStanding(of: other, at: now, in: database)
            let isSame = other == account || mailbox != nil && standing?.mailbox == mailbox
            if isSame { throw AttemptRefusal.decidedAlready }
            guard (said["what"] as String) == what.rawValue, standing?.isActive == true,
                try Verifiers.isOne(other, of: row.challenge, rule: row.rule, in: database)
                    || standing?.isModerator == true,
                try involvement(in: row, and: other, at: now, in: database).tie(of: other) == nil
            else { continue }
            found.append(other)
        }
        return found
    }

    /// Whether somebody has rejected an attempt that was appealed, and another moderator is there who has not and is not involved.
    func hasDecided(
        _ account: AccountID, on row: AttemptStanding, others ties: Involvement, at now: Int64, in database: Database
    ) throws -> Bool {
        let before = Set(
            try AccountID.fetchAll(
                database.cachedStatement(
                    sql: "SELECT \"by\" FROM verdicts WHERE attempt = ? AND round = 0 AND \"by\" IS NOT NULL"),
                arguments: [row.sequence]))
        guard before.contains(account) else { return false }
        return try AccountStanding.moderators(at: now, in: database).contains { moderator in
            guard !before.contains(moderator) else { return false }
            var ties = ties
            ties.mailboxes[moderator] = try AccountStanding(of: moderator, at: now, in: database)?.mailbox
            return ties.tie(of: moderator) == nil
        }
    }
}
