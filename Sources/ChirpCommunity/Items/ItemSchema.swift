internal import ChirpDatabase

/// Items, where they are, what people have put to them, and what they are found by.
///
/// Triggers keep the indexes, so that they are right after every transaction, also when a row goes with its author. `items.words` is
/// what an item is found by beside its text: board, kind, category, cells of the map and state, as words (``ItemTokens``). `openItems` has
/// exactly those that lists show, and is what the R*Tree and the counts of the map are made from.
enum ItemSchema {
    static let steps = [
        SchemaStep("items-001", tables + words), SchemaStep("items-002", map), SchemaStep("items-003", marks),
    ]

    private static let tables = """
        -- AUTOINCREMENT: a reader's place in a list must stay valid when the newest item is removed.
        CREATE TABLE items (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT,
            id       TEXT NOT NULL UNIQUE,
            board    TEXT NOT NULL,
            kind     TEXT NOT NULL,
            key      TEXT NOT NULL,
            account  TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            title    TEXT NOT NULL,
            text     TEXT NOT NULL,
            language TEXT,
            category TEXT NOT NULL,
            -- One a line.
            tags     TEXT NOT NULL,
            facets   TEXT NOT NULL,
            state    TEXT NOT NULL CHECK (state IN ('draft', 'open', 'settled', 'withdrawn', 'expired')),
            outcome  TEXT NOT NULL DEFAULT '',
            reason   TEXT NOT NULL DEFAULT '',
            hidden   INTEGER NOT NULL DEFAULT 0 CHECK (hidden IN (0, 1)),
            hiddenAt INTEGER,
            frozen   INTEGER NOT NULL DEFAULT 0 CHECK (frozen IN (0, 1)),
            -- Its author's account is closed.
            shut     INTEGER NOT NULL DEFAULT 0 CHECK (shut IN (0, 1)),
            version  INTEGER NOT NULL DEFAULT 1,
            created  INTEGER NOT NULL,
            changed  INTEGER NOT NULL,
            ended    INTEGER,
            expires  INTEGER,
            clip     TEXT REFERENCES clips (id) ON DELETE SET NULL,
            listed   INTEGER NOT NULL GENERATED ALWAYS AS (state = 'open' AND hidden = 0 AND shut = 0) VIRTUAL,
            words    TEXT NOT NULL GENERATED ALWAYS AS (facets || CASE WHEN hidden OR shut THEN ' zshidden'
                ELSE ' zs' || state END) VIRTUAL,
            UNIQUE (account, key)
        ) STRICT;
        CREATE INDEX itemsListed ON items (board, sequence) WHERE listed = 1;
        CREATE INDEX itemsByCategory ON items (board, category, sequence) WHERE listed = 1;
        CREATE INDEX itemsByKind ON items (board, kind, sequence) WHERE listed = 1;
        CREATE INDEX itemsByState ON items (board, state, sequence) WHERE listed = 0;
        CREATE INDEX itemsByAccount ON items (account, board, sequence);
        CREATE INDEX itemsByExpiry ON items (expires) WHERE state = 'open' AND expires IS NOT NULL;
        CREATE INDEX itemsByClip ON items (clip) WHERE clip IS NOT NULL;
        CREATE TABLE itemPictures (
            item     INTEGER NOT NULL REFERENCES items (sequence) ON DELETE CASCADE ON UPDATE CASCADE,
            position INTEGER NOT NULL,
            picture  TEXT NOT NULL,
            PRIMARY KEY (item, position)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX itemPicturesByPicture ON itemPictures (picture);
        CREATE TRIGGER itemsShut AFTER UPDATE OF state ON accounts
        WHEN (OLD.state = 'closed') <> (NEW.state = 'closed') BEGIN
            UPDATE items SET shut = NEW.state = 'closed' WHERE account = NEW.id;
        END;

        """

