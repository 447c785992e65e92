internal import ChirpDatabase

/// The table of broken records that were announced, as steps.
enum AnnouncementSchema {
    static let steps = [
        SchemaStep(
            "announcements-001",
            """
            -- One for each record that was broken, whatever became of it: none is announced twice.
            CREATE TABLE recordAnnouncements (
                attempt INTEGER PRIMARY KEY REFERENCES attempts (sequence) ON DELETE CASCADE,
                -- NULL: nothing is to be heard of it, or it was deleted.
                clip    TEXT REFERENCES clips (id) ON DELETE SET NULL,
                made    INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX recordAnnouncementsByClip ON recordAnnouncements (clip) WHERE clip IS NOT NULL;
            -- A record that is none any more is announced no longer; what is posted of a clip goes with it.
            CREATE TRIGGER recordsUnannounced AFTER UPDATE OF state ON attempts
            WHEN OLD.state = 'verified' AND NEW.state <> 'verified' BEGIN
                DELETE FROM clips WHERE id IN (
                    SELECT clip FROM recordAnnouncements WHERE attempt = NEW.sequence AND clip IS NOT NULL);
            END;
            """),
        // What is announced is of the last day, among the news of years.
        SchemaStep(
            "announcements-002",
            "CREATE INDEX recordNewsOfRecords ON recordNews (at, sequence) WHERE kind = 'record';"),
        SchemaStep(
            "announcements-003",
            """
            -- Those that were begun and are not announced yet.
            CREATE TABLE announcementTries (
                attempt INTEGER PRIMARY KEY REFERENCES attempts (sequence) ON DELETE CASCADE,
                tries   INTEGER NOT NULL CHECK (tries >= 1),
                -- Not before then, in ms.
                again   INTEGER NOT NULL
            ) STRICT;
            """),
    ]
}
