package import ChirpDatabase

/// How votes count, and where they put items in lists by popularity.
///
/// A vote is a mark of the kind `up` or `down`. On boards that have votes it says also whether it counts and from which block of addresses it
/// came, as a number that means nothing elsewhere (``VoteBlock``). Triggers add up what counts: for each block, and with the cap of a block for
/// each item (``Ranking/capped(ups:downs:)``). Whatever takes a vote away, its writer's erasure included, is in the sums with the same
/// transaction; `stale` says that the rank is not made from them yet, which the next vote or sweep does (``Votes``).
///
/// Each change of ranks is a turn. A reader who pages through a list sees all ranks as they were in one turn: `number` is the turn in which a
/// rank became what it is, and `formerScores` has for a while what it was before.
enum VoteSchema {
    static let steps = [SchemaStep("votes-001", tables + counting + listing)]

    private static let tables = """
        ALTER TABLE itemMarks ADD COLUMN counted INTEGER NOT NULL DEFAULT 0 CHECK (counted IN (0, 1));
        -- NULL: not known, and not capped.
        ALTER TABLE itemMarks ADD COLUMN block INTEGER;
        CREATE TABLE votedBoards (board TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
        -- Whether the votes of somebody count, as they are counted now: where accounts say otherwise, a sweep has something to do.
        CREATE TABLE voters (
            account TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
            counts  INTEGER NOT NULL CHECK (counts IN (0, 1))
        ) STRICT, WITHOUT ROWID;
        -- Votes that count from one block (0: those of which it is not known), and what they count for in thousandths.
        CREATE TABLE voteSums (
            item  INTEGER NOT NULL REFERENCES items (sequence) ON DELETE CASCADE ON UPDATE CASCADE,
            block INTEGER NOT NULL,
            ups   INTEGER NOT NULL,
            downs INTEGER NOT NULL,
            up    INTEGER NOT NULL GENERATED ALWAYS AS (CASE WHEN block = 0 OR ups + downs <= 5 THEN ups * 1000
                ELSE (ups * 5000 + (ups + downs) / 2) / (ups + downs) END) VIRTUAL,
            down  INTEGER NOT NULL GENERATED ALWAYS AS (CASE WHEN block = 0 OR ups + downs <= 5 THEN downs * 1000
                ELSE 5000 - (ups * 5000 + (ups + downs) / 2) / (ups + downs) END) VIRTUAL,
            PRIMARY KEY (item, block)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE itemScores (
            item     INTEGER PRIMARY KEY REFERENCES items (sequence) ON DELETE CASCADE ON UPDATE CASCADE,
            board    TEXT NOT NULL,
            kind     TEXT NOT NULL,
            category TEXT NOT NULL,
            -- Lists show it, as `openItems` says.
            listed   INTEGER NOT NULL CHECK (listed IN (0, 1)),
            -- When it appeared first.
            appeared INTEGER NOT NULL,
            ups      INTEGER NOT NULL DEFAULT 0,
            downs    INTEGER NOT NULL DEFAULT 0,
            rank     REAL NOT NULL,
            sunk     INTEGER NOT NULL DEFAULT 0 CHECK (sunk IN (0, 1)),
            number   INTEGER NOT NULL,
            stale    INTEGER NOT NULL DEFAULT 0 CHECK (stale IN (0, 1))
        ) STRICT;
        CREATE INDEX itemScoresByRank ON itemScores (board, rank, item, number) WHERE listed = 1 AND sunk = 0;
        CREATE INDEX itemScoresByKind ON itemScores (board, kind, rank, item, number) WHERE listed = 1 AND sunk = 0;
        CREATE INDEX itemScoresByCategory ON itemScores (board, category, rank, item, number) WHERE listed = 1 AND sunk = 0;
        CREATE INDEX itemScoresStale ON itemScores (item) WHERE stale = 1;
        -- What the rank of an item was from the turn `number` on, and in `until` no longer.
        CREATE TABLE formerScores (
            until  INTEGER NOT NULL,
            item   INTEGER NOT NULL REFERENCES items (sequence) ON DELETE CASCADE ON UPDATE CASCADE,
            number INTEGER NOT NULL,
            rank   REAL NOT NULL,
            at     INTEGER NOT NULL,
            PRIMARY KEY (until, item)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX formerScoresByItem ON formerScores (item);
        -- The last turn, and the last one before which something is not remembered.
        CREATE TABLE scoreTurns (
            turn      INTEGER NOT NULL,
            forgotten INTEGER NOT NULL
        ) STRICT;
        INSERT INTO scoreTurns (turn, forgotten) VALUES (0, 0);
        -- What blocks of addresses are made numbers with, for a time each.
        CREATE TABLE voteKeys (
            period INTEGER PRIMARY KEY,
            key    BLOB NOT NULL
        ) STRICT;

        """

