internal import ChirpDatabase

/// The table of attempts, as steps. What is said in one stays as it was said; only its state changes, and when it was received.
enum AttemptSchema {
    static let steps = [
        SchemaStep(
            "records-002",
            """
            CREATE TABLE attempts (
                sequence    INTEGER PRIMARY KEY AUTOINCREMENT,
                id          TEXT NOT NULL UNIQUE,
                rule        INTEGER NOT NULL REFERENCES rules (sequence) ON DELETE CASCADE,
                account     TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                key         TEXT NOT NULL,
                score       INTEGER NOT NULL,
                text        TEXT NOT NULL,
                -- When it was done, as its author says; when it was begun to be handed in, and when the hub had all of it.
                done        INTEGER NOT NULL,
                begun       INTEGER NOT NULL,
                received    INTEGER,
                -- Kinds of evidence that come with it, in alphabetical order with spaces between.
                media       TEXT NOT NULL,
                -- Where, as everybody may know it; the place itself is not kept.
                shownLat    REAL,
                shownLon    REAL,
                placeName   TEXT NOT NULL,
                place       TEXT,
                town        TEXT,
                country     TEXT,
                townName    TEXT NOT NULL,
                countryName TEXT NOT NULL,
                state       TEXT NOT NULL
                    CHECK (state IN ('receiving', 'checking', 'waiting', 'verified', 'rejected', 'withdrawn')),
                -- What was found in its media by machine, as JSON.
                findings    TEXT NOT NULL DEFAULT '{}',
                -- 1: its author has appealed.
                round       INTEGER NOT NULL DEFAULT 0 CHECK (round IN (0, 1)),
                appeal      TEXT NOT NULL DEFAULT '',
                decided     INTEGER,
                UNIQUE (account, key),
                CHECK (received IS NOT NULL OR state IN ('receiving', 'withdrawn')),
                CHECK ((shownLat IS NULL) = (shownLon IS NULL) AND (shownLat IS NOT NULL OR place IS NULL))
            ) STRICT;
            CREATE UNIQUE INDEX attemptsOpen ON attempts (rule, account)
                WHERE state IN ('receiving', 'checking', 'waiting');
            CREATE INDEX attemptsByRule ON attempts (rule, sequence, state);
            CREATE INDEX attemptsByAccount ON attempts (account, sequence);
            -- Who holds what is made from these alone.
            CREATE INDEX attemptsVerified
                ON attempts (rule, received, sequence, score, place, town, country, account, state)
                WHERE state = 'verified';
            CREATE INDEX attemptsVerifiedOf ON attempts (account, rule) WHERE state = 'verified';
            CREATE INDEX attemptsWaiting ON attempts (received, sequence) WHERE state = 'waiting';
            CREATE INDEX attemptsReceiving ON attempts (begun) WHERE state = 'receiving';
            CREATE TRIGGER attemptsInBounds BEFORE INSERT ON attempts
            WHEN NOT EXISTS (SELECT 1 FROM rules WHERE sequence = NEW.rule AND NEW.score BETWEEN low AND high
                AND NEW.score % step = 0)
            BEGIN SELECT RAISE(ABORT, 'a score is within the bounds of its rule'); END;
            CREATE TRIGGER attemptsStay BEFORE UPDATE ON attempts
            WHEN NOT (NEW.sequence = OLD.sequence AND NEW.id = OLD.id AND NEW.rule = OLD.rule
                AND NEW.account = OLD.account AND NEW.key = OLD.key AND NEW.score = OLD.score AND NEW.text = OLD.text
                AND NEW.done = OLD.done AND NEW.begun = OLD.begun AND NEW.media = OLD.media
                AND NEW.shownLat IS OLD.shownLat AND NEW.shownLon IS OLD.shownLon AND NEW.placeName = OLD.placeName
                AND NEW.place IS OLD.place AND NEW.town IS OLD.town AND NEW.country IS OLD.country
                AND NEW.townName = OLD.townName AND NEW.countryName = OLD.countryName
                AND (NEW.received IS OLD.received OR OLD.received IS NULL) AND NEW.round >= OLD.round)
            BEGIN SELECT RAISE(ABORT, 'an attempt stays as it was handed in'); END;
            -- INSERT OR REPLACE would change one without the trigger above.
            CREATE TRIGGER attemptsAreNew BEFORE INSERT ON attempts
            WHEN EXISTS (SELECT 1 FROM attempts WHERE sequence = NEW.sequence OR id = NEW.id)
            BEGIN SELECT RAISE(ABORT, 'an attempt stays as it was handed in'); END;
            """)
    ]
}
