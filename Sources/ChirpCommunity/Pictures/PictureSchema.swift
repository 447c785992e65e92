internal import ChirpDatabase

/// Pictures of what people list, and their files, as steps.
enum PictureSchema {
    static let steps = [
        SchemaStep(
            "pictures-001",
            """
            CREATE TABLE pictures (
                id      TEXT PRIMARY KEY,
                owner   TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                -- Refused: taken from everybody's sight.
                state   TEXT NOT NULL CHECK (state IN ('ready', 'refused')),
                -- Of all its files.
                bytes   INTEGER NOT NULL,
                -- Of the largest, as are width and height.
                sha256  TEXT NOT NULL,
                width   INTEGER NOT NULL,
                height  INTEGER NOT NULL,
                -- What it looks like: 64 hexadecimal digits, and how much they say.
                print   TEXT NOT NULL,
                quality INTEGER NOT NULL,
                created INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX picturesByOwner ON pictures (owner, created);
            CREATE INDEX picturesByAge ON pictures (created);
            CREATE TABLE pictureFiles (
                picture TEXT NOT NULL REFERENCES pictures (id) ON DELETE CASCADE,
                name    TEXT NOT NULL CHECK (name IN ('small', 'medium', 'large')),
                bytes   INTEGER NOT NULL,
                sha256  TEXT NOT NULL,
                width   INTEGER NOT NULL,
                height  INTEGER NOT NULL,
                PRIMARY KEY (picture, name)
            ) STRICT, WITHOUT ROWID;
            """)
    ]
}
