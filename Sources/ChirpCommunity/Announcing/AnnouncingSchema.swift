internal import ChirpDatabase

/// The tables of feeds that have changed and are still to be announced to a WebSub hub, as steps.
///
/// What has changed is written down by triggers, in the transaction of the act, so nobody who posts or deletes knows of it, a kill forgets
/// nothing, and another process may post while no server runs. They write only while `feedsAnnounced` has its row: with the setting off
/// nobody would empty the table.
enum AnnouncingSchema {
    static let steps = [SchemaStep("announcing-001", tables + triggers)]

    private static let tables = """
        -- Has a row while a hub is told.
        CREATE TABLE feedsAnnounced (
            isOn INTEGER PRIMARY KEY CHECK (isOn = 1)
        ) STRICT;
        -- A row for each feed that has changed since its hub was told. Numbers are not used again: who is at a row knows it by its own.
        CREATE TABLE changedFeeds (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT,
            -- Whose feed; NULL: everybody's.
            account  TEXT REFERENCES accounts (id) ON DELETE CASCADE,
            format   TEXT NOT NULL CHECK (format IN ('xml', 'json')),
            -- How often it has changed: what changes while the hub is told is told again.
            changes  INTEGER NOT NULL DEFAULT 1,
            -- How often telling failed.
            tries    INTEGER NOT NULL DEFAULT 0,
            -- When the hub is told, and since when what changed last waits. NULL until the server has seen it: triggers know no clock but
            -- the machine's.
            next     INTEGER,
            since    INTEGER
        ) STRICT;
        CREATE UNIQUE INDEX changedFeedsByName ON changedFeeds (COALESCE(account, ''), format);
        CREATE INDEX changedFeedsByAccount ON changedFeeds (account);

        """

    /// Marks everybody's feeds and those of some accounts.
    ///
    /// Not `ON CONFLICT`: what the statement says that fires a trigger would go before (sqlite.org/lang_createtrigger.html). An account
    /// that is closed, or about to be erased, has no feeds.
    private static func mark(_ accounts: String, formats: String = "'xml', 'json'") -> String {
        """
            UPDATE changedFeeds SET changes = changes + 1, since = NULL
            WHERE format IN (\(formats)) AND (account IS NULL OR account IN (\(accounts)));
            INSERT INTO changedFeeds (account, format)
            SELECT whose.account, formats.format
            FROM (SELECT NULL AS account UNION ALL
                SELECT id FROM accounts WHERE id IN (\(accounts)) AND state <> 'closed') AS whose,
                (SELECT 'xml' AS format UNION ALL SELECT 'json') AS formats
            WHERE formats.format IN (\(formats)) AND NOT EXISTS (
                SELECT 1 FROM changedFeeds AS waiting
                WHERE waiting.account IS whose.account AND waiting.format = formats.format);
        """
    }

    private static let isOn = "EXISTS (SELECT 1 FROM feedsAnnounced)"

    /// A post that stands in feeds, apart from its clip and its author.
    private static func isShown(_ row: String) -> String {
        "\(row).visibility = 'public' AND \(row).state = 'shown'"
    }

    /// Who has posted a clip for everybody.
    private static func posters(of clip: String) -> String {
        "SELECT posts.account FROM posts WHERE posts.clip = \(clip) AND \(isShown("posts"))"
    }

    private static let triggers = """
        CREATE TRIGGER feedsPosted AFTER INSERT ON posts
        WHEN \(isOn) AND \(isShown("NEW"))
            AND EXISTS (SELECT 1 FROM accounts WHERE id = NEW.account AND state = 'active')
            AND (NEW.clip IS NULL OR EXISTS (SELECT 1 FROM clips WHERE id = NEW.clip AND shared = 1)) BEGIN
        \(mark("SELECT NEW.account"))
        END;
        CREATE TRIGGER feedsEdited AFTER UPDATE OF sequence, text, link, clip, visibility, state ON posts
        WHEN \(isOn) AND (\(isShown("OLD")) OR \(isShown("NEW"))) BEGIN
        \(mark("SELECT NEW.account"))
        END;
        CREATE TRIGGER feedsRemoved AFTER DELETE ON posts WHEN \(isOn) AND \(isShown("OLD")) BEGIN
        \(mark("SELECT OLD.account"))
        END;
        CREATE TRIGGER feedsOfClip AFTER UPDATE OF title, contentType, bytes, seconds, shared ON clips
        WHEN \(isOn) AND (OLD.shared = 1 OR NEW.shared = 1) AND EXISTS (\(posters(of: "NEW.id"))) BEGIN
        \(mark(posters(of: "NEW.id")))
        END;
        -- Links to what is said in a clip stand in RSS alone, with form and language.
        CREATE TRIGGER feedsOfWords AFTER INSERT ON transcripts WHEN \(isOn) AND EXISTS (\(posters(of: "NEW.clip"))) BEGIN
        \(mark(posters(of: "NEW.clip"), formats: "'xml'"))
        END;
        CREATE TRIGGER feedsOfOtherWords AFTER UPDATE OF form, language ON transcripts
        WHEN \(isOn) AND (OLD.form <> NEW.form OR OLD.language <> NEW.language)
            AND EXISTS (\(posters(of: "NEW.clip"))) BEGIN
        \(mark(posters(of: "NEW.clip"), formats: "'xml'"))
        END;
        CREATE TRIGGER feedsOfNoWords AFTER DELETE ON transcripts WHEN \(isOn) AND EXISTS (\(posters(of: "OLD.clip"))) BEGIN
        \(mark(posters(of: "OLD.clip"), formats: "'xml'"))
        END;
        -- Who is closed is seen no more, and has no feeds to tell of.
        CREATE TRIGGER feedsOfPerson AFTER UPDATE OF handle, name, state ON accounts
        WHEN \(isOn) AND (OLD.handle <> NEW.handle OR OLD.name <> NEW.name
                OR (OLD.state = 'closed') <> (NEW.state = 'closed'))
            AND EXISTS (SELECT 1 FROM posts WHERE posts.account = NEW.id AND \(isShown("posts"))) BEGIN
        \(mark("SELECT NEW.id"))
            DELETE FROM changedFeeds WHERE account = NEW.id AND NEW.state = 'closed';
        END;
        """
}
