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
    package func shareOutwards(_ post: HubPost, by account: AccountID) async throws(LibraryError) -> Bool {
        let now = Self.milliseconds(now())
        return try await write { database in
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
