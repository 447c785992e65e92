package import ChirpAccounts
internal import ChirpCore
internal import FoundationEssentials
internal import GRDB

extension HubLibrary {
    /// Says something about an item, once for its writer, item and key; however often it is asked for, the first one is the answer. Those who
    /// are told of it have their notices in the same transaction, and its clip can be heard.
    package func comment(_ draft: CommentDraft) async throws(CommentRefusal) -> HubID {
        let visible = seen(by: .member(draft.author)).visibleItems
        let now = Self.milliseconds(now())
        return try await commenting { database in
            let row = try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT items.sequence, items.account, items.state FROM items
                        WHERE items.id = ? AND items.board = ? AND \(visible.sql)
                        """), arguments: [draft.item.text, draft.board] + visible.arguments)
            guard let row, let state = Item.State(rawValue: row["state"]) else { throw CommentRefusal.notFound }
            let (item, owner): (Int64, AccountID) = (row["sequence"], row["account"])
            let known = try String.fetchOne(
                database.cachedStatement(sql: "SELECT id FROM comments WHERE account = ? AND item = ? AND key = ?"),
                arguments: [draft.author, item, draft.key])
            if let known = known.flatMap({ HubID($0) }) { return known }
            let text = try draft.checked()
            guard try Self.isActive(draft.author, at: now, in: database) else { throw CommentRefusal.notActive }
            guard state == .open || state == .settled else { throw CommentRefusal.ended(state) }
            let answered = try draft.answers.map {
                try Comments.answered($0, on: item, by: draft.author, at: now, in: database)
            }
            let opens = try self.opens(draft, at: now, in: database)
            let id = HubID()
            try database.cachedStatement(
                sql: """
                    INSERT INTO comments (id, item, account, key, answers, text, clip, opens, created)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """
            ).execute(arguments: [
                id.text, item, draft.author, draft.key, answered?.thread, text, draft.clip?.text, opens, now,
            ])
            let sequence = database.lastInsertedRowID
            if opens {
                try database.cachedStatement(sql: "UPDATE clips SET shared = 1 WHERE id = ?").execute(
                    arguments: [draft.clip?.text])
            }
            // Whoever is both is told once.
            for account in Set([owner] + (answered.map { [$0.account] } ?? [])) where account != draft.author {
                try Notice.add(
                    Notice.Draft(
                        account: account, kind: .comment, actor: draft.author, item: draft.item,
                        cause: "comment:\(id)", comment: sequence), at: now, in: database)
            }
            return id
        }
    }

    /// Removes a comment: its writer does, also while suspended, and the author of the item that it is on. Of one that others have answered
    /// its place is left.
    package func removeComment(_ id: HubID, by account: AccountID) async throws(CommentRefusal) {
        let now = Self.milliseconds(now())
        try await commenting { database in
            let row = try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT comments.sequence, comments.account = :me AS isOwn FROM comments
                        JOIN items ON items.sequence = comments.item
                        WHERE comments.id = :id AND comments.state <> 'removed'
                            AND (comments.account = :me OR items.account = :me AND \(Comments.seen()))
                        """), arguments: ["id": id.text, "me": account, "now": now])
            guard let row else { throw CommentRefusal.notFound }
            let isOwn: Bool = row["isOwn"]
            guard try isOwn || Self.isActive(account, at: now, in: database) else { throw CommentRefusal.notActive }
            try database.cachedStatement(
                sql: "UPDATE comments SET state = 'removed' WHERE sequence = ? AND state <> 'removed'"
            ).execute(arguments: [row["sequence"] as Int64])
            guard database.changesCount == 1 else { throw CommentRefusal.notFound }
        }
    }

    /// Whether a comment lets others hear its clip for the first time.
    ///
    /// - Throws: ``CommentRefusal/notYours``. A clip of nobody's is of whose library it is.
    private func opens(_ draft: CommentDraft, at now: Int64, in database: Database) throws -> Bool {
        guard let clip = draft.clip else { return false }
        let isShared = try Bool.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT shared FROM clips
                    WHERE id = ? AND COALESCE(owner, ?) = ? AND (expires IS NULL OR expires > ?)
                    """), arguments: [clip.text, owner.id, draft.author, now])
        guard let isShared else { throw CommentRefusal.notYours }
        return !isShared
    }

    /// Runs a transaction about comments that may be refused; then nothing of it has happened.
    private func commenting<T: Sendable>(
        _ body: @Sendable (Database) throws -> T
    ) async throws(CommentRefusal) -> T {
        do { return try await database.write(body) } catch {
            throw (error as? CommentRefusal) ?? .library(libraryError(error))
        }
    }
}

extension CommentDraft {
    /// What it says, as it is written down: plain text, within its bounds.
    fileprivate func checked() throws(CommentRefusal) -> String {
        let most = ItemComment.longestText
        // Bounded before it is cleaned, so that a text of ten megabytes costs nothing.
        guard text.utf8.count <= most * 16, key.utf8.count <= Self.longestKey else { throw .tooLong(most: most) }
        let plain = PlainText.lines(text, limit: most * 16)
        guard plain.isWithin(most) else { throw .tooLong(most: most) }
        guard !plain.isEmpty || clip != nil else { throw .empty }
        return plain
    }
}

/// What comments' tables do within a transaction.
enum Comments {
    /// A condition on `comments`, or on an alias of it, for what `:me` sees of them at `:now`; nobody is null. Hidden ones are their writers'
    /// and moderators'; between those who have blocked one another there is nothing.
    static func seen(_ comments: String = "comments") -> String {
        """
        ((\(comments).account = :me
            OR \(comments).state = 'shown' AND \(comments).shut = 0
                AND NOT EXISTS (SELECT 1 FROM blocks WHERE blocker = :me AND blocked = \(comments).account)
                AND NOT EXISTS (SELECT 1 FROM blocks WHERE blocker = \(comments).account AND blocked = :me)
            OR \(comments).state = 'hidden' AND EXISTS (SELECT 1 FROM accounts AS looker
                WHERE looker.id = :me AND looker.role <> 'member' AND looker.state = 'active'))
            AND (\(comments).text <> '' OR EXISTS (SELECT 1 FROM clips AS sound
                WHERE sound.id = \(comments).clip AND (sound.expires IS NULL OR sound.expires > :now))))
        """
    }

    /// Where an answer belongs, and whom it answers.
    ///
    /// - Throws: ``CommentRefusal/notFound`` for what its writer does not see.
    static func answered(
        _ id: HubID, on item: Int64, by writer: AccountID, at now: Int64, in database: Database
    ) throws -> (thread: Int64, account: AccountID) {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT COALESCE(answers, sequence) AS thread, account FROM comments
                    WHERE id = :id AND item = :item AND account IS NOT NULL AND \(seen())
                    """), arguments: ["id": id.text, "item": item, "me": writer, "now": now])
        guard let row else { throw CommentRefusal.notFound }
        return (row["thread"], row["account"])
    }
}
