internal import ChirpAccounts
internal import ChirpCommunity
internal import FoundationEssentials
internal import GRDB

/// What the board keeps of one person beside her items, for her export.
enum ListingExport {
    private struct Entry: Encodable {
        let id: String
        let happenedFrom: Date?
        let happenedTo: Date?
        let handover: String
        let reward: String
        let phone: String
        let calls: Int
        let question: String
    }
    private struct Document: Encodable {
        let listings: [Entry]
        let keepsViewed: Bool
    }

    static func documents(of person: AccountID, in database: Database) throws -> [PersonalExport.Document] {
        let entries = try Row.fetchAll(
            database.cachedStatement(sql: "SELECT * FROM listings WHERE account = ? ORDER BY rowid"),
            arguments: [person]
        ).map { row in
            let (from, to): (Int64?, Int64?) = (row["happenedFrom"], row["happenedTo"])
            return Entry(
                id: row["item"], happenedFrom: from.map(Accounts.date), happenedTo: to.map(Accounts.date),
                handover: row["handover"], reward: row["reward"], phone: row["phone"], calls: row["calls"],
                question: row["question"])
        }
        let isUnkept = try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT 1 FROM listingsUnkept WHERE account = ?"), arguments: [person])
        return [
            try PersonalExport.document(
                "listings.json", Document(listings: entries, keepsViewed: isUnkept != true))
        ]
    }
}
