package import ChirpAccounts
package import GRDB

extension HubReader {
    /// A condition for SQL of boards, which name no table of the library: the viewer sees whom a column of theirs names. She has a page, and
    /// neither has blocked the other.
    ///
    /// - Parameter column: with its table, as in `attempts.account`; never text from outside.
    package func sees(_ column: String) -> (sql: String, arguments: StatementArguments) {
        (
            """
            (EXISTS (SELECT 1 FROM accounts WHERE accounts.id = \(column) AND accounts.state IN ('active', 'suspended'))
            AND NOT EXISTS (SELECT 1 FROM blocks WHERE blocker = \(column) AND blocked IS ?)
            AND NOT EXISTS (SELECT 1 FROM blocks WHERE blocked = \(column) AND blocker IS ?))
            """, [account, account]
        )
    }

    /// The same for items: the viewer may open the one whose id a column of theirs has.
    ///
    /// - Parameter column: with its table, as in `rules.challenge`; never text from outside.
    package func seesItem(_ column: String) -> (sql: String, arguments: StatementArguments) {
        let visible = visibleItems
        return ("EXISTS (SELECT 1 FROM items WHERE items.id = \(column) AND \(visible.sql))", visible.arguments)
    }

    /// The same for items that stand in lists: open ones that nobody has hidden.
    ///
    /// - Parameter category: nil: of all.
    package func listsItem(
        _ column: String, category: String? = nil
    ) -> (sql: String, arguments: StatementArguments) {
        let unblocked = unblockedItems
        return (
            """
            EXISTS (SELECT 1 FROM items WHERE items.id = \(column) AND items.listed = 1
                AND \(category == nil ? "" : "items.category = ? AND ")\(unblocked.sql))
            """, (category.map { [$0] } ?? []) + unblocked.arguments
        )
    }

    /// A condition for SQL of boards: a moderator has hidden the part of an item (as an attempt at a challenge) whose id a column of theirs has.
    ///
    /// - Parameter column: with its table, as in `attempts.id`; never text from outside.
    package static func hidesPart(_ column: String) -> String {
        "EXISTS (SELECT 1 FROM itemParts INDEXED BY itemPartsHidden WHERE itemParts.id = \(column) AND itemParts.hidden = 1)"
    }

    /// Of some people those whom the viewer sees, within a transaction.
    package func authors(
        _ people: some Sequence<AccountID>, in database: Database
    ) throws -> [AccountID: PostAuthor] {
        let seen = sees("list.value")
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT people.id, people.handle, people.name
                    FROM json_each(?) AS list CROSS JOIN accounts AS people ON people.id = list.value WHERE \(seen.sql)
                    """), arguments: [Set(people.map(\.rawValue)).sorted().statementList()] + seen.arguments)
        return Dictionary(rows.map { ($0["id"], PostAuthor($0)) }) { first, _ in first }
    }
}
