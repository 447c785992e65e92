internal import ChirpDatabase

/// The tables of what was sent with attempts, as steps.
enum MediaSchema {
    static let steps = [
        SchemaStep(
            "attemptMedia-001",
            """
            -- What shows an attempt, at most one of each kind. A film stays as long as it is here; a clip or picture that its author has deleted is
            -- none any more.
            CREATE TABLE attemptMedia (
                attempt INTEGER NOT NULL REFERENCES attempts (sequence) ON DELETE CASCADE,
                kind    TEXT NOT NULL CHECK (kind IN ('picture', 'sound', 'video')),
                picture TEXT UNIQUE REFERENCES pictures (id) ON DELETE SET NULL,
                clip    TEXT UNIQUE REFERENCES clips (id) ON DELETE SET NULL,
                film    TEXT UNIQUE REFERENCES films (id) ON DELETE SET NULL,
                PRIMARY KEY (attempt, kind),
                CHECK ((picture IS NULL OR kind = 'picture') AND (clip IS NULL OR kind = 'sound')
                    AND (film IS NULL OR kind = 'video'))
            ) STRICT, WITHOUT ROWID;
            -- What a machine is to listen for, and how often what listened has died over it.
            CREATE TABLE attemptHearings (
                attempt INTEGER PRIMARY KEY REFERENCES attempts (sequence) ON DELETE CASCADE,
                -- Four digits; NULL: it was begun without start tones.
                code    TEXT,
                counted TEXT CHECK (counted IN ('claps', 'bounces', 'skips')),
                deaths  INTEGER NOT NULL DEFAULT 0
            ) STRICT;
            CREATE INDEX attemptsChecking ON attempts (received, sequence) WHERE state = 'checking';
            -- What everybody sees of an attempt they see of its media, from the same instant on and no longer.
            CREATE TRIGGER attemptMediaShown AFTER UPDATE OF state ON attempts
            WHEN (NEW.state IN ('waiting', 'verified')) <> (OLD.state IN ('waiting', 'verified')) BEGIN
                UPDATE itemFilms SET shown = NEW.state IN ('waiting', 'verified')
                WHERE film IN (SELECT film FROM attemptMedia WHERE attempt = NEW.sequence);
                UPDATE itemMedia SET shown = NEW.state IN ('waiting', 'verified')
                WHERE clip IN (SELECT clip FROM attemptMedia WHERE attempt = NEW.sequence)
                    OR picture IN (SELECT picture FROM attemptMedia WHERE attempt = NEW.sequence);
                UPDATE clips SET shared = 1 WHERE NEW.state IN ('waiting', 'verified')
                    AND id IN (SELECT clip FROM attemptMedia WHERE attempt = NEW.sequence);
            END;
            -- What was taken back shows nothing any more: its author may remove its media, or they are swept.
            CREATE TRIGGER attemptMediaLeft AFTER UPDATE OF state ON attempts
            WHEN NEW.state = 'withdrawn' AND OLD.state <> 'withdrawn' BEGIN
                DELETE FROM itemFilms WHERE film IN (SELECT film FROM attemptMedia WHERE attempt = NEW.sequence);
                DELETE FROM itemMedia WHERE clip IN (SELECT clip FROM attemptMedia WHERE attempt = NEW.sequence)
                    OR picture IN (SELECT picture FROM attemptMedia WHERE attempt = NEW.sequence);
                UPDATE clips SET shared = 0 WHERE id IN (SELECT clip FROM attemptMedia WHERE attempt = NEW.sequence)
                    AND NOT EXISTS (SELECT 1 FROM posts WHERE posts.clip = clips.id);
                DELETE FROM attemptMedia WHERE attempt = NEW.sequence;
            END;
            -- Nobody can judge what its author has deleted. What was judged stays judged.
            CREATE TRIGGER attemptMediaDeleted AFTER UPDATE OF picture, clip, film ON attemptMedia
            WHEN (OLD.picture IS NOT NULL OR OLD.clip IS NOT NULL OR OLD.film IS NOT NULL)
                AND NEW.picture IS NULL AND NEW.clip IS NULL AND NEW.film IS NULL BEGIN
                UPDATE attempts SET state = 'withdrawn', decided = unixepoch() * 1000
                WHERE sequence = NEW.attempt AND state IN ('receiving', 'checking', 'waiting');
            END;
            """),
        SchemaStep(
            "attemptMedia-002",
            """
            -- What was taken back shows nothing any more; a clip of it is heard on where its author has said something else with it.
            DROP TRIGGER attemptMediaLeft;
            CREATE TRIGGER attemptMediaLeft AFTER UPDATE OF state ON attempts
            WHEN NEW.state = 'withdrawn' AND OLD.state <> 'withdrawn' BEGIN
                DELETE FROM itemFilms WHERE film IN (SELECT film FROM attemptMedia WHERE attempt = NEW.sequence);
                DELETE FROM itemMedia WHERE clip IN (SELECT clip FROM attemptMedia WHERE attempt = NEW.sequence)
                    OR picture IN (SELECT picture FROM attemptMedia WHERE attempt = NEW.sequence);
                UPDATE clips SET shared = 0 WHERE id IN (SELECT clip FROM attemptMedia WHERE attempt = NEW.sequence)
                    AND NOT EXISTS (SELECT 1 FROM posts WHERE posts.clip = clips.id)
                    AND NOT EXISTS (SELECT 1 FROM items WHERE items.clip = clips.id)
                    AND NOT EXISTS (SELECT 1 FROM comments WHERE comments.clip = clips.id);
                DELETE FROM attemptMedia WHERE attempt = NEW.sequence;
            END;
            """),
    ]
}
