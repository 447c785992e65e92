internal import ChirpDatabase

/// The tables of the board, as steps. Instants are whole milliseconds since 1970 in UTC.
enum ListingSchema {
    static let steps = [
        SchemaStep(
            "listings-001",
            """
            CREATE TABLE listings (
                item         TEXT PRIMARY KEY REFERENCES items (id) ON DELETE CASCADE,
                account      TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                -- A moment when both are the same; unknown when they are nothing.
                happenedFrom INTEGER,
                happenedTo   INTEGER,
                handover     TEXT NOT NULL CHECK (handover IN ('collect', 'bring', 'office', 'post', 'agree')),
                reward       TEXT NOT NULL,
                phone        TEXT NOT NULL,
                -- How often the telephone number was shown.
                calls        INTEGER NOT NULL DEFAULT 0,
                question     TEXT NOT NULL,
                -- When it ends, as the item has it; the board looks here for what ends soon.
                expires      INTEGER NOT NULL,
                -- Its author was told that it ends soon.
                told         INTEGER NOT NULL DEFAULT 0 CHECK (told IN (0, 1)),
                -- It has not come to its end yet, as far as the board knows.
                isOpen       INTEGER NOT NULL DEFAULT 1 CHECK (isOpen IN (0, 1)),
                CHECK ((happenedFrom IS NULL) = (happenedTo IS NULL) AND happenedFrom <= happenedTo)
            ) STRICT;
            CREATE INDEX listingsByAccount ON listings (account);
            CREATE INDEX listingsByEnd ON listings (expires) WHERE isOpen = 1;
            -- Who does not want it kept what she has looked at.
            CREATE TABLE listingsUnkept (
                account TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE
            ) STRICT, WITHOUT ROWID;
            """)
    ]
}
