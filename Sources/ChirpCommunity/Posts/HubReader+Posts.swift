package import ChirpAccounts
internal import FoundationEssentials
internal import GRDB

extension HubReader {
    /// Everybody who can post here.
    package func accounts() async throws(LibraryError) -> [PostAuthor] {
        try await library.read { database in
            try Row.fetchAll(database, sql: "SELECT id, handle, name FROM accounts ORDER BY handle").map(
                PostAuthor.init)
        }
    }

    /// Whose page a handle leads to, in whatever case it is written; nil when there is nobody, or not yet, or no longer: an account
    /// has a page from when its mail address is confirmed until it is closed.
    package func person(named handle: String) async throws(LibraryError) -> PostAuthor? {
        let handle = handle.lowercased()
        return try await library.read { database in
            try Row.fetchOne(
                database,
                sql: "SELECT id, handle, name FROM accounts WHERE handle = ? AND state IN ('active', 'suspended')",
                arguments: [handle]
            ).map(PostAuthor.init)
        }
    }

    /// Posts behind a place in the feed, oldest first; those whose clip is not to be seen are left out.
    ///
    /// - Parameter accounts: nil means all.
    package func posts(
        after sequence: Int64, by accounts: [AccountID]? = nil, limit: Int
    ) async throws(LibraryError) -> [HubPost] {
        guard accounts?.isEmpty != true else { return [] }
        let visible = visiblePosts
        return try await library.read { database in
            var condition = "posts.sequence > ? AND \(visible.sql)"
            var arguments: StatementArguments = [sequence] + visible.arguments
            if let accounts {
                condition += " AND posts.account IN (SELECT value FROM json_each(?))"
                let list = try JSONEncoder().encode(accounts)
                arguments += [String(decoding: list, as: UTF8.self)]
            }
            return try library.posts(condition, arguments, "posts.sequence LIMIT \(limit)", in: database)
        }
    }

    /// Posts before a place in the feed, newest first: what lists and feeds show.
    ///
    /// - Parameter account: nil means all.
    package func posts(
        before sequence: Int64 = .max, by account: AccountID? = nil, limit: Int
    ) async throws(LibraryError) -> [HubPost] {
        let visible = visiblePosts
        return try await library.read { database in
            var condition = "posts.sequence < ? AND \(visible.sql)"
            var arguments: StatementArguments = [sequence] + visible.arguments
            if let account {
                condition += " AND posts.account = ?"
                arguments += [account]
            }
            return try library.posts(condition, arguments, "posts.sequence DESC LIMIT \(limit)", in: database)
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

    /// The greatest number that a post has had: where the feed ends now, also when that post has been removed.
    package func lastSequence() async throws(LibraryError) -> Int64 {
        try await library.read { database in
            try Int64.fetchOne(database, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'posts'") ?? 0
        }
    }

    /// A condition for posts about what this viewer sees, or about something that is not kept here.
    private var visiblePosts: (sql: String, arguments: StatementArguments) {
        let (condition, arguments) = visibleClips
        return ("(posts.clip IS NULL OR \(condition))", arguments)
    }
}
