internal import ChirpDatabase

/// The table of clips whose sound is kept in a store beside the hub's folder, as steps.
///
/// A row is written before the first byte leaves, and goes when the store has nothing of it any more. That a clip is deleted, by whom and
/// however, is noticed by a trigger in the same transaction: whoever deletes knows of no store.
enum AwaySchema {
    static let steps = [
        SchemaStep(
            "away-001",
            """
            CREATE TABLE storedClips (
                -- The store's name for it. No other clip ever has it.
                object  TEXT PRIMARY KEY,
                clip    TEXT NOT NULL,
                -- Which store, and where in it.
                place   TEXT NOT NULL,
                bytes   INTEGER NOT NULL,
                sha256  TEXT NOT NULL,
                -- On its way; there, and read back; or to be removed, since its clip is.
                state   TEXT NOT NULL CHECK (state IN ('uploading', 'there', 'leaving')),
                -- By which an upload that was broken off goes on.
                session TEXT,
                -- When something failed with it last; 0: never.
                failed  INTEGER NOT NULL DEFAULT 0
            ) STRICT, WITHOUT ROWID;
            CREATE UNIQUE INDEX storedClipsByClip ON storedClips (clip) WHERE state <> 'leaving';
            CREATE INDEX storedClipsLeaving ON storedClips (failed) WHERE state = 'leaving';
            CREATE TRIGGER storedClipLeaves AFTER DELETE ON clips BEGIN
                UPDATE storedClips SET state = 'leaving', session = NULL WHERE clip = OLD.id AND state <> 'leaving';
            END;
            """)
    ]
}