    private static let words = """
        CREATE VIRTUAL TABLE itemWords USING fts5 (title, text, tags, words, content = 'items', content_rowid = 'sequence',
            tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');
        CREATE TRIGGER itemWordsAdded AFTER INSERT ON items BEGIN
            INSERT INTO itemWords (rowid, title, text, tags, words)
            VALUES (NEW.sequence, NEW.title, NEW.text, NEW.tags, NEW.words);
        END;
        CREATE TRIGGER itemWordsRemoved AFTER DELETE ON items BEGIN
            INSERT INTO itemWords (itemWords, rowid, title, text, tags, words)
            VALUES ('delete', OLD.sequence, OLD.title, OLD.text, OLD.tags, OLD.words);
        END;
        CREATE TRIGGER itemWordsChanged AFTER UPDATE OF sequence, title, text, tags, facets, state, hidden, shut ON items
        WHEN OLD.sequence <> NEW.sequence OR OLD.title <> NEW.title OR OLD.text <> NEW.text OR OLD.tags <> NEW.tags
            OR OLD.words <> NEW.words BEGIN
            INSERT INTO itemWords (itemWords, rowid, title, text, tags, words)
            VALUES ('delete', OLD.sequence, OLD.title, OLD.text, OLD.tags, OLD.words);
            INSERT INTO itemWords (rowid, title, text, tags, words)
            VALUES (NEW.sequence, NEW.title, NEW.text, NEW.tags, NEW.words);
        END;
        """

