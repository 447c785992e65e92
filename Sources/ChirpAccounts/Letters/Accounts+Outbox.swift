package import FoundationEssentials
internal import GRDB

/// A letter whose turn it is.
package struct WaitingLetter: Sendable {
    /// Of letters and digits; the same however often it is sent.
    package let id: String
    package let letter: AccountLetter
    /// What it is written in, by the code of ISO 639-1.
    package let language: String
    package let created: Date
    /// How often it failed.
    package let tries: Int

    package init(id: String, letter: AccountLetter, language: String = "en", created: Date, tries: Int) {
        self.id = id
        self.letter = letter
        self.language = language
        self.created = created
        self.tries = tries
    }
}

/// The letters that wait to be sent: the outbox.
extension Accounts {
    /// How long letters that were sent or given up are remembered, in seconds.
    private static let remembered = 7 * 24 * 3600.0

    /// The letters whose turn it is, the oldest first. Those whose link works no more are dropped meanwhile.
    package func waitingLetters(most: Int = 50) async throws(AccountError) -> [WaitingLetter] {
        while true {
            let (letters, dead) = try await dueLetters(most: most)
            for id in dead { try await letterEnded(id, wasSent: false) }
            // Others may wait behind those that were dropped.
            if !letters.isEmpty || dead.isEmpty { return letters }
        }
    }

    private func dueLetters(most: Int) async throws(AccountError) -> (letters: [WaitingLetter], dead: [String]) {
        let now = Self.milliseconds(now())
        return try await read { database in
            var (letters, dead): ([WaitingLetter], [String]) = ([], [])
            let rows = try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT id, recipient, kind, data, language, tries, created FROM letters
                        WHERE state = 'waiting' AND next <= ? ORDER BY next, rowid LIMIT ?
                        """), arguments: [now, most])
            for row in rows {
                let (id, data): (String, String) = (row["id"], row["data"])
                let letter = try AccountLetter(
                    kind: row["kind"], to: MailAddress(stored: row["recipient"]),
                    data: (try? JSONDecoder().decode([String: String].self, from: Data(data.utf8))) ?? [:]
                ) { try workingLink($0, of: id, at: now, in: database) }
                if let letter {
                    letters.append(
                        WaitingLetter(
                            id: id, letter: letter, language: row["language"], created: Self.date(row["created"]),
                            tries: row["tries"]))
                } else {
                    dead.append(id)
                }
            }
            return (letters, dead)
        }
    }

    /// The link of a letter, if it was not used up and has not ended. After a change of the key it is another, which does not work.
    private func workingLink(
        _ purpose: AccountLink.Purpose, of letter: String, at now: Int64, in database: Database
    ) throws -> AccountLink? {
        let token = key.token(of: letter)
        let expires = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT expires FROM links WHERE digest = ? AND purpose = ? AND expires > ?"),
            arguments: [Data(token.digest), purpose.rawValue, now])
        return expires.map { AccountLink(token: token, purpose: purpose, expires: Self.date($0)) }
    }

    /// A letter was sent, or given up: its address is forgotten.
    package func letterEnded(_ id: String, wasSent: Bool) async throws(AccountError) {
        try await write { database in
            try database.cachedStatement(
                sql: "UPDATE letters SET state = ?, recipient = '', data = '{}' WHERE id = ? AND state = 'waiting'"
            ).execute(arguments: [wasSent ? "sent" : "dropped", id])
        }
    }

    /// A letter could not be sent and is tried again.
    ///
    /// - Parameters:
    ///   - next: when.
    ///   - all: none of the others is tried earlier: the fault was not this letter's.
    package func letterFailed(_ id: String, next: Date, all: Bool) async throws(AccountError) {
        let next = Self.milliseconds(next)
        try await write { database in
            try database.cachedStatement(
                sql: "UPDATE letters SET tries = tries + 1, next = ? WHERE id = ? AND state = 'waiting'"
            ).execute(arguments: [next, id])
            guard all else { return }
            try database.cachedStatement(sql: "UPDATE letters SET next = ? WHERE state = 'waiting' AND next < ?")
                .execute(arguments: [next, next])
        }
    }

    /// Tells of every transaction of this process that has changed the letters; whoever wrote one need not know who sends them.
    ///
    /// - Returns: ends it.
    package func lettersChanged(_ tell: @escaping @Sendable () -> Void) -> () -> Void {
        let watching = DatabaseRegionObservation(tracking: Table("letters"))
            .start(in: database, onError: { _ in }, onChange: { _ in tell() })
        return { watching.cancel() }
    }

    /// When the next letter is to be tried; nil when none waits.
    package func nextLetter() async throws(AccountError) -> Date? {
        try await read {
            try Int64.fetchOne($0.cachedStatement(sql: "SELECT MIN(next) FROM letters WHERE state = 'waiting'"))
        }
        .map(Self.date)
    }

    /// Forgets letters that ended long ago.
    package func sweepLetters() async throws(AccountError) {
        let end = Self.milliseconds(now().addingTimeInterval(-Self.remembered))
        try await write { database in
            try database.cachedStatement(sql: "DELETE FROM letters WHERE state <> 'waiting' AND created < ?").execute(
                arguments: [end])
            try sweepLetterBuckets(in: database)
        }
    }
}
