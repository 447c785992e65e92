internal import ChirpDatabase

/// The tables of saved searches, as steps.
enum AlertSchema {
    static let steps = [
        SchemaStep(
            "alerts-001",
            """
            CREATE TABLE alerts (
                id       TEXT PRIMARY KEY,
                account  TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                words    TEXT NOT NULL,
                side     TEXT CHECK (side IN ('lost', 'found')),
                category TEXT,
                -- All of them are nothing: everywhere.
                lat      REAL,
                lon      REAL,
                radius   REAL,
                place    TEXT NOT NULL DEFAULT '',
                created  INTEGER NOT NULL,
                -- When she was last told of one that fits.
                told     INTEGER NOT NULL DEFAULT 0,
                CHECK ((lat IS NULL) = (lon IS NULL) AND (lat IS NULL) = (radius IS NULL))
            ) STRICT;
            CREATE INDEX alertsByAccount ON alerts (account, created);
            -- In which squares of the map a fitting listing is; an empty one: anywhere.
            CREATE TABLE alertCells (
                cell  TEXT NOT NULL,
                alert TEXT NOT NULL REFERENCES alerts (id) ON DELETE CASCADE,
                PRIMARY KEY (cell, alert)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX alertCellsByAlert ON alertCells (alert);
            CREATE TABLE alertHits (
                alert TEXT NOT NULL REFERENCES alerts (id) ON DELETE CASCADE,
                item  TEXT NOT NULL REFERENCES items (id) ON DELETE CASCADE,
                at    INTEGER NOT NULL,
                told  INTEGER NOT NULL DEFAULT 0 CHECK (told IN (0, 1)),
                seen  INTEGER NOT NULL DEFAULT 0 CHECK (seen IN (0, 1)),
                PRIMARY KEY (alert, item)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX alertHitsByItem ON alertHits (item);
            CREATE INDEX alertHitsUntold ON alertHits (alert) WHERE told = 0;
            CREATE INDEX alertHitsByTime ON alertHits (at);
            """)
    ]
}
