package import ChirpAccounts
package import ChirpCommunity
internal import FoundationEssentials
internal import GRDB

/// Who verifies attempts at a challenge: whom moderators have chosen, and who has done it often enough.
package struct Verifiers: Sendable {
    private let library: HubLibrary

    package init(library: HubLibrary) { self.library = library }

    /// A moderator chooses somebody. May be repeated.
    ///
    /// - Throws: ``AttemptRefusal/notAllowed`` for everybody else.
    package func choose(
        _ account: AccountID, at challenge: HubID, by moderator: AccountID
    ) async throws(AttemptRefusal) {
        try await act(moderator, at: challenge) { now, database in
            guard try AccountStanding(of: account, at: now, in: database)?.isActive == true else {
                throw AttemptRefusal.noAccount
            }
            try database.cachedStatement(
                sql: """
                    INSERT INTO verifiers (challenge, account, chooser, at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING
                    """
            ).execute(arguments: [challenge.text, account, moderator, now])
        }
    }

    /// Whoever was chosen is it no more; what she has said stays said, and counts no more where others have to agree. May be repeated.
    package func dismiss(
        _ account: AccountID, at challenge: HubID, by moderator: AccountID
    ) async throws(AttemptRefusal) {
        try await act(moderator, at: challenge) { _, database in
            try database.cachedStatement(sql: "DELETE FROM verifiers WHERE challenge = ? AND account = ?").execute(
                arguments: [challenge.text, account])
        }
    }

    /// Who was chosen, for a viewer who sees them.
    package func chosen(at challenge: HubID, for viewer: Viewer) async throws -> [PostAuthor] {
        let reader = library.seen(by: viewer)
        return try await library.reading { database in
            let people = try AccountID.fetchAll(
                database.cachedStatement(sql: "SELECT account FROM verifiers WHERE challenge = ? ORDER BY at, account"),
                arguments: [challenge.text])
            let seen = try reader.authors(people, in: database)
            return people.compactMap { seen[$0] }
        }
    }

    private func act(
        _ moderator: AccountID, at challenge: HubID, _ body: @Sendable (Int64, Database) throws -> Void
    ) async throws(AttemptRefusal) {
        do {
            let library = library
            try await library.transact { database in
                let now = Accounts.milliseconds(library.now())
                guard try AccountStanding(of: moderator, at: now, in: database)?.isModerator == true else {
                    throw AttemptRefusal.notAllowed
                }
                _ = try ChallengeStore(library: library).challenge(challenge, for: moderator, in: database)
                try body(now, database)
            }
        } catch {
            throw AttemptRefusal(error)
        }
    }

    /// Whether somebody verifies attempts at a rule.
    static func isOne(_ account: AccountID, of challenge: HubID, rule: Int64, in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT EXISTS (SELECT 1 FROM verifiers WHERE challenge = :challenge AND account = :me)
                        OR (SELECT COUNT(*) FROM attempts INDEXED BY attemptsVerifiedOf
                            WHERE account = :me AND rule = :rule AND state = 'verified') >= \(AttemptStore.experience)
                    """), arguments: ["challenge": challenge.text, "me": account, "rule": rule]) ?? false
    }
}
