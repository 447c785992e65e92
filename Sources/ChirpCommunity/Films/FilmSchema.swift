internal import ChirpDatabase

/// Films that people have sent, and what was made of them, as steps.
enum FilmSchema {
    static let steps = [
        SchemaStep(
            "films-001",
            """
            CREATE TABLE films (
                -- Of the upload too, whose row goes after a while.
                id           TEXT PRIMARY KEY,
                owner        TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                state        TEXT NOT NULL CHECK (state IN ('receiving', 'checking', 'ready', 'refused')),
                -- Of a refused one, for people.
                why          TEXT,
                -- Where in it the timer is to begin, in ms; null: none is wanted.
                timer        INTEGER,
                -- Of all its files; 0 before they are there.
                bytes        INTEGER NOT NULL DEFAULT 0,
                -- Of the shown copy; null before that is there.
                milliseconds INTEGER,
                width        INTEGER,
                height       INTEGER,
                -- Whether there is sound, and whether the timer is in it.
                sound        INTEGER NOT NULL DEFAULT 0,
                timed        INTEGER NOT NULL DEFAULT 0,
                created      INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX filmsByOwner ON films (owner, created);
            CREATE INDEX filmsByAge ON films (created);
            CREATE TABLE filmFiles (
                film   TEXT NOT NULL REFERENCES films (id) ON DELETE CASCADE,
                name   TEXT NOT NULL CHECK (name IN ('original', 'shown', 'sound', 'preview', 'poster')),
                bytes  INTEGER NOT NULL,
                sha256 TEXT NOT NULL,
                PRIMARY KEY (film, name)
            ) STRICT, WITHOUT ROWID;
            -- With which item a film is shown, to whoever may see that. What is not shown is there for its owner and for moderators.
            CREATE TABLE itemFilms (
                film  TEXT PRIMARY KEY REFERENCES films (id) ON DELETE CASCADE,
                item  TEXT NOT NULL REFERENCES items (id) ON DELETE CASCADE,
                shown INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX itemFilmsByItem ON itemFilms (item);
            -- How far its upload is, it is.
            CREATE TRIGGER filmsReceived AFTER UPDATE OF state ON media WHEN NEW.state IN ('checking', 'refused') BEGIN
                UPDATE films SET state = NEW.state, why = NEW.why WHERE id = NEW.id AND state IN ('receiving', 'checking');
            END;
            CREATE TRIGGER filmsGivenUp AFTER DELETE ON media BEGIN
                UPDATE films SET state = 'refused', why = 'its upload was given up'
                WHERE id = OLD.id AND state IN ('receiving', 'checking');
            END;
            """),
        SchemaStep(
            "films-002",
            """
            -- A film without the timer that its shown copy has is a file too.
            CREATE TABLE filmFilesOfMore (
                film   TEXT NOT NULL REFERENCES films (id) ON DELETE CASCADE,
                name   TEXT NOT NULL CHECK (name IN ('original', 'shown', 'plain', 'sound', 'preview', 'poster')),
                bytes  INTEGER NOT NULL,
                sha256 TEXT NOT NULL,
                PRIMARY KEY (film, name)
            ) STRICT, WITHOUT ROWID;
            INSERT INTO filmFilesOfMore SELECT * FROM filmFiles;
            DROP TABLE filmFiles;
            ALTER TABLE filmFilesOfMore RENAME TO filmFiles;
            """),
        // When all of what was sent was here; null before that, and of films of an earlier release.
        SchemaStep("films-003", "ALTER TABLE films ADD COLUMN received INTEGER;"),
        SchemaStep(
            "films-004",
            """
            -- A track is kept whole, whatever its length, and its file is for nobody here; others hear a clip that was made of it. What was
            -- found in it is JSON of whoever listened, for the board that it is of.
            ALTER TABLE films ADD COLUMN track INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE films ADD COLUMN clip TEXT REFERENCES clips (id) ON DELETE SET NULL;
            ALTER TABLE films ADD COLUMN findings TEXT;
            CREATE INDEX filmsByClip ON films (clip) WHERE clip IS NOT NULL;
            """),
    ]
}
