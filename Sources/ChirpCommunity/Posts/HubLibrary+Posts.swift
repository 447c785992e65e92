package import ChirpAccounts
internal import ChirpCore
internal import ChirpDatabase
internal import FoundationEssentials
package import GRDB

extension HubLibrary {
    /// Puts text into the feed, as its owner's; one post per key however often it is asked for.
    ///
    /// - Parameter link: what the text is about; empty when it is about nothing.
    package func post(_ text: String, link: String, key: String) async throws(LibraryError) -> HubPost {
        try await post(PostDraft(author: owner.id, text: text, link: link, key: key))
    }

    /// Puts a draft into the feed; one post per author and key however often it is asked for. Those who are told of it have their
    /// notices in the same transaction.
    package func post(_ draft: PostDraft) async throws(LibraryError) -> HubPost {
        let posts = try await write { try self.insert(draft, in: $0) }
        guard let post = posts.first else {
            throw .inputOutput(path: file.path, reason: "the post that was just written is not there")
        }
        return post
    }

    /// Puts what the hub writes in a member's name into the feed, within the transaction of a board: the post, or the one that has its key already.
    /// What others have written, such as a title, goes into its text by ``PostText/quoted(_:)``.
    ///
    /// - Parameter people: to whom it is; whom its text names beside them is not told.
    package func announce(_ draft: PostDraft, to people: [AccountID], in database: Database) throws -> HubPost? {
        var draft = draft
        draft.people = people
        return try insert(draft, in: database).first
    }

    /// Writes a draft down, within a transaction: the post, or the one that has its key already.
    func insert(_ draft: PostDraft, in database: Database) throws -> [HubPost] {
        let id = HubID().text
        let created = Self.milliseconds(now())
        let clip = draft.clip ?? HubID(pageAddress: draft.link)
        // A link whose clip is not kept here is a post without one. Nobody posts about somebody else's clip as her own.
        try database.cachedStatement(
            sql: """
                INSERT INTO posts
                    (id, key, account, text, link, clip, created, visibility, state, replyTo, spoiler, language)
                VALUES (?, ?, ?, ?, ?, (SELECT id FROM clips WHERE id = ? AND (owner = ? OR owner IS NULL AND ?)),
                    ?, ?, ?, ?, ?, ?)
                ON CONFLICT (account, key) DO NOTHING
                """
        ).execute(arguments: [
            id, draft.key, draft.author, draft.text, draft.link, clip?.text, draft.author,
            draft.author == self.owner.id, created, draft.visibility.rawValue, draft.isHeld ? "held" : "shown",
            draft.replyTo, draft.spoiler, draft.language,
        ])
        let isNew = database.changesCount > 0
        let found = try self.posts(
            "posts.account = ? AND posts.key = ?", [draft.author, draft.key], "posts.sequence LIMIT 1", in: database
        )
        if isNew, let post = found.first { try Self.accompany(post, draft, at: created, in: database) }
        return found
    }

    /// What comes with a new post: its tags, those to whom it is, and their notices. A clip that is published can be heard by its link.
    private static func accompany(
        _ post: HubPost, _ draft: PostDraft, at instant: Int64, in database: Database
    ) throws {
        for tag in Set(PostText.tags(in: draft.text).map { $0.lowercased() }) {
            try database.cachedStatement(sql: "INSERT INTO postTags (tag, post) VALUES (?, ?)").execute(arguments: [
                tag, post.sequence,
            ])
        }
        if draft.clip != nil {
            try database.cachedStatement(
                sql: "UPDATE clips SET shared = 1 WHERE id = (SELECT clip FROM posts WHERE sequence = ?)"
            ).execute(arguments: [post.sequence])
        }
        for account in try people(of: draft, in: database) where account != draft.author {
            try database.cachedStatement(
                sql: "INSERT INTO recipients (post, account) VALUES (?, ?) ON CONFLICT DO NOTHING"
            ).execute(arguments: [post.sequence, account])
            try Notice.add(
                Notice.Draft(account: account, kind: .mention, actor: draft.author, post: post.sequence), at: instant,
                in: database)
        }
        // Whom it answers hears of it, once.
        if let above = draft.replyTo,
            let account = try AccountID.fetchOne(
                database.cachedStatement(sql: "SELECT account FROM posts WHERE sequence = ?"), arguments: [above]),
            account != draft.author
        {
            try Notice.add(
                Notice.Draft(account: account, kind: .mention, actor: draft.author, post: post.sequence), at: instant,
                in: database)
        }
    }

