package import ChirpAccounts
internal import FoundationEssentials
internal import GRDB

extension HubLibrary {
    /// The most people whom one account follows: lists of posts ask for each of them.
    package static let mostFollowed = 7500

    /// Whether an account follows fewer than it may.
    package func mayFollowMore(_ account: AccountID) async throws(LibraryError) -> Bool {
        try await read { database in
            let many = try Int.fetchOne(
                database.cachedStatement(sql: "SELECT COUNT(*) FROM follows WHERE follower = ?"), arguments: [account])
            return many ?? 0 < Self.mostFollowed
        }
    }

    /// Lets one account follow another. May be repeated; nothing happens across a block, nor where ``mayFollowElsewhere(_:)`` or
    /// ``mayFollowMore(_:)`` says so.
    package func follow(_ followed: AccountID, by follower: AccountID) async throws(LibraryError) {
        guard follower != followed else { return }
        let now = Self.milliseconds(now())
        try await write { try Self.follow(followed, by: follower, at: now, in: $0) }
    }

    /// The same, within a transaction.
    static func follow(_ followed: AccountID, by follower: AccountID, at now: Int64, in database: Database) throws {
        let isElsewhere = try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT remote IS NOT NULL FROM accounts WHERE id = ?"),
            arguments: [followed])
        if isElsewhere == true, try refusalToFollow(by: follower, at: now, in: database) != nil { return }
        try database.cachedStatement(
            sql: """
                INSERT INTO follows (follower, followed, created)
                SELECT :follower, id, :now FROM accounts WHERE id = :followed
                    AND NOT EXISTS (SELECT 1 FROM blocks WHERE blocker = :followed AND blocked = :follower)
                    AND NOT EXISTS (SELECT 1 FROM blocks WHERE blocker = :follower AND blocked = :followed)
                    AND (SELECT COUNT(*) FROM follows WHERE follower = :follower) < \(mostFollowed)
                ON CONFLICT DO NOTHING
                """
        ).execute(arguments: ["follower": follower, "followed": followed, "now": now])
        guard database.changesCount > 0 else { return }
        try Notice.add(Notice.Draft(account: followed, kind: .follow, actor: follower), at: now, in: database)
    }

    package func unfollow(_ followed: AccountID, by follower: AccountID) async throws(LibraryError) {
        try await write { database in
            try database.cachedStatement(sql: "DELETE FROM follows WHERE follower = ? AND followed = ?").execute(
                arguments: [follower, followed])
        }
    }

    /// Neither sees the other from now on, nor follows. May be repeated. A trigger sees to who is at another server
    /// (``OutwardSchema/blocking``).
    package func block(_ blocked: AccountID, by blocker: AccountID) async throws(LibraryError) {
        guard blocker != blocked else { return }
        let now = Self.milliseconds(now())
        try await write { database in
            try database.cachedStatement(
                sql: """
                    INSERT INTO blocks (blocker, blocked, created) SELECT ?, id, ? FROM accounts WHERE id = ?
                    ON CONFLICT DO NOTHING
                    """
            ).execute(arguments: [blocker, now, blocked])
            try database.cachedStatement(
                sql: """
                    DELETE FROM follows WHERE (follower = :one AND followed = :other)
                        OR (follower = :other AND followed = :one)
                    """
            ).execute(arguments: ["one": blocker, "other": blocked])
        }
    }

    package func unblock(_ blocked: AccountID, by blocker: AccountID) async throws(LibraryError) {
        try await write { database in
            try database.cachedStatement(sql: "DELETE FROM blocks WHERE blocker = ? AND blocked = ?").execute(
                arguments: [blocker, blocked])
        }
    }
}

/// How the viewer stands to somebody.
package struct Relationship: Hashable, Sendable {
    package let account: AccountID
    /// The viewer follows.
    package let isFollowing: Bool
    /// At another server, which has not said yet that it is all right.
    package let isAsked: Bool
    /// The viewer is followed.
    package let isFollowed: Bool
    /// The viewer has blocked.
    package let isBlocking: Bool
}

extension HubReader {
    /// How the viewer stands to accounts that exist, in the order asked for.
    package func relationships(to accounts: [AccountID]) async throws(LibraryError) -> [Relationship] {
        guard let me = account else { return [] }
        return try await library.read { database in
            try accounts.compactMap { other in
                try Row.fetchOne(
                    database.cachedStatement(
                        sql: """
                            SELECT EXISTS (SELECT 1 FROM follows WHERE follower = :me AND followed = id) AS following,
                                EXISTS (SELECT 1 FROM remoteFollows WHERE account = :me AND actor = accounts.remote
                                    AND state = 'asked') AS asked,
                                EXISTS (SELECT 1 FROM follows WHERE follower = id AND followed = :me) AS followed,
                                EXISTS (SELECT 1 FROM blocks WHERE blocker = :me AND blocked = id) AS blocking
                            FROM accounts WHERE id = :other
                            """), arguments: ["me": me, "other": other]
                ).map {
                    Relationship(
                        account: other, isFollowing: $0["following"], isAsked: $0["asked"], isFollowed: $0["followed"],
                        isBlocking: $0["blocking"])
                }
            }
        }
    }
}
