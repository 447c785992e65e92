internal import ChirpAccounts
package import ChirpNumbers
internal import GRDB

extension HubReader {
    /// How many of the newest posts a search by words looks through: it reads each, since there is no index of words.
    static let searched = 5000

    /// The newest posts in whose text, or in whose clip's title, every one of some words occurs.
    package func posts(
        saying words: [String], before place: PageCursor = .end, limit: Int
    ) async throws(LibraryError) -> [HubPost] {
        let words = words.prefix(8)
        guard !words.isEmpty else { return [] }
        let visible = visiblePosts
        let each = words.map { _ in "(posts.text LIKE ? ESCAPE '\\' OR clips.title LIKE ? ESCAPE '\\')" }
            .joined(separator: " AND ")
        let patterns = words.flatMap { word -> [String] in
            let plain = word.replacing("\\", with: "\\\\").replacing("%", with: "\\%").replacing("_", with: "\\_")
            return ["%\(plain)%", "%\(plain)%"]
        }
        return try await library.read { database in
            try library.posts(
                """
                posts.sequence < ? AND posts.sequence > (SELECT COALESCE(MAX(sequence), 0) - \(Self.searched) FROM posts)
                AND posts.visibility <> 'direct' AND \(each) AND \(visible.sql)
                """, [place.row] + StatementArguments(patterns) + visible.arguments,
                "posts.sequence DESC LIMIT \(limit)", in: database)
        }
    }

    /// Whose accounts are the newest, of those who have published something that everybody may see.
    package func newestPeople(limit: Int) async throws(LibraryError) -> [PublicPerson] {
        let me = account
        let ids = try await library.read { database in
            try AccountID.fetchAll(
                database,
                sql: """
                    SELECT id FROM accounts WHERE state = 'active' AND id IS NOT ?
                        AND EXISTS (SELECT 1 FROM posts WHERE posts.account = accounts.id AND visibility = 'public'
                            AND posts.state = 'shown')
                    ORDER BY created DESC, id LIMIT \(limit)
                    """, arguments: [me])
        }
        let found = try await people(.these(ids), limit: limit)
        return ids.compactMap { id in found.first { $0.author.id == id } }
    }
}
