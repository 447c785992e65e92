internal import ChirpDatabase

/// The table of how people look at the board, as steps.
enum VisitSchema {
    static let steps = [
        SchemaStep(
            "records-006",
            """
            CREATE TABLE challengeVisits (
                account    TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
                introduced INTEGER,
                lat        REAL,
                lon        REAL,
                -- Kilometres.
                radius     INTEGER CHECK (radius BETWEEN 1 AND 100),
                name       TEXT NOT NULL DEFAULT '',
                CHECK ((lat IS NULL) = (lon IS NULL) AND (lat IS NULL) = (radius IS NULL))
            ) STRICT, WITHOUT ROWID;
            """)
    ]

    /// What was asked for later.
    static let announcing = [
        SchemaStep(
            "announcements-004",
            """
            -- Whether others hear of it when she breaks a record.
            ALTER TABLE challengeVisits ADD COLUMN announced INTEGER NOT NULL DEFAULT 1 CHECK (announced IN (0, 1));
            """)
    ]
}
