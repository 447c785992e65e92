internal import ChirpDatabase

/// The table of what people have sent, as steps: from the first byte to the clip that it became.
enum MediaSchema {
    static let steps = [
        SchemaStep(
            "media-001",
            """
            CREATE TABLE media (
                id          TEXT PRIMARY KEY,
                owner       TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                kind        TEXT NOT NULL CHECK (kind IN ('clip', 'keep')),
                state       TEXT NOT NULL CHECK (state IN ('receiving', 'checking', 'ready', 'refused')),
                -- Of a refused one, for people.
                why         TEXT,
                -- The size as announced; null while nobody knows.
                bytes       INTEGER,
                -- What counts against the quota until it is ready or refused.
                reserved    INTEGER NOT NULL,
                -- While a chunk that is still to be checked is written: where it begins. Otherwise the file's size is what was received.
                solid       INTEGER,
                -- As the sender wrote it, to be given back.
                metadata    TEXT NOT NULL,
                title       TEXT NOT NULL,
                fileName    TEXT NOT NULL,
                type        TEXT NOT NULL,
                description TEXT NOT NULL DEFAULT '',
                -- What the sender wants: the clip's id, the hash of what is sent, the clip's end.
                wish        TEXT,
                promised    TEXT,
                lasting     INTEGER,
                -- What was received hashes to; known once it is being checked.
                sha256      TEXT,
                clip        TEXT REFERENCES clips (id) ON DELETE CASCADE,
                receipt     TEXT,
                -- How often it was given to a child, less the times that ended with an answer.
                tries       INTEGER NOT NULL DEFAULT 0,
                created     INTEGER NOT NULL,
                -- When it is removed; null once it is a clip, or as long as it is being checked.
                expires     INTEGER
            ) STRICT;
            CREATE INDEX mediaByOwner ON media (owner) WHERE reserved > 0;
            CREATE INDEX mediaByClip ON media (clip) WHERE clip IS NOT NULL;
            CREATE INDEX mediaByExpiry ON media (expires) WHERE expires IS NOT NULL;
            CREATE INDEX mediaInHand ON media (created) WHERE state = 'checking';
            """)
    ]

    /// What came later, behind the steps of the whole library: what every upload that begins asks for, without a scan.
    static let unfinished = [
        SchemaStep(
            "media-002",
            """
            CREATE INDEX mediaReserved ON media (reserved) WHERE reserved > 0;
            CREATE INDEX mediaUnfinished ON media (owner, state, reserved) WHERE state <> 'ready';
            """)
    ]
}
