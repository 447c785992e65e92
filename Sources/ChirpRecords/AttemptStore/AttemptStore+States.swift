package import ChirpAccounts
package import ChirpCommunity
internal import ChirpCore
package import FoundationEssentials
internal import GRDB

extension AttemptStore {
    /// All of its media are here: it has been received, and a machine looks at it. Of two calls one does it.
    ///
    /// - Parameter received: when they were, which may be a while ago; nil: now.
    /// - Throws: ``AttemptRefusal/over(_:)`` when it is too late for its event; then its author can only take it back.
    package func arrive(
        _ id: HubID, by account: AccountID, at received: Date? = nil
    ) async throws(AttemptRefusal) {
        try await change { database in
            let row = try AttemptStanding(id, in: database)
            guard row.account == account else { throw AttemptRefusal.notFound }
            try row.arrive(at: min(received ?? library.now(), library.now()), in: database)
        }
    }

    /// The machine has looked: it waits for people now.
    ///
    /// - Parameter findings: JSON; what is longer than ``Attempt/longestFindings`` is not kept.
    package func check(_ id: HubID, findings: String) async throws(AttemptRefusal) {
        let findings = findings.utf8.count <= Attempt.longestFindings ? findings : "{}"
        try await change { database in
            let row = try AttemptStanding(id, in: database)
            try database.cachedStatement(
                sql: "UPDATE attempts SET state = 'waiting', findings = ? WHERE id = ? AND state = 'checking'"
            ).execute(arguments: [findings, id.text])
            guard database.changesCount == 1 else { throw AttemptRefusal.state(row.state) }
        }
    }

    /// Its media cannot be used: nobody has to look at it. Against this there is no appeal; another attempt may be made.
    ///
    /// - Parameter reason: plain text, for its author.
    package func refuse(_ id: HubID, reason: String) async throws(AttemptRefusal) {
        let reason = try AttemptVerdict.plain(reason)
        try await change { database in
            let now = Accounts.milliseconds(library.now())
            let row = try AttemptStanding(id, in: database)
            guard row.state == .receiving || row.state == .checking else { throw AttemptRefusal.state(row.state) }
            try database.cachedStatement(
                sql: """
                    UPDATE attempts SET state = 'rejected', decided = ?, received = COALESCE(received, ?)
                    WHERE id = ? AND state = ?
                    """
            ).execute(arguments: [now, now, id.text, row.state.rawValue])
            guard database.changesCount == 1 else { throw AttemptRefusal.state(row.state) }
            try Ruling(what: .reject, standing: .hub, by: nil, why: reason).write(row, at: now, in: database)
            try row.tell(.rejected, id, at: now, in: database)
        }
    }

    /// Its author takes it back, whatever has become of it but a rejection: a record by it was never held. Suspended people may.
    package func withdraw(_ id: HubID, by account: AccountID) async throws(AttemptRefusal) {
        try await change { database in
            let row = try AttemptStanding(id, in: database)
            guard row.account == account else { throw AttemptRefusal.notFound }
            guard row.state == .verified || Attempt.State.open.contains(row.state) else {
                throw AttemptRefusal.state(row.state)
            }
            try database.cachedStatement(
                sql: "UPDATE attempts SET state = 'withdrawn', decided = ? WHERE id = ? AND state = ?"
            ).execute(arguments: [Accounts.milliseconds(library.now()), id.text, row.state.rawValue])
            guard database.changesCount == 1 else { throw AttemptRefusal.state(row.state) }
            guard row.state == .verified else { return }
            try HoldTable.follow(row.sequence, at: row.rule, row.terms, in: database)
        }
    }

    /// Its author does not accept that people have rejected it, once: a moderator looks again, another one where there is one. It keeps its
    /// place by receipt. Suspended people may.
    package func appeal(_ id: HubID, text: String, by account: AccountID) async throws(AttemptRefusal) {
        let text = try AttemptVerdict.plain(text)
        try await change { database in
            let now = Accounts.milliseconds(library.now())
            let row = try AttemptStanding(id, in: database)
            guard row.account == account else { throw AttemptRefusal.notFound }
            guard row.state == .rejected else { throw AttemptRefusal.state(row.state) }
            let isByPeople = try Bool.fetchOne(
                database.cachedStatement(
                    sql: "SELECT NOT EXISTS (SELECT 1 FROM verdicts WHERE attempt = ? AND standing = 'hub')"),
                arguments: [row.sequence])
            guard row.round == 0, isByPeople == true, let decided = row.decided,
                now - decided <= Int64(clamping: Attempt.appealTime * 1000)
            else { throw AttemptRefusal.noAppeal }
            let isOpen = try Bool.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT 1 FROM attempts WHERE rule = ? AND account = ?
                            AND state IN ('receiving', 'checking', 'waiting')
                        """), arguments: [row.rule, account])
            guard isOpen != true else { throw AttemptRefusal.already }
            try database.cachedStatement(
                sql: """
                    UPDATE attempts SET state = 'waiting', round = 1, appeal = ?, decided = NULL
                    WHERE id = ? AND state = 'rejected' AND round = 0
                    """
            ).execute(arguments: [text, id.text])
            guard database.changesCount == 1 else { throw AttemptRefusal.state(row.state) }
        }
    }

    /// So many in one transaction, so that others get their turn.
    private static let sweptAtOnce = 200

    /// Takes back for their authors what was not sent whole in time. May be repeated, also while another process sweeps.
    ///
    /// - Returns: how many.
    package func sweep(at now: Date) async throws -> Int {
        let instant = Accounts.milliseconds(now)
        var all = 0
        while true {
            let many = try await library.transact { database in
                try database.cachedStatement(
                    sql: """
                        UPDATE attempts SET state = 'withdrawn', decided = ? WHERE state = 'receiving' AND sequence IN (
                            SELECT sequence FROM attempts WHERE state = 'receiving' AND begun <= ?
                            ORDER BY begun LIMIT \(Self.sweptAtOnce))
                        """
                ).execute(arguments: [instant, instant - Int64(clamping: Attempt.patience * 1000)])
                return database.changesCount
            }
            all += many
            if many < Self.sweptAtOnce { return all }
        }
    }
}
