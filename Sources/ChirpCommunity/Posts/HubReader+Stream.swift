package import ChirpAccounts
package import ChirpNumbers
internal import FoundationEssentials
internal import GRDB

/// A post, and whose homes it belongs into.
package struct StreamedPost: Sendable {
    package let post: HubPost
    /// Its author, and those who follow her; of what is for somebody, those for whom it is.
    package let audience: Set<AccountID>
    /// Those of them who watch the item that it tells of, whether they follow its author or not.
    package let watchers: Set<AccountID>
}

extension HubReader {
    /// Which of some places in the feed hold a post that this viewer sees.
    package func stillSeen(_ sequences: [Int64]) async throws(LibraryError) -> Set<Int64> {
        try await library.sequences(among: sequences, visiblePosts)
    }

    /// Posts of the viewer's home behind a place, and those that are for her, oldest first: what her stream holds.
    package func homeStream(after place: PageCursor, limit: Int) async throws(LibraryError) -> [HubPost] {
        guard let account else { return [] }
        let visible = visiblePosts
        return try await library.read { database in
            try library.posts(
                """
                posts.sequence > ? AND \(HubLibrary.streamed) AND (posts.account = ?
                    OR posts.visibility <> 'direct'
                        AND (EXISTS (SELECT 1 FROM follows WHERE follower = ? AND followed = posts.account)
                            OR ? IN (\(ItemMedia.watchers(of: "posts.sequence"))))
                    OR posts.visibility = 'direct'
                        AND EXISTS (SELECT 1 FROM recipients WHERE post = posts.sequence AND recipients.account = ?))
                AND \(visible.sql)
                """, [place.row, account, account, account, account] + visible.arguments,
                "posts.sequence LIMIT \(limit)",
                in: database)
        }
    }
}

extension HubLibrary {
    /// A condition on posts that anybody but their authors may get.
    fileprivate static let streamed = """
        posts.state = 'shown' AND accounts.state <> 'closed' AND (posts.clip IS NULL OR clips.shared = 1)
        """

    private var lasting: (sql: String, arguments: StatementArguments) {
        let now: StatementArguments = [Self.milliseconds(now())]
        return ("\(Self.streamed) AND (posts.clip IS NULL OR clips.expires IS NULL OR clips.expires > ?)", now)
    }

    /// Posts behind a place, oldest first, with those into whose homes they belong now. The audience is asked once for each post,
    /// however many listen.
    package func streamedPosts(after place: PageCursor, limit: Int) async throws(LibraryError) -> [StreamedPost] {
        let lasting = lasting
        return try await read { database in
            let after: StatementArguments = [place.row]
            let posts = try self.posts(
                "posts.sequence > ? AND \(lasting.sql)", after + lasting.arguments, "posts.sequence LIMIT \(limit)",
                in: database)
            return try posts.map { post in
                let watchers = try Self.watchers(of: post, in: database)
                return StreamedPost(
                    post: post, audience: try Self.audience(of: post, in: database).union(watchers), watchers: watchers)
            }
        }
    }

    /// Which of some places hold a post that somebody may get.
    package func stillStreamed(_ sequences: [Int64]) async throws(LibraryError) -> Set<Int64> {
        try await self.sequences(among: sequences, lasting)
    }

    fileprivate func sequences(
        among sequences: [Int64], _ condition: (sql: String, arguments: StatementArguments)
    ) async throws(LibraryError) -> Set<Int64> {
        try await read { database in
            try Int64.fetchSet(
                database.cachedStatement(
                    sql: """
                        SELECT posts.sequence
                        FROM posts JOIN accounts ON accounts.id = posts.account LEFT JOIN clips ON clips.id = posts.clip
                        WHERE posts.sequence IN (SELECT value FROM json_each(?)) AND \(condition.sql)
                        """), arguments: [try sequences.statementList()] + condition.arguments)
        }
    }

    private static func audience(of post: HubPost, in database: Database) throws -> Set<AccountID> {
        let people =
            post.visibility == .direct
            ? "SELECT account AS id FROM recipients WHERE post = :post"
            : "SELECT follower AS id FROM follows WHERE followed = :author"
        let arguments: StatementArguments =
            post.visibility == .direct
            ? ["post": post.sequence, "author": post.author.id] : ["author": post.author.id]
        let found = try AccountID.fetchSet(
            database.cachedStatement(
                sql: """
                    SELECT id FROM (\(people)) AS people
                    WHERE NOT EXISTS (SELECT 1 FROM blocks WHERE blocker = people.id AND blocked = :author)
                        AND NOT EXISTS (SELECT 1 FROM blocks WHERE blocker = :author AND blocked = people.id)
                    """), arguments: arguments)
        return found.union([post.author.id])
    }

    private static func watchers(of post: HubPost, in database: Database) throws -> Set<AccountID> {
        guard post.visibility != .direct else { return [] }
        return try AccountID.fetchSet(
            database.cachedStatement(
                sql: """
                    SELECT account FROM (\(ItemMedia.watchers(of: ":post"))) AS people
                    WHERE account <> :author
                        AND NOT EXISTS (SELECT 1 FROM blocks WHERE blocker = people.account AND blocked = :author)
                        AND NOT EXISTS (SELECT 1 FROM blocks WHERE blocker = :author AND blocked = people.account)
                    """), arguments: ["post": post.sequence, "author": post.author.id])
    }
}
