internal import ChirpDatabase

/// Licences that were granted, with their papers. Nothing of them changes but that they end, and that accounts go.
enum GrantSchema {
    static let steps = [SchemaStep("beats-grant-001", tables + keeping)]

    private static let tables = """
        CREATE TABLE grantKeys (
            id     TEXT PRIMARY KEY CHECK (length(id) = 16),
            bytes  BLOB NOT NULL UNIQUE CHECK (length(bytes) = 32),
            since  INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE grants (
            sequence  INTEGER PRIMARY KEY AUTOINCREMENT,
            id        TEXT NOT NULL UNIQUE,
            buyOrder  TEXT NOT NULL UNIQUE,
            work      TEXT NOT NULL,
            kind      TEXT NOT NULL CHECK (kind IN ('lease', 'exclusive')),
            licence   TEXT NOT NULL,
            text      INTEGER NOT NULL REFERENCES licenceTexts (sequence),
            -- NULL: whose account is gone.
            licensor  TEXT REFERENCES accounts (id) ON DELETE SET NULL,
            licensee  TEXT REFERENCES accounts (id) ON DELETE SET NULL,
            sold      INTEGER NOT NULL,
            -- When it ends by itself; NULL: never.
            expires   INTEGER,
            -- When it was taken back, and why.
            ended     INTEGER,
            why       TEXT,
            statement BLOB NOT NULL,
            signature BLOB NOT NULL CHECK (length(signature) = 64),
            seal      BLOB NOT NULL CHECK (length(seal) = 64),
            signer    TEXT NOT NULL REFERENCES grantKeys (id),
            sha256    TEXT NOT NULL CHECK (length(sha256) = 64),
            CHECK ((ended IS NULL) = (why IS NULL))
        ) STRICT;
        -- An exclusive licence of a work is held by one at most (AR-17).
        CREATE UNIQUE INDEX grantsExclusive ON grants (work) WHERE kind = 'exclusive' AND ended IS NULL;
        CREATE INDEX grantsByWork ON grants (work, sequence);
        CREATE INDEX grantsByText ON grants (text);
        CREATE INDEX grantsByLicensor ON grants (licensor, sequence) WHERE licensor IS NOT NULL;
        CREATE INDEX grantsByLicensee ON grants (licensee, sequence) WHERE licensee IS NOT NULL;
        CREATE INDEX grantsByDigest ON grants (sha256);
        -- As they were issued: drawn again with other fonts they would be other files.
        CREATE TABLE grantPapers (
            grantID INTEGER PRIMARY KEY REFERENCES grants (sequence),
            pdf     BLOB NOT NULL
        ) STRICT;

        """

    private static let keeping = """
        CREATE TRIGGER grantKeysAreNew BEFORE INSERT ON grantKeys
        WHEN EXISTS (SELECT 1 FROM grantKeys WHERE id = NEW.id OR bytes = NEW.bytes)
        BEGIN SELECT RAISE(ABORT, 'a key stays as it was'); END;
        CREATE TRIGGER grantKeysStay BEFORE UPDATE ON grantKeys
        BEGIN SELECT RAISE(ABORT, 'a key stays as it was'); END;
        CREATE TRIGGER grantKeysAreKept BEFORE DELETE ON grantKeys
        BEGIN SELECT RAISE(ABORT, 'a key that has signed is kept'); END;
        CREATE TRIGGER grantsAreNew BEFORE INSERT ON grants
        WHEN NEW.ended IS NOT NULL OR EXISTS (SELECT 1 FROM grants WHERE sequence = NEW.sequence OR id = NEW.id
            OR buyOrder = NEW.buyOrder OR work = NEW.work AND kind = 'exclusive' AND NEW.kind = 'exclusive'
                AND ended IS NULL)
        BEGIN SELECT RAISE(ABORT, 'a grant stays as it was made'); END;
        CREATE TRIGGER grantsStay BEFORE UPDATE ON grants
        WHEN NOT (NEW.sequence = OLD.sequence AND NEW.id = OLD.id AND NEW.buyOrder = OLD.buyOrder
            AND NEW.work = OLD.work AND NEW.kind = OLD.kind AND NEW.licence = OLD.licence AND NEW.text = OLD.text
            AND NEW.sold = OLD.sold AND NEW.expires IS OLD.expires AND NEW.statement = OLD.statement
            AND NEW.signature = OLD.signature AND NEW.seal = OLD.seal AND NEW.signer = OLD.signer
            AND NEW.sha256 = OLD.sha256
            AND (NEW.ended IS OLD.ended AND NEW.why IS OLD.why OR OLD.ended IS NULL)
            AND (NEW.licensor IS OLD.licensor
                OR NEW.licensor IS NULL AND NOT EXISTS (SELECT 1 FROM accounts WHERE id = OLD.licensor))
            AND (NEW.licensee IS OLD.licensee
                OR NEW.licensee IS NULL AND NOT EXISTS (SELECT 1 FROM accounts WHERE id = OLD.licensee)))
        BEGIN SELECT RAISE(ABORT, 'a grant stays as it was made'); END;
        CREATE TRIGGER grantsAreKept BEFORE DELETE ON grants
        BEGIN SELECT RAISE(ABORT, 'a grant is never removed'); END;
        CREATE TRIGGER grantPapersAreNew BEFORE INSERT ON grantPapers
        WHEN EXISTS (SELECT 1 FROM grantPapers WHERE grantID = NEW.grantID)
        BEGIN SELECT RAISE(ABORT, 'a paper stays as it was issued'); END;
        CREATE TRIGGER grantPapersStay BEFORE UPDATE ON grantPapers
        BEGIN SELECT RAISE(ABORT, 'a paper stays as it was issued'); END;
        CREATE TRIGGER grantPapersAreKept BEFORE DELETE ON grantPapers
        BEGIN SELECT RAISE(ABORT, 'a paper is never removed'); END;
        """
}
