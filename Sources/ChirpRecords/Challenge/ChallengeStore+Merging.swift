package import ChirpAccounts
package import ChirpCommunity
internal import FoundationEssentials
internal import GRDB

extension ChallengeStore {
    /// How a challenge has ended that is the same as another, as its item says it.
    package static let merged = "merged"

    /// A moderator says that a challenge is the same as another: it takes no more attempts, and stays readable with its history, which is that
    /// of its own rule.
    ///
    /// - Throws: ``ChallengeRefusal/notAllowed`` for everybody else and for who has set either; ``ItemRefusal/state(_:)`` when one of them
    ///   has ended, the same for one that is merged into itself.
    package func merge(
        _ id: HubID, into other: HubID, by moderator: AccountID
    ) async throws(ChallengeRefusal) {
        try await moderate(moderator) { [library] now, database in
            let both = try [id, other].map { try challenge($0, for: moderator, in: database) }
            for item in both.map(\.item) {
                guard item.author.id != moderator else { throw ChallengeRefusal.notAllowed }
                guard item.state == .open, id != other else { throw ItemRefusal.state(item.state) }
            }
            try Items.move(
                id, from: [.open], to: .settled, outcome: Self.merged, by: nil, library: library, in: database)
            try database.cachedStatement(
                sql: "INSERT INTO challengeMergers (challenge, \"into\", \"by\", at) VALUES (?, ?, ?, ?)"
            ).execute(arguments: [id.text, other.text, moderator, now])
        }
    }

    /// A moderator finds that it is another after all: it is open again.
    ///
    /// - Throws: ``ItemRefusal/notFound`` for one that was not merged.
    package func part(_ id: HubID, by moderator: AccountID) async throws(ChallengeRefusal) {
        try await moderate(moderator) { [library] _, database in
            let challenge = try challenge(id, for: moderator, in: database)
            guard challenge.item.author.id != moderator else { throw ChallengeRefusal.notAllowed }
            try database.cachedStatement(sql: "DELETE FROM challengeMergers WHERE challenge = ?").execute(
                arguments: [id.text])
            guard database.changesCount == 1 else { throw ItemRefusal.notFound }
            try Items.move(id, from: [.settled], to: .open, by: nil, library: library, in: database)
        }
    }

    /// The challenge that one is the same as; nil when it is none, or is not seen.
    package func target(of id: HubID, for viewer: Viewer) async throws -> HubID? {
        let reader = library.seen(by: viewer)
        return try await library.reading { database in
            let (one, other) = (
                reader.seesItem("challengeMergers.challenge"), reader.seesItem("challengeMergers.\"into\"")
            )
            return try String.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT "into" FROM challengeMergers WHERE challenge = ? AND \(one.sql) AND \(other.sql)
                        """), arguments: [id.text] + one.arguments + other.arguments
            ).flatMap { HubID($0) }
        }
    }

    private func moderate(
        _ moderator: AccountID, _ body: @Sendable (Int64, Database) throws -> Void
    ) async throws(ChallengeRefusal) {
        do {
            try await library.transact { [library] database in
                let now = Accounts.milliseconds(library.now())
                guard try AccountStanding(of: moderator, at: now, in: database)?.isModerator == true else {
                    throw ChallengeRefusal.notAllowed
                }
                try body(now, database)
            }
        } catch {
            throw ChallengeRefusal(error)
        }
    }
}