    /// To whom a draft is, without accounts that are closed.
    static func people(of draft: PostDraft, in database: Database) throws -> [AccountID] {
        let (column, names) =
            if let people = draft.people {
                ("id", people.map(\.rawValue))
            } else {
                ("handle", Array(PostText.mentions(in: draft.text).prefix(PostDraft.mostMentions)))
            }
        return try names.compactMap { name in
            try AccountID.fetchOne(
                database.cachedStatement(sql: "SELECT id FROM accounts WHERE \(column) = ? AND state <> 'closed'"),
                arguments: [name])
        }
    }

    /// Removes one of an account's posts, and its clip when nothing else uses it.
    ///
    /// - Returns: false when there is none.
    package func removePost(_ sequence: Int64, by author: AccountID) async throws(LibraryError) -> Bool {
        let (found, clip) = try await write { database -> (Bool, HubID?) in
            guard
                let row = try Row.fetchOne(
                    database.cachedStatement(sql: "SELECT clip FROM posts WHERE sequence = ? AND account = ?"),
                    arguments: [sequence, author])
            else { return (false, nil) }
            // What a board tells of by the post is heard with its item by the post alone.
            try database.cachedStatement(
                sql: "DELETE FROM itemMedia WHERE clip = ? AND item IN (SELECT item FROM itemPosts WHERE post = ?)"
            ).execute(arguments: [row["clip"] as String?, sequence])
            try database.cachedStatement(sql: "DELETE FROM posts WHERE sequence = ?").execute(arguments: [sequence])
            guard let clip = (row["clip"] as String?).flatMap({ HubID($0) }) else { return (true, nil) }
            return (true, try self.withdraw(clip, in: database) ? clip : nil)
        }
        if let clip { try await offPool { [media] () throws(LibraryError) in try media.remove(clip) } }
        return found
    }

    /// Removes a post; its clip stays. There may be none.
    package func removePost(_ id: String) async throws(LibraryError) {
        try await write { database in
            try database.cachedStatement(sql: "DELETE FROM posts WHERE id = ?").execute(arguments: [id])
        }
    }

    /// - Parameters:
    ///   - condition: SQL over `posts`, `accounts` and `clips`.
    ///   - order: what follows ORDER BY.
    func posts(
        _ condition: String, _ arguments: StatementArguments, _ order: String, in database: Database
    ) throws -> [HubPost] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT posts.sequence, posts.id, posts.text, posts.link, posts.created, posts.visibility, posts.state,
                        posts.replyTo, posts.spoiler, posts.language, posts.account, accounts.handle, accounts.name, \(Self.clipColumns(of: "clips"))
                    FROM posts JOIN accounts ON accounts.id = posts.account LEFT JOIN clips ON clips.id = posts.clip
                    WHERE \(condition) ORDER BY \(order)
                    """), arguments: arguments
        ).map { row in
            HubPost(
                sequence: row["sequence"], id: row["id"],
                author: PostAuthor(id: row["account"], handle: row["handle"], name: row["name"]),
                isByOwner: row["account"] == owner.id, text: row["text"], link: row["link"],
                created: Self.date(row["created"]), clip: HubClip(row: row),
                visibility: HubPost.Visibility(rawValue: row["visibility"]) ?? .direct,
                isWithheld: row["state"] != "shown", replyTo: row["replyTo"], spoiler: row["spoiler"],
                language: row["language"])
        }
    }
}
