internal import FoundationEssentials
internal import GRDB

extension HubReader {
    /// Which of some places in the feed hold a post that this viewer sees.
    package func stillSeen(_ sequences: [Int64]) async throws(LibraryError) -> Set<Int64> {
        let visible = visiblePosts
        return try await library.read { database in
            let list = try JSONEncoder().encode(sequences)
            return try Int64.fetchSet(
                database,
                sql: """
                    SELECT posts.sequence
                    FROM posts JOIN accounts ON accounts.id = posts.account LEFT JOIN clips ON clips.id = posts.clip
                    WHERE posts.sequence IN (SELECT value FROM json_each(?)) AND \(visible.sql)
                    """,
                arguments: [String(decoding: list, as: UTF8.self)] + visible.arguments)
        }
    }
}
