internal import ChirpDatabase

/// The tables of who verifies and of what was decided, as steps.
enum VerdictSchema {
    static let steps = [
        SchemaStep(
            "records-003",
            """
            -- Whom moderators have chosen to verify attempts at a challenge.
            CREATE TABLE verifiers (
                challenge TEXT NOT NULL REFERENCES items (id) ON DELETE CASCADE,
                account   TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                -- NULL: whose account is gone.
                chooser   TEXT REFERENCES accounts (id) ON DELETE SET NULL,
                at        INTEGER NOT NULL,
                PRIMARY KEY (challenge, account)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX verifiersByAccount ON verifiers (account);
            CREATE INDEX verifiersByChooser ON verifiers (chooser) WHERE chooser IS NOT NULL;
            -- What people, and the hub itself, have said of attempts. It goes with the attempt alone.
            CREATE TABLE verdicts (
                sequence INTEGER PRIMARY KEY AUTOINCREMENT,
                attempt  INTEGER NOT NULL REFERENCES attempts (sequence) ON DELETE CASCADE,
                -- NULL: the hub, or whose account is gone.
                "by"     TEXT REFERENCES accounts (id) ON DELETE SET NULL,
                standing TEXT NOT NULL CHECK (standing IN ('verifier', 'moderator', 'hub')),
                what     TEXT NOT NULL CHECK (what IN ('verify', 'reject')),
                why      TEXT NOT NULL,
                -- 1: after an appeal.
                round    INTEGER NOT NULL CHECK (round IN (0, 1)),
                at       INTEGER NOT NULL,
                CHECK (what = 'verify' OR why <> '')
            ) STRICT;
            CREATE INDEX verdictsByAttempt ON verdicts (attempt, round);
            CREATE INDEX verdictsByAuthor ON verdicts ("by") WHERE "by" IS NOT NULL;
            CREATE UNIQUE INDEX verdictsOnce ON verdicts (attempt, round, "by") WHERE standing = 'verifier';
            CREATE TRIGGER verdictsAreOfOthers BEFORE INSERT ON verdicts
            WHEN EXISTS (SELECT 1 FROM attempts JOIN rules ON rules.sequence = attempts.rule
                WHERE attempts.sequence = NEW.attempt AND NEW."by" IN (attempts.account, rules.setter))
            BEGIN SELECT RAISE(ABORT, 'nobody verifies own attempts, or attempts at own challenges'); END;
            -- What was said stays as it was written. Only the names of accounts that are gone go with them.
            CREATE TRIGGER verdictsStay BEFORE UPDATE ON verdicts
            WHEN NOT (NEW.sequence = OLD.sequence AND NEW.attempt = OLD.attempt AND NEW.standing = OLD.standing
                AND NEW.what = OLD.what AND NEW.why = OLD.why AND NEW.round = OLD.round AND NEW.at = OLD.at
                AND (NEW."by" IS OLD."by"
                    OR NEW."by" IS NULL AND NOT EXISTS (SELECT 1 FROM accounts WHERE id = OLD."by")))
            BEGIN SELECT RAISE(ABORT, 'a verdict stays as it was written'); END;
            CREATE TRIGGER verdictsAreKept BEFORE DELETE ON verdicts
            WHEN EXISTS (SELECT 1 FROM attempts WHERE sequence = OLD.attempt)
            BEGIN SELECT RAISE(ABORT, 'a verdict is never removed'); END;
            -- INSERT OR REPLACE would remove one without the trigger above.
            CREATE TRIGGER verdictsAreNew BEFORE INSERT ON verdicts
            WHEN EXISTS (SELECT 1 FROM verdicts WHERE sequence = NEW.sequence)
                OR NEW.standing = 'verifier' AND EXISTS (SELECT 1 FROM verdicts WHERE attempt = NEW.attempt
                    AND round = NEW.round AND "by" = NEW."by" AND standing = 'verifier')
            BEGIN SELECT RAISE(ABORT, 'a verdict stays as it was written'); END;
            """)
    ]
}
