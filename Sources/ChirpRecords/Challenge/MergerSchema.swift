internal import ChirpDatabase

/// The table of challenges that are the same as others, as steps.
enum MergerSchema {
    static let steps = [
        SchemaStep(
            "records-007",
            """
            CREATE TABLE challengeMergers (
                challenge TEXT PRIMARY KEY REFERENCES items (id) ON DELETE CASCADE,
                "into"    TEXT NOT NULL REFERENCES items (id) ON DELETE CASCADE,
                -- The moderator who found it; NULL: whose account is gone.
                "by"      TEXT REFERENCES accounts (id) ON DELETE SET NULL,
                at        INTEGER NOT NULL,
                CHECK (challenge <> "into")
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX challengeMergersByTarget ON challengeMergers ("into");
            CREATE INDEX challengeMergersByModerator ON challengeMergers ("by") WHERE "by" IS NOT NULL;
            """)
    ]
}
