internal import ChirpDatabase
internal import FoundationEssentials
internal import GRDB

extension HubLibrary {
    /// Puts text into the feed, as its owner's; one post per key however often it is asked for.
    ///
    /// - Parameter link: what the text is about; empty when it is about nothing.
    package func post(_ text: String, link: String, key: String) async throws(LibraryError) -> HubPost {
        let id = HubID().text
        let created = Self.milliseconds(now())
        let account = owner.id
        let clip = HubID(pageAddress: link)?.text
        let posts = try await write { database in
            // A link whose clip is not kept here is a post without one.
            try database.execute(
                sql: """
                    INSERT INTO posts (id, key, account, text, link, clip, created)
                    VALUES (?, ?, ?, ?, ?, (SELECT id FROM clips WHERE id = ?), ?)
                    ON CONFLICT (account, key) DO NOTHING
                    """,
                arguments: [id, key, account, text, link, clip, created])
            return try self.posts(
                "posts.account = ? AND posts.key = ?", [account, key], "posts.sequence LIMIT 1", in: database
            )
        }
        guard let post = posts.first else {
            throw .inputOutput(path: file.path, reason: "the post that was just written is not there")
        }
        return post
    }

    /// Removes a post; its clip stays. There may be none.
    package func removePost(_ id: String) async throws(LibraryError) {
        try await write { database in
            try database.execute(sql: "DELETE FROM posts WHERE id = ?", arguments: [id])
        }
    }

    /// - Parameters:
    ///   - condition: SQL over `posts`, `accounts` and `clips`.
    ///   - order: what follows ORDER BY.
    func posts(
        _ condition: String, _ arguments: StatementArguments, _ order: String, in database: Database
    ) throws -> [HubPost] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT posts.sequence, posts.id, posts.text, posts.link, posts.created,
                    posts.account, accounts.handle, accounts.name, \(Self.clipColumns(of: "clips"))
                FROM posts JOIN accounts ON accounts.id = posts.account LEFT JOIN clips ON clips.id = posts.clip
                WHERE \(condition) ORDER BY \(order)
                """,
            arguments: arguments
        ).map { row in
            HubPost(
                sequence: row["sequence"], id: row["id"],
                author: PostAuthor(id: row["account"], handle: row["handle"], name: row["name"]),
                isByOwner: row["account"] == owner.id, text: row["text"], link: row["link"],
                created: Self.date(row["created"]), clip: HubClip(row: row))
        }
    }
}
