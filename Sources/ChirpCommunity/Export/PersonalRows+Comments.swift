internal import FoundationEssentials
internal import GRDB

/// What the person has said about items.
extension PersonalRows {
    struct Comment: Encodable {
        /// The address of the item, below the hub's own.
        let id, item: String
        /// The comment that it answers.
        let answers: String?
        let text: String
        let clip: String?
        let state: String
        let created: Date
    }

    func comments() throws -> [Comment] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT comments.*, '/' || items.board || '/' || items.id AS path, above.id AS above FROM comments
                    JOIN items ON items.sequence = comments.item
                    LEFT JOIN comments AS above ON above.sequence = comments.answers
                    WHERE comments.account = ? ORDER BY comments.sequence
                    """), arguments: [person]
        ).map { row in
            Comment(
                id: row["id"], item: row["path"], answers: row["above"], text: row["text"], clip: row["clip"],
                state: row["state"], created: HubLibrary.date(row["created"]))
        }
    }
}
