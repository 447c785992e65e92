internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpMusic
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

    /// A part that a track is mixed of, by the id that it has among her films.
    private struct StemEntry: Encodable {
        let track, film, name: String
    }

    /// What came of taking the stems away from their mix.
    private struct StemCheckEntry: Encodable {
        let track, state, why: String
        let findings: StemFindings?
    }

    /// A track whose previews tell whose they are, as she has wished.
    private struct TagEntry: Encodable {
        let track, state, why: String
        let isOn: Bool
        let title, person: String?
    }

    /// A preview that was made for her alone. Where its voice begins is a secret: it tells whose copy one is.
    private struct OwnPreviewEntry: Encodable {
        let track, state: String
        let asked, heard: Date
        let made: Date?
    }

    private struct Everything: Encodable {
        let roles: [RoleEntry]
        let works: [String]
        let tracks: [TrackEntry]
        let stems: [StemEntry]
        let stemChecks: [StemCheckEntry]
        let tags: [TagEntry]
        let ownPreviews: [OwnPreviewEntry]
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
        let everything = Everything(
            roles: roles, works: works, tracks: tracks, stems: try stems(of: person, in: database),
            stemChecks: try stemChecks(of: person, in: database), tags: try tags(of: person, in: database),
            ownPreviews: try ownPreviews(of: person, in: database))
        return [try PersonalExport.document("beats.json", everything)]
    }

    private static func stems(of person: AccountID, in database: Database) throws -> [StemEntry] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT trackStems.* FROM works JOIN tracks ON tracks.work = works.id
                    JOIN trackStems ON trackStems.item = tracks.item
                    WHERE works.author = ? ORDER BY works.created, tracks.item, position
                    """), arguments: [person]
        ).map { StemEntry(track: $0["item"], film: $0["film"], name: $0["name"]) }
    }

    private static func stemChecks(of person: AccountID, in database: Database) throws -> [StemCheckEntry] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT checks.* FROM works JOIN tracks ON tracks.work = works.id
                    JOIN trackStemChecks AS checks ON checks.item = tracks.item
                    WHERE works.author = ? ORDER BY works.created, tracks.item
                    """), arguments: [person]
        ).map { row in
            StemCheckEntry(
                track: row["item"], state: row["state"], why: row["why"], findings: TrackStems.findings(row["findings"])
            )
        }
    }

    private static func tags(of person: AccountID, in database: Database) throws -> [TagEntry] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT trackTags.* FROM works JOIN tracks ON tracks.work = works.id
                    JOIN trackTags ON trackTags.item = tracks.item
                    WHERE works.author = ? ORDER BY works.created, tracks.item
                    """), arguments: [person]
        ).map { row in
            TagEntry(
                track: row["item"], state: row["state"], why: row["why"], isOn: row["isOn"], title: row["title"],
                person: row["person"])
        }
    }

    private static func ownPreviews(of person: AccountID, in database: Database) throws -> [OwnPreviewEntry] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT item, state, asked, heard, made FROM trackListeners WHERE account = ? ORDER BY asked, item
                    """), arguments: [person]
        ).map { row in
            OwnPreviewEntry(
                track: row["item"], state: row["state"], asked: Accounts.date(row["asked"]),
                heard: Accounts.date(row["heard"]), made: (row["made"] as Int64?).map(Accounts.date))
        }
    }
}
