internal import ChirpDatabase

/// How far people have read what was written to them, as steps.
enum MessageSchema {
    static let steps = [
        SchemaStep(
            "messages-001",
            """
            CREATE TABLE threadReads (
                account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                thread  TEXT NOT NULL,
                -- The place in the feed up to which everything was read.
                post    INTEGER NOT NULL,
                PRIMARY KEY (account, thread)
            ) STRICT, WITHOUT ROWID;
            """)
    ]
}
