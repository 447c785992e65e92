package import ChirpDatabase

/// The tables of auctions, as steps.
///
/// The database itself minds what must hold: bids rise by the step, come before the end, are never the seller's own and never change; the
/// end does not come nearer once somebody has bid; one auction of an item at a time, one turn to pay at a time, one that pays.
package enum AuctionSchema {
    package static let steps = [
        SchemaStep("beats-auction-001", tables + keeping), SchemaStep("beats-auction-002", tries),
        SchemaStep("beats-auction-003", refunds),
    ]

    private static let tables = """
        CREATE TABLE auctions (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT,
            id       TEXT NOT NULL UNIQUE,
            item     TEXT NOT NULL REFERENCES items (id) ON DELETE CASCADE,
            seller   TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            key      TEXT NOT NULL,
            currency TEXT NOT NULL,
            start    INTEGER NOT NULL CHECK (start > 0),
            step     INTEGER NOT NULL CHECK (step > 0),
            -- With all extensions.
            ends     INTEGER NOT NULL,
            version  INTEGER NOT NULL DEFAULT 1,
            state    TEXT NOT NULL DEFAULT 'running'
                CHECK (state IN ('running', 'paying', 'sold', 'unsold', 'withdrawn')),
            created  INTEGER NOT NULL,
            closed   INTEGER,
            UNIQUE (seller, key),
            CHECK ((state = 'running') = (closed IS NULL))
        ) STRICT;
        CREATE UNIQUE INDEX auctionsOfItems ON auctions (item) WHERE state IN ('running', 'paying', 'sold');
        CREATE INDEX auctionsByItem ON auctions (item, sequence);
        CREATE INDEX auctionsByEnd ON auctions (ends) WHERE state = 'running';
        CREATE TABLE bids (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT,
            auction  INTEGER NOT NULL REFERENCES auctions (sequence) ON DELETE CASCADE,
            -- NULL: whose account is gone.
            bidder   TEXT REFERENCES accounts (id) ON DELETE SET NULL,
            key      TEXT NOT NULL,
            amount   INTEGER NOT NULL CHECK (amount > 0),
            card     TEXT NOT NULL CHECK (card IN ('hold', 'keep')),
            version  INTEGER NOT NULL,
            at       INTEGER NOT NULL,
            -- When the auction ends from this bid on.
            ends     INTEGER NOT NULL,
            isExtending INTEGER NOT NULL CHECK (isExtending IN (0, 1)),
            UNIQUE (bidder, key)
        ) STRICT;
        CREATE INDEX bidsByAuction ON bids (auction, sequence);
        CREATE INDEX bidsByBidder ON bids (auction, bidder, sequence);
        -- Whose turn it is to pay, one after the other.
        CREATE TABLE auctionOffers (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT,
            auction  INTEGER NOT NULL REFERENCES auctions (sequence) ON DELETE CASCADE,
            bid      INTEGER NOT NULL UNIQUE REFERENCES bids (sequence) ON DELETE CASCADE,
            at       INTEGER NOT NULL,
            until    INTEGER NOT NULL CHECK (until > at),
            isWinner INTEGER NOT NULL CHECK (isWinner IN (0, 1)),
            state    TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'paid', 'lapsed')),
            -- What it was paid with, by the payment side's name of it.
            payment  TEXT,
            CHECK ((state = 'paid') = (payment IS NOT NULL))
        ) STRICT;
        CREATE UNIQUE INDEX auctionOffersOpen ON auctionOffers (auction) WHERE state IN ('open', 'paid');
        CREATE INDEX auctionOffersByAuction ON auctionOffers (auction, sequence);
        CREATE INDEX auctionOffersByTime ON auctionOffers (until) WHERE state = 'open';

        """

    private static let tries = """
        -- Bids whose card is asked for first.
        CREATE TABLE bidTries (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT,
            auction  INTEGER NOT NULL REFERENCES auctions (sequence) ON DELETE CASCADE,
            bidder   TEXT REFERENCES accounts (id) ON DELETE SET NULL,
            key      TEXT NOT NULL,
            amount   INTEGER NOT NULL CHECK (amount > 0),
            card     TEXT NOT NULL CHECK (card IN ('hold', 'keep')),
            version  INTEGER NOT NULL,
            at       INTEGER NOT NULL,
            state    TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'placed', 'won', 'refused', 'over')),
            bid      INTEGER UNIQUE REFERENCES bids (sequence) ON DELETE CASCADE,
            UNIQUE (bidder, key)
        ) STRICT;
        CREATE INDEX bidTriesOpen ON bidTries (sequence) WHERE state IN ('waiting', 'placed', 'won');
        CREATE INDEX bidTriesByAuction ON bidTries (auction);
        """

    private static let refunds = """
        -- What was sold is unsold again when its money has gone back.
        DROP TRIGGER auctionsStay;
        CREATE TRIGGER auctionsStay BEFORE UPDATE ON auctions
        WHEN NOT (NEW.sequence = OLD.sequence AND NEW.id = OLD.id AND NEW.item = OLD.item AND NEW.seller = OLD.seller
            AND NEW.key = OLD.key AND NEW.created = OLD.created
            AND CASE OLD.state WHEN 'running' THEN 1
                WHEN 'paying' THEN NEW.state IN ('paying', 'sold', 'unsold', 'withdrawn')
                WHEN 'sold' THEN NEW.state IN ('sold', 'unsold') ELSE NEW.state = OLD.state END
            AND (NEW.version > OLD.version AND OLD.state = 'running'
                    AND NOT EXISTS (SELECT 1 FROM bids WHERE auction = OLD.sequence)
                OR NEW.version = OLD.version AND NEW.currency = OLD.currency AND NEW.start = OLD.start
                    AND NEW.step = OLD.step AND NEW.ends >= OLD.ends))
        BEGIN SELECT RAISE(ABORT, 'an auction stays as it was bid upon'); END;
        """

    private static let keeping = """
        CREATE TRIGGER bidsRise BEFORE INSERT ON bids
        WHEN NOT EXISTS (
            SELECT 1 FROM auctions WHERE sequence = NEW.auction AND state = 'running' AND NEW.at < ends
                AND NEW.ends >= ends AND NEW.bidder IS NOT NULL AND NEW.bidder <> seller AND NEW.version = version
                AND NEW.amount >= COALESCE(
                    (SELECT amount + auctions.step FROM bids WHERE auction = NEW.auction ORDER BY sequence DESC LIMIT 1),
                    start))
        BEGIN SELECT RAISE(ABORT, 'a bid is higher than the one before, and comes before the end'); END;
        CREATE TRIGGER bidsExtend AFTER INSERT ON bids BEGIN
            UPDATE auctions SET ends = NEW.ends WHERE sequence = NEW.auction AND ends <> NEW.ends;
        END;
        -- Only the names of accounts that are gone go with them.
        CREATE TRIGGER bidsStay BEFORE UPDATE ON bids
        WHEN NOT (NEW.sequence = OLD.sequence AND NEW.auction = OLD.auction AND NEW.key = OLD.key
            AND NEW.amount = OLD.amount AND NEW.card = OLD.card AND NEW.version = OLD.version AND NEW.at = OLD.at
            AND NEW.ends = OLD.ends AND NEW.isExtending = OLD.isExtending AND NEW.bidder IS NULL
            AND NOT EXISTS (SELECT 1 FROM accounts WHERE id = OLD.bidder))
        BEGIN SELECT RAISE(ABORT, 'a bid stays as it was placed'); END;
        CREATE TRIGGER bidsAreKept BEFORE DELETE ON bids
        WHEN EXISTS (SELECT 1 FROM auctions WHERE sequence = OLD.auction)
        BEGIN SELECT RAISE(ABORT, 'a bid goes with its auction alone'); END;
        CREATE TRIGGER auctionsStay BEFORE UPDATE ON auctions
        WHEN NOT (NEW.sequence = OLD.sequence AND NEW.id = OLD.id AND NEW.item = OLD.item AND NEW.seller = OLD.seller
            AND NEW.key = OLD.key AND NEW.created = OLD.created
            AND CASE OLD.state WHEN 'running' THEN 1
                WHEN 'paying' THEN NEW.state IN ('paying', 'sold', 'unsold', 'withdrawn') ELSE NEW.state = OLD.state END
            AND (NEW.version > OLD.version AND OLD.state = 'running'
                    AND NOT EXISTS (SELECT 1 FROM bids WHERE auction = OLD.sequence)
                OR NEW.version = OLD.version AND NEW.currency = OLD.currency AND NEW.start = OLD.start
                    AND NEW.step = OLD.step AND NEW.ends >= OLD.ends))
        BEGIN SELECT RAISE(ABORT, 'an auction stays as it was bid upon'); END;
        CREATE TRIGGER auctionsAreKept BEFORE DELETE ON auctions
        WHEN EXISTS (SELECT 1 FROM items WHERE id = OLD.item) AND EXISTS (SELECT 1 FROM accounts WHERE id = OLD.seller)
        BEGIN SELECT RAISE(ABORT, 'an auction goes with its item alone'); END;
        CREATE TRIGGER auctionOffersStay BEFORE UPDATE ON auctionOffers
        WHEN NOT (NEW.sequence = OLD.sequence AND NEW.auction = OLD.auction AND NEW.bid = OLD.bid AND NEW.at = OLD.at
            AND NEW.until = OLD.until AND NEW.isWinner = OLD.isWinner AND OLD.state = 'open')
        BEGIN SELECT RAISE(ABORT, 'a turn to pay ends once'); END;
        """
}
