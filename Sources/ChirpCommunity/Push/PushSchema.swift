internal import ChirpDatabase

/// The tables of what browsers are told, as steps.
enum PushSchema {
    static let steps = [
        SchemaStep(
            "push-001",
            """
            CREATE TABLE pushSubscriptions (
                -- What its owner sees in the list and ends it by; no secret.
                id       TEXT PRIMARY KEY,
                account  TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                -- The browser's sign-in, with which it ends.
                session  TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
                -- Whoever knows it may send there.
                endpoint TEXT NOT NULL UNIQUE,
                p256dh   BLOB NOT NULL,
                auth     BLOB NOT NULL,
                -- What the browser's reader reads, by the code of ISO 639-1.
                language TEXT NOT NULL,
                created  INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX pushSubscriptionsByAccount ON pushSubscriptions (account);
            CREATE INDEX pushSubscriptionsBySession ON pushSubscriptions (session);
            -- What waits to be sent, a row for each browser. Nothing of a text: words are made when it goes.
            CREATE TABLE pushes (
                sequence     INTEGER PRIMARY KEY AUTOINCREMENT,
                subscription TEXT NOT NULL REFERENCES pushSubscriptions (id) ON DELETE CASCADE,
                account      TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                -- What it came of: a browser is told once.
                cause        TEXT NOT NULL,
                kind         TEXT NOT NULL,
                -- With these it goes unsent.
                actor        TEXT REFERENCES accounts (id) ON DELETE CASCADE,
                post         INTEGER REFERENCES posts (sequence) ON DELETE CASCADE,
                path         TEXT NOT NULL,
                state        TEXT NOT NULL CHECK (state IN ('waiting', 'sent', 'dropped')),
                tries        INTEGER NOT NULL DEFAULT 0,
                -- When it is tried next.
                next         INTEGER NOT NULL,
                created      INTEGER NOT NULL,
                UNIQUE (subscription, cause)
            ) STRICT;
            CREATE INDEX pushesByTurn ON pushes (state, next);
            CREATE INDEX pushesByAccount ON pushes (account, created);
            CREATE INDEX pushesByActor ON pushes (actor) WHERE actor IS NOT NULL;
            CREATE INDEX pushesByPost ON pushes (post) WHERE post IS NOT NULL;
            -- Who has a browser told wants to be told: it was asked for there.
            ALTER TABLE noticeChoices ADD COLUMN byPush INTEGER NOT NULL DEFAULT 1 CHECK (byPush IN (0, 1));
            """)
    ]
}
