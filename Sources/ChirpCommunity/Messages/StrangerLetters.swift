internal import ChirpAccounts
internal import ChirpDatabase
internal import GRDB

/// How many people who list things a member writes to who do not know her: whoever has lost something is written to by swindlers, who
/// write to everybody (LF-5).
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
        let names = PostText.mentions(in: draft.text).prefix(PostDraft.mostMentions)
        guard !names.isEmpty else { return }
        let role = try String.fetchOne(
            database.cachedStatement(sql: "SELECT role FROM accounts WHERE id = ?"), arguments: [draft.author])
        guard role == "member" else { return }
        try database.cachedStatement(sql: "DELETE FROM strangerLetters WHERE at <= ?").execute(arguments: [now - day])
        let answered = try answered(draft, in: database)
        for handle in names {
            guard let stranger = try stranger(handle.lowercased(), to: draft.author, in: database), stranger != answered
            else { continue }
            try database.cachedStatement(
                sql: """
                    INSERT INTO strangerLetters (account, stranger, at) SELECT :me, :stranger, :now
                    WHERE (SELECT COUNT(*) FROM strangerLetters WHERE account = :me) < \(most)
                    ON CONFLICT DO NOTHING
                    """
            ).execute(arguments: ["me": draft.author, "stranger": stranger, "now": now])
            guard database.changesCount == 0 else { continue }
            let isKnown = try Bool.fetchOne(
                database.cachedStatement(
                    sql: "SELECT EXISTS (SELECT 1 FROM strangerLetters WHERE account = ? AND stranger = ?)"),
                arguments: [draft.author, stranger])
            guard isKnown != true else { continue }
            let oldest = try Int64.fetchOne(
                database.cachedStatement(sql: "SELECT MIN(at) FROM strangerLetters WHERE account = ?"),
                arguments: [draft.author])
            throw PostingRefusal.strangers(seconds: max(1, Int(((oldest ?? now) + day - now + 999) / 1000)))
        }
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

    /// The account of a handle when it lists something, does not follow the author and has never written to her.
    private static func stranger(
        _ handle: String, to author: AccountID, in database: Database
    ) throws -> AccountID? {
        try AccountID.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT id FROM accounts WHERE handle = :handle AND id <> :me
                        AND EXISTS (SELECT 1 FROM items WHERE items.account = accounts.id)
                        AND NOT EXISTS (SELECT 1 FROM follows WHERE follower = accounts.id AND followed = :me)
                        AND NOT EXISTS (SELECT 1 FROM recipients JOIN posts ON posts.sequence = recipients.post
                            WHERE recipients.account = :me AND posts.account = accounts.id)
                    """), arguments: ["handle": handle, "me": author])
    }
}
