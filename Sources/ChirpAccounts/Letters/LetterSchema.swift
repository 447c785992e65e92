package import ChirpDatabase

/// The table of letters that wait to be sent, as steps.
package enum LetterSchema {
    package static let steps = [
        SchemaStep(
            "mail-001",
            """
            CREATE TABLE letters (
                id        TEXT PRIMARY KEY,
                -- What it is written because of: one cause, one letter.
                cause     TEXT NOT NULL UNIQUE,
                account   TEXT REFERENCES accounts (id) ON DELETE SET NULL,
                -- Empty once it was sent or given up.
                recipient TEXT NOT NULL,
                kind      TEXT NOT NULL,
                -- What its words need, in JSON; never a secret.
                data      TEXT NOT NULL,
                state     TEXT NOT NULL CHECK (state IN ('waiting', 'sent', 'dropped')),
                tries     INTEGER NOT NULL DEFAULT 0,
                -- When it is tried next.
                next      INTEGER NOT NULL,
                created   INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX lettersByTurn ON letters (state, next);
            CREATE INDEX lettersByAccount ON letters (account) WHERE account IS NOT NULL;
            """),
        SchemaStep(
            "mail-002",
            """
            -- What the letter is written in, by the code of ISO 639-1.
            ALTER TABLE letters ADD COLUMN language TEXT NOT NULL DEFAULT 'en';
            -- What the person read at the last sign-in: for letters that somebody else has caused.
            ALTER TABLE accounts ADD COLUMN language TEXT NOT NULL DEFAULT 'en';
            """),
        // How many letters somebody has asked for, by a keyed digest of who is counted.
        SchemaStep("mail-003", BucketTable.columns(of: "letterBuckets", index: "letterBucketsByEnd")),
    ]
}
