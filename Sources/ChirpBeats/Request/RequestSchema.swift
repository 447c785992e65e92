package import ChirpDatabase

/// The tables of requests, as steps. What was done stays as it was done, and an amount that was agreed on stays what it is, whatever else
/// goes wrong.
package enum RequestSchema {
    package static let steps = [
        SchemaStep("beats-request-001", tables + keeping),
        SchemaStep(
            "beats-request-002",
            """
            -- What the producer hands over: one of her own tracks.
            ALTER TABLE requests ADD COLUMN track TEXT REFERENCES items (id) ON DELETE SET NULL;
            CREATE INDEX requestsByTrack ON requests (track) WHERE track IS NOT NULL;
            """),
    ]

    private static let tables = """
        CREATE TABLE requests (
            sequence  INTEGER PRIMARY KEY AUTOINCREMENT,
            id        TEXT NOT NULL UNIQUE,
            asker     TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            producer  TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            key       TEXT NOT NULL,
            words     TEXT NOT NULL,
            clip      TEXT REFERENCES clips (id) ON DELETE SET NULL,
            -- A track that it is to be like.
            reference TEXT REFERENCES items (id) ON DELETE SET NULL,
            phase     TEXT NOT NULL DEFAULT 'asked' CHECK (phase IN
                ('asked', 'priced', 'countered', 'agreed', 'paid', 'delivered', 'declined', 'expired')),
            -- Who has named the amount, or declined.
            "by"      TEXT NOT NULL DEFAULT 'asker' CHECK ("by" IN ('asker', 'producer')),
            amount    INTEGER CHECK (amount > 0),
            currency  TEXT,
            moves     INTEGER NOT NULL DEFAULT 0,
            created   INTEGER NOT NULL,
            changed   INTEGER NOT NULL,
            expires   INTEGER,
            UNIQUE (asker, key),
            CHECK (asker <> producer),
            CHECK ((amount IS NULL) = (currency IS NULL)),
            CHECK (amount IS NOT NULL OR phase IN ('asked', 'declined', 'expired'))
        ) STRICT;
        CREATE INDEX requestsByAsker ON requests (asker, sequence);
        CREATE INDEX requestsByProducer ON requests (producer, sequence);
        CREATE INDEX requestsByClip ON requests (clip) WHERE clip IS NOT NULL;
        CREATE INDEX requestsByReference ON requests (reference) WHERE reference IS NOT NULL;
        CREATE INDEX requestsByExpiry ON requests (expires) WHERE expires IS NOT NULL;
        CREATE TABLE requestMoves (
            request  INTEGER NOT NULL REFERENCES requests (sequence) ON DELETE CASCADE,
            number   INTEGER NOT NULL,
            -- 'time': nobody has moved.
            side     TEXT NOT NULL CHECK (side IN ('asker', 'producer', 'time')),
            act      TEXT NOT NULL,
            amount   INTEGER,
            currency TEXT,
            words    TEXT NOT NULL DEFAULT '',
            -- Of a payment or a delivery, by the name that its side has for it.
            mark     TEXT,
            at       INTEGER NOT NULL,
            PRIMARY KEY (request, number)
        ) STRICT, WITHOUT ROWID;

        """

    private static let keeping = """
        CREATE TRIGGER requestsStay BEFORE UPDATE ON requests
        WHEN NOT (NEW.sequence = OLD.sequence AND NEW.id = OLD.id AND NEW.asker = OLD.asker
            AND NEW.producer = OLD.producer AND NEW.key = OLD.key AND NEW.created = OLD.created
            AND (NEW.moves = OLD.moves AND NEW.phase = OLD.phase AND NEW.amount IS OLD.amount
                    AND NEW.currency IS OLD.currency AND NEW."by" = OLD."by"
                OR NEW.moves = OLD.moves + 1 AND CASE OLD.phase
                    WHEN 'asked' THEN NEW.phase IN ('priced', 'declined', 'expired')
                    WHEN 'priced' THEN NEW.phase IN ('countered', 'agreed', 'declined', 'expired')
                    WHEN 'countered' THEN NEW.phase IN ('countered', 'agreed', 'declined', 'expired')
                    WHEN 'agreed' THEN NEW.phase IN ('paid', 'expired')
                    WHEN 'paid' THEN NEW.phase = 'delivered' ELSE 0 END)
            AND (NEW.phase NOT IN ('agreed', 'paid', 'delivered', 'declined', 'expired')
                OR NEW.amount IS OLD.amount AND NEW.currency IS OLD.currency))
        BEGIN SELECT RAISE(ABORT, 'a request goes one step after the other, and an agreed amount stays'); END;
        CREATE TRIGGER requestMovesAreNew BEFORE INSERT ON requestMoves
        WHEN NEW.number <> (SELECT COUNT(*) + 1 FROM requestMoves WHERE request = NEW.request)
        BEGIN SELECT RAISE(ABORT, 'what was done is written down one after the other'); END;
        CREATE TRIGGER requestMovesStay BEFORE UPDATE ON requestMoves
        BEGIN SELECT RAISE(ABORT, 'what was done stays as it was done'); END;
        CREATE TRIGGER requestMovesAreKept BEFORE DELETE ON requestMoves
        WHEN EXISTS (SELECT 1 FROM requests WHERE sequence = OLD.request)
        BEGIN SELECT RAISE(ABORT, 'what was done goes with its request alone'); END;
        """
}
