internal import ChirpDatabase

/// The tables of what may belong together, as steps.
enum MatchSchema {
    static let steps = [
        SchemaStep(
            "matches-001",
            """
            CREATE TABLE matches (
                lost       TEXT NOT NULL REFERENCES items (id) ON DELETE CASCADE,
                found      TEXT NOT NULL REFERENCES items (id) ON DELETE CASCADE,
                -- From 0 to 1.
                score      REAL NOT NULL,
                -- What speaks for it, as JSON.
                why        TEXT NOT NULL,
                created    INTEGER NOT NULL,
                -- Whose listings they are, what each of the two has done with it, and whether she was told.
                lostOwner  TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                foundOwner TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                lostSeen   TEXT NOT NULL DEFAULT 'new' CHECK (lostSeen IN ('new', 'seen', 'dismissed')),
                foundSeen  TEXT NOT NULL DEFAULT 'new' CHECK (foundSeen IN ('new', 'seen', 'dismissed')),
                lostTold   INTEGER NOT NULL DEFAULT 0 CHECK (lostTold IN (0, 1)),
                foundTold  INTEGER NOT NULL DEFAULT 0 CHECK (foundTold IN (0, 1)),
                PRIMARY KEY (lost, found)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX matchesByFound ON matches (found);
            CREATE INDEX matchesLostUntold ON matches (lostOwner) WHERE lostTold = 0;
            CREATE INDEX matchesFoundUntold ON matches (foundOwner) WHERE foundTold = 0;
            CREATE INDEX matchesByLostOwner ON matches (lostOwner);
            CREATE INDEX matchesByFoundOwner ON matches (foundOwner);
            -- When somebody was last told of one.
            CREATE TABLE matchesTold (
                account TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
                at      INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            -- Listings that were placed or changed, and that have not been compared with the others since.
            CREATE TABLE listingWork (
                item  TEXT PRIMARY KEY REFERENCES items (id) ON DELETE CASCADE,
                isNew INTEGER NOT NULL CHECK (isNew IN (0, 1))
            ) STRICT, WITHOUT ROWID;
            CREATE TRIGGER listingWorkNew AFTER INSERT ON listings BEGIN
                INSERT INTO listingWork (item, isNew) VALUES (NEW.item, 1) ON CONFLICT DO NOTHING;
            END;
            CREATE TRIGGER listingWorkChanged AFTER UPDATE OF question, handover ON listings BEGIN
                INSERT INTO listingWork (item, isNew) VALUES (NEW.item, 0) ON CONFLICT DO NOTHING;
            END;
            """)
    ]
}
