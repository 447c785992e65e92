internal import ChirpDatabase

/// The table of codes that were given to people who are about to try something, as steps.
enum TrySchema {
    static let steps = [
        SchemaStep(
            "trying-001",
            """
            CREATE TABLE attemptCodes (
                -- Nobody guesses it: whoever has it, and is that person, gets the tones.
                id      TEXT PRIMARY KEY,
                rule    INTEGER NOT NULL REFERENCES rules (sequence) ON DELETE CASCADE,
                account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                number  INTEGER NOT NULL CHECK (number BETWEEN 0 AND 9999),
                made    INTEGER NOT NULL,
                expires INTEGER NOT NULL,
                -- What was handed in with it; NULL: nothing yet.
                attempt INTEGER UNIQUE REFERENCES attempts (sequence) ON DELETE CASCADE
            ) STRICT;
            CREATE INDEX attemptCodesByAccount ON attemptCodes (account, rule);
            CREATE INDEX attemptCodesByRule ON attemptCodes (rule);
            CREATE INDEX attemptCodesUnused ON attemptCodes (expires) WHERE attempt IS NULL;
            """)
    ]
}
