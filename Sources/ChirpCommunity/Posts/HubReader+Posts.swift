package import ChirpAccounts
package import ChirpNumbers
internal import FoundationEssentials
internal import GRDB

extension HubReader {
    /// Everybody who has a page here, and those elsewhere whom the viewer follows, by handle.
    ///
    /// - Parameters:
    ///   - handle: those behind it; the empty one is before everybody.
    ///   - limit: the most, 1 or more.
    package func accounts(after handle: String = "", limit: Int = .max) async throws(LibraryError) -> [PostAuthor] {
        let account = account
        // Of visitors alone: the index of those who are here spares them all others.
        let followed =
            account == nil
            ? "" : "OR EXISTS (SELECT 1 FROM follows WHERE follower = :viewer AND followed = accounts.id)"
        return try await library.read { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT id, handle, name FROM accounts
                        WHERE handle > :handle AND state IN ('active', 'suspended') AND (remote IS NULL \(followed))
                            AND NOT EXISTS (SELECT 1 FROM blocks WHERE blocker = accounts.id AND blocked IS :viewer)
                        ORDER BY handle LIMIT :limit
                        """), arguments: ["handle": handle, "viewer": account, "limit": limit]
            ).map(PostAuthor.init)
        }
    }

    /// Whose page a handle leads to, in whatever case it is written; nil when there is nobody, or not yet, or no longer: an account
    /// has a page from when its mail address is confirmed until it is closed. Who is at another server has none for everybody, and who has
    /// blocked the viewer none for the viewer.
    package func person(named handle: String) async throws(LibraryError) -> PostAuthor? {
        let (handle, account) = (handle.lowercased(), account)
        return try await library.read { database in
            try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT id, handle, name FROM accounts
                        WHERE handle = ? AND state IN ('active', 'suspended') AND remote IS NULL
                            AND NOT EXISTS (SELECT 1 FROM blocks WHERE blocker = accounts.id AND blocked IS ?)
                        """), arguments: [handle, account]
            ).map(PostAuthor.init)
        }
    }

    /// Posts behind a place in the feed, oldest first; those whose clip is not to be seen are left out.
    package func posts(
        after place: PageCursor, _ selection: PostSelection = .local, limit: Int
    ) async throws(LibraryError) -> [HubPost] {
        try await list(selection, after: place, before: .end, "posts.sequence", limit: limit)
    }

    /// Posts before a place in the feed, newest first: what lists and feeds show.
    ///
    /// - Parameter floor: a place behind which they all are.
    package func posts(
        before place: PageCursor = .end, _ selection: PostSelection = .local, after floor: PageCursor = .start,
        limit: Int
    ) async throws(LibraryError) -> [HubPost] {
        try await list(selection, after: floor, before: place, "posts.sequence DESC", limit: limit)
    }

    /// One post; nil when there is none, or the viewer may not see it.
    package func post(_ sequence: Int64) async throws(LibraryError) -> HubPost? {
        let visible = visiblePosts
        return try await library.read { database in
            try library.posts(
                """
                posts.sequence = COALESCE((SELECT post FROM formerPlaces WHERE place = ?), ?) AND \(visible.sql)
                """, [sequence, sequence] + visible.arguments, "posts.sequence", in: database
            ).first
        }
    }

    /// One post, by its name; nil when there is none, or the viewer may not see it.
    package func post(named id: String) async throws(LibraryError) -> HubPost? {
        let visible = visiblePosts
        return try await library.read { database in
            try library.posts(
                "posts.id = ? AND \(visible.sql)", [id] + visible.arguments, "posts.sequence", in: database
            ).first
        }
    }

    /// The newest post about a clip, which has its share text.
    package func post(about clip: HubID) async throws(LibraryError) -> HubPost? {
        let visible = visiblePosts
        return try await library.read { database in
            try library.posts(
                "posts.clip = ? AND \(visible.sql)", [clip.text] + visible.arguments, "posts.sequence DESC LIMIT 1",
                in: database
            ).first
        }
    }

    /// How many clips an account has posted for everybody, as far as the viewer sees them.
    package func publishedClips(of author: AccountID) async throws(LibraryError) -> Int {
        let visible = visiblePosts
        return try await library.read { database in
            try Int.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT COUNT(*) FROM posts JOIN accounts ON accounts.id = posts.account
                            LEFT JOIN clips ON clips.id = posts.clip
                        WHERE posts.account = ? AND posts.visibility = 'public' AND posts.clip IS NOT NULL
                            AND \(visible.sql)
                        """), arguments: [author] + visible.arguments) ?? 0
        }
    }

    /// The posts above one, the first of the thread first, as far as the viewer sees them.
    package func posts(above sequence: Int64, limit: Int = 40) async throws(LibraryError) -> [HubPost] {
        let visible = visiblePosts
        return try await library.read { database in
            try library.posts(
                """
                posts.sequence IN (
                    WITH RECURSIVE above (post, depth) AS (
                        SELECT replyTo, 1 FROM posts WHERE sequence = ?
                        UNION ALL SELECT posts.replyTo, depth + 1 FROM above JOIN posts ON posts.sequence = above.post
                            WHERE depth < \(limit))
                    SELECT post FROM above WHERE post IS NOT NULL) AND \(visible.sql)
                """, [sequence] + visible.arguments, "posts.sequence", in: database)
        }
    }

    /// The answers to a post and the answers to those, in the order they came, as far as the viewer sees them.
    package func posts(below sequence: Int64, limit: Int = 200) async throws(LibraryError) -> [HubPost] {
        let visible = visiblePosts
        return try await library.read { database in
            try library.posts(
                """
                posts.sequence IN (
                    WITH RECURSIVE below (post, depth) AS (
                        SELECT sequence, 1 FROM posts WHERE replyTo = ?
                        UNION ALL SELECT posts.sequence, depth + 1 FROM below JOIN posts ON posts.replyTo = below.post
                            WHERE depth < 20 LIMIT 1000)
                    SELECT post FROM below) AND \(visible.sql)
                """, [sequence] + visible.arguments, "posts.sequence LIMIT \(limit)", in: database)
        }
    }

    /// The greatest number that a post has had: where the feed ends now, also when that post has been removed.
    package func lastSequence() async throws(LibraryError) -> Int64 {
        try await library.read { database in
            try Int64.fetchOne(database.cachedStatement(sql: "SELECT seq FROM sqlite_sequence WHERE name = 'posts'"))
                ?? 0
        }
    }

    /// How many posts a home list walks through before it asks each followed account (decision 0701).
    static let walk = 2000

    private func list(
        _ selection: PostSelection, after floor: PageCursor, before end: PageCursor, _ order: String, limit: Int
    ) async throws(LibraryError) -> [HubPost] {
        guard limit > 0, let chosen = condition(selection) else { return [] }
        let visible = visiblePosts
        let isBackwards = order.hasSuffix("DESC")
        let range: StatementArguments = [floor.row, end.row]
        let bounds = "posts.sequence > ? AND posts.sequence < ?"
        return try await library.read { database in
            if case .tagged(let tag) = selection {
                // From the index of tags, in the order of the list: of a tag that nobody uses nothing is read, and of a common one as much as
                // is shown.
                return try library.posts(
                    """
                    posts.sequence IN (
                        SELECT posts.sequence FROM postTags CROSS JOIN posts ON posts.sequence = postTags.post
                        JOIN accounts ON accounts.id = posts.account LEFT JOIN clips ON clips.id = posts.clip
                        WHERE postTags.tag = ? AND postTags.post > ? AND postTags.post < ?
                            AND posts.visibility = 'public' AND \(visible.sql)
                        ORDER BY postTags.post \(isBackwards ? "DESC" : "ASC") LIMIT \(limit))
                    """, [tag.lowercased()] + range + visible.arguments, order, in: database)
            }
            guard selection == .home, let account else {
                return try library.posts(
                    "\(bounds) AND \(chosen.sql) AND \(visible.sql)",
                    range + chosen.arguments + visible.arguments, "\(order) LIMIT \(limit)", in: database)
            }
            let direction = isBackwards ? "DESC" : "ASC"
            let walked = try Int64.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT sequence FROM posts WHERE sequence > ? AND sequence < ?
                        ORDER BY sequence \(direction) LIMIT 1 OFFSET \(Self.walk)
                        """), arguments: range
            ).first.map { PageCursor($0) }
            let near: StatementArguments =
                isBackwards
                ? [max(floor, walked ?? floor).row, end.row] : [floor.row, min(end, walked ?? end).row]
            let found = try library.posts(
                "\(bounds) AND \(chosen.sql) AND \(visible.sql)", near + chosen.arguments + visible.arguments,
                "\(order) LIMIT \(limit)", in: database)
            guard found.count < limit, walked != nil else { return found }
            // Those she follows write little: so reading by author is cheap.
            return try library.posts(
                """
                posts.sequence IN (
                    SELECT posts.sequence
                    FROM (SELECT followed FROM follows WHERE follower = ? UNION ALL SELECT ?) AS people
                    JOIN posts ON posts.sequence IN (
                        SELECT own.sequence FROM posts AS own
                        WHERE own.account = people.followed AND own.sequence > ? AND own.sequence < ?
                            AND own.visibility <> 'direct'
                        ORDER BY own.sequence \(direction) LIMIT \(limit * 2))
                    UNION SELECT post FROM (\(ItemMedia.posts(watchedBy: "?"))) WHERE post > ? AND post < ?)
                AND \(visible.sql)
                """, [account, account] + range + [account] + range + visible.arguments, "\(order) LIMIT \(limit)",
                in: database)
        }
    }
}

extension HubReader {
    /// The hashtags that begin with a text and stand in public posts that the viewer sees, without `#`.
    package func tags(beginning text: String, limit: Int) async throws(LibraryError) -> [String] {
        let text = text.lowercased()
        guard !text.isEmpty else { return [] }
        let visible = visiblePosts
        return try await library.read { database in
            // A range of the primary key: U+10FFFF is behind every letter.
            try String.fetchAll(
                database,
                sql: """
                    SELECT DISTINCT tag FROM postTags WHERE tag >= ? AND tag < ?
                        AND EXISTS (SELECT 1 FROM posts JOIN accounts ON accounts.id = posts.account
                            LEFT JOIN clips ON clips.id = posts.clip
                            WHERE posts.sequence = postTags.post AND posts.visibility = 'public' AND \(visible.sql))
                    ORDER BY tag LIMIT \(limit)
                    """, arguments: [text, text + "\u{10FFFF}"] + visible.arguments)
        }
    }
}
