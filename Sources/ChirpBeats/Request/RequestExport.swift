package import ChirpAccounts
package import ChirpCommunity
internal import FoundationEssentials
package import GRDB

/// What requests hold of one person, for her export: those she has part in, with her own words alone.
package enum RequestExport {
    private struct Entry: Encodable {
        /// `asker` or `producer`.
        let request, side, phase: String
        /// What she asked for; nil where she was asked.
        let words, clip, reference: String?
        let amount: Int64?
        let currency: String?
        let created, changed: Date
        let acts: [Act]
    }

    private struct Act: Encodable {
        let act: String
        let amount: Int64?
        let currency: String?
        let words: String
        let at: Date
    }

    /// - Returns: `requests.json`.
    package static func documents(
        of person: AccountID, in database: Database
    ) throws -> [PersonalExport.Document] {
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: "SELECT * FROM requests WHERE asker = :me OR producer = :me ORDER BY sequence"),
            arguments: ["me": person])
        return [
            try PersonalExport.document("requests.json", rows.map { try entry($0, of: person, in: database) })
        ]
    }

    private static func entry(_ row: Row, of person: AccountID, in database: Database) throws -> Entry {
        let isAsker = row["asker"] == person
        let side: RequestState.Side = isAsker ? .asker : .producer
        let sequence: Int64 = row["sequence"]
        let acts = try Row.fetchAll(
            database.cachedStatement(
                sql: "SELECT * FROM requestMoves WHERE request = ? AND side = ? ORDER BY number"),
            arguments: [sequence, side.rawValue]
        ).map {
            Act(
                act: $0["act"], amount: $0["amount"], currency: $0["currency"], words: $0["words"],
                at: Accounts.date($0["at"]))
        }
        return Entry(
            request: row["id"], side: side.rawValue, phase: row["phase"], words: isAsker ? row["words"] : nil,
            clip: isAsker ? row["clip"] : nil, reference: isAsker ? row["reference"] : nil, amount: row["amount"],
            currency: row["currency"], created: Accounts.date(row["created"]),
            changed: Accounts.date(row["changed"]), acts: acts)
    }
}
