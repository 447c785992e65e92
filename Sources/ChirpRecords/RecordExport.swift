internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpDatabase
internal import FoundationEssentials
internal import GRDB

/// What the board keeps of one person beside her items, for her export. Who has judged her attempts is not told.
enum RecordExport {
    private struct RuleEntry: Encodable {
        let challenge: String
        let version: Int
        let measure, unit, better: String
        let decimals: Int
        let step, low, high: String
        let needs, invalid, place: String
        let begins, ends: Date?
        let grace: Int
        let made: Date
    }

    private struct AttemptEntry: Encodable {
        let id, challenge: String
        let version: Int
        /// As people read it, and in the last places of the rule's unit.
        let score: String
        let exactScore: Int64
        let text, media, state, appeal, findings: String
        let done, begun: Date
        let received, decided: Date?
        let latitude, longitude: Double?
        let place, town, country: String
        /// The code that it was begun with, four digits.
        let code: String?
        /// What shows it, by ids that the other documents have too.
        let shownBy: ShownEntry
        let verdicts: [VerdictEntry]
        let records: [RecordEntry]
    }

    private struct ShownEntry: Encodable {
        let picture, sound, video: String?
    }

    private struct VerdictEntry: Encodable {
        let what, why, standing: String
        let at: Date
        /// The attempt, where it is somebody else's.
        var attempt: String?
    }

    private struct RecordEntry: Encodable {
        let level, place: String
        let from: Date
        let until: Date?
    }

    private struct StakeMovementEntry: Encodable {
        let stake, why, unit: String
        let challenge: String?
        let amount: Int64
        let at: Date
    }

    private struct ChosenEntry: Encodable {
        let challenge: String
        /// She verifies there; otherwise she has chosen who does.
        let isVerifier: Bool
        let at: Date
    }

    private struct Verifying: Encodable {
        let verdicts: [VerdictEntry]
        let challenges: [ChosenEntry]
    }

    private struct MergerEntry: Encodable {
        let challenge, into: String
        let at: Date
    }

    /// How she looks at the board, and which challenges she has found to be the same.
    private struct Looking: Encodable {
        let visit: VisitEntry?
        let merged: [MergerEntry]
    }

    private struct VisitEntry: Encodable {
        let introduced: Date?
        let latitude, longitude: Double?
        let kilometres: Int?
        let name: String
        let announced: Bool
    }

    static func documents(of person: AccountID, in database: Database) throws -> [PersonalExport.Document] {
        [
            try PersonalExport.document("rules.json", rules(of: person, in: database)),
            try PersonalExport.document("attempts.json", attempts(of: person, in: database)),
            try PersonalExport.document("verifying.json", verifying(of: person, in: database)),
            try PersonalExport.document("challenges.json", looking(of: person, in: database)),
        ] + (try stakes(of: person, in: database))
    }

    private static func rules(of person: AccountID, in database: Database) throws -> [RuleEntry] {
        try Row.fetchAll(
            database.cachedStatement(sql: "SELECT * FROM rules WHERE setter = ? ORDER BY sequence"),
            arguments: [person]
        ).compactMap { row in
            RuleTerms(NamedRow(row)).map { terms in
                RuleEntry(
                    challenge: row["challenge"], version: row["version"], measure: row["measure"], unit: row["unit"],
                    better: row["better"], decimals: terms.decimals, step: terms.text(terms.step),
                    low: terms.text(terms.low), high: terms.text(terms.high), needs: row["needs"],
                    invalid: terms.invalid, place: row["place"], begins: terms.event?.begins, ends: terms.event?.ends,
                    grace: row["grace"], made: Accounts.date(row["made"]))
            }
        }
    }

