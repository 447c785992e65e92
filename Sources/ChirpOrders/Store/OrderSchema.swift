internal import ChirpDatabase

/// The tables of orders, of their ledger, of what is to be delivered, and of what providers have told, as steps.
///
/// Two rows or more of the ledger make a movement in one currency. While they do not add up to nothing its `fault` refers to a row that is
/// not there, which the database minds at the end of the transaction: a movement comes whole or not at all.
enum OrderSchema {
    static let steps = [
        SchemaStep("orders-001", orders + states + ledger + keeping + around), SchemaStep("orders-002", sellers),
        SchemaStep("orders-003", told),
    ]

    private static let told = """
        -- Whether she was told last that buyers pay her by card; not, as long as she was told nothing.
        ALTER TABLE sellerCards ADD COLUMN told INTEGER NOT NULL DEFAULT 0 CHECK (told IN (0, 1));
        UPDATE sellerCards SET told = isReady;
        """

    private static let sellers = """
        -- NULL: the account whose key the hub has, or none.
        ALTER TABLE orders ADD COLUMN account TEXT CHECK (account <> '');
        CREATE TRIGGER ordersStayPaidTo BEFORE UPDATE OF account ON orders WHEN NEW.account IS NOT OLD.account
        BEGIN SELECT RAISE(ABORT, 'an order stays as it was made'); END;
        -- Accounts that sellers have connected.
        CREATE TABLE sellerCards (
            seller   TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
            -- NULL: it was asked for, and nobody has said yet what it is called.
            account  TEXT UNIQUE CHECK (account <> ''),
            -- Which of hers it is, from 1: part of the key by which it is made once.
            round    INTEGER NOT NULL CHECK (round > 0),
            -- Whether it may be charged, and since when it stands as it does.
            isReady  INTEGER NOT NULL DEFAULT 0 CHECK (isReady IN (0, 1)),
            since    INTEGER NOT NULL,
            -- The seller has ended it here, or it is not connected any more.
            ending   TEXT CHECK (ending IN ('ended', 'gone')),
            -- Counts what was written of it, so that an answer that was overtaken is not.
            version  INTEGER NOT NULL DEFAULT 0,
            tries    INTEGER NOT NULL DEFAULT 0 CHECK (tries >= 0),
            -- When to ask again; NULL: not by itself.
            due      INTEGER,
            CHECK (isReady = 0 OR (account IS NOT NULL AND ending IS NULL))
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX sellerCardsByDue ON sellerCards (due) WHERE due IS NOT NULL;
        -- An account never becomes another's, nor another one without a round of its own.
        CREATE TRIGGER sellerCardsStay BEFORE UPDATE ON sellerCards
        WHEN NEW.seller <> OLD.seller OR NEW.round < OLD.round
            OR (OLD.account IS NOT NULL AND NEW.account IS NOT OLD.account AND NEW.round = OLD.round)
        BEGIN SELECT RAISE(ABORT, 'an account stays whose it is'); END;
        """

