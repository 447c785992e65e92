internal import ChirpDatabase

/// The table of claims, as steps.
enum ClaimSchema {
    static let steps = [
        SchemaStep(
            "claims-001",
            """
            CREATE TABLE claims (
                sequence INTEGER PRIMARY KEY AUTOINCREMENT,
                id       TEXT NOT NULL UNIQUE,
                listing  TEXT NOT NULL REFERENCES items (id) ON DELETE CASCADE,
                -- The listing's author, who never changes.
                owner    TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                claimant TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                kind     TEXT NOT NULL CHECK (kind IN ('mine', 'seen')),
                question TEXT NOT NULL,
                answer   TEXT NOT NULL,
                clip     TEXT REFERENCES clips (id) ON DELETE SET NULL,
                state    TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'accepted', 'refused', 'withdrawn')),
                created  INTEGER NOT NULL,
                decided  INTEGER,
                -- The first words to the claimant, and whether they were sent.
                greeting TEXT NOT NULL DEFAULT '',
                greeted  INTEGER NOT NULL DEFAULT 0 CHECK (greeted IN (0, 1))
            ) STRICT;
            -- Of each person one waits at a listing, and one of all is accepted.
            CREATE UNIQUE INDEX claimsOpen ON claims (listing, claimant) WHERE state = 'open';
            CREATE UNIQUE INDEX claimsAccepted ON claims (listing) WHERE state = 'accepted';
            CREATE INDEX claimsByListing ON claims (listing);
            CREATE INDEX claimsByClaimant ON claims (claimant, created);
            CREATE INDEX claimsByOwner ON claims (owner, created);
            CREATE INDEX claimsByClip ON claims (clip) WHERE clip IS NOT NULL;
            CREATE INDEX claimsUngreeted ON claims (decided) WHERE state = 'accepted' AND greeted = 0;
            """)
    ]
}
