internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpDatabase
internal import FoundationEssentials
internal import GRDB

/// What the parts of the board beside the listings themselves keep in a library.
enum ListingParts {
    static let steps = ClaimSchema.steps + MatchSchema.steps + AlertSchema.steps

    private struct ClaimEntry: Encodable {
        let listing, kind, question, answer: String
        let clip: String?
        let state: String
        let created: Date
    }

    private struct AlertEntry: Encodable {
        let words: String
        let side, category: String?
        let latitude, longitude, radius: Double?
        let place: String
        let created: Date
    }

    /// What may belong to a listing of hers, and what she has done with it.
    private struct MatchEntry: Encodable {
        let own, other, state: String
        let score: Double
        let isTold: Bool
        let created: Date
    }

    /// What they keep of one person, for her export. What others have answered her is theirs.
    static func documents(of person: AccountID, in database: Database) throws -> [PersonalExport.Document] {
        let claims = try Row.fetchAll(
            database.cachedStatement(sql: "SELECT * FROM claims WHERE claimant = ? ORDER BY sequence"),
            arguments: [person]
        ).map { row in
            ClaimEntry(
                listing: row["listing"], kind: row["kind"], question: row["question"], answer: row["answer"],
                clip: row["clip"], state: row["state"], created: Accounts.date(row["created"]))
        }
        let alerts = try Row.fetchAll(
            database.cachedStatement(sql: "SELECT * FROM alerts WHERE account = ? ORDER BY created, id"),
            arguments: [person]
        ).map { row in
            AlertEntry(
                words: row["words"], side: row["side"], category: row["category"], latitude: row["lat"],
                longitude: row["lon"], radius: row["radius"], place: row["place"],
                created: Accounts.date(row["created"]))
        }
        let matches = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT lost AS own, found AS other, lostSeen AS state, score, lostTold AS isTold, created
                    FROM matches WHERE lostOwner = :me
                    UNION ALL
                    SELECT found, lost, foundSeen, score, foundTold, created FROM matches WHERE foundOwner = :me
                    ORDER BY created, own, other
                    """), arguments: ["me": person]
        ).map { row in
            MatchEntry(
                own: row["own"], other: row["other"], state: row["state"], score: row["score"], isTold: row["isTold"],
                created: Accounts.date(row["created"]))
        }
        return [
            try PersonalExport.document("claims.json", claims), try PersonalExport.document("alerts.json", alerts),
            try PersonalExport.document("matches.json", matches),
        ]
    }
}