    private static let orders = """
        CREATE TABLE orders (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT,
            id       TEXT NOT NULL UNIQUE,
            key      TEXT NOT NULL UNIQUE CHECK (key <> ''),
            -- NULL: whose account is gone.
            buyer    TEXT REFERENCES accounts (id) ON DELETE SET NULL,
            seller   TEXT REFERENCES accounts (id) ON DELETE SET NULL,
            item     TEXT REFERENCES items (id) ON DELETE SET NULL,
            scope    TEXT CHECK (scope <> ''),
            kind     TEXT NOT NULL CHECK (kind IN ('buy', 'bid', 'offer')),
            licence  TEXT CHECK (licence IN ('lease', 'exclusive')),
            subject  TEXT NOT NULL,
            amount   INTEGER NOT NULL CHECK (amount >= 0),
            currency TEXT NOT NULL CHECK (length(currency) = 3),
            provider TEXT NOT NULL,
            method   TEXT NOT NULL CHECK (method IN ('none', 'checkout', 'hold', 'card')),
            state    TEXT NOT NULL,
            reason   TEXT NOT NULL DEFAULT '',
            created  INTEGER NOT NULL,
            changed  INTEGER NOT NULL,
            until    INTEGER,
            -- When to ask the provider again; NULL: not by itself.
            due      INTEGER,
            tries    INTEGER NOT NULL DEFAULT 0 CHECK (tries >= 0),
            -- What the provider calls its parts of it.
            address  TEXT,
            checkout TEXT,
            payment  TEXT,
            customer TEXT,
            card     TEXT,
            refund   TEXT,
            CHECK (licence IS NOT 'exclusive' OR scope IS NOT NULL),
            CHECK ((method = 'none') = (amount = 0))
        ) STRICT;
        CREATE UNIQUE INDEX ordersExclusive ON orders (scope)
            WHERE licence = 'exclusive' AND state IN ('reserved', 'paid', 'delivered');
        CREATE INDEX ordersByScope ON orders (scope, state) WHERE scope IS NOT NULL;
        CREATE INDEX ordersByBuyer ON orders (buyer, sequence) WHERE buyer IS NOT NULL;
        CREATE INDEX ordersBySeller ON orders (seller, sequence) WHERE seller IS NOT NULL;
        CREATE INDEX ordersByItem ON orders (item, sequence) WHERE item IS NOT NULL;
        CREATE INDEX ordersByDue ON orders (due) WHERE due IS NOT NULL;
        CREATE INDEX ordersByCheckout ON orders (provider, checkout) WHERE checkout IS NOT NULL;
        CREATE INDEX ordersByPayment ON orders (provider, payment) WHERE payment IS NOT NULL;

        """

    private static let states = """
        CREATE TABLE orderStates (
            state TEXT NOT NULL,
            next  TEXT NOT NULL,
            PRIMARY KEY (state, next)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO orderStates (state, next) VALUES
            ('asking', 'bound'), ('asking', 'releasing'), ('asking', 'refunding'), ('asking', 'failed'),
            ('asking', 'expired'), ('bound', 'reserved'), ('bound', 'releasing'), ('bound', 'refunding'),
            ('reserved', 'paid'), ('reserved', 'refunding'), ('reserved', 'releasing'), ('reserved', 'failed'),
            ('reserved', 'expired'), ('paid', 'delivered'), ('paid', 'refunding'), ('delivered', 'refunding'),
            ('refunding', 'refunded'), ('releasing', 'released'), ('releasing', 'refunding'),
            ('released', 'refunding'), ('released', 'releasing'), ('failed', 'refunding'), ('failed', 'releasing'),
            ('expired', 'refunding'), ('expired', 'releasing');

        """

    private static let ledger = """
        CREATE TABLE orderSound (value INTEGER PRIMARY KEY CHECK (value = 0)) STRICT;
        INSERT INTO orderSound (value) VALUES (0);
        CREATE TABLE orderMovements (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT,
            purchase INTEGER NOT NULL REFERENCES orders (sequence),
            why      TEXT NOT NULL CHECK (why IN ('payment', 'refund', 'chargeback')),
            currency TEXT NOT NULL CHECK (length(currency) = 3),
            at       INTEGER NOT NULL,
            -- 0: its rows add up to nothing.
            fault    INTEGER NOT NULL DEFAULT 1 REFERENCES orderSound (value) DEFERRABLE INITIALLY DEFERRED
        ) STRICT;
        CREATE INDEX orderMovementsByPurchase ON orderMovements (purchase);
        CREATE INDEX orderMovementsBySoundness ON orderMovements (fault) WHERE fault <> 0;
        CREATE TABLE orderLedger (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT,
            movement INTEGER NOT NULL REFERENCES orderMovements (sequence),
            side     TEXT NOT NULL CHECK (side IN ('buyer', 'seller')),
            -- NULL: whose account is gone.
            account  TEXT REFERENCES accounts (id) ON DELETE SET NULL,
            amount   INTEGER NOT NULL CHECK (amount <> 0),
            UNIQUE (movement, side)
        ) STRICT;
        CREATE INDEX orderLedgerByAccount ON orderLedger (account, sequence) WHERE account IS NOT NULL;

        """

