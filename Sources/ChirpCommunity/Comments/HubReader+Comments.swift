internal import ChirpAccounts
internal import FoundationEssentials
internal import GRDB

extension HubReader {
    /// The most comments of a page.
    package static let mostComments = 100
    /// How many answers come with a comment.
    package static let mostAnswers = 5

    /// Comments on an item, a page of them; nil for an item, or a comment that they answer, that the viewer does not see. Nothing is repeated
    /// on the next page and nothing left out, whatever others say or remove meanwhile.
    ///
    /// Of a comment that the viewer does not see but that has answers that she sees, its place is told (``ItemComment/State/removed``).
    package func comments(_ query: CommentQuery) async throws(LibraryError) -> CommentPage? {
        let limit = min(query.limit, Self.mostComments)
        return try await library.read { database in
            guard let item = try place(of: query.item, board: query.board, in: database) else { return nil }
            var thread: Int64?
            if let above = query.answersTo {
                guard
                    let found = try self.comments("comments.id = :id", ["id": above.text], of: item, in: database).first
                else { return nil }
                thread = found.sequence
            }
            guard limit > 0 else { return CommentPage(comments: [], next: nil) }
            var found = try self.comments(
                """
                comments.answers IS :thread AND comments.sequence \(query.order == .oldest ? ">" : "<") :after
                ORDER BY comments.sequence \(query.order == .oldest ? "ASC" : "DESC") LIMIT :limit
                """,
                [
                    "thread": thread, "after": (query.after ?? (query.order == .oldest ? .start : .end)).row,
                    // One more than is shown tells whether there is another page.
                    "limit": limit + 1,
                ], of: item, in: database)
            let hasMore = found.count > limit
            found = Array(found.prefix(limit))
            if thread == nil {
                for index in found.indices { try addAnswers(to: &found[index], of: item, in: database) }
            }
            return CommentPage(comments: found, next: hasMore ? found.last.map { PageCursor($0.sequence) } : nil)
        }
    }

    /// One comment with its first answers; nil when the viewer does not see it or its item.
    package func comment(_ id: HubID, on item: HubID, board: String) async throws(LibraryError) -> ItemComment? {
        try await library.read { database in
            guard let item = try place(of: item, board: board, in: database),
                var found = try comments("comments.id = :id", ["id": id.text], of: item, in: database).first
            else { return nil }
            try addAnswers(to: &found, of: item, in: database)
            return found
        }
    }

    private func place(of item: HubID, board: String, in database: Database) throws -> Int64? {
        let visible = visibleItems
        return try Int64.fetchOne(
            database.cachedStatement(
                sql: "SELECT items.sequence FROM items WHERE items.id = ? AND items.board = ? AND \(visible.sql)"),
            arguments: [item.text, board] + visible.arguments)
    }

    private func addAnswers(to comment: inout ItemComment, of item: Int64, in database: Database) throws {
        let answers = try comments(
            "comments.answers = :thread ORDER BY comments.sequence LIMIT :limit",
            ["thread": comment.sequence, "limit": Self.mostAnswers + 1], of: item, in: database)
        comment.answers = Array(answers.prefix(Self.mostAnswers))
        comment.hasMoreAnswers = answers.count > Self.mostAnswers
    }

    /// - Parameter condition: on `comments`, and what follows it.
    private func comments(
        _ condition: String, _ arguments: [String: (any DatabaseValueConvertible)?], of item: Int64,
        in database: Database
    ) throws -> [ItemComment] {
        let bounds: [String: (any DatabaseValueConvertible)?] = [
            "item": item, "me": account, "now": HubLibrary.milliseconds(now),
        ]
        return try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT comments.*, above.id AS above, accounts.handle, accounts.name,
                        \(HubLibrary.clipColumns(of: "clips")), \(Comments.seen()) AS isSeen
                    FROM comments LEFT JOIN comments AS above ON above.sequence = comments.answers
                    LEFT JOIN accounts ON accounts.id = comments.account
                    LEFT JOIN clips ON clips.id = comments.clip AND (clips.expires IS NULL OR clips.expires > :now)
                    WHERE comments.item = :item AND (\(Comments.seen()) OR EXISTS (
                        SELECT 1 FROM comments AS answer
                        WHERE answer.answers = comments.sequence AND \(Comments.seen("answer"))))
                        AND \(condition)
                    """), arguments: StatementArguments(bounds.merging(arguments) { $1 })
        ).compactMap(ItemComment.init)
    }
}

extension ItemComment {
    /// Nil for a row that makes no sense.
    fileprivate init?(_ row: Row) {
        guard let id = HubID(row["id"] as String) else { return nil }
        let (isSeen, account): (Bool?, AccountID?) = (row["isSeen"], row["account"])
        sequence = row["sequence"]
        self.id = id
        above = (row["above"] as String?).flatMap { HubID($0) }
        created = HubLibrary.date(row["created"])
        guard isSeen == true, let account else {
            (author, text, clip, state) = (nil, "", nil, .removed)
            return
        }
        author = PostAuthor(id: account, handle: row["handle"] ?? "", name: row["name"] ?? "")
        text = row["text"]
        clip = HubClip(row: row)
        state = State(rawValue: row["state"]) ?? .hidden
    }
}
