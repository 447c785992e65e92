internal import ChirpDatabase

/// The table of what people are on the board, as steps.
enum RoleSchema {
    static let steps = [
        SchemaStep(
            "beatRoles-001",
            """
            -- Whoever has none has not said yet. One person may be producer and artist.
            CREATE TABLE beatRoles (
                account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                role    TEXT NOT NULL CHECK (role IN ('producer', 'artist', 'user')),
                since   INTEGER NOT NULL,
                PRIMARY KEY (account, role)
            ) STRICT, WITHOUT ROWID;
            """)
    ]
}
