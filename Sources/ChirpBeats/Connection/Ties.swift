internal import ChirpAccounts
internal import GRDB

/// How two people stand to each other, asked within a transaction.
enum Ties {
    /// One of both has blocked the other: then neither reaches the other, and neither is told why.
    static func isBlocked(_ one: AccountID, _ other: AccountID, in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT EXISTS (SELECT 1 FROM blocks
                        WHERE (blocker = :one AND blocked = :other) OR (blocker = :other AND blocked = :one))
                    """), arguments: ["one": one, "other": other]) ?? false
    }
}
