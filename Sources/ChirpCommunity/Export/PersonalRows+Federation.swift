internal import FoundationEssentials
internal import GRDB

extension PersonalRows {
    /// What other servers have to do with the person.
    struct Federation: Encodable {
        /// Whether she can be followed from there.
        let isOn: Bool
        let since: Date?
        /// As in `ann@example.org`.
        let followers, following, blockedBy: [String]
        let answered: Int
        /// The addresses of clips there that she has shared.
        let shared: [String]
    }

    func federation() throws -> Federation {
        let actor = try FederationActor.one("federationActors.account = ?", [person], in: database)
        func remote(_ table: String) throws -> [String] {
            try String.fetchAll(
                database,
                sql: """
                    SELECT handle FROM remoteActors JOIN \(table) ON \(table).actor = remoteActors.id
                    WHERE \(table).account = ? ORDER BY handle
                    """, arguments: [person])
        }
        let answered = try Int.fetchOne(
            database,
            sql:
                "SELECT COUNT(*) FROM remoteReplies JOIN posts ON posts.id = remoteReplies.post WHERE posts.account = ?",
            arguments: [person])
        let shared = try String.fetchAll(
            database,
            sql: """
                SELECT address FROM remoteClips JOIN outwardMarks ON outwardMarks.post = remoteClips.post
                WHERE outwardMarks.account = ? AND kind = 'announce' ORDER BY outwardMarks.created, address
                """, arguments: [person])
        return Federation(
            isOn: actor?.isOn ?? false, since: actor?.created, followers: try remote("remoteFollowers"),
            following: try remote("remoteFollows"), blockedBy: try remote("remoteBlocks"), answered: answered ?? 0,
            shared: shared)
    }
}