    private static let keeping = """
        CREATE TRIGGER orderLedgerIsNew BEFORE INSERT ON orderLedger
        WHEN EXISTS (SELECT 1 FROM orderLedger WHERE sequence = NEW.sequence)
            OR (SELECT fault FROM orderMovements WHERE sequence = NEW.movement) = 0
        BEGIN SELECT RAISE(ABORT, 'a movement stays as it was written'); END;
        CREATE TRIGGER orderLedgerAddsUp AFTER INSERT ON orderLedger BEGIN
            UPDATE orderMovements
            SET fault = (SELECT COUNT(*) < 2 OR SUM(amount) <> 0 FROM orderLedger WHERE movement = NEW.movement)
            WHERE sequence = NEW.movement;
        END;
        -- Only the names of accounts that are gone go with them.
        CREATE TRIGGER orderLedgerStays BEFORE UPDATE ON orderLedger
        WHEN NOT (NEW.sequence = OLD.sequence AND NEW.movement = OLD.movement AND NEW.side = OLD.side
            AND NEW.amount = OLD.amount AND NEW.account IS NULL
            AND NOT EXISTS (SELECT 1 FROM accounts WHERE id = OLD.account))
        BEGIN SELECT RAISE(ABORT, 'the ledger stays as it was written'); END;
        CREATE TRIGGER orderLedgerIsKept BEFORE DELETE ON orderLedger
        BEGIN SELECT RAISE(ABORT, 'nothing leaves the ledger'); END;
        -- What was paid goes back at most once.
        CREATE TRIGGER orderMovementsAreNew BEFORE INSERT ON orderMovements
        WHEN NEW.fault <> 1 OR EXISTS (SELECT 1 FROM orderMovements WHERE sequence = NEW.sequence)
            OR NOT CASE (SELECT why FROM orderMovements WHERE purchase = NEW.purchase ORDER BY sequence DESC LIMIT 1)
                WHEN 'payment' THEN NEW.why IN ('refund', 'chargeback') WHEN 'refund' THEN 0 WHEN 'chargeback' THEN 0
                ELSE NEW.why = 'payment' END
        BEGIN SELECT RAISE(ABORT, 'an order is paid once, and its money goes back once'); END;
        CREATE TRIGGER orderMovementsStay BEFORE UPDATE ON orderMovements
        WHEN NOT (NEW.sequence = OLD.sequence AND NEW.purchase = OLD.purchase AND NEW.why = OLD.why
            AND NEW.currency = OLD.currency AND NEW.at = OLD.at AND OLD.fault = 1
            AND NEW.fault = (SELECT COUNT(*) < 2 OR COALESCE(SUM(amount), 1) <> 0 FROM orderLedger
                WHERE movement = OLD.sequence))
        BEGIN SELECT RAISE(ABORT, 'a movement stays as it was written'); END;
        CREATE TRIGGER orderMovementsAreKept BEFORE DELETE ON orderMovements
        BEGIN SELECT RAISE(ABORT, 'nothing leaves the ledger'); END;
        CREATE TRIGGER ordersAreNew BEFORE INSERT ON orders
        WHEN EXISTS (SELECT 1 FROM orders WHERE sequence = NEW.sequence OR id = NEW.id OR key = NEW.key)
            OR NEW.state NOT IN ('asking', 'reserved')
        BEGIN SELECT RAISE(ABORT, 'an order stays as it was made'); END;
        CREATE TRIGGER ordersStay BEFORE UPDATE ON orders
        WHEN NOT (NEW.sequence = OLD.sequence AND NEW.id = OLD.id AND NEW.key = OLD.key AND NEW.scope IS OLD.scope
            AND NEW.kind = OLD.kind AND NEW.licence IS OLD.licence AND NEW.subject = OLD.subject
            AND NEW.amount = OLD.amount AND NEW.currency = OLD.currency AND NEW.provider = OLD.provider
            AND NEW.method = OLD.method AND NEW.created = OLD.created
            AND (NEW.buyer IS OLD.buyer OR NEW.buyer IS NULL) AND (NEW.seller IS OLD.seller OR NEW.seller IS NULL)
            AND (NEW.item IS OLD.item OR NEW.item IS NULL))
        BEGIN SELECT RAISE(ABORT, 'an order stays as it was made'); END;
        CREATE TRIGGER ordersMove BEFORE UPDATE OF state ON orders
        WHEN NEW.state <> OLD.state
            AND NOT EXISTS (SELECT 1 FROM orderStates WHERE state = OLD.state AND next = NEW.state)
        BEGIN SELECT RAISE(ABORT, 'an order does not go that way'); END;
        -- Nothing is delivered that is not paid, or whose money has gone back.
        CREATE TRIGGER ordersArePaid BEFORE UPDATE OF state ON orders
        WHEN NEW.state IN ('paid', 'delivered') AND NEW.amount > 0 AND (
            SELECT why FROM orderMovements WHERE purchase = OLD.sequence ORDER BY sequence DESC LIMIT 1
        ) IS NOT 'payment'
        BEGIN SELECT RAISE(ABORT, 'the order is not paid'); END;
        CREATE TRIGGER ordersAreKept BEFORE DELETE ON orders
        BEGIN SELECT RAISE(ABORT, 'an order is never removed'); END;

        """

