package import ChirpAccounts
internal import GRDB

/// An answer of somebody here to a clip that was posted elsewhere.
package struct OutwardReply: Hashable, Sendable {
    /// The address of what is answered.
    package let above: String
    /// The address of who is answered.
    package let author: String
    /// As in `ann@example.org`.
    package let handle: String
}

extension HubLibrary {
    /// How often an account likes, shares and answers at other servers within a day, all together.
    package static let mostOutwardActsADay = 300

    /// Holds back who does so much at other servers. What was just done counts.
    ///
    /// - Parameter post: its place in the feed; of what was posted here there is no limit.
    /// - Throws: ``PostingRefusal/outward(seconds:)``; then the transaction has to end with it.
    static func admitOutwardAct(on post: Int64, by account: AccountID, at now: Int64, in database: Database) throws {
        // Who likes and takes it back keeps no rows, but what was sent is there for days.
        let day: Int64 = 86_400_000
        let last = try Int64.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT federationActivities.created FROM federationActivities
                    JOIN federationActors ON federationActors.id = federationActivities.actor AND isOn = 1
                    WHERE federationActors.account = ? AND EXISTS (SELECT 1 FROM remoteClips WHERE post = ?)
                        AND (kind IN ('like', 'announce') OR kind = 'create' AND target IS NOT NULL)
                        AND federationActivities.created > ?
                    ORDER BY federationActivities.created DESC LIMIT 1 OFFSET \(mostOutwardActsADay)
                    """), arguments: [account, post, now - day])
        guard let last else { return }
        throw PostingRefusal.outward(seconds: max(1, Int(min(last + day - now + 999, 2 * day) / 1000)))
    }

    /// What a post answers elsewhere, by the post's id; nil for other posts.
    package func outwardReply(_ post: String) async throws(LibraryError) -> OutwardReply? {
        try await read { database in
            try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT above, address, handle FROM outwardReplies
                        JOIN remoteActors ON remoteActors.id = outwardReplies.actor WHERE post = ?
                        """), arguments: [post]
            ).map { OutwardReply(above: $0["above"], author: $0["address"], handle: $0["handle"]) }
        }
    }

    /// Shares a clip that was posted elsewhere with those who follow an account at other servers. May be repeated.
    ///
    /// - Returns: false for what was posted here, and for who has not switched it on to have to do with other servers.
    /// - Throws: ``PostingRefusal/outward(seconds:)``, ``PostingRefusal/library(_:)``.
    package func shareOutwards(_ post: HubPost, by account: AccountID) async throws(PostingRefusal) -> Bool {
        let now = Self.milliseconds(now())
        return try await posting { database in
            let isOutward = try Bool.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT EXISTS (SELECT 1 FROM remoteClips WHERE post = ?)
                            AND EXISTS (SELECT 1 FROM federationActors WHERE account = ? AND isOn = 1)
                        """), arguments: [post.sequence, account])
            guard isOutward == true else { return false }
            try database.cachedStatement(
                sql: """
                    INSERT INTO outwardMarks (account, post, kind, created) VALUES (?, ?, 'announce', ?)
                    ON CONFLICT (account, post, kind) DO NOTHING
                    """
            ).execute(arguments: [account, post.sequence, now])
            if database.changesCount > 0 {
                try Self.admitOutwardAct(on: post.sequence, by: account, at: now, in: database)
            }
            return true
        }
    }

    /// Takes that back. There may be nothing to take back.
    package func unshareOutwards(_ post: HubPost, by account: AccountID) async throws(LibraryError) {
        try await write { database in
            try database.cachedStatement(
                sql: "DELETE FROM outwardMarks WHERE account = ? AND post = ? AND kind = 'announce'"
            ).execute(arguments: [account, post.sequence])
        }
    }
}