    private static let counting = """
        CREATE TRIGGER votesCome AFTER INSERT ON itemMarks WHEN NEW.counted BEGIN
            INSERT INTO voteSums (item, block, ups, downs)
            VALUES (NEW.item, COALESCE(NEW.block, 0), NEW.kind = 'up', NEW.kind = 'down')
            ON CONFLICT (item, block) DO UPDATE SET ups = ups + excluded.ups, downs = downs + excluded.downs;
        END;
        CREATE TRIGGER votesGo AFTER DELETE ON itemMarks WHEN OLD.counted BEGIN
            UPDATE voteSums SET ups = ups - (OLD.kind = 'up'), downs = downs - (OLD.kind = 'down')
            WHERE item = OLD.item AND block = COALESCE(OLD.block, 0);
        END;
        CREATE TRIGGER votesTurn AFTER UPDATE OF counted ON itemMarks WHEN OLD.counted <> NEW.counted BEGIN
            INSERT INTO voteSums (item, block, ups, downs) VALUES (NEW.item, COALESCE(NEW.block, 0), 0, 0)
            ON CONFLICT DO NOTHING;
            UPDATE voteSums SET ups = ups + (NEW.kind = 'up') * (NEW.counted - OLD.counted),
                downs = downs + (NEW.kind = 'down') * (NEW.counted - OLD.counted)
            WHERE item = NEW.item AND block = COALESCE(NEW.block, 0);
        END;
        CREATE TRIGGER voteSumsCome AFTER INSERT ON voteSums BEGIN
            UPDATE itemScores SET ups = ups + NEW.up, downs = downs + NEW.down, stale = 1 WHERE item = NEW.item;
        END;
        CREATE TRIGGER voteSumsTurn AFTER UPDATE OF ups, downs ON voteSums BEGIN
            UPDATE itemScores SET ups = ups + NEW.up - OLD.up, downs = downs + NEW.down - OLD.down, stale = 1
            WHERE item = NEW.item;
            DELETE FROM voteSums WHERE item = NEW.item AND block = NEW.block AND ups = 0 AND downs = 0;
        END;

        """

    /// An item that nobody has voted on has a bound of a half: its rank is what half-lives have gone by since 1970, less one.
    private static let listing = """
        CREATE TRIGGER scoresListed AFTER INSERT ON openItems
        WHEN EXISTS (SELECT 1 FROM votedBoards WHERE board = NEW.board) BEGIN
            INSERT INTO itemScores (item, board, kind, category, listed, appeared, rank, number)
            SELECT NEW.item, NEW.board, NEW.kind, NEW.category, 1, changed, changed / \(halfLife) - 1.0, turn
            FROM items, scoreTurns WHERE sequence = NEW.item
            ON CONFLICT (item) DO UPDATE SET kind = excluded.kind, category = excluded.category, listed = 1;
        END;
        CREATE TRIGGER scoresUnlisted AFTER DELETE ON openItems BEGIN
            UPDATE itemScores SET listed = 0 WHERE item = OLD.item;
        END;
        """

    /// In ms. A step never changes: with another half-life (``Ranking/halfLife``) a further step has to make all ranks anew.
    private static let halfLife = "604800000.0"

    /// Lets people vote on what a board lists, which it may have listed before.
    ///
    /// - Parameter board: its name; letters and hyphens.
    static func declaring(_ board: String) -> SchemaStep {
        precondition(board.utf8.allSatisfy { $0 == UInt8(ascii: "-") || Unicode.Scalar($0).properties.isAlphabetic })
        return SchemaStep(
            "votes-on-\(board)-001",
            """
            INSERT INTO votedBoards (board) VALUES ('\(board)');
            INSERT INTO itemScores (item, board, kind, category, listed, appeared, rank, number)
            SELECT sequence, board, kind, category, listed, created, created / \(halfLife) - 1.0, turn FROM items, scoreTurns
            WHERE board = '\(board)' AND state <> 'draft';
            -- Of those who have voted elsewhere it is known whether they count, of the others the next sweep sees it.
            UPDATE itemMarks SET counted = 1
            WHERE kind IN ('up', 'down') AND item IN (SELECT sequence FROM items WHERE board = '\(board)' AND state <> 'draft')
                AND account IN (SELECT account FROM voters WHERE counts = 1);
            INSERT INTO voters (account, counts)
            SELECT DISTINCT account, 0 FROM itemMarks
            WHERE kind IN ('up', 'down') AND item IN (SELECT sequence FROM items WHERE board = '\(board)')
            ON CONFLICT DO NOTHING;
            """)
    }
}

extension BoardTables {
    /// The step by which a board has votes, among its own.
    ///
    /// - Parameter board: its name, as in addresses.
    package static func votes(on board: String) -> SchemaStep { VoteSchema.declaring(board) }
}