    private static let around = """
        -- What is paid and not delivered.
        CREATE TABLE deliveries (
            purchase INTEGER PRIMARY KEY REFERENCES orders (sequence),
            tries    INTEGER NOT NULL DEFAULT 0 CHECK (tries >= 0),
            due      INTEGER NOT NULL,
            problem  TEXT NOT NULL DEFAULT ''
        ) STRICT;
        CREATE INDEX deliveriesByDue ON deliveries (due);
        CREATE TABLE providerEvents (
            provider TEXT NOT NULL,
            id       TEXT NOT NULL,
            received INTEGER NOT NULL,
            kind     TEXT NOT NULL,
            -- What it says, without names and addresses.
            body     TEXT NOT NULL,
            -- NULL: not looked at yet.
            applied  INTEGER,
            outcome  TEXT NOT NULL DEFAULT '',
            tries    INTEGER NOT NULL DEFAULT 0 CHECK (tries >= 0),
            due      INTEGER,
            PRIMARY KEY (provider, id),
            CHECK ((applied IS NULL) = (due IS NOT NULL))
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX providerEventsByDue ON providerEvents (due) WHERE due IS NOT NULL;
        CREATE INDEX providerEventsByReceived ON providerEvents (received);
        -- Messages that nobody vouches for, counted: whoever sends them could fill a disk.
        CREATE TABLE providerRefusals (
            provider TEXT NOT NULL,
            day      INTEGER NOT NULL,
            why      TEXT NOT NULL,
            count    INTEGER NOT NULL CHECK (count > 0),
            last     INTEGER NOT NULL,
            PRIMARY KEY (provider, day, why)
        ) STRICT, WITHOUT ROWID;
        -- What sellers say of payments by hand.
        CREATE TABLE handMarks (
            purchase INTEGER NOT NULL REFERENCES orders (sequence),
            mark     TEXT NOT NULL CHECK (mark IN ('paid', 'refunded')),
            at       INTEGER NOT NULL,
            PRIMARY KEY (purchase, mark)
        ) STRICT, WITHOUT ROWID;
        """
}
