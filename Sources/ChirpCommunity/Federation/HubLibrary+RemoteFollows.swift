package import ChirpAccounts
internal import ChirpCore
internal import FoundationEssentials
internal import GRDB

/// Why somebody may not follow people at other servers.
package enum OutwardRefusal: String, Error, Hashable, Sendable, CaseIterable {
    /// She has not switched it on to have to do with other servers.
    case notOn
    case tooMany
    /// Today.
    case tooOften
}

extension HubLibrary {
    /// The most people elsewhere whom one account follows, and how many it begins to follow within a day.
    package static let mostFollowedElsewhere = 1000
    package static let mostFollowsADay = 100
    /// How long somebody elsewhere is kept whom nobody follows, in seconds.
    static let unfollowedAge = 7 * 24 * 3600.0

    /// Why an account may not follow one more person elsewhere; nil when it may.
    package func mayFollowElsewhere(_ account: AccountID) async throws(LibraryError) -> OutwardRefusal? {
        let now = Self.milliseconds(now())
        return try await read { try Self.refusalToFollow(by: account, at: now, in: $0) }
    }

    static func refusalToFollow(
        by account: AccountID, at now: Int64, in database: Database
    ) throws -> OutwardRefusal? {
        guard let actor = try FederationActor.one("federationActors.account = ?", [account], in: database), actor.isOn
        else { return .notOn }
        let many = try Int.fetchOne(
            database.cachedStatement(sql: "SELECT COUNT(*) FROM remoteFollows WHERE account = ?"), arguments: [account])
        guard many ?? 0 < mostFollowedElsewhere else { return .tooMany }
        // Who follows and unfollows keeps no rows, but what was sent is there for days.
        let today = try Int.fetchOne(
            database.cachedStatement(
                sql: "SELECT COUNT(*) FROM federationActivities WHERE actor = ? AND kind = 'follow' AND created > ?"),
            arguments: [actor.id, now - 86_400_000])
        return today ?? 0 < mostFollowsADay ? nil : .tooOften
    }

    /// Gives somebody elsewhere a place among the people here, by which she is followed and heard.
    ///
    /// - Returns: nil when somebody else at her server has her handle already.
    package func introduce(_ person: RemotePerson) async throws(LibraryError) -> PostAuthor? {
        let now = Self.milliseconds(now())
        return try await write { try Self.introduce(person.id, at: now, in: $0) }
    }

    /// The same, within a transaction.
    static func introduce(
        _ person: RemotePerson.ID, at now: Int64, in database: Database
    ) throws -> PostAuthor? {
        try database.cachedStatement(
            sql: """
                INSERT INTO accounts (id, handle, name, state, created, remote)
                SELECT ?, lower(handle), name, 'active', ?, id FROM remoteActors WHERE id = ?
                ON CONFLICT DO NOTHING
                """
        ).execute(arguments: ["\(RandomName(length: 20))", now, person])
        return try Row.fetchOne(
            database.cachedStatement(sql: "SELECT id, handle, name FROM accounts WHERE remote = ?"),
            arguments: [person]
        ).map(PostAuthor.init)
    }
}
