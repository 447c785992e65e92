internal import ChirpDatabase

/// The table of what people think of single attempts, as steps.
enum AttemptVoteSchema {
    static let steps = [
        SchemaStep(
            "attemptVotes-001",
            """
            CREATE TABLE attemptVotes (
                attempt INTEGER NOT NULL REFERENCES attempts (sequence) ON DELETE CASCADE,
                account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                kind    TEXT NOT NULL CHECK (kind IN ('up', 'down')),
                -- From which block of addresses, as a number that means nothing elsewhere. NULL: not known, and not capped.
                block   INTEGER,
                at      INTEGER NOT NULL,
                PRIMARY KEY (attempt, account)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX attemptVotesByAccount ON attemptVotes (account, at);
            """)
    ]
}
