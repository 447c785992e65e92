internal import ChirpDatabase

/// The tables of pledges and of their ledger, as steps.
///
/// Two or more rows of the ledger make a movement. While they do not add up to nothing its `fault` refers to a row that is not there, which
/// the database minds at the end of the transaction: a movement comes whole or not at all.
enum StakeSchema {
    static let steps = [SchemaStep("stakes-001", tables + ledger + keeping)]

    private static let tables = """
        CREATE TABLE stakes (
            sequence  INTEGER PRIMARY KEY AUTOINCREMENT,
            id        TEXT NOT NULL UNIQUE,
            -- Who has pledged; NULL: whose account is gone.
            account   TEXT REFERENCES accounts (id) ON DELETE SET NULL,
            key       TEXT NOT NULL,
            challenge TEXT REFERENCES items (id) ON DELETE SET NULL,
            rule      INTEGER REFERENCES rules (sequence) ON DELETE SET NULL,
            amount    INTEGER NOT NULL CHECK (amount > 0),
            unit      TEXT NOT NULL CHECK (unit <> ''),
            -- She has said that she is of age.
            isAdult   INTEGER NOT NULL CHECK (isAdult = 1),
            made      INTEGER NOT NULL,
            ends      INTEGER NOT NULL CHECK (ends >= made),
            state     TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'paid', 'back')),
            -- What it was paid for; NULL too: whose author's account is gone.
            attempt   INTEGER REFERENCES attempts (sequence) ON DELETE SET NULL,
            settled   INTEGER,
            -- How often it was taken back from who had got it.
            recalls   INTEGER NOT NULL DEFAULT 0 CHECK (recalls >= 0),
            -- When to look again what becomes of it; NULL: not as long as no attempt changes.
            due       INTEGER,
            UNIQUE (account, key),
            CHECK ((state = 'open') = (settled IS NULL) AND (attempt IS NULL OR state = 'paid'))
        ) STRICT;
        CREATE UNIQUE INDEX stakesOpen ON stakes (rule) WHERE state = 'open' AND recalls = 0;
        CREATE INDEX stakesByRule ON stakes (rule);
        CREATE INDEX stakesByChallenge ON stakes (challenge, sequence);
        CREATE INDEX stakesByAttempt ON stakes (attempt) WHERE attempt IS NOT NULL;
        CREATE INDEX stakesDue ON stakes (due) WHERE due IS NOT NULL;
        -- Accounts that were found to be the setter's own, so that another address makes them no others.
        CREATE TABLE stakeTies (
            stake   INTEGER NOT NULL REFERENCES stakes (sequence),
            account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            PRIMARY KEY (stake, account)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX stakeTiesByAccount ON stakeTies (account);

        """

    private static let ledger = """
        CREATE TABLE stakeSound (value INTEGER PRIMARY KEY CHECK (value = 0)) STRICT;
        INSERT INTO stakeSound (value) VALUES (0);
        CREATE TABLE stakeMovements (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT,
            stake    INTEGER NOT NULL REFERENCES stakes (sequence),
            step     INTEGER NOT NULL,
            why      TEXT NOT NULL CHECK (why IN ('pledge', 'payout', 'back', 'recall')),
            unit     TEXT NOT NULL,
            at       INTEGER NOT NULL,
            -- 0: its rows add up to nothing.
            fault    INTEGER NOT NULL DEFAULT 1 REFERENCES stakeSound (value) DEFERRABLE INITIALLY DEFERRED,
            UNIQUE (stake, step)
        ) STRICT;
        CREATE INDEX stakeMovementsBySoundness ON stakeMovements (fault) WHERE fault <> 0;
        CREATE TABLE stakeLedger (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT,
            movement INTEGER NOT NULL REFERENCES stakeMovements (sequence),
            -- The pot holds what is pledged and not settled.
            place    TEXT NOT NULL CHECK (place IN ('person', 'pot')),
            -- NULL: the pot, or whose account is gone.
            account  TEXT REFERENCES accounts (id) ON DELETE SET NULL,
            amount   INTEGER NOT NULL CHECK (amount <> 0),
            CHECK (place = 'person' OR account IS NULL)
        ) STRICT;
        CREATE INDEX stakeLedgerByMovement ON stakeLedger (movement);
        CREATE INDEX stakeLedgerByAccount ON stakeLedger (account, sequence) WHERE account IS NOT NULL;

        """

