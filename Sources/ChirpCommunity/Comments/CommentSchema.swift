internal import ChirpDatabase

/// Comments on items, how many each item has, and the cases and notices about them.
///
/// To remove a comment is to set its state: triggers then empty it, or remove the row where nobody has answered it. They do the same when its
/// writer's account goes, or its clip where it has no words, so that the answers of others stay where they are.
enum CommentSchema {
    static let steps = [SchemaStep("comments-001", tables + counts + endings + notices + cases)]

    /// What shows an attempt came after the comments.
    static let media = [
        SchemaStep(
            "comments-002",
            """
            DROP TRIGGER commentsRemoved;
            CREATE TRIGGER commentsRemoved AFTER UPDATE OF state ON comments WHEN NEW.state = 'removed' BEGIN
                -- What was heard by this comment alone is heard no more, and is swept.
                UPDATE comments SET opens = 1 WHERE NEW.opens AND clip = NEW.clip AND sequence <> NEW.sequence;
                UPDATE clips SET shared = 0 WHERE NEW.opens AND id = NEW.clip
                    AND NOT EXISTS (SELECT 1 FROM posts WHERE posts.clip = clips.id)
                    AND NOT EXISTS (SELECT 1 FROM items WHERE items.clip = clips.id)
                    AND NOT EXISTS (SELECT 1 FROM itemMedia WHERE itemMedia.clip = clips.id)
                    AND NOT EXISTS (SELECT 1 FROM comments WHERE comments.clip = clips.id AND sequence <> NEW.sequence);
                DELETE FROM notices WHERE comment = NEW.sequence;
                DELETE FROM comments WHERE sequence = NEW.sequence
                    AND NOT EXISTS (SELECT 1 FROM comments AS answer WHERE answer.answers = NEW.sequence);
                UPDATE comments SET account = NULL, key = '', text = '', clip = NULL WHERE sequence = NEW.sequence;
            END;
            """)
    ]

    private static let tables = """
        -- AUTOINCREMENT: a reader's place must stay valid when the newest comment is removed.
        CREATE TABLE comments (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT,
            id       TEXT NOT NULL UNIQUE,
            item     INTEGER NOT NULL REFERENCES items (sequence) ON DELETE CASCADE ON UPDATE CASCADE,
            -- NULL: it was removed.
            account  TEXT REFERENCES accounts (id) ON DELETE SET NULL,
            key      TEXT NOT NULL,
            -- The comment that it answers, which answers none itself.
            answers  INTEGER REFERENCES comments (sequence) ON DELETE CASCADE,
            text     TEXT NOT NULL,
            clip     TEXT REFERENCES clips (id) ON DELETE SET NULL,
            -- 1: nobody but its owner heard the clip before.
            opens    INTEGER NOT NULL DEFAULT 0 CHECK (opens IN (0, 1)),
            -- Hidden: taken from sight by reports or a decision. Removed: nothing is left but its place, for the answers to it.
            state    TEXT NOT NULL DEFAULT 'shown' CHECK (state IN ('shown', 'hidden', 'removed')),
            -- Its writer's account is closed.
            shut     INTEGER NOT NULL DEFAULT 0 CHECK (shut IN (0, 1)),
            created  INTEGER NOT NULL,
            counted  INTEGER NOT NULL GENERATED ALWAYS AS (state = 'shown' AND shut = 0) VIRTUAL,
            UNIQUE (account, item, key)
        ) STRICT;
        CREATE INDEX commentsByItem ON comments (item, answers, sequence);
        CREATE INDEX commentsByAnswer ON comments (answers, sequence) WHERE answers IS NOT NULL;
        CREATE INDEX commentsByClip ON comments (clip) WHERE clip IS NOT NULL;
        CREATE TRIGGER commentsAnswer BEFORE INSERT ON comments
        WHEN NEW.answers IS NOT NULL AND NOT EXISTS (
            SELECT 1 FROM comments WHERE sequence = NEW.answers AND item = NEW.item AND answers IS NULL)
        BEGIN SELECT RAISE(ABORT, 'a comment answers one on the same item that answers none'); END;
        CREATE TRIGGER commentsShut AFTER UPDATE OF state ON accounts
        WHEN (OLD.state = 'closed') <> (NEW.state = 'closed') BEGIN
            UPDATE comments SET shut = NEW.state = 'closed' WHERE account = NEW.id;
        END;

        """

