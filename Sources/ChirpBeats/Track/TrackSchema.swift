internal import ChirpDatabase

/// The tables of works and tracks, as steps. Amounts are in a currency's smallest unit; times in ms.
enum TrackSchema {
    static let steps = [
        SchemaStep(
            "beats-001",
            """
            -- What is sold exclusively is a work, with all of its versions.
            CREATE TABLE works (
                id      TEXT PRIMARY KEY,
                author  TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                created INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX worksByAuthor ON works (author);
            CREATE TABLE tracks (
                item              TEXT PRIMARY KEY REFERENCES items (id) ON DELETE CASCADE,
                work              TEXT NOT NULL REFERENCES works (id) ON DELETE CASCADE,
                kind              TEXT NOT NULL CHECK (kind IN ('beat', 'open')),
                version           TEXT NOT NULL DEFAULT '',
                -- What was sent. It stays as long as the track is here; a backup may have lost it.
                master            TEXT UNIQUE REFERENCES films (id) ON DELETE SET NULL,
                price             TEXT NOT NULL CHECK (price IN ('amount', 'free', 'offer')),
                amount            INTEGER CHECK (amount > 0),
                currency          TEXT,
                state             TEXT NOT NULL CHECK (state IN ('checking', 'made', 'ready', 'refused')),
                -- Of a refused one, for its author.
                why               TEXT NOT NULL DEFAULT '',
                -- It appears as soon as it is ready.
                appears           INTEGER NOT NULL CHECK (appears IN (0, 1)),
                milliseconds      INTEGER,
                -- In LUFS, dBTP and LUFS.
                loudness          REAL,
                peak              REAL,
                previewLoudness   REAL,
                -- Beats a minute, and how sure that is, 0 to 1.
                tempo             REAL,
                tempoOther        REAL,
                tempoConfidence   REAL,
                -- 0 to 23, twice the semitones above C, and one more in minor.
                key               INTEGER CHECK (key BETWEEN 0 AND 23),
                keyOther          INTEGER CHECK (keyOther BETWEEN 0 AND 23),
                keyConfidence     REAL,
                -- Floats of 32 bits, the lowest byte first.
                description       BLOB,
                print             BLOB,
                CHECK ((price = 'amount') = (amount IS NOT NULL) AND (amount IS NULL) = (currency IS NULL))
            ) STRICT;
            CREATE INDEX tracksByWork ON tracks (work);
            CREATE INDEX tracksMade ON tracks (item) WHERE state = 'made';
            CREATE INDEX tracksDescribed ON tracks (kind) WHERE description IS NOT NULL;
            -- How far its file is, the track is.
            CREATE TRIGGER trackMasters AFTER UPDATE OF state ON films
            WHEN NEW.state IN ('ready', 'refused') AND NEW.state <> OLD.state BEGIN
                UPDATE tracks SET state = iif(NEW.state = 'ready', 'made', 'refused'), why = COALESCE(NEW.why, '')
                WHERE master = NEW.id AND state = 'checking';
            END;
            """),
        SchemaStep(
            "beats-print-001",
            """
            ALTER TABLE tracks ADD COLUMN density REAL;
            -- In hertz.
            ALTER TABLE tracks ADD COLUMN brightness REAL;
            -- When its beats are, in ms: numbers of 32 bits, the lowest byte first.
            ALTER TABLE tracks ADD COLUMN beats BLOB;
            -- Prints by what is asked for: a number takes less room than a name.
            CREATE TABLE trackPrints (
                number INTEGER PRIMARY KEY AUTOINCREMENT,
                item   TEXT NOT NULL UNIQUE REFERENCES tracks (item) ON DELETE CASCADE
            ) STRICT;
            CREATE TABLE trackPrintKeys (
                key   INTEGER NOT NULL,
                print INTEGER NOT NULL REFERENCES trackPrints (number) ON DELETE CASCADE,
                PRIMARY KEY (key, print)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX trackPrintKeysByPrint ON trackPrintKeys (print);
            -- Tracks with the same recording, and when each was sent.
            CREATE TABLE trackTwins (
                item        TEXT NOT NULL REFERENCES tracks (item) ON DELETE CASCADE,
                earlier     TEXT NOT NULL REFERENCES tracks (item) ON DELETE CASCADE,
                sent        INTEGER NOT NULL,
                earlierSent INTEGER NOT NULL,
                PRIMARY KEY (item, earlier)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX trackTwinsByEarlier ON trackTwins (earlier);
            -- What has changed for whoever keeps descriptions in memory: a track's last change alone.
            CREATE TABLE trackChanges (
                sequence INTEGER PRIMARY KEY AUTOINCREMENT,
                item     TEXT NOT NULL UNIQUE REFERENCES tracks (item) ON DELETE CASCADE
            ) STRICT;
            INSERT INTO trackChanges (item) SELECT item FROM tracks ORDER BY rowid;
            CREATE TRIGGER trackChangesOfTracks AFTER UPDATE OF state ON tracks WHEN NEW.state <> OLD.state BEGIN
                INSERT OR REPLACE INTO trackChanges (item) VALUES (NEW.item);
            END;
            CREATE TRIGGER trackChangesOfItems AFTER UPDATE OF state, hidden, shut ON items
            WHEN NEW.board = 'beats' AND (NEW.state, NEW.hidden, NEW.shut) <> (OLD.state, OLD.hidden, OLD.shut) BEGIN
                INSERT OR REPLACE INTO trackChanges (item) SELECT item FROM tracks WHERE item = NEW.id;
            END;
            """),
        SchemaStep(
            "beats-stems-001",
            """
            -- What tracks are mixed of; a recording that is a stem stays.
            CREATE TABLE trackStems (
                film     TEXT PRIMARY KEY REFERENCES films (id) ON DELETE CASCADE,
                item     TEXT NOT NULL REFERENCES tracks (item) ON DELETE CASCADE,
                position INTEGER NOT NULL,
                name     TEXT NOT NULL,
                UNIQUE (item, position)
            ) STRICT;
            -- Whether they make up the mix: asked for here before it is looked at.
            CREATE TABLE trackStemChecks (
                item     TEXT PRIMARY KEY REFERENCES tracks (item) ON DELETE CASCADE,
                state    TEXT NOT NULL CHECK (state IN ('none', 'waiting', 'found', 'failed')),
                -- Of the stems: what was found for others counts for nothing.
                revision INTEGER NOT NULL,
                tries    INTEGER NOT NULL,
                -- JSON.
                findings TEXT,
                -- Of a failed one, for its author.
                why      TEXT NOT NULL DEFAULT ''
            ) STRICT;
            CREATE INDEX trackStemsWaiting ON trackStemChecks (tries, item) WHERE state = 'waiting';
            """),
        SchemaStep(
            "beats-print-002",
            """
            -- What is looked for is looked for by key alone. Each key was also in a table that had the print first, for prints that go; its pages
            -- are left as they are, because the same numbers stay where they were.
            PRAGMA secure_delete = OFF;
            DROP INDEX trackPrintKeysByPrint;
            PRAGMA secure_delete = ON;
            -- Without that table a reference cannot be followed. It is taken off without touching rows (sqlite.org/lang_altertable.html, 7).
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET sql = replace(sql, ' REFERENCES trackPrints (number) ON DELETE CASCADE', '')
            WHERE type = 'table' AND name = 'trackPrintKeys';
            PRAGMA writable_schema = RESET;
            -- Keys that trackPrintKeys has not got yet, or not all of them: numbers of 32 bits, the lowest byte first. Every print in it is lower
            -- than these.
            CREATE TABLE trackPrintsGathered (
                print INTEGER PRIMARY KEY REFERENCES trackPrints (number) ON DELETE CASCADE,
                keys  BLOB NOT NULL
            ) STRICT;
            -- Prints that went, of which trackPrintKeys may still have keys.
            CREATE TABLE trackPrintsErased (
                sequence INTEGER PRIMARY KEY AUTOINCREMENT,
                print    INTEGER NOT NULL
            ) STRICT;
            CREATE TRIGGER trackPrintsErasing AFTER DELETE ON trackPrints BEGIN
                INSERT INTO trackPrintsErased (print) VALUES (OLD.number);
            END;
            """),
        SchemaStep(
            "beats-print-003",
            """
            -- Recordings that were listened to and are not offered yet: which prints are of the same one, up to the highest number at that time. Null:
            -- it was not compared yet.
            -- No reference: what refers to a film keeps it.
            CREATE TABLE trackComparisons (
                film TEXT PRIMARY KEY,
                last INTEGER,
                -- JSON: the numbers of prints.
                same TEXT NOT NULL DEFAULT '[]'
            ) STRICT;
            CREATE INDEX trackComparisonsWaiting ON trackComparisons (film) WHERE last IS NULL;
            CREATE TRIGGER trackComparisonsWanted AFTER UPDATE OF state ON films
            WHEN NEW.track = 1 AND NEW.state = 'ready' AND OLD.state <> 'ready' BEGIN
                INSERT OR IGNORE INTO trackComparisons (film) VALUES (NEW.id);
            END;
            CREATE TRIGGER trackComparisonsOfGone AFTER DELETE ON films BEGIN
                DELETE FROM trackComparisons WHERE film = OLD.id;
            END;
            """),
    ]
}
