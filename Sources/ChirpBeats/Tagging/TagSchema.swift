internal import ChirpDatabase

/// The tables of previews that tell whose they are. Times in ms.
enum TagSchema {
    static let steps = [
        SchemaStep(
            "beats-tags-001",
            """
            -- Tracks whose author has wished for such previews, also those who wish for them no longer: copies are out there.
            CREATE TABLE trackTags (
                item   TEXT PRIMARY KEY REFERENCES tracks (item) ON DELETE CASCADE,
                isOn   INTEGER NOT NULL CHECK (isOn IN (0, 1)),
                state  TEXT NOT NULL CHECK (state IN ('waiting', 'ready', 'failed')),
                tries  INTEGER NOT NULL,
                -- Of a failed one, for its author.
                why    TEXT NOT NULL DEFAULT '',
                -- What all previews of a ready one are made with: it never changes, since beats and voices of a later release may be others.
                title  TEXT,
                person TEXT,
                -- JSON, as is the pattern of the preview for everybody.
                slots  TEXT,
                common TEXT,
                voice  BLOB,
                CHECK (state <> 'ready' OR (title IS NOT NULL AND person IS NOT NULL AND slots IS NOT NULL AND voice IS NOT NULL))
            ) STRICT;
            CREATE INDEX trackTagsWaiting ON trackTags (tries, item) WHERE state = 'waiting';
            -- Another recording has other slots, and its previews tell nothing of the one before.
            CREATE TRIGGER trackTagsOfMasters AFTER UPDATE OF master ON tracks
            WHEN NEW.master IS NOT NULL AND NEW.master IS NOT OLD.master BEGIN
                DELETE FROM trackTags WHERE item = NEW.item;
            END;
            -- Whose preview has which pattern: written down before the first byte of it is sent.
            CREATE TABLE trackListeners (
                item    TEXT NOT NULL REFERENCES trackTags (item) ON DELETE CASCADE,
                account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                -- By chance: who knows hers knows no other.
                seed    INTEGER NOT NULL,
                -- What its file is called.
                file    TEXT NOT NULL UNIQUE,
                asked   INTEGER NOT NULL,
                state   TEXT NOT NULL CHECK (state IN ('waiting', 'ready', 'gone', 'failed')),
                tries   INTEGER NOT NULL,
                -- When it was made first; NULL: nobody can have it.
                made    INTEGER,
                -- Of a ready one.
                bytes   INTEGER,
                sha256  TEXT,
                -- When it was fetched last, to an hour.
                heard   INTEGER NOT NULL,
                PRIMARY KEY (item, account),
                CHECK (state <> 'ready' OR (made IS NOT NULL AND bytes IS NOT NULL AND sha256 IS NOT NULL))
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX trackListenersByAccount ON trackListeners (account);
            CREATE INDEX trackListenersWaiting ON trackListeners (tries, asked) WHERE state = 'waiting';
            CREATE INDEX trackListenersReady ON trackListeners (heard) WHERE state = 'ready';
            """)
    ]
}
