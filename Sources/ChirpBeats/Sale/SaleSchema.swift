internal import ChirpDatabase
internal import ChirpOrders

/// What is bought: everything that its paper will say, written down before anybody pays and never changed (AR-16). The tables of orders have
/// to be there first.
enum SaleSchema {
    static let steps = [
        SchemaStep("beats-sale-001", tables), SchemaStep("beats-sale-002", copies),
        SchemaStep("beats-sale-003", refundsByHand),
    ]

    private static let refundsByHand = """
        -- Of a payment by hand the seller only says that it goes back: what was delivered is the buyer's until it has gone back.
        DROP TRIGGER grantsOfRefunds;
        CREATE TRIGGER grantsOfRefunds AFTER UPDATE OF state ON orders
        WHEN NEW.state IN ('refunding', 'refunded') AND NEW.state <> OLD.state
            AND NOT (NEW.state = 'refunding' AND OLD.state = 'delivered' AND NEW.provider = '\(ByHand.name)')
        BEGIN
            UPDATE grants SET ended = NEW.changed, why = 'refunded' WHERE buyOrder = NEW.id AND ended IS NULL;
        END;
        """

    private static let copies = """
        -- MP3s that were made of masters, by what was sent: the same for every buyer. No reference, since it is no use that would keep a
        -- recording.
        CREATE TABLE saleCopies (
            master TEXT PRIMARY KEY,
            sha256 TEXT NOT NULL CHECK (length(sha256) = 64),
            bytes  INTEGER NOT NULL CHECK (bytes >= 0)
        ) STRICT, WITHOUT ROWID;
        CREATE TRIGGER saleCopiesOfFilms AFTER DELETE ON films BEGIN
            DELETE FROM saleCopies WHERE master = OLD.id;
        END;
        """

    private static let tables = """
        CREATE TABLE beatPurchases (
            sequence    INTEGER PRIMARY KEY AUTOINCREMENT,
            -- What the order knows it by.
            id          TEXT NOT NULL UNIQUE,
            key         TEXT NOT NULL,
            -- NULL: whose account is gone.
            buyer       TEXT REFERENCES accounts (id) ON DELETE SET NULL,
            seller      TEXT REFERENCES accounts (id) ON DELETE SET NULL,
            item        TEXT NOT NULL,
            work        TEXT NOT NULL,
            title       TEXT NOT NULL,
            licence     TEXT NOT NULL,
            licenceName TEXT NOT NULL,
            terms       TEXT NOT NULL,
            -- The version of it, by its id.
            text        TEXT NOT NULL,
            -- As the contract names them; empty once they are erased.
            licensor    TEXT NOT NULL,
            licensee    TEXT NOT NULL,
            -- The auction or the request that it came of.
            auction     TEXT,
            request     TEXT,
            made        INTEGER NOT NULL,
            -- Why it cannot be delivered any more: its money goes back.
            over        TEXT,
            UNIQUE (buyer, key)
        ) STRICT;
        CREATE INDEX beatPurchasesBySeller ON beatPurchases (seller, sequence) WHERE seller IS NOT NULL;
        CREATE INDEX beatPurchasesOver ON beatPurchases (sequence) WHERE over IS NOT NULL;
        -- How sellers are named in contracts, and how they are paid without a service.
        CREATE TABLE beatSellers (
            account TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
            name    TEXT NOT NULL,
            words   TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        -- A licence ends in the transaction in which its money begins to go back, whoever wants that.
        CREATE TRIGGER grantsOfRefunds AFTER UPDATE OF state ON orders
        WHEN NEW.state = 'refunding' AND OLD.state <> 'refunding' BEGIN
            UPDATE grants SET ended = NEW.changed, why = 'refunded' WHERE buyOrder = NEW.id AND ended IS NULL;
        END;
        -- Its paper may have been drawn meanwhile.
        CREATE TRIGGER grantsOfRefunded AFTER INSERT ON grants
        WHEN EXISTS (SELECT 1 FROM orders WHERE id = NEW.buyOrder AND state IN ('refunding', 'refunded')) BEGIN
            UPDATE grants SET ended = NEW.sold, why = 'refunded' WHERE sequence = NEW.sequence;
        END;
        """
}
