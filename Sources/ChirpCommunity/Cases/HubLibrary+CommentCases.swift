package import ChirpAccounts
package import FoundationEssentials
internal import GRDB

/// A comment as cases show it: what it says and where, whoever may see it elsewhere.
package struct CommentSummary: Hashable, Sendable, Identifiable {
    package let id: HubID
    package let author: PostAuthor
    package let text: String
    package let clip: HubID?
    package let isHidden: Bool
    package let created: Date
    /// What the item that it is on is called.
    package let title: String
    /// Where it is to be seen, without what links begin with.
    package let path: String
}

/// Reports of comments, and what they and decisions do. A comment is what a person says: reports hide it by the rule of posts.
extension HubLibrary {
    /// What somebody may report, by its id; nil for what she may not see.
    package func commentToReport(_ id: HubID, by account: AccountID) async throws(LibraryError) -> CommentSummary? {
        let now = Self.milliseconds(now())
        return try await read { try Self.commentToReport(id, by: account, at: now, in: $0) }
    }

    /// The same, within a transaction. What others' reports have just taken from sight may have been on her page before.
    static func commentToReport(
        _ id: HubID, by viewer: AccountID, at now: Int64, in database: Database
    ) throws -> CommentSummary? {
        let sight = Items.visible(to: viewer)
        let isSeen = try Bool.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT \(Comments.seen()) OR comments.state = 'hidden' AND comments.shut = 0
                        AND EXISTS (SELECT 1 FROM cases WHERE kind = 'comment' AND about = comments.id AND hides = 1
                            AND state IN ('open', 'appealed'))
                        AND NOT EXISTS (SELECT 1 FROM blocks WHERE blocker = :me AND blocked = comments.account)
                        AND NOT EXISTS (SELECT 1 FROM blocks WHERE blocker = comments.account AND blocked = :me)
                    FROM comments JOIN items ON items.sequence = comments.item
                    WHERE comments.id = :id AND \(sight.sql)
                    """), arguments: sight.arguments + ["id": id.text, "me": viewer, "now": now])
        return isSeen == true ? try Comments.summary(of: id, in: database) : nil
    }

    /// A comment for a moderator who has seen something, to begin a case about it.
    ///
    /// - Throws: ``CaseError/notAllowed``, ``CaseError/notFound``.
    package func comment(_ id: HubID, for moderator: AccountID) async throws(CaseError) -> CommentSummary {
        let now = Self.milliseconds(now())
        return try await look { database in
            _ = try Self.rank(of: moderator, at: now, in: database)
            guard let found = try Comments.summary(of: id, in: database) else { throw CaseError.notFound }
            return found
        }
    }
}

extension Comments {
    /// Nil when there is none of that id, or it was removed.
    static func summary(of id: HubID, in database: Database) throws -> CommentSummary? {
        try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT comments.*, accounts.handle, accounts.name, items.title, items.board, items.id AS itemID
                    FROM comments JOIN items ON items.sequence = comments.item
                    JOIN accounts ON accounts.id = comments.account WHERE comments.id = ?
                    """), arguments: [id.text]
        ).map { row in
            let (board, item, clip): (String, String, String?) = (row["board"], row["itemID"], row["clip"])
            return CommentSummary(
                id: id, author: PostAuthor(id: row["account"], handle: row["handle"], name: row["name"]),
                text: row["text"], clip: clip.flatMap { HubID($0) }, isHidden: row["state"] == "hidden",
                created: HubLibrary.date(row["created"]), title: row["title"], path: "/\(board)/\(item)/comments/\(id)")
        }
    }

    /// Takes one from sight, or lets it be seen again. May be repeated; there may be none.
    ///
    /// - Returns: whether that changed it.
    @discardableResult
    static func show(_ id: HubID, _ shows: Bool, in database: Database) throws -> Bool {
        try database.cachedStatement(sql: "UPDATE comments SET state = ? WHERE id = ? AND state = ?").execute(
            arguments: [shows ? "shown" : "hidden", id.text, shows ? "hidden" : "shown"])
        return database.changesCount > 0
    }
}
