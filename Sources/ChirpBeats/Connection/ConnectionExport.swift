package import ChirpAccounts
package import ChirpCommunity
internal import FoundationEssentials
package import GRDB

/// What connections hold of one person, for her export.
package enum ConnectionExport {
    private struct Entry: Encodable {
        let person: AccountID
        let phase: String
        /// She has asked.
        let asked: Bool
        let since: Date
    }

    /// - Returns: `connections.json`.
    package static func documents(
        of person: AccountID, in database: Database
    ) throws -> [PersonalExport.Document] {
        let entries = try Row.fetchAll(
            database.cachedStatement(
                sql: "SELECT * FROM connections WHERE asker = :me OR asked = :me ORDER BY since, asker, asked"),
            arguments: ["me": person]
        ).map { row in
            let isAsker = row["asker"] == person
            return Entry(
                person: isAsker ? row["asked"] : row["asker"], phase: row["phase"], asked: isAsker,
                since: Accounts.date(row["since"]))
        }
        return [try PersonalExport.document("connections.json", entries)]
    }
}
