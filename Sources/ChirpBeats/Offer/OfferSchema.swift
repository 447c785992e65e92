internal import ChirpDatabase

/// The licences that works are offered under. What is offered is never changed, only ended and offered anew: so whoever is buying buys what she
/// has read (AR-16), and what was sold can be named for ever.
enum OfferSchema {
    static let steps = [SchemaStep("beats-offer-001", tables)]

    private static let tables = """
        CREATE TABLE licenceOffers (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT,
            id       TEXT NOT NULL UNIQUE,
            work     TEXT NOT NULL REFERENCES works (id) ON DELETE CASCADE,
            name     TEXT NOT NULL CHECK (name <> ''),
            -- The version that a buyer reads.
            text     INTEGER NOT NULL REFERENCES licenceTexts (sequence),
            terms    TEXT NOT NULL,
            made     INTEGER NOT NULL,
            -- Since when nobody can buy it any more.
            ended    INTEGER
        ) STRICT;
        CREATE INDEX licenceOffersByWork ON licenceOffers (work, sequence) WHERE ended IS NULL;
        CREATE INDEX licenceOffersByText ON licenceOffers (text);
        CREATE TRIGGER licenceOffersStay BEFORE UPDATE ON licenceOffers
        WHEN NOT (NEW.sequence = OLD.sequence AND NEW.id = OLD.id AND NEW.work = OLD.work AND NEW.name = OLD.name
            AND NEW.text = OLD.text AND NEW.terms = OLD.terms AND NEW.made = OLD.made
            AND OLD.ended IS NULL AND NEW.ended IS NOT NULL)
        BEGIN SELECT RAISE(ABORT, 'a licence that was offered stays as it was'); END;
        """
}
