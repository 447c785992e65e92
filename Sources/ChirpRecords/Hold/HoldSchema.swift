internal import ChirpDatabase

/// The table of who holds what, as steps. It holds nothing that the verified attempts do not, and can be made anew from them.
enum HoldSchema {
    static let steps = [
        SchemaStep(
            "records-004",
            """
            CREATE TABLE holds (
                rule    INTEGER NOT NULL REFERENCES rules (sequence) ON DELETE CASCADE,
                level   TEXT NOT NULL CHECK (level IN ('place', 'town', 'country', 'world')),
                place   TEXT NOT NULL,
                -- No cascade: an attempt that goes without what follows from it would leave a hole in the history.
                attempt INTEGER NOT NULL REFERENCES attempts (sequence),
                "from"  INTEGER NOT NULL,
                until   INTEGER,
                PRIMARY KEY (rule, level, place, "from"),
                CHECK (until > "from")
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX holdsByAttempt ON holds (attempt);
            CREATE UNIQUE INDEX holdsNow ON holds (rule, level, place) WHERE until IS NULL;
            """)
    ]
}
