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
}
