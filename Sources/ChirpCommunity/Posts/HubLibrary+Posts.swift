package import ChirpNetworks
internal import ChirpDatabase
internal import FoundationEssentials
internal import GRDB

extension HubLibrary {
    /// Everybody who can post here.
    package func accounts() async throws(HubError) -> [Account] {
        try await read { database in
            try Row.fetchAll(database, sql: "SELECT id, handle, name FROM accounts ORDER BY handle").map { row in
                Account(id: Account.ID(row["id"]), handle: row["handle"], displayName: row["name"])
            }
        }
    }

    /// Puts a draft into the feed; one post per key and account however often it is asked for.
    package func post(_ draft: Draft, account: String) async throws(HubError) -> HubPost {
        let id = HubID().text
        let created = Self.milliseconds(now())
        let clip = HubID(pageAddress: draft.link)?.text
        let posts = try await write { database in
            // A link whose clip is not kept here is a post without one.
            try database.execute(
                sql: """
                    INSERT INTO posts (id, key, account, text, link, clip, created)
                    VALUES (?, ?, ?, ?, ?, (SELECT id FROM clips WHERE id = ?), ?)
                    ON CONFLICT (account, key) DO NOTHING
                    """,
                arguments: [id, draft.key.text, account, draft.text, draft.link, clip, created])
            return try Self.posts(
                "posts.account = ? AND posts.key = ?", [account, draft.key.text], "posts.sequence LIMIT 1", in: database
            )
        }
        guard let post = posts.first else {
            throw .inputOutput(path: file.path, reason: "the post that was just written is not there")
        }
        return post
    }

    /// Removes a post; its clip stays. There may be none.
    package func removePost(_ id: String) async throws(HubError) {
        try await write { database in
            try database.execute(sql: "DELETE FROM posts WHERE id = ?", arguments: [id])
        }
    }

    /// Posts behind a place in the feed, oldest first; those whose clip has expired are left out.
    ///
    /// - Parameter accounts: nil means all.
    package func posts(
        after sequence: Int64, by accounts: [String]? = nil, limit: Int
    ) async throws(HubError) -> [HubPost] {
        guard accounts?.isEmpty != true else { return [] }
        let now = Self.milliseconds(now())
        return try await read { database in
            var condition = "posts.sequence > ? AND (clips.expires IS NULL OR clips.expires > ?)"
            var arguments: StatementArguments = [sequence, now]
            if let accounts {
                condition += " AND posts.account IN (SELECT value FROM json_each(?))"
                let list = try JSONEncoder().encode(accounts)
                arguments += [String(decoding: list, as: UTF8.self)]
            }
            return try Self.posts(condition, arguments, "posts.sequence LIMIT \(limit)", in: database)
        }
    }

    /// Posts before a place in the feed, newest first: what the list page shows.
    package func posts(before sequence: Int64, limit: Int) async throws(HubError) -> [HubPost] {
        let now = Self.milliseconds(now())
        return try await read { database in
            try Self.posts(
                "posts.sequence < ? AND (clips.expires IS NULL OR clips.expires > ?)", [sequence, now],
                "posts.sequence DESC LIMIT \(limit)", in: database)
        }
    }

    /// The newest post about a clip, which has its share text.
    package func post(about clip: String) async throws(HubError) -> HubPost? {
        try await read { database in
            try Self.posts("posts.clip = ?", [clip], "posts.sequence DESC LIMIT 1", in: database).first
        }
    }

    /// The greatest number that a post has had: where the feed ends now, also when that post has been removed.
    package func lastSequence() async throws(HubError) -> Int64 {
        try await read { database in
            try Int64.fetchOne(database, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'posts'") ?? 0
        }
    }

    private static func posts(
        _ condition: String, _ arguments: StatementArguments, _ order: String, in database: Database
    ) throws -> [HubPost] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT posts.sequence, posts.id, posts.text, posts.link, posts.created,
                    accounts.id AS account, accounts.handle, accounts.name, \(clipColumns(of: "clips"))
                FROM posts JOIN accounts ON accounts.id = posts.account LEFT JOIN clips ON clips.id = posts.clip
                WHERE \(condition) ORDER BY \(order)
                """,
            arguments: arguments
        ).map { row in
            HubPost(
                sequence: row["sequence"], id: row["id"],
                author: Account(id: Account.ID(row["account"]), handle: row["handle"], displayName: row["name"]),
                text: row["text"], link: row["link"], created: date(row["created"]), clip: HubClip(row: row))
        }
    }
}