    private static func attempts(of person: AccountID, in database: Database) throws -> [AttemptEntry] {
        let verdicts = Dictionary(
            grouping: try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT verdicts.* FROM attempts JOIN verdicts ON verdicts.attempt = attempts.sequence
                        WHERE attempts.account = ? ORDER BY verdicts.sequence
                        """), arguments: [person])
        ) { $0["attempt"] as Int64 }
        let records = Dictionary(
            grouping: try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT holds.* FROM attempts JOIN holds ON holds.attempt = attempts.sequence
                        WHERE attempts.account = ? ORDER BY "from", level, holds.place
                        """), arguments: [person])
        ) { $0["attempt"] as Int64 }
        return try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT rules.*, attempts.sequence AS number, attempts.id, attempts.score, attempts.text, attempts.media,
                        attempts.state, attempts.appeal, attempts.findings, attempts.done, attempts.begun,
                        attempts.received, attempts.decided, attempts.shownLat, attempts.shownLon, attempts.placeName,
                        attempts.townName, attempts.countryName,
                        (SELECT code FROM attemptHearings WHERE attempt = attempts.sequence) AS code
                    FROM attempts JOIN rules ON rules.sequence = attempts.rule
                    WHERE attempts.account = ? ORDER BY attempts.sequence
                    """), arguments: [person]
        ).compactMap { row in
            guard let terms = RuleTerms(NamedRow(row)) else { return nil }
            let recording = try AttemptRecording(of: row["number"], in: database)
            let (number, received, decided): (Int64, Int64?, Int64?) = (row["number"], row["received"], row["decided"])
            return AttemptEntry(
                id: row["id"], challenge: row["challenge"], version: row["version"], score: terms.text(row["score"]),
                exactScore: row["score"], text: row["text"], media: row["media"], state: row["state"],
                appeal: row["appeal"], findings: row["findings"], done: Accounts.date(row["done"]),
                begun: Accounts.date(row["begun"]), received: received.map(Accounts.date),
                decided: decided.map(Accounts.date), latitude: row["shownLat"], longitude: row["shownLon"],
                place: row["placeName"], town: row["townName"], country: row["countryName"],
                code: row["code"],
                shownBy: ShownEntry(
                    picture: recording.picture?.text, sound: recording.clip?.text, video: recording.film?.text),
                verdicts: (verdicts[number] ?? []).map { entry($0) }, records: (records[number] ?? []).map(record))
        }
    }

    private static func verifying(of person: AccountID, in database: Database) throws -> Verifying {
        let verdicts = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT verdicts.*, attempts.id FROM verdicts JOIN attempts ON attempts.sequence = verdicts.attempt
                    WHERE verdicts."by" = ? ORDER BY verdicts.sequence
                    """), arguments: [person]
        ).map { entry($0, of: $0["id"]) }
        let challenges = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT challenge, account = :me AS isVerifier, at FROM verifiers
                    WHERE account = :me OR chooser = :me ORDER BY at, challenge, account
                    """), arguments: ["me": person]
        ).map { ChosenEntry(challenge: $0["challenge"], isVerifier: $0["isVerifier"], at: Accounts.date($0["at"])) }
        return Verifying(verdicts: verdicts, challenges: challenges)
    }

    /// What she has pledged and got; no document where there never was anything, as on every hub that has no stakes.
    private static func stakes(of person: AccountID, in database: Database) throws -> [PersonalExport.Document] {
        let entries = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT stakes.id, stakes.challenge, movement.why, movement.unit, movement.at, stakeLedger.amount
                    FROM stakeLedger CROSS JOIN stakeMovements AS movement ON movement.sequence = stakeLedger.movement
                    CROSS JOIN stakes ON stakes.sequence = movement.stake
                    WHERE stakeLedger.account = ? ORDER BY stakeLedger.sequence
                    """), arguments: [person]
        ).map { row in
            StakeMovementEntry(
                stake: row["id"], why: row["why"], unit: row["unit"], challenge: row["challenge"],
                amount: row["amount"], at: Accounts.date(row["at"]))
        }
        return entries.isEmpty ? [] : [try PersonalExport.document("stakes.json", entries)]
    }

    private static func looking(of person: AccountID, in database: Database) throws -> Looking {
        let visit = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT * FROM challengeVisits WHERE account = ?"), arguments: [person]
        ).map { row in
            let introduced: Int64? = row["introduced"]
            return VisitEntry(
                introduced: introduced.map(Accounts.date), latitude: row["lat"], longitude: row["lon"],
                kilometres: row["radius"], name: row["name"], announced: row["announced"])
        }
        let merged = try Row.fetchAll(
            database.cachedStatement(sql: "SELECT * FROM challengeMergers WHERE \"by\" = ? ORDER BY at, challenge"),
            arguments: [person]
        ).map { MergerEntry(challenge: $0["challenge"], into: $0["into"], at: Accounts.date($0["at"])) }
        return Looking(visit: visit, merged: merged)
    }

    private static func entry(_ row: Row, of attempt: String? = nil) -> VerdictEntry {
        VerdictEntry(
            what: row["what"], why: row["why"], standing: row["standing"], at: Accounts.date(row["at"]),
            attempt: attempt)
    }

    private static func record(_ row: Row) -> RecordEntry {
        let until: Int64? = row["until"]
        return RecordEntry(
            level: row["level"], place: row["place"], from: Accounts.date(row["from"]),
            until: until.map(Accounts.date))
    }
}
