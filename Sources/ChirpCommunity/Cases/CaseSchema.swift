internal import ChirpDatabase

/// The tables of reports, cases, decisions and sanctions, as steps. Instants are whole milliseconds since 1970 in UTC.
enum CaseSchema {
    static let steps = [
        SchemaStep(
            "cases-001",
            """
            CREATE TABLE cases (
                id       TEXT PRIMARY KEY,
                kind     TEXT NOT NULL CHECK (kind IN ('post', 'account')),
                -- The account, or the place of the post in the feed; the post may be gone.
                about    TEXT NOT NULL,
                -- Whose it is.
                account  TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                state    TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'decided', 'appealed', 'closed')),
                -- By when somebody should have looked; what reports have hidden returns then.
                deadline INTEGER NOT NULL,
                -- 0: its reports have hidden nothing; 1: they hide it now; 2: it has returned, and nobody has looked.
                hides    INTEGER NOT NULL DEFAULT 0,
                -- Whether the reports were right; NULL until a decision says it.
                upheld   INTEGER,
                answer   TEXT NOT NULL DEFAULT '',
                appeal   TEXT NOT NULL DEFAULT '',
                created  INTEGER NOT NULL
            ) STRICT;
            CREATE UNIQUE INDEX casesWaiting ON cases (kind, about) WHERE state IN ('open', 'appealed');
            CREATE INDEX casesByAbout ON cases (kind, about);
            CREATE INDEX casesByAccount ON cases (account);
            CREATE INDEX casesByState ON cases (state, deadline);
            CREATE TABLE reports (
                "case"   TEXT NOT NULL REFERENCES cases (id) ON DELETE CASCADE,
                kind     TEXT NOT NULL,
                about    TEXT NOT NULL,
                -- NULL: the account is gone.
                reporter TEXT REFERENCES accounts (id) ON DELETE SET NULL,
                reason   TEXT NOT NULL,
                text     TEXT NOT NULL,
                at       INTEGER NOT NULL,
                UNIQUE (kind, about, reporter)
            ) STRICT;
            CREATE INDEX reportsByCase ON reports ("case");
            CREATE INDEX reportsByReporter ON reports (reporter, at);
            CREATE TABLE decisions (
                sequence INTEGER PRIMARY KEY AUTOINCREMENT,
                -- NULL: about no case, such as a role.
                "case"   TEXT,
                -- Who decided, and whom it concerns; NULL: nobody, or the account is gone.
                "by"     TEXT REFERENCES accounts (id) ON DELETE SET NULL,
                account  TEXT REFERENCES accounts (id) ON DELETE SET NULL,
                what     TEXT NOT NULL,
                until    INTEGER,
                why      TEXT NOT NULL,
                at       INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX decisionsByCase ON decisions ("case");
            CREATE INDEX decisionsByAccount ON decisions (account);
            CREATE INDEX decisionsByModerator ON decisions ("by");
            -- What was decided stays as it was written. Only the names of accounts that are gone go with them.
            CREATE TRIGGER decisionsStay BEFORE UPDATE ON decisions
            WHEN NOT (NEW.sequence = OLD.sequence AND NEW."case" IS OLD."case" AND NEW.what = OLD.what
                AND NEW.until IS OLD.until AND NEW.why = OLD.why AND NEW.at = OLD.at
                AND (NEW."by" IS OLD."by"
                    OR NEW."by" IS NULL AND NOT EXISTS (SELECT 1 FROM accounts WHERE id = OLD."by"))
                AND (NEW.account IS OLD.account
                    OR NEW.account IS NULL AND NOT EXISTS (SELECT 1 FROM accounts WHERE id = OLD.account)))
            BEGIN SELECT RAISE(ABORT, 'a decision stays as it was written'); END;
            CREATE TRIGGER decisionsAreKept BEFORE DELETE ON decisions
            BEGIN SELECT RAISE(ABORT, 'a decision is never removed'); END;
            -- INSERT OR REPLACE would remove one without the trigger above.
            CREATE TRIGGER decisionsAreNew BEFORE INSERT ON decisions
            WHEN EXISTS (SELECT 1 FROM decisions WHERE sequence = NEW.sequence)
            BEGIN SELECT RAISE(ABORT, 'a decision stays as it was written'); END;
            CREATE TABLE sanctions (
                decision INTEGER NOT NULL PRIMARY KEY REFERENCES decisions (sequence),
                account  TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                kind     TEXT NOT NULL CHECK (kind IN ('warning', 'limit', 'suspension', 'closing', 'ban')),
                "from"   INTEGER NOT NULL,
                -- NULL: for good.
                until    INTEGER,
                -- When an appeal was granted.
                lifted   INTEGER
            ) STRICT;
            CREATE INDEX sanctionsByAccount ON sanctions (account);
            CREATE TABLE bannedMails (
                hash     BLOB PRIMARY KEY,
                until    INTEGER,
                decision INTEGER REFERENCES decisions (sequence)
            ) STRICT;
            CREATE TABLE bannedAddresses (
                -- As in 192.0.2.0/24.
                prefix   TEXT PRIMARY KEY,
                until    INTEGER,
                decision INTEGER NOT NULL REFERENCES decisions (sequence)
            ) STRICT;
            -- What the owner sets on a page, in place of what the configuration says.
            CREATE TABLE hubSettings (
                name  TEXT PRIMARY KEY,
                value TEXT NOT NULL
            ) STRICT;
            -- When each moderator was seen last, as far as sessions tell: a session is begun, or lasts on after a visit, for 14 days.
            CREATE TABLE moderatorsSeen (
                account TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
                at      INTEGER NOT NULL
            ) STRICT;
            INSERT INTO moderatorsSeen (account, at)
                SELECT id, unixepoch() * 1000 FROM accounts WHERE role IN ('moderator', 'owner');
            CREATE TRIGGER moderatorSignsIn AFTER INSERT ON sessions
            WHEN EXISTS (SELECT 1 FROM accounts WHERE id = NEW.account AND role IN ('moderator', 'owner'))
            BEGIN
                INSERT INTO moderatorsSeen (account, at) VALUES (NEW.account, NEW.created)
                ON CONFLICT (account) DO UPDATE SET at = MAX(at, excluded.at);
            END;
            CREATE TRIGGER moderatorVisits AFTER UPDATE OF expires ON sessions
            WHEN EXISTS (SELECT 1 FROM accounts WHERE id = NEW.account AND role IN ('moderator', 'owner'))
            BEGIN
                INSERT INTO moderatorsSeen (account, at) VALUES (NEW.account, NEW.expires - 1209600000)
                ON CONFLICT (account) DO UPDATE SET at = MAX(at, excluded.at);
            END;
            """),
        SchemaStep(
            "cases-002",
            """
            CREATE INDEX postsHeld ON posts (sequence) WHERE state = 'held';
            -- When new accounts have posted, so that a post that is removed counts on.
            CREATE TABLE recentPosts (
                account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                at      INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX recentPostsByAccount ON recentPosts (account, at);
            """),
        SchemaStep(
            "cases-003",
            """
            -- The kind 'item' needs another CHECK, and that another table; what refers to cases does so by their ids, which stay.
            CREATE TABLE casesAnew (
                id       TEXT PRIMARY KEY,
                kind     TEXT NOT NULL CHECK (kind IN ('post', 'account', 'item')),
                -- The account, the place of the post in the feed, or the id of the item; what it is about may be gone.
                about    TEXT NOT NULL,
                -- Whose it is.
                account  TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                -- 1: about whose an item is, between its author and those who say that it is theirs.
                claim    INTEGER NOT NULL DEFAULT 0 CHECK (claim IN (0, 1)),
                state    TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'decided', 'appealed', 'closed')),
                -- By when somebody should have looked; what reports have hidden returns then.
                deadline INTEGER NOT NULL,
                -- 0: its reports have hidden nothing; 1: they hide it now; 2: it has returned, and nobody has looked;
                -- 3: the decision hides an item.
                hides    INTEGER NOT NULL DEFAULT 0,
                -- 1: it freezes an item.
                freezes  INTEGER NOT NULL DEFAULT 0 CHECK (freezes IN (0, 1)),
                -- Whether the reports were right; NULL until a decision says it.
                upheld   INTEGER,
                answer   TEXT NOT NULL DEFAULT '',
                appeal   TEXT NOT NULL DEFAULT '',
                created  INTEGER NOT NULL
            ) STRICT;
            INSERT INTO casesAnew (id, kind, about, account, state, deadline, hides, upheld, answer, appeal, created)
                SELECT id, kind, about, account, state, deadline, hides, upheld, answer, appeal, created
                FROM cases ORDER BY rowid;
            DROP TABLE cases;
            ALTER TABLE casesAnew RENAME TO cases;
            CREATE UNIQUE INDEX casesWaiting ON cases (kind, about, claim) WHERE state IN ('open', 'appealed');
            CREATE INDEX casesByAbout ON cases (kind, about);
            CREATE INDEX casesByAccount ON cases (account);
            CREATE INDEX casesByState ON cases (state, deadline);
            -- What shows it, by its id among the pictures.
            ALTER TABLE reports ADD COLUMN picture TEXT;
            """),
    ]

    /// What came later, behind the steps of the whole library: `recentPosts` has the posts of all members for a day, and each post removes
    /// those that are older.
    static let recent = [
        SchemaStep("cases-004", "CREATE INDEX recentPostsByTime ON recentPosts (at);")
    ]
}
