internal import ChirpDatabase

/// The tables of recordings that are not published yet, and of what goes on to other networks, as steps.
enum DraftSchema {
    static let steps = [
        SchemaStep(
            "drafts-001",
            """
            CREATE TABLE drafts (
                -- Of the upload, whose row says how far that is.
                id       TEXT PRIMARY KEY REFERENCES media (id) ON DELETE CASCADE,
                title    TEXT NOT NULL,
                text     TEXT NOT NULL DEFAULT '',
                -- Where the clip begins and ends, in seconds of the recording; null: where sound does.
                start    REAL,
                stop     REAL,
                -- The id that the clip of this title and part has, made or not: another one for each wish.
                take     TEXT NOT NULL,
                -- Of the clip; null until it is made.
                bytes    INTEGER,
                sha256   TEXT,
                seconds  REAL,
                peaks    BLOB,
                receipt  TEXT,
                -- Why there is none, for people.
                why      TEXT,
                -- Of the whole recording; null until it was looked at.
                length   REAL,
                outline  BLOB,
                -- What it was published as: the post's id and text.
                post     TEXT,
                shared   TEXT,
                touched  INTEGER NOT NULL
            ) STRICT;
            CREATE UNIQUE INDEX draftsByTake ON drafts (take);
            CREATE INDEX draftsByTouch ON drafts (touched) WHERE post IS NULL;
            CREATE TABLE onward (
                post    TEXT NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
                network TEXT NOT NULL CHECK (network IN ('mastodon', 'x')),
                -- Sending: somebody has begun, and may have died over it.
                state   TEXT NOT NULL CHECK (state IN ('waiting', 'sending', 'posted', 'failed')),
                words   TEXT NOT NULL,
                page    TEXT NOT NULL,
                -- Of the post there.
                link    TEXT,
                why     TEXT,
                tries   INTEGER NOT NULL DEFAULT 0,
                due     INTEGER NOT NULL,
                created INTEGER NOT NULL,
                PRIMARY KEY (post, network)
            ) STRICT;
            CREATE INDEX onwardByDue ON onward (due) WHERE state IN ('waiting', 'sending');
            """)
    ]
}
