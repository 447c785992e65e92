internal import ChirpDatabase

/// What is said in clips, as steps.
enum TranscriptSchema {
    static let steps = [
        SchemaStep(
            "transcripts-001",
            """
            CREATE TABLE transcripts (
                clip     TEXT PRIMARY KEY REFERENCES clips (id) ON DELETE CASCADE,
                -- As in BCP 47; empty where nobody has said.
                language TEXT NOT NULL,
                -- Timed: WebVTT. Words: plain lines.
                form     TEXT NOT NULL CHECK (form IN ('timed', 'words')),
                text     TEXT NOT NULL,
                -- Own: the author's words. Hook: what a program of the hub has heard.
                source   TEXT NOT NULL CHECK (source IN ('own', 'hook')),
                changed  INTEGER NOT NULL
            ) STRICT;
            """)
    ]

    /// Which clips a program of the hub has listened to. They came after the steps of other parts.
    static let hearing = [
        SchemaStep(
            "hearing-001",
            """
            -- When a program had listened to it, or it was given up; null: it waits, where it was published without words.
            ALTER TABLE clips ADD COLUMN heard INTEGER;
            -- How often that was begun.
            ALTER TABLE clips ADD COLUMN hearings INTEGER NOT NULL DEFAULT 0;
            CREATE INDEX clipsUnheard ON clips (created) WHERE heard IS NULL;
            """)
    ]
}
