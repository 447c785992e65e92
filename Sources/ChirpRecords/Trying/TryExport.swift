internal import ChirpAccounts
internal import ChirpCommunity
internal import FoundationEssentials
internal import GRDB

/// What is kept of one person's codes, and of questions about attempts, for her export. Who has asked her is not told.
enum TryExport {
    private struct CodeEntry: Encodable {
        let challenge, code: String
        let attempt: String?
        let made, expires: Date
    }

    private struct QuestionEntry: Encodable {
        let attempt, text, answer: String
        /// She has asked; otherwise she was asked.
        let isOwn: Bool
        let at: Date
        let answered: Date?
    }

    private struct VoteEntry: Encodable {
        let attempt, vote: String
        let at: Date
    }

    static func documents(of person: AccountID, in database: Database) throws -> [PersonalExport.Document] {
        let codes = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT attemptCodes.*, rules.challenge, attempts.id AS handedIn FROM attemptCodes
                    JOIN rules ON rules.sequence = attemptCodes.rule
                    LEFT JOIN attempts ON attempts.sequence = attemptCodes.attempt
                    WHERE attemptCodes.account = ? ORDER BY made, attemptCodes.id
                    """), arguments: [person]
        ).map { row in
            let digits = "\(row["number"] as Int)"
            return CodeEntry(
                challenge: row["challenge"], code: String(repeating: "0", count: max(0, 4 - digits.count)) + digits,
                attempt: row["handedIn"], made: Accounts.date(row["made"]), expires: Accounts.date(row["expires"]))
        }
        let questions = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT attemptQuestions.*, attempts.id FROM attemptQuestions
                    JOIN attempts ON attempts.sequence = attemptQuestions.attempt
                    WHERE attempts.account = ?1 OR "by" = ?1 ORDER BY attemptQuestions.sequence
                    """), arguments: [person]
        ).map { row in
            QuestionEntry(
                attempt: row["id"], text: row["text"], answer: row["answer"],
                isOwn: (row["by"] as AccountID?) == person, at: Accounts.date(row["at"]),
                answered: (row["answered"] as Int64?).map(Accounts.date))
        }
        let votes = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT attempts.id, attemptVotes.kind, attemptVotes.at FROM attemptVotes
                    JOIN attempts ON attempts.sequence = attemptVotes.attempt
                    WHERE attemptVotes.account = ? ORDER BY attemptVotes.at, attempts.sequence
                    """), arguments: [person]
        ).map { VoteEntry(attempt: $0["id"], vote: $0["kind"], at: Accounts.date($0["at"])) }
        return [
            try PersonalExport.document("attempt-votes.json", votes),
            try PersonalExport.document("attempt-codes.json", codes),
            try PersonalExport.document("attempt-questions.json", questions),
        ]
    }
}
