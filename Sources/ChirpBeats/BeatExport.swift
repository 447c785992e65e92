internal import ChirpAccounts
internal import ChirpCommunity
internal import FoundationEssentials
internal import GRDB

/// What the board keeps of one person beside her items, for her export.
enum BeatExport {
    private struct RoleEntry: Encodable {
        let role: String
        let since: Date
    }

    private struct TrackEntry: Encodable {
        let track, work, kind, version, price, state, why: String
        /// What she has sent, by the id that it has among her films.
        let master: String?
        let amount: Int64?
        let currency: String?
        let milliseconds, key, keyOther: Int?
        let loudness, peak, tempo, tempoOther: Double?
    }

    private struct Everything: Encodable {
        let roles: [RoleEntry]
        let works: [String]
        let tracks: [TrackEntry]
    }

    static func documents(of person: AccountID, in database: Database) throws -> [PersonalExport.Document] {
        let roles = try Row.fetchAll(
            database.cachedStatement(sql: "SELECT role, since FROM beatRoles WHERE account = ? ORDER BY role"),
            arguments: [person]
        ).map { RoleEntry(role: $0["role"], since: Accounts.date($0["since"])) }
        let works = try String.fetchAll(
            database.cachedStatement(sql: "SELECT id FROM works WHERE author = ? ORDER BY created, id"),
            arguments: [person])
        let tracks = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT tracks.* FROM works JOIN tracks ON tracks.work = works.id
                    WHERE works.author = ? ORDER BY works.created, tracks.item
                    """), arguments: [person]
        ).map { row in
            TrackEntry(
                track: row["item"], work: row["work"], kind: row["kind"], version: row["version"], price: row["price"],
                state: row["state"], why: row["why"], master: row["master"], amount: row["amount"],
                currency: row["currency"], milliseconds: row["milliseconds"], key: row["key"],
                keyOther: row["keyOther"], loudness: row["loudness"], peak: row["peak"], tempo: row["tempo"],
                tempoOther: row["tempoOther"])
        }
        return [
            try PersonalExport.document("beats.json", Everything(roles: roles, works: works, tracks: tracks))
        ]
    }
}
