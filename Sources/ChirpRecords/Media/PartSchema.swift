internal import ChirpDatabase

/// What lets reports and decisions be about an attempt by itself, as steps.
enum PartSchema {
    static let steps = [
        SchemaStep(
            "attemptParts-001",
            """
            INSERT INTO itemParts (id, item, account, kind, path, text, shown)
            SELECT attempts.id, rules.challenge, attempts.account, 'attempt', 'attempts/' || attempts.id, attempts.text,
                attempts.state IN ('waiting', 'verified')
            FROM attempts JOIN rules ON rules.sequence = attempts.rule;
            CREATE TRIGGER attemptPartsCome AFTER INSERT ON attempts BEGIN
                INSERT INTO itemParts (id, item, account, kind, path, text, shown)
                SELECT NEW.id, challenge, NEW.account, 'attempt', 'attempts/' || NEW.id, NEW.text,
                    NEW.state IN ('waiting', 'verified')
                FROM rules WHERE sequence = NEW.rule;
            END;
            CREATE TRIGGER attemptPartsGo AFTER DELETE ON attempts BEGIN
                DELETE FROM itemParts WHERE id = OLD.id;
            END;
            -- What everybody sees of an attempt they see of its media, from the same instant on and no longer.
            DROP TRIGGER attemptMediaShown;
            CREATE TRIGGER attemptPartsTurn AFTER UPDATE OF state ON attempts
            WHEN (NEW.state IN ('waiting', 'verified')) <> (OLD.state IN ('waiting', 'verified')) BEGIN
                UPDATE itemParts SET shown = NEW.state IN ('waiting', 'verified') WHERE id = NEW.id;
            END;
            CREATE TRIGGER attemptPartsShown AFTER UPDATE OF shown, hidden ON itemParts
            WHEN NEW.kind = 'attempt' AND (NEW.shown AND NOT NEW.hidden) <> (OLD.shown AND NOT OLD.hidden) BEGIN
                UPDATE itemFilms SET shown = NEW.shown AND NOT NEW.hidden WHERE film IN (
                    SELECT film FROM attemptMedia WHERE attempt = (SELECT sequence FROM attempts WHERE id = NEW.id));
                UPDATE itemMedia SET shown = NEW.shown AND NOT NEW.hidden
                WHERE clip IN (
                        SELECT clip FROM attemptMedia WHERE attempt = (SELECT sequence FROM attempts WHERE id = NEW.id))
                    OR picture IN (
                        SELECT picture FROM attemptMedia WHERE attempt = (SELECT sequence FROM attempts WHERE id = NEW.id));
                UPDATE clips SET shared = 1 WHERE NEW.shown AND NOT NEW.hidden AND id IN (
                    SELECT clip FROM attemptMedia WHERE attempt = (SELECT sequence FROM attempts WHERE id = NEW.id));
            END;
            """)
    ]
}
