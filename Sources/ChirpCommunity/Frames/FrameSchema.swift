internal import ChirpDatabase

/// Frames, and what waits to be shown on each, as steps.
enum FrameSchema {
    static let steps = [
        SchemaStep(
            "frame-001",
            """
            CREATE TABLE frames (
                id       TEXT PRIMARY KEY,
                -- Of the token that its browser holds.
                digest   BLOB NOT NULL UNIQUE,
                name     TEXT NOT NULL,
                -- Who cares for it, and whose eyes it has at this hub; nobody's sees only what its own sign-in elsewhere lets it see.
                account  TEXT REFERENCES accounts (id) ON DELETE CASCADE,
                network  TEXT CHECK (network IN ('hub', 'mastodon', 'x')),
                step     TEXT NOT NULL CHECK (step IN ('network', 'friends', 'watch')),
                vip      TEXT REFERENCES accounts (id) ON DELETE SET NULL,
                crop     TEXT NOT NULL DEFAULT '{}',
                style    TEXT NOT NULL DEFAULT '{}',
                -- What is known of another network, sign-in included: only this hub's key opens it.
                sealed   BLOB,
                -- Why it went back a step: a plain word.
                why      TEXT,
                created  INTEGER NOT NULL,
                -- When its browser was last here.
                visited  INTEGER NOT NULL,
                -- When the network last answered.
                contact  INTEGER,
                -- Up to where the network was read.
                cursor   TEXT,
                -- Everything up to this update was shown.
                seen     INTEGER NOT NULL DEFAULT 0,
                -- Counts changes that its screen must hear of.
                version  INTEGER NOT NULL DEFAULT 1
            ) STRICT;
            CREATE INDEX framesByAccount ON frames (account) WHERE account IS NOT NULL;
            CREATE INDEX framesByVip ON frames (vip) WHERE vip IS NOT NULL;
            -- AUTOINCREMENT: a screen's place must stay valid when the newest update is gone.
            CREATE TABLE frameUpdates (
                id      INTEGER PRIMARY KEY AUTOINCREMENT,
                frame   TEXT NOT NULL REFERENCES frames (id) ON DELETE CASCADE,
                -- The network's own name for it: one update for it, however often it is found.
                origin  TEXT NOT NULL,
                kind    TEXT NOT NULL CHECK (kind IN ('post', 'message')),
                -- At this hub the post says the rest, as far as it may be seen.
                post    INTEGER REFERENCES posts (sequence) ON DELETE CASCADE ON UPDATE CASCADE,
                sealed  BLOB,
                created INTEGER NOT NULL,
                UNIQUE (frame, origin)
            ) STRICT;
            CREATE INDEX frameUpdatesByPost ON frameUpdates (post) WHERE post IS NOT NULL;
            CREATE TABLE framePhotos (
                frame   TEXT PRIMARY KEY REFERENCES frames (id) ON DELETE CASCADE,
                isOwn   INTEGER NOT NULL,
                jpeg    BLOB NOT NULL,
                sha256  TEXT NOT NULL,
                created INTEGER NOT NULL
            ) STRICT;
            -- What leads to a frame once and for a short time: a code that is typed, a link, the way back from a sign-in.
            CREATE TABLE frameKeys (
                digest  BLOB PRIMARY KEY,
                kind    TEXT NOT NULL CHECK (kind IN ('code', 'link', 'signin')),
                frame   TEXT REFERENCES frames (id) ON DELETE CASCADE,
                account TEXT REFERENCES accounts (id) ON DELETE CASCADE,
                detail  TEXT NOT NULL DEFAULT '',
                expires INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX frameKeysByFrame ON frameKeys (frame) WHERE frame IS NOT NULL;
            CREATE INDEX frameKeysByAccount ON frameKeys (account) WHERE account IS NOT NULL;
            -- Why a token opens nothing any more, for the screen that comes back with it.
            CREATE TABLE frameEnds (
                digest BLOB PRIMARY KEY,
                why    TEXT NOT NULL,
                at     INTEGER NOT NULL
            ) STRICT;
            -- With its account a frame goes too, and its screen is told why.
            CREATE TRIGGER framesOfGoneAccounts BEFORE DELETE ON accounts BEGIN
                INSERT INTO frameEnds (digest, why, at)
                    SELECT digest, 'account', unixepoch() * 1000 FROM frames WHERE account = OLD.id
                    ON CONFLICT DO NOTHING;
            END;
            """),
        SchemaStep(
            "frame-002",
            """
            -- The tokens of a sign-in elsewhere that are renewed; only this hub's key opens them. Apart from the rest, since they change
            -- by themselves while somebody may be changing that.
            ALTER TABLE frames ADD COLUMN tokens BLOB;
            -- What reading for frames has cost, so that a month's cap holds over restarts.
            CREATE TABLE frameSpending (
                key     TEXT PRIMARY KEY,
                network TEXT NOT NULL,
                month   TEXT NOT NULL,
                -- Millionths of a US dollar.
                amount  INTEGER NOT NULL,
                -- Since when it is set aside for an answer that has not come; NULL: it is spent.
                held    INTEGER
            ) STRICT;
            """),
    ]

    /// A later step, behind those of the whole library: what has ended is found without reading what has not.
    static let ends = [
        SchemaStep(
            "frame-003",
            """
            CREATE INDEX frameKeysByEnd ON frameKeys (expires);
            CREATE INDEX frameEndsByTime ON frameEnds (at);
            CREATE INDEX framesUnset ON frames (visited) WHERE step = 'network';
            """)
    ]

    /// Behind the tables of sessions and tokens: what one of them has made ends with it.
    static let makers = [
        SchemaStep(
            "frame-004",
            """
            -- Of the session or token that asked for the link.
            ALTER TABLE frameKeys ADD COLUMN maker BLOB;
            -- Of the token of the program that made it the account's; NULL: a person did, in a browser.
            ALTER TABLE frames ADD COLUMN maker BLOB;
            CREATE INDEX frameKeysByMaker ON frameKeys (maker) WHERE maker IS NOT NULL;
            CREATE INDEX framesByMaker ON frames (maker) WHERE maker IS NOT NULL;
            CREATE TRIGGER framesOfEndedTokens AFTER DELETE ON tokens BEGIN
                DELETE FROM frameKeys WHERE maker = OLD.digest;
                INSERT INTO frameEnds (digest, why, at)
                    SELECT digest, 'ended', unixepoch() * 1000 FROM frames WHERE maker = OLD.digest
                    ON CONFLICT DO NOTHING;
                DELETE FROM frames WHERE maker = OLD.digest;
            END;
            CREATE TRIGGER frameKeysOfEndedSessions AFTER DELETE ON sessions BEGIN
                DELETE FROM frameKeys WHERE maker = OLD.digest;
            END;
            """)
    ]
}