    private static let counts = """
        -- How many everybody sees: the same as counting the rows.
        ALTER TABLE itemTallies ADD COLUMN comments INTEGER NOT NULL DEFAULT 0;
        CREATE TRIGGER commentsCome AFTER INSERT ON comments WHEN NEW.counted BEGIN
            INSERT INTO itemTallies (item, saves, views, watches, ups, downs, comments) VALUES (NEW.item, 0, 0, 0, 0, 0, 1)
            ON CONFLICT (item) DO UPDATE SET comments = comments + 1;
        END;
        CREATE TRIGGER commentsTurn AFTER UPDATE OF state, shut ON comments WHEN OLD.counted <> NEW.counted BEGIN
            UPDATE itemTallies SET comments = comments + NEW.counted - OLD.counted WHERE item = NEW.item;
        END;
        CREATE TRIGGER commentsGo AFTER DELETE ON comments WHEN OLD.counted BEGIN
            UPDATE itemTallies SET comments = comments - 1 WHERE item = OLD.item;
        END;

        """

    private static let endings = """
        CREATE TRIGGER commentsLeft BEFORE DELETE ON accounts BEGIN
            UPDATE comments SET state = 'removed' WHERE account = OLD.id;
        END;
        CREATE TRIGGER commentsUnsaid BEFORE DELETE ON clips BEGIN
            UPDATE comments SET state = 'removed', clip = NULL WHERE clip = OLD.id AND text = '';
        END;
        CREATE TRIGGER commentsRemoved AFTER UPDATE OF state ON comments WHEN NEW.state = 'removed' BEGIN
            -- What was heard by this comment alone is heard no more, and is swept.
            UPDATE comments SET opens = 1 WHERE NEW.opens AND clip = NEW.clip AND sequence <> NEW.sequence;
            UPDATE clips SET shared = 0 WHERE NEW.opens AND id = NEW.clip
                AND NOT EXISTS (SELECT 1 FROM posts WHERE posts.clip = clips.id)
                AND NOT EXISTS (SELECT 1 FROM items WHERE items.clip = clips.id)
                AND NOT EXISTS (SELECT 1 FROM comments WHERE comments.clip = clips.id AND sequence <> NEW.sequence);
            DELETE FROM notices WHERE comment = NEW.sequence;
            DELETE FROM comments WHERE sequence = NEW.sequence
                AND NOT EXISTS (SELECT 1 FROM comments AS answer WHERE answer.answers = NEW.sequence);
            UPDATE comments SET account = NULL, key = '', text = '', clip = NULL WHERE sequence = NEW.sequence;
        END;
        -- The last answer to a removed comment takes its place along.
        CREATE TRIGGER commentsEnd AFTER DELETE ON comments WHEN OLD.answers IS NOT NULL BEGIN
            DELETE FROM comments WHERE sequence = OLD.answers AND state = 'removed'
                AND NOT EXISTS (SELECT 1 FROM comments AS answer WHERE answer.answers = OLD.answers);
        END;

        """

    private static let notices = """
        ALTER TABLE notices ADD COLUMN comment INTEGER REFERENCES comments (sequence) ON DELETE CASCADE;
        CREATE INDEX noticesByComment ON notices (comment) WHERE comment IS NOT NULL;

        """

    private static let cases = """
        -- The kind 'comment' needs another CHECK, and that another table; what refers to cases does so by their ids, which stay.
        CREATE TABLE casesAnew (
            id       TEXT PRIMARY KEY,
            kind     TEXT NOT NULL CHECK (kind IN ('post', 'account', 'item', 'comment')),
            -- The account, the place of the post in the feed, or the id of the item or comment; what it is about may be gone.
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
        INSERT INTO casesAnew (id, kind, about, account, claim, state, deadline, hides, freezes, upheld, answer, appeal,
            created)
            SELECT id, kind, about, account, claim, state, deadline, hides, freezes, upheld, answer, appeal, created
            FROM cases ORDER BY rowid;
        DROP TABLE cases;
        ALTER TABLE casesAnew RENAME TO cases;
        CREATE UNIQUE INDEX casesWaiting ON cases (kind, about, claim) WHERE state IN ('open', 'appealed');
        CREATE INDEX casesByAbout ON cases (kind, about);
        CREATE INDEX casesByAccount ON cases (account);
        CREATE INDEX casesByState ON cases (state, deadline);
        """
}