    private static let map = """
        -- The place itself, and where it is shown with the numbers of the cells that hold that point (``MapCell/number``).
        CREATE TABLE itemPlaces (
            item      INTEGER PRIMARY KEY REFERENCES items (sequence) ON DELETE CASCADE ON UPDATE CASCADE,
            lat       REAL NOT NULL,
            lon       REAL NOT NULL,
            precision TEXT NOT NULL CHECK (precision IN ('exact', 'near', 'town')),
            shownLat  REAL NOT NULL,
            shownLon  REAL NOT NULL,
            name      TEXT NOT NULL,
            wide      INTEGER NOT NULL,
            middle    INTEGER NOT NULL,
            fine      INTEGER NOT NULL
        ) STRICT;
        -- Who else may know the place itself.
        CREATE TABLE itemSight (
            item    INTEGER NOT NULL REFERENCES items (sequence) ON DELETE CASCADE ON UPDATE CASCADE,
            account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            since   INTEGER NOT NULL,
            PRIMARY KEY (item, account)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX itemSightByAccount ON itemSight (account);
        -- What places are veiled with. It never changes: a second veil over the same place would help to lift both.
        CREATE TABLE veilKey (key BLOB NOT NULL) STRICT;
        INSERT INTO veilKey (key) VALUES (randomblob(32));
        CREATE TABLE openItems (
            item     INTEGER PRIMARY KEY REFERENCES items (sequence) ON DELETE CASCADE ON UPDATE CASCADE,
            board    TEXT NOT NULL,
            kind     TEXT NOT NULL,
            category TEXT NOT NULL,
            -- Where it is shown; null: it has no place.
            lat      REAL,
            lon      REAL,
            wide     INTEGER,
            middle   INTEGER,
            fine     INTEGER
        ) STRICT;
        CREATE VIRTUAL TABLE itemPoints USING rtree (item, west, east, south, north);
        -- How many open ones are in a cell, the sums of where they are shown in millionths of a degree, and of their sequences (of one
        -- alone: which it is). `grid` is four times the level of the cell, 12 for all of the board, and 1 more where `kind` is of all
        -- kinds and empty, 2 more where `category` is.
        CREATE TABLE itemCells (
            board    TEXT NOT NULL,
            grid     INTEGER NOT NULL,
            cell     INTEGER NOT NULL,
            kind     TEXT NOT NULL,
            category TEXT NOT NULL,
            n        INTEGER NOT NULL,
            lat      INTEGER NOT NULL,
            lon      INTEGER NOT NULL,
            items    INTEGER NOT NULL,
            PRIMARY KEY (board, grid, cell, kind, category)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX itemCellsEmpty ON itemCells (n) WHERE n = 0;
        CREATE TRIGGER openItemsAdded AFTER INSERT ON items WHEN NEW.listed BEGIN
            INSERT INTO openItems (item, board, kind, category)
            VALUES (NEW.sequence, NEW.board, NEW.kind, NEW.category);
        END;
        CREATE TRIGGER openItemsTurned AFTER UPDATE OF kind, category, state, hidden, shut ON items
        WHEN OLD.listed <> NEW.listed OR OLD.kind <> NEW.kind OR OLD.category <> NEW.category BEGIN
            DELETE FROM openItems WHERE item = NEW.sequence;
            INSERT INTO openItems (item, board, kind, category, lat, lon, wide, middle, fine)
            SELECT NEW.sequence, NEW.board, NEW.kind, NEW.category, shownLat, shownLon, wide, middle, fine
            FROM (SELECT 1) LEFT JOIN itemPlaces ON itemPlaces.item = NEW.sequence WHERE NEW.listed;
        END;
        CREATE TRIGGER itemPlacesAdded AFTER INSERT ON itemPlaces BEGIN
            UPDATE openItems SET lat = NEW.shownLat, lon = NEW.shownLon, wide = NEW.wide, middle = NEW.middle,
                fine = NEW.fine WHERE item = NEW.item;
        END;
        CREATE TRIGGER itemPlacesMoved AFTER UPDATE OF shownLat, shownLon ON itemPlaces
        WHEN OLD.shownLat <> NEW.shownLat OR OLD.shownLon <> NEW.shownLon BEGIN
            UPDATE openItems SET lat = NEW.shownLat, lon = NEW.shownLon, wide = NEW.wide, middle = NEW.middle,
                fine = NEW.fine WHERE item = NEW.item;
        END;
        CREATE TRIGGER itemPlacesRemoved AFTER DELETE ON itemPlaces BEGIN
            UPDATE openItems SET lat = NULL, lon = NULL, wide = NULL, middle = NULL, fine = NULL WHERE item = OLD.item;
        END;
        -- A row put into it is an open item that comes (1) or goes (-1).
        CREATE VIEW itemTurns AS
            SELECT item, board, kind, category, lat, lon, wide, middle, fine, 0 AS change FROM openItems WHERE 0;
        CREATE TRIGGER itemTurnsCounted INSTEAD OF INSERT ON itemTurns BEGIN
            INSERT INTO itemPoints (item, west, east, south, north)
            SELECT NEW.item, NEW.lon, NEW.lon, NEW.lat, NEW.lat WHERE NEW.change > 0;
            DELETE FROM itemPoints WHERE item = NEW.item AND NEW.change < 0;
            INSERT INTO itemCells (board, grid, cell, kind, category, n, lat, lon, items)
            SELECT NEW.board, grid, cell, iif(grid & 1, '', NEW.kind), iif(grid & 2, '', NEW.category), NEW.change,
                NEW.change * CAST(round(NEW.lat * 1000000) AS INTEGER),
                NEW.change * CAST(round(NEW.lon * 1000000) AS INTEGER), NEW.change * NEW.item
            FROM (SELECT 0 AS grid, NEW.wide AS cell UNION ALL SELECT 1, NEW.wide UNION ALL SELECT 2, NEW.wide
                UNION ALL SELECT 3, NEW.wide UNION ALL SELECT 4, NEW.middle UNION ALL SELECT 5, NEW.middle
                UNION ALL SELECT 6, NEW.middle UNION ALL SELECT 7, NEW.middle UNION ALL SELECT 8, NEW.fine)
            WHERE true
            ON CONFLICT (board, grid, cell, kind, category) DO UPDATE
            SET n = n + excluded.n, lat = lat + excluded.lat, lon = lon + excluded.lon, items = items + excluded.items;
            DELETE FROM itemCells WHERE n = 0;
        END;
        CREATE TRIGGER openItemsCome AFTER INSERT ON openItems BEGIN
            INSERT INTO itemCells (board, grid, cell, kind, category, n, lat, lon, items)
            VALUES (NEW.board, 12, 0, NEW.kind, NEW.category, 1, 0, 0, NEW.item)
            ON CONFLICT (board, grid, cell, kind, category) DO UPDATE SET n = n + 1, items = items + excluded.items;
            INSERT INTO itemTurns SELECT *, 1 FROM openItems WHERE item = NEW.item AND lat IS NOT NULL;
        END;
        CREATE TRIGGER openItemsGo AFTER DELETE ON openItems BEGIN
            UPDATE itemCells SET n = n - 1, items = items - OLD.item
            WHERE board = OLD.board AND grid = 12 AND cell = 0 AND kind = OLD.kind AND category = OLD.category;
            DELETE FROM itemCells WHERE n = 0;
            INSERT INTO itemTurns
            SELECT OLD.item, OLD.board, OLD.kind, OLD.category, OLD.lat, OLD.lon, OLD.wide, OLD.middle, OLD.fine, -1
            WHERE OLD.lat IS NOT NULL;
        END;
        CREATE TRIGGER openItemsMove AFTER UPDATE OF lat, lon ON openItems BEGIN
            INSERT INTO itemTurns
            SELECT OLD.item, OLD.board, OLD.kind, OLD.category, OLD.lat, OLD.lon, OLD.wide, OLD.middle, OLD.fine, -1
            WHERE OLD.lat IS NOT NULL;
            INSERT INTO itemTurns
            SELECT NEW.item, NEW.board, NEW.kind, NEW.category, NEW.lat, NEW.lon, NEW.wide, NEW.middle, NEW.fine, 1
            WHERE NEW.lat IS NOT NULL;
        END;
        """

