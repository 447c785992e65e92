package import ChirpAccounts
package import FoundationEssentials
internal import GRDB

/// Somebody with an account, as others see her.
package struct PublicPerson: Hashable, Sendable {
    package let author: PostAuthor
    package let bio: String
    package let created: Date
    /// From other servers too.
    package let followers: Int
    package let following: Int
    /// The posts that everybody may see.
    package let posts: Int
    package let lastPost: Date?
}

/// Which people belong into a list.
package enum PeopleSelection: Hashable, Sendable {
    case these([AccountID])
    case named(String)
    case followers(of: AccountID)
    case followed(by: AccountID)
    /// Whose handle or name contains a text.
    case matching(String)

    /// They were found by what they are called, or by whom they follow: visitors find only people of this hub so.
    fileprivate var isFound: Bool {
        if case .these = self { false } else { true }
    }
}

extension HubReader {
    /// Those of a selection who have a page, by handle.
    ///
    /// - Parameter handle: they come behind this one; empty: from the beginning.
    package func people(
        _ selection: PeopleSelection, behind handle: String = "", limit: Int
    ) async throws(LibraryError) -> [PublicPerson] {
        let chosen = Self.condition(selection)
        // Who has blocked the viewer is not there for her.
        let condition =
            chosen.sql + " AND NOT EXISTS (SELECT 1 FROM blocks WHERE blocker = accounts.id AND blocked IS ?)"
            + (selection.isFound && account == nil ? " AND remote IS NULL" : "")
        let arguments = chosen.arguments + [account]
        return try await library.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT id, handle, name, bio, created,
                        (SELECT COUNT(*) FROM follows WHERE followed = accounts.id)
                            + (SELECT COUNT(*) FROM remoteFollowers WHERE account = accounts.id) AS followers,
                        (SELECT COUNT(*) FROM follows WHERE follower = accounts.id) AS following,
                        (SELECT COUNT(*) FROM posts WHERE account = accounts.id AND visibility IN ('public', 'unlisted')
                            AND state = 'shown') AS posts,
                        (SELECT MAX(created) FROM posts WHERE account = accounts.id
                            AND visibility IN ('public', 'unlisted') AND state = 'shown') AS lastPost
                    FROM accounts
                    WHERE state IN ('active', 'suspended') AND handle > ? AND \(condition) ORDER BY handle LIMIT \(limit)
                    """, arguments: [handle] + arguments
            ).map { row in
                PublicPerson(
                    author: PostAuthor(row), bio: row["bio"], created: HubLibrary.date(row["created"]),
                    followers: row["followers"], following: row["following"], posts: row["posts"],
                    lastPost: (row["lastPost"] as Int64?).map(HubLibrary.date))
            }
        }
    }

    private static func condition(_ selection: PeopleSelection) -> (sql: String, arguments: StatementArguments) {
        switch selection {
        case .these(let accounts):
            let marks = Array(repeating: "?", count: accounts.count).joined(separator: ", ")
            return ("id IN (\(marks))", StatementArguments(accounts))
        case .named(let handle): return ("handle = ?", [handle.lowercased()])
        case .followers(let account):
            return ("id IN (SELECT follower FROM follows WHERE followed = ?)", [account])
        case .followed(let account):
            return ("id IN (SELECT followed FROM follows WHERE follower = ?)", [account])
        case .matching(let text):
            return ("(instr(handle, lower(?)) > 0 OR instr(lower(name), lower(?)) > 0)", [text, text])
        }
    }
}
