internal import ChirpDatabase

/// Texts of licences. A version is never changed: what supersedes it is the next version of its line. One that was sold is never removed.
enum LicenceSchema {
    static let steps = [SchemaStep("beats-licence-001", tables)]

    private static let tables = """
        CREATE TABLE licenceTexts (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT,
            id       TEXT NOT NULL UNIQUE,
            -- What it is a version of: an id, or the name of a template.
            line     TEXT NOT NULL CHECK (line <> ''),
            version  INTEGER NOT NULL CHECK (version > 0),
            -- Whose it is; NULL: a template's, or whose account is gone.
            account  TEXT REFERENCES accounts (id) ON DELETE SET NULL,
            language TEXT NOT NULL,
            title    TEXT NOT NULL,
            body     TEXT NOT NULL,
            sha256   TEXT NOT NULL CHECK (length(sha256) = 64),
            made     INTEGER NOT NULL,
            UNIQUE (line, version)
        ) STRICT;
        CREATE INDEX licenceTextsByAccount ON licenceTexts (account, line, version) WHERE account IS NOT NULL;
        CREATE TRIGGER licenceTextsAreNew BEFORE INSERT ON licenceTexts
        WHEN EXISTS (SELECT 1 FROM licenceTexts WHERE sequence = NEW.sequence OR id = NEW.id)
            OR NEW.version <> (SELECT COALESCE(MAX(version), 0) + 1 FROM licenceTexts WHERE line = NEW.line)
            OR EXISTS (SELECT 1 FROM licenceTexts WHERE line = NEW.line AND account IS NOT NEW.account)
        BEGIN SELECT RAISE(ABORT, 'a version of a licence text follows the one before it'); END;
        -- Only the name of an account that is gone goes with it.
        CREATE TRIGGER licenceTextsStay BEFORE UPDATE ON licenceTexts
        WHEN NOT (NEW.sequence = OLD.sequence AND NEW.id = OLD.id AND NEW.line = OLD.line AND NEW.version = OLD.version
            AND NEW.language = OLD.language AND NEW.title = OLD.title AND NEW.body = OLD.body
            AND NEW.sha256 = OLD.sha256 AND NEW.made = OLD.made AND NEW.account IS NULL
            AND NOT EXISTS (SELECT 1 FROM accounts WHERE id = OLD.account))
        BEGIN SELECT RAISE(ABORT, 'a licence text stays as it was written'); END;
        """
}