    private static let keeping = """
        CREATE TRIGGER stakeLedgerIsNew BEFORE INSERT ON stakeLedger
        WHEN EXISTS (SELECT 1 FROM stakeLedger WHERE sequence = NEW.sequence)
            OR (SELECT fault FROM stakeMovements WHERE sequence = NEW.movement) = 0
        BEGIN SELECT RAISE(ABORT, 'a movement stays as it was written'); END;
        CREATE TRIGGER stakeLedgerAddsUp AFTER INSERT ON stakeLedger BEGIN
            UPDATE stakeMovements
            SET fault = (SELECT COUNT(*) < 2 OR SUM(amount) <> 0 FROM stakeLedger WHERE movement = NEW.movement)
            WHERE sequence = NEW.movement;
        END;
        -- Only the names of accounts that are gone go with them.
        CREATE TRIGGER stakeLedgerStays BEFORE UPDATE ON stakeLedger
        WHEN NOT (NEW.sequence = OLD.sequence AND NEW.movement = OLD.movement AND NEW.place = OLD.place
            AND NEW.amount = OLD.amount AND NEW.account IS NULL
            AND NOT EXISTS (SELECT 1 FROM accounts WHERE id = OLD.account))
        BEGIN SELECT RAISE(ABORT, 'the ledger stays as it was written'); END;
        CREATE TRIGGER stakeLedgerIsKept BEFORE DELETE ON stakeLedger
        BEGIN SELECT RAISE(ABORT, 'nothing leaves the ledger'); END;
        -- What was pledged is paid or goes back, once; what was paid is taken back, and what was taken back is paid or goes back.
        CREATE TRIGGER stakeMovementsAreNew BEFORE INSERT ON stakeMovements
        WHEN NEW.step <> (SELECT COUNT(*) FROM stakeMovements WHERE stake = NEW.stake)
            OR NEW.unit IS NOT (SELECT unit FROM stakes WHERE sequence = NEW.stake) OR NEW.fault <> 1
            OR EXISTS (SELECT 1 FROM stakeMovements WHERE sequence = NEW.sequence)
            OR NOT CASE (SELECT why FROM stakeMovements WHERE stake = NEW.stake ORDER BY step DESC LIMIT 1)
                WHEN 'pledge' THEN NEW.why IN ('payout', 'back') WHEN 'recall' THEN NEW.why IN ('payout', 'back')
                WHEN 'payout' THEN NEW.why = 'recall' WHEN 'back' THEN 0 ELSE NEW.why = 'pledge' END
        BEGIN SELECT RAISE(ABORT, 'a pledge is moved one step after the other'); END;
        CREATE TRIGGER stakeMovementsStay BEFORE UPDATE ON stakeMovements
        WHEN NOT (NEW.sequence = OLD.sequence AND NEW.stake = OLD.stake AND NEW.step = OLD.step AND NEW.why = OLD.why
            AND NEW.unit = OLD.unit AND NEW.at = OLD.at AND OLD.fault = 1
            AND NEW.fault = (SELECT COUNT(*) < 2 OR COALESCE(SUM(amount), 1) <> 0 FROM stakeLedger
                WHERE movement = OLD.sequence))
        BEGIN SELECT RAISE(ABORT, 'a movement stays as it was written'); END;
        CREATE TRIGGER stakeMovementsAreKept BEFORE DELETE ON stakeMovements
        BEGIN SELECT RAISE(ABORT, 'nothing leaves the ledger'); END;
        CREATE TRIGGER stakesAreNew BEFORE INSERT ON stakes
        WHEN EXISTS (SELECT 1 FROM stakes WHERE sequence = NEW.sequence OR id = NEW.id)
        BEGIN SELECT RAISE(ABORT, 'a pledge stays as it was made'); END;
        CREATE TRIGGER stakesStay BEFORE UPDATE ON stakes
        WHEN NOT (NEW.sequence = OLD.sequence AND NEW.id = OLD.id AND NEW.key = OLD.key AND NEW.amount = OLD.amount
            AND NEW.unit = OLD.unit AND NEW.isAdult = OLD.isAdult AND NEW.made = OLD.made AND NEW.ends <= OLD.ends
            AND NEW.recalls >= OLD.recalls AND (OLD.state <> 'back' OR NEW.state = 'back')
            AND (NEW.account IS OLD.account OR NEW.account IS NULL)
            AND (NEW.challenge IS OLD.challenge OR NEW.challenge IS NULL)
            AND (NEW.rule IS OLD.rule OR NEW.rule IS NULL))
        BEGIN SELECT RAISE(ABORT, 'a pledge stays as it was made'); END;
        CREATE TRIGGER stakesAreKept BEFORE DELETE ON stakes
        BEGIN SELECT RAISE(ABORT, 'a pledge is never removed'); END;
        -- Whoever sweeps looks again at a pledge whose attempts have changed.
        CREATE TRIGGER stakesLook AFTER UPDATE OF state ON attempts WHEN NEW.state <> OLD.state BEGIN
            UPDATE stakes SET due = 0 WHERE rule = NEW.rule AND (state = 'open' OR attempt = NEW.sequence);
        END;
        CREATE TRIGGER stakesLookOnce AFTER DELETE ON attempts BEGIN
            UPDATE stakes SET due = 0 WHERE rule = OLD.rule AND state = 'open';
        END;
        """
}