    private static let marks = """
        CREATE TABLE itemMarks (
            account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            kind    TEXT NOT NULL CHECK (kind IN ('save', 'view', 'watch', 'up', 'down')),
            item    INTEGER NOT NULL REFERENCES items (sequence) ON DELETE CASCADE ON UPDATE CASCADE,
            at      INTEGER NOT NULL,
            PRIMARY KEY (account, kind, item)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX itemMarksByTime ON itemMarks (account, kind, at, item);
        CREATE INDEX itemMarksByItem ON itemMarks (item, kind);
        -- How many marks of each kind there are: the same as counting the rows.
        CREATE TABLE itemTallies (
            item    INTEGER PRIMARY KEY REFERENCES items (sequence) ON DELETE CASCADE ON UPDATE CASCADE,
            saves   INTEGER NOT NULL,
            views   INTEGER NOT NULL,
            watches INTEGER NOT NULL,
            ups     INTEGER NOT NULL,
            downs   INTEGER NOT NULL
        ) STRICT;
        CREATE TRIGGER itemMarksAdded AFTER INSERT ON itemMarks BEGIN
            INSERT INTO itemTallies (item, saves, views, watches, ups, downs)
            VALUES (NEW.item, NEW.kind = 'save', NEW.kind = 'view', NEW.kind = 'watch', NEW.kind = 'up', NEW.kind = 'down')
            ON CONFLICT (item) DO UPDATE SET saves = saves + excluded.saves, views = views + excluded.views,
                watches = watches + excluded.watches, ups = ups + excluded.ups, downs = downs + excluded.downs;
        END;
        CREATE TRIGGER itemMarksRemoved AFTER DELETE ON itemMarks BEGIN
            UPDATE itemTallies SET saves = saves - (OLD.kind = 'save'), views = views - (OLD.kind = 'view'),
                watches = watches - (OLD.kind = 'watch'), ups = ups - (OLD.kind = 'up'),
                downs = downs - (OLD.kind = 'down')
            WHERE item = OLD.item;
        END;
        """

    /// `grid` is 16 for the largest cells, which are for all kinds counted apart, and 18 where `category` is of all categories and empty.
    static let broadCells = SchemaStep(
        "items-005",
        """
        DROP TRIGGER itemTurnsCounted;
        CREATE TRIGGER itemTurnsCounted INSTEAD OF INSERT ON itemTurns BEGIN
            INSERT INTO itemPoints (item, west, east, south, north)
            SELECT NEW.item, NEW.lon, NEW.lon, NEW.lat, NEW.lat WHERE NEW.change > 0;
            DELETE FROM itemPoints WHERE item = NEW.item AND NEW.change < 0;
            INSERT INTO itemCells (board, grid, cell, kind, category, n, lat, lon, items)
            SELECT NEW.board, grid, cell, iif(grid & 1, '', NEW.kind), iif(grid & 2, '', NEW.category), NEW.change,
                NEW.change * CAST(round(NEW.lat * 1000000) AS INTEGER),
                NEW.change * CAST(round(NEW.lon * 1000000) AS INTEGER), NEW.change * NEW.item
            FROM (SELECT 0 AS grid, NEW.wide AS cell UNION ALL SELECT 1, NEW.wide UNION ALL SELECT 2, NEW.wide
                UNION ALL SELECT 3, NEW.wide UNION ALL SELECT 4, NEW.middle UNION ALL SELECT 5, NEW.middle
                UNION ALL SELECT 6, NEW.middle UNION ALL SELECT 7, NEW.middle UNION ALL SELECT 8, NEW.fine
                UNION ALL SELECT 16, \(broad("NEW.wide")) UNION ALL SELECT 18, \(broad("NEW.wide")))
            WHERE true
            ON CONFLICT (board, grid, cell, kind, category) DO UPDATE
            SET n = n + excluded.n, lat = lat + excluded.lat, lon = lon + excluded.lon, items = items + excluded.items;
            DELETE FROM itemCells WHERE n = 0;
        END;
        INSERT INTO itemCells (board, grid, cell, kind, category, n, lat, lon, items)
        SELECT board, 16 + grid, \(broad("cell")) AS large, kind, category, SUM(n), SUM(lat), SUM(lon), SUM(items)
        FROM itemCells WHERE grid IN (0, 2) GROUP BY board, grid, large, kind, category;
        """)

    /// The number of the largest cell around one of 2 degrees, of which 180 are around the earth; 36 of the largest are.
    private static func broad(_ wide: String) -> String { "(\(wide) / 900 * 36 + \(wide) % 180 / 5)" }
}
