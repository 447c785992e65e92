internal import ChirpDatabase

/// Live listening in browsers: who listens to whom and until when, and what has arrived, as steps.
enum ListeningSchema {
    static let steps = [
        SchemaStep(
            "live-001",
            """
            CREATE TABLE liveSessions (
                number       INTEGER PRIMARY KEY AUTOINCREMENT,
                id           TEXT NOT NULL UNIQUE,
                account      TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                begins       INTEGER NOT NULL,
                ends         INTEGER NOT NULL,
                -- Whether the clock on the wall decides, as for 22:00-02:00.
                followsClock INTEGER NOT NULL,
                paused       INTEGER NOT NULL DEFAULT 0,
                -- Up to which place in the feed posts were looked at.
                readTo       INTEGER NOT NULL,
                -- How many processes have driven it.
                runs         INTEGER NOT NULL DEFAULT 1,
                created      INTEGER NOT NULL,
                -- Nil while it runs.
                ended        INTEGER
            ) STRICT;
            -- An account listens once at a time.
            CREATE UNIQUE INDEX liveSessionsRunning ON liveSessions (account) WHERE ended IS NULL;
            CREATE INDEX liveSessionsByAccount ON liveSessions (account, number);
            CREATE INDEX liveSessionsByEnd ON liveSessions (ended) WHERE ended IS NOT NULL;
            CREATE TABLE liveChosen (
                session INTEGER NOT NULL REFERENCES liveSessions (number) ON DELETE CASCADE,
                account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                PRIMARY KEY (session, account)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX liveChosenByAccount ON liveChosen (account);
            -- AUTOINCREMENT: the numbers are the order of arrival.
            CREATE TABLE livePlays (
                id       INTEGER PRIMARY KEY AUTOINCREMENT,
                session  INTEGER NOT NULL REFERENCES liveSessions (number) ON DELETE CASCADE,
                -- Nil when the post was deleted, or its clip.
                post     INTEGER REFERENCES posts (sequence) ON DELETE SET NULL ON UPDATE CASCADE,
                author   TEXT REFERENCES accounts (id) ON DELETE SET NULL,
                arrived  INTEGER NOT NULL,
                state    TEXT NOT NULL DEFAULT 'queued'
                    CHECK (state IN ('queued', 'playing', 'played', 'skipped', 'failed')),
                -- How much of it was heard when its browser last said so.
                seconds  REAL NOT NULL DEFAULT 0,
                why      TEXT NOT NULL DEFAULT '',
                UNIQUE (session, post)
            ) STRICT;
            CREATE INDEX livePlaysByPost ON livePlays (post) WHERE post IS NOT NULL;
            CREATE INDEX livePlaysByAuthor ON livePlays (author) WHERE author IS NOT NULL;
            CREATE INDEX livePlaysGone ON livePlays (session) WHERE post IS NULL;
            """),
        SchemaStep(
            "live-002",
            """
            -- Which of the processes that serve the library drives it: a name that each makes up for itself.
            ALTER TABLE liveSessions ADD COLUMN driver TEXT;
            """),
    ]
}
