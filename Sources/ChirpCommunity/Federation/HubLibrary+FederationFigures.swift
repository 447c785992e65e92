internal import FoundationEssentials
internal import GRDB

/// How much there is at a hub, as it tells those who count servers.
package struct FederationFigures: Hashable, Sendable {
    /// With an account that is not closed.
    package let people: Int
    /// Of whom so many have posted something that everybody may see within 180 and 30 days.
    package let activeHalfYear, activeMonth: Int
    /// Those that everybody may see.
    package let posts: Int
}

extension HubLibrary {
    /// How much there is here.
    package func federationFigures() async throws(LibraryError) -> FederationFigures {
        let now = now()
        let (month, half) = (
            Self.milliseconds(now.addingTimeInterval(-30 * 86_400)),
            Self.milliseconds(now.addingTimeInterval(-180 * 86_400))
        )
        return try await read { database in
            func count(_ sql: String, _ arguments: StatementArguments = []) throws -> Int {
                try Int.fetchOne(database.cachedStatement(sql: sql), arguments: arguments) ?? 0
            }
            let active = """
                SELECT COUNT(DISTINCT account) FROM posts
                WHERE created > ? AND visibility = 'public' AND state = 'shown'
                """
            return FederationFigures(
                people: try count(
                    "SELECT COUNT(*) FROM accounts WHERE state IN ('active', 'suspended') AND remote IS NULL"),
                activeHalfYear: try count(active, [half]), activeMonth: try count(active, [month]),
                posts: try count("SELECT COUNT(*) FROM posts WHERE visibility = 'public' AND state = 'shown'"))
        }
    }
}
