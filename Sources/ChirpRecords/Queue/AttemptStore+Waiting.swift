package import ChirpAccounts
internal import ChirpCommunity
internal import GRDB

extension AttemptStore {
    /// So many of what waits at a verifier's rules are looked at for what she has nothing to do with.
    private static let mostLookedAt = 500

    /// What waits for somebody to verify it, who may: the oldest first. Appeals are for moderators. A verifier is shown nothing that she
    /// has to do with (OU-20); a moderator, who could be shown all that waits at the hub, is told when she decides.
    package func waiting(for account: AccountID, limit: Int) async throws -> [Attempt] {
        let limit = min(limit, Self.mostOnPage)
        guard limit > 0 else { return [] }
        let reader = library.seen(by: .member(account))
        let now = Accounts.milliseconds(library.now())
        return try await library.reading { database in
            guard let standing = try AccountStanding(of: account, at: now, in: database), standing.isActive else {
                return []
            }
            let seen = try seen(by: reader, in: database)
            let decided = """
                EXISTS (SELECT 1 FROM verdicts WHERE verdicts.attempt = attempts.sequence
                    AND verdicts.round = attempts.round AND verdicts."by" = :me)
                """
            let others = """
                attempts.state = 'waiting' AND attempts.account <> :me AND rules.setter IS NOT :me AND NOT \(decided)
                AND \(seen.sql)
                """
            let order = "ORDER BY attempts.received, attempts.sequence LIMIT"
            guard !standing.isModerator else {
                return try Self.attempts(
                    "\(others) \(order) \(limit)", seen.arguments + ["me": account], for: reader, in: database)
            }
            // Very many may wait, at few of whose rules she is a verifier: those are looked for first.
            let rules = try Self.rules(verifiedBy: account, in: database)
            guard !rules.isEmpty else { return [] }
            let waiting = try Self.attempts(
                """
                attempts.rule IN (SELECT value FROM json_each(:rules)) AND attempts.round = 0
                AND attempts.state IN ('receiving', 'checking', 'waiting') AND \(others) \(order) \(Self.mostLookedAt)
                """, seen.arguments + ["me": account, "rules": try rules.statementList()], by: "attemptsOpen",
                for: reader, in: database)
            var found: [Attempt] = []
            for attempt in waiting where found.count < limit {
                let row = try AttemptStanding(attempt.id, in: database)
                let ties = try involvement(in: row, and: account, at: now, in: database)
                if ties.tie(of: account) == nil { found.append(attempt) }
            }
            return found
        }
    }

    /// Rules at which somebody verifies: chosen by a moderator, or by experience.
    private static func rules(verifiedBy account: AccountID, in database: Database) throws -> [Int64] {
        try Int64.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT rules.sequence FROM verifiers JOIN rules ON rules.challenge = verifiers.challenge
                    WHERE verifiers.account = :me
                    UNION
                    SELECT rule FROM attempts INDEXED BY attemptsVerifiedOf WHERE account = :me AND state = 'verified'
                    GROUP BY rule HAVING COUNT(*) >= \(experience)
                    """), arguments: ["me": account])
    }
}
