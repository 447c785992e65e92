package import ChirpAccounts
internal import ChirpDatabase
package import GRDB

/// How many people who list things a member writes to who do not know her: whoever has lost something is written to by swindlers, who
/// write to everybody (LF-5). What somebody says to them in another way than by a letter, as by a claim, counts with the letters.
package enum StrangerLetters {
    /// Within 24 hours, however many letters each of them gets, and also when the letters are removed.
    package static let most = 10
    /// In ms.
    private static let day: Int64 = 24 * 3_600_000

    static let steps = [
        SchemaStep(
            "messages-002",
            """
            CREATE TABLE strangerLetters (
                account  TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                stranger TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                at       INTEGER NOT NULL,
                PRIMARY KEY (account, stranger)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX strangerLettersByTime ON strangerLetters (at);
            CREATE INDEX strangerLettersByStranger ON strangerLetters (stranger);
            """)
    ]

    /// Counts those whom a letter goes to, within the transaction that writes it. A post that others see too is told to those whom it
    /// names, so that it counts as well, but for whom it answers. Moderators and the owner write to whom they must.
    ///
    /// - Throws: ``PostingRefusal/strangers(seconds:)``; then the transaction has to end with it.
    static func admit(_ draft: PostDraft, at now: Int64, in database: Database) throws {
        let people = try HubLibrary.people(of: draft, in: database)
        guard !people.isEmpty else { return }
        guard try isCounted(draft.author, at: now, in: database) else { return }
        let answered = try answered(draft, in: database)
        for named in people where named != answered {
            guard try isStranger(named, to: draft.author, in: database) else { continue }
            if let seconds = try count(named, of: draft.author, at: now, in: database) {
                throw PostingRefusal.strangers(seconds: seconds)
            }
        }
    }

    /// Counts somebody whom a member addresses in another way than by a post, within the transaction that does so. Letters and these
    /// are counted together: who writes to one person in both ways has written to one.
    ///
    /// - Returns: seconds to wait where nobody more can be written to today; then the transaction has to end. Nil otherwise.
    package static func admit(
        _ person: AccountID, by account: AccountID, at now: Int64, in database: Database
    ) throws -> Int? {
        guard try isCounted(account, at: now, in: database), try isStranger(person, to: account, in: database) else {
            return nil
        }
        return try count(person, of: account, at: now, in: database)
    }

    /// What ``admit(_:by:at:in:)`` would say, before what is sent is decoded; counts nothing.
    package static func wait(
        for person: AccountID, by account: AccountID, at now: Int64, in database: Database
    ) throws -> Int? {
        guard try isMember(account, in: database), try isStranger(person, to: account, in: database) else { return nil }
        let times = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT COUNT(*) AS n, MIN(at) AS oldest, MAX(stranger = :stranger) AS isKnown
                    FROM strangerLetters WHERE account = :me AND at > :before
                    """), arguments: ["me": account, "stranger": person, "before": now - day])
        let (count, oldest, isKnown): (Int?, Int64?, Bool?) = (times?["n"], times?["oldest"], times?["isKnown"])
        guard count ?? 0 >= most, isKnown != true else { return nil }
        return seconds(since: oldest, at: now)
    }

    /// Moderators and the owner write to whom they must.
    private static func isMember(_ account: AccountID, in database: Database) throws -> Bool {
        let role = try String.fetchOne(
            database.cachedStatement(sql: "SELECT role FROM accounts WHERE id = ?"), arguments: [account])
        return role == "member"
    }

    /// Whether it is counted to whom somebody writes; what was counted a day ago is forgotten.
    private static func isCounted(_ account: AccountID, at now: Int64, in database: Database) throws -> Bool {
        guard try isMember(account, in: database) else { return false }
        try database.cachedStatement(sql: "DELETE FROM strangerLetters WHERE at <= ?").execute(arguments: [now - day])
        return true
    }

    /// Seconds to wait where the day is full; nil when the stranger is counted, now or before.
    private static func count(
        _ stranger: AccountID, of account: AccountID, at now: Int64, in database: Database
    ) throws -> Int? {
        try database.cachedStatement(
            sql: """
                INSERT INTO strangerLetters (account, stranger, at) SELECT :me, :stranger, :now
                WHERE (SELECT COUNT(*) FROM strangerLetters WHERE account = :me) < \(most)
                ON CONFLICT DO NOTHING
                """
        ).execute(arguments: ["me": account, "stranger": stranger, "now": now])
        guard database.changesCount == 0 else { return nil }
        let isKnown = try Bool.fetchOne(
            database.cachedStatement(
                sql: "SELECT EXISTS (SELECT 1 FROM strangerLetters WHERE account = ? AND stranger = ?)"),
            arguments: [account, stranger])
        guard isKnown != true else { return nil }
        let oldest = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT MIN(at) FROM strangerLetters WHERE account = ?"),
            arguments: [account])
        return seconds(since: oldest, at: now)
    }

    private static func seconds(since oldest: Int64?, at now: Int64) -> Int {
        max(1, Int(((oldest ?? now) + day - now + 999) / 1000))
    }

    /// Whose words a post answers that everybody sees.
    private static func answered(_ draft: PostDraft, in database: Database) throws -> AccountID? {
        guard let above = draft.replyTo, draft.visibility == .published || draft.visibility == .unlisted else {
            return nil
        }
        return try AccountID.fetchOne(
            database.cachedStatement(
                sql: "SELECT account FROM posts WHERE sequence = ? AND visibility IN ('public', 'unlisted')"),
            arguments: [above])
    }

    /// Whether somebody lists something, does not follow the author and has never written to her.
    private static func isStranger(
        _ person: AccountID, to author: AccountID, in database: Database
    ) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT :person <> :me AND EXISTS (SELECT 1 FROM items WHERE items.account = :person)
                        AND NOT EXISTS (SELECT 1 FROM follows WHERE follower = :person AND followed = :me)
                        AND NOT EXISTS (SELECT 1 FROM recipients JOIN posts ON posts.sequence = recipients.post
                            WHERE recipients.account = :me AND posts.account = :person)
                    """), arguments: ["person": person, "me": author]) ?? false
    }
}
