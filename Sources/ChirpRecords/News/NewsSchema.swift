internal import ChirpDatabase

/// The table of what many are to be told, as steps.
enum NewsSchema {
    static let steps = [
        SchemaStep(
            "records-005",
            """
            -- Written in the transaction that it comes of, and told afterwards, some at a time: neither a kill nor a crowd loses any.
            CREATE TABLE recordNews (
                sequence INTEGER PRIMARY KEY AUTOINCREMENT,
                kind     TEXT NOT NULL CHECK (kind IN ('record', 'event')),
                rule     INTEGER NOT NULL REFERENCES rules (sequence) ON DELETE CASCADE,
                -- What has broken a record; NULL: an event begins.
                attempt  INTEGER UNIQUE REFERENCES attempts (sequence) ON DELETE CASCADE,
                -- Who was told last, in the order of accounts, while not all are.
                told     TEXT NOT NULL DEFAULT '',
                isDone   INTEGER NOT NULL DEFAULT 0 CHECK (isDone IN (0, 1)),
                at       INTEGER NOT NULL,
                CHECK ((attempt IS NULL) = (kind = 'event'))
            ) STRICT;
            CREATE INDEX recordNewsByRule ON recordNews (rule);
            CREATE UNIQUE INDEX recordNewsOfEvents ON recordNews (rule) WHERE kind = 'event';
            CREATE INDEX recordNewsWaiting ON recordNews (sequence) WHERE isDone = 0;
            """)
    ]
}
