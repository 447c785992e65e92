internal import ChirpDatabase

/// What goes with an account although no reference takes its row along, as steps.
///
/// Rows that are hers go by their references to `accounts`. These are about others and stay, or name her in a text: a report belongs
/// to a case about somebody else, a letter is remembered by its cause, a push and a letter to somebody else tell what she did.
enum ErasureSchema {
    static let steps = [
        SchemaStep(
            "erasure-001",
            """
            -- A case goes on without the name and the words of who reported; her picture goes with her.
            CREATE TRIGGER reportsUnsaid BEFORE DELETE ON accounts BEGIN
                UPDATE reports SET text = '', picture = NULL WHERE reporter = OLD.id;
            END;
            UPDATE reports SET text = '', picture = NULL WHERE reporter IS NULL;
            -- What is told to her, or of her to others, is told no more; nor is it remembered for whom it was. Only that the account was
            -- changed is still told to the address that it had.
            CREATE TRIGGER lettersUnsent BEFORE DELETE ON accounts BEGIN
                DELETE FROM letters WHERE account = OLD.id AND NOT (kind = 'changed' AND state = 'waiting');
                DELETE FROM letters WHERE instr(cause || ':', ':' || OLD.id || ':')
                    OR state = 'waiting' AND kind = 'noticed' AND (json_extract(data, '$.actor') = OLD.handle
                        OR json_extract(data, '$.path') IN (
                            SELECT '/' || board || '/' || id FROM items WHERE items.account = OLD.id));
            END;
            CREATE TRIGGER pushesUnsent BEFORE DELETE ON accounts BEGIN
                DELETE FROM pushes WHERE path IN (SELECT '/' || board || '/' || id FROM items WHERE items.account = OLD.id);
            END;
            """),
        SchemaStep(
            "erasure-002",
            """
            -- How many accounts with items have gone, and of how many of them the index of words has forgotten the words.
            CREATE TABLE itemErasures (
                erased    INTEGER NOT NULL,
                forgotten INTEGER NOT NULL
            ) STRICT;
            INSERT INTO itemErasures (erased, forgotten) VALUES (0, 0);
            CREATE TRIGGER itemWordsUnsaid BEFORE DELETE ON accounts
            WHEN EXISTS (SELECT 1 FROM items WHERE items.account = OLD.id) BEGIN
                UPDATE itemErasures SET erased = erased + 1;
            END;
            """),
    ]
}
