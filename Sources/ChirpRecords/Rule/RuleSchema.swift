internal import ChirpDatabase

/// The table of rules, as steps. Scores are whole numbers of the last place that counts; instants whole milliseconds since 1970 in UTC.
enum RuleSchema {
    static let steps = [
        SchemaStep(
            "records-001",
            """
            CREATE TABLE rules (
                sequence  INTEGER PRIMARY KEY AUTOINCREMENT,
                challenge TEXT NOT NULL REFERENCES items (id) ON DELETE CASCADE,
                version   INTEGER NOT NULL CHECK (version > 0),
                -- The challenge's author; NULL: whose account is gone, and others have tried it.
                setter    TEXT REFERENCES accounts (id) ON DELETE SET NULL,
                measure   TEXT NOT NULL CHECK (measure IN ('time', 'count', 'length', 'weight', 'level', 'points')),
                unit      TEXT NOT NULL,
                better    TEXT NOT NULL CHECK (better IN ('more', 'less')),
                decimals  INTEGER NOT NULL CHECK (decimals BETWEEN 0 AND 6),
                step      INTEGER NOT NULL CHECK (step > 0),
                low       INTEGER NOT NULL,
                high      INTEGER NOT NULL,
                -- Kinds of evidence, in alphabetical order with spaces between.
                needs     TEXT NOT NULL,
                invalid   TEXT NOT NULL,
                place     TEXT NOT NULL CHECK (place IN ('anywhere', 'here')),
                begins    INTEGER,
                ends      INTEGER,
                grace     INTEGER NOT NULL DEFAULT 0 CHECK (grace >= 0),
                made      INTEGER NOT NULL,
                UNIQUE (challenge, version),
                CHECK (low < high),
                CHECK ((begins IS NULL) = (ends IS NULL) AND (begins IS NULL OR begins < ends))
            ) STRICT;
            CREATE INDEX rulesBySetter ON rules (setter);
            CREATE INDEX rulesByEnd ON rules (ends) WHERE ends IS NOT NULL;
            CREATE INDEX rulesByBegin ON rules (begins) WHERE begins IS NOT NULL;
            -- Attempts are judged by what was written when they were made. Only the names of accounts that are gone go with them.
            CREATE TRIGGER rulesStay BEFORE UPDATE ON rules
            WHEN NOT (NEW.sequence = OLD.sequence AND NEW.challenge = OLD.challenge AND NEW.version = OLD.version
                AND NEW.measure = OLD.measure AND NEW.unit = OLD.unit AND NEW.better = OLD.better
                AND NEW.decimals = OLD.decimals AND NEW.step = OLD.step AND NEW.low = OLD.low AND NEW.high = OLD.high
                AND NEW.needs = OLD.needs AND NEW.invalid = OLD.invalid AND NEW.place = OLD.place
                AND NEW.begins IS OLD.begins AND NEW.ends IS OLD.ends AND NEW.grace = OLD.grace AND NEW.made = OLD.made
                AND NEW.setter IS NULL AND NOT EXISTS (SELECT 1 FROM accounts WHERE id = OLD.setter))
            BEGIN SELECT RAISE(ABORT, 'a rule stays as it was written; another is a new version'); END;
            """)
    ]
}
