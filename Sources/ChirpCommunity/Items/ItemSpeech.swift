internal import ChirpDatabase

/// What is said in the clip of an item is among the words that it is found by, as far as somebody or a program has written it down.
///
/// The index reads its texts from a view, so that the words are kept once, with the transcript. Triggers on both sides keep it: whichever
/// goes first when a clip goes, what leaves the index is what was in it.
enum ItemSpeech {
    static let steps = [SchemaStep("items-004", words + index + triggers)]

    /// Transcripts of earlier releases have their words too; of long ones those at the beginning, as ``TranscriptDraft/spoken`` has them.
    private static let words = """
        -- The words alone, without times, as far as they are looked for.
        ALTER TABLE transcripts ADD COLUMN spoken TEXT NOT NULL DEFAULT '';
        UPDATE transcripts SET spoken = substr(text, 1, 5000) WHERE form = 'words';
        UPDATE transcripts SET spoken = (
            WITH RECURSIVE lines (line, rest) AS (
                SELECT '', substr(transcripts.text, 1, 40000) || char(10)
                UNION ALL
                SELECT substr(rest, 1, instr(rest, char(10)) - 1), substr(rest, instr(rest, char(10)) + 1)
                FROM lines WHERE rest <> ''
            )
            SELECT substr(replace(replace(replace(coalesce(group_concat(line, ' '), ''),
                '&lt;', '<'), '&gt;', '>'), '&amp;', '&'), 1, 5000)
            FROM lines WHERE line NOT IN ('', 'WEBVTT') AND line NOT GLOB '[0-9]*:[0-9][0-9].[0-9][0-9][0-9] --> *'
        ) WHERE form = 'timed';

        """

    private static let index = """
        DROP TRIGGER itemWordsAdded;
        DROP TRIGGER itemWordsRemoved;
        DROP TRIGGER itemWordsChanged;
        DROP TABLE itemWords;
        CREATE VIEW itemTexts AS
            SELECT sequence, title, items.text AS text, tags, words, COALESCE(spoken, '') AS spoken
            FROM items LEFT JOIN transcripts ON transcripts.clip = items.clip;
        CREATE VIRTUAL TABLE itemWords USING fts5 (title, text, tags, words, spoken, content = 'itemTexts',
            content_rowid = 'sequence', tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');
        -- A word that a program has heard says less than one that somebody has written.
        INSERT INTO itemWords (itemWords, rank) VALUES ('rank', 'bm25(1.0, 1.0, 1.0, 1.0, 0.5)');
        INSERT INTO itemWords (itemWords) VALUES ('rebuild');

        """

    private static let triggers = """
        CREATE TRIGGER itemWordsAdded AFTER INSERT ON items BEGIN
            INSERT INTO itemWords (rowid, title, text, tags, words, spoken)
            VALUES (NEW.sequence, NEW.title, NEW.text, NEW.tags, NEW.words,
                COALESCE((SELECT spoken FROM transcripts WHERE clip = NEW.clip), ''));
        END;
        CREATE TRIGGER itemWordsRemoved AFTER DELETE ON items BEGIN
            INSERT INTO itemWords (itemWords, rowid, title, text, tags, words, spoken)
            VALUES ('delete', OLD.sequence, OLD.title, OLD.text, OLD.tags, OLD.words,
                COALESCE((SELECT spoken FROM transcripts WHERE clip = OLD.clip), ''));
        END;
        CREATE TRIGGER itemWordsChanged
        AFTER UPDATE OF sequence, title, text, tags, facets, state, hidden, shut, clip ON items
        WHEN OLD.sequence <> NEW.sequence OR OLD.title <> NEW.title OR OLD.text <> NEW.text OR OLD.tags <> NEW.tags
            OR OLD.words <> NEW.words OR OLD.clip IS NOT NEW.clip BEGIN
            INSERT INTO itemWords (itemWords, rowid, title, text, tags, words, spoken)
            VALUES ('delete', OLD.sequence, OLD.title, OLD.text, OLD.tags, OLD.words,
                COALESCE((SELECT spoken FROM transcripts WHERE clip = OLD.clip), ''));
            INSERT INTO itemWords (rowid, title, text, tags, words, spoken)
            VALUES (NEW.sequence, NEW.title, NEW.text, NEW.tags, NEW.words,
                COALESCE((SELECT spoken FROM transcripts WHERE clip = NEW.clip), ''));
        END;
        CREATE TRIGGER itemSpeechAdded AFTER INSERT ON transcripts WHEN NEW.spoken <> '' BEGIN
            INSERT INTO itemWords (itemWords, rowid, title, text, tags, words, spoken)
            SELECT 'delete', sequence, title, text, tags, words, '' FROM items WHERE clip = NEW.clip;
            INSERT INTO itemWords (rowid, title, text, tags, words, spoken)
            SELECT sequence, title, text, tags, words, NEW.spoken FROM items WHERE clip = NEW.clip;
        END;
        CREATE TRIGGER itemSpeechChanged AFTER UPDATE OF spoken ON transcripts WHEN OLD.spoken <> NEW.spoken BEGIN
            INSERT INTO itemWords (itemWords, rowid, title, text, tags, words, spoken)
            SELECT 'delete', sequence, title, text, tags, words, OLD.spoken FROM items WHERE clip = NEW.clip;
            INSERT INTO itemWords (rowid, title, text, tags, words, spoken)
            SELECT sequence, title, text, tags, words, NEW.spoken FROM items WHERE clip = NEW.clip;
        END;
        CREATE TRIGGER itemSpeechRemoved AFTER DELETE ON transcripts WHEN OLD.spoken <> '' BEGIN
            INSERT INTO itemWords (itemWords, rowid, title, text, tags, words, spoken)
            SELECT 'delete', sequence, title, text, tags, words, OLD.spoken FROM items WHERE clip = OLD.clip;
            INSERT INTO itemWords (rowid, title, text, tags, words, spoken)
            SELECT sequence, title, text, tags, words, '' FROM items WHERE clip = OLD.clip;
        END;
        """
}
