package import ChirpAccounts
internal import FoundationEssentials
internal import GRDB

extension HubLibrary {
    /// Puts a mark to a post. May be repeated.
    ///
    /// - Throws: ``PostingRefusal/outward(seconds:)``, ``PostingRefusal/library(_:)``.
    package func mark(_ post: HubPost, _ mark: PostMark, by account: AccountID) async throws(PostingRefusal) {
        let now = Self.milliseconds(now())
        try await posting { database in
            try database.cachedStatement(
                sql: """
                    INSERT INTO marks (account, post, kind, created)
                    SELECT ?, sequence, ?, ? FROM posts WHERE sequence = ? ON CONFLICT DO NOTHING
                    """
            ).execute(arguments: [account, mark.rawValue, now, post.sequence])
            guard database.changesCount > 0, mark == .favourite, post.author.id != account else { return }
            try Self.admitOutwardAct(on: post.sequence, by: account, at: now, in: database)
            try Notice.add(
                Notice.Draft(account: post.author.id, kind: .favourite, actor: account, post: post.sequence), at: now,
                in: database)
        }
    }

    /// Takes a mark away. There may be none.
    package func unmark(_ post: Int64, _ mark: PostMark, by account: AccountID) async throws(LibraryError) {
        try await write { database in
            try database.cachedStatement(sql: "DELETE FROM marks WHERE account = ? AND post = ? AND kind = ?").execute(
                arguments: [account, post, mark.rawValue])
        }
    }
}

/// What has come to a post, and what of it is the viewer's.
package struct PostFigures: Hashable, Sendable {
    package var favourites = 0
    package var replies = 0
    /// The viewer's own marks.
    package var marks: Set<PostMark> = []
    /// The viewer has shared it at other servers.
    package var isShared = false

    package init() {}
}

extension HubReader {
    /// The figures of posts, by their places in the feed. Answers that the viewer may not see do not count.
    package func figures(of posts: [Int64]) async throws(LibraryError) -> [Int64: PostFigures] {
        guard !posts.isEmpty else { return [:] }
        let visible = visiblePosts
        let account = account
        return try await library.read { database in
            let list = try posts.statementList()
            var figures: [Int64: PostFigures] = [:]
            let tallies = try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT post, COUNT(*) AS many FROM marks
                        WHERE post IN (SELECT value FROM json_each(?)) AND kind = 'favourite' GROUP BY post
                        """), arguments: [list])
            for row in tallies { figures[row["post"], default: PostFigures()].favourites = row["many"] }
            let answers = try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT posts.replyTo AS post, COUNT(*) AS many
                        FROM posts JOIN accounts ON accounts.id = posts.account LEFT JOIN clips ON clips.id = posts.clip
                        WHERE posts.replyTo IN (SELECT value FROM json_each(?)) AND \(visible.sql) GROUP BY posts.replyTo
                        """), arguments: [list] + visible.arguments)
            for row in answers { figures[row["post"], default: PostFigures()].replies = row["many"] }
            guard let account else { return figures }
            let own = try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT post, kind FROM marks WHERE account = ? AND post IN (SELECT value FROM json_each(?))
                        """), arguments: [account, list])
            for row in own {
                guard let mark = PostMark(rawValue: row["kind"]) else { continue }
                figures[row["post"], default: PostFigures()].marks.insert(mark)
            }
            let shared = try Int64.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT post FROM outwardMarks
                        WHERE account = ? AND kind = 'announce' AND post IN (SELECT value FROM json_each(?))
                        """), arguments: [account, list])
            for post in shared { figures[post, default: PostFigures()].isShared = true }
            return figures
        }
    }
}
