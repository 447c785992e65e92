internal import ChirpDatabase

/// Which clips a program of the hub has listened to, as steps.
enum HearingSchema {
    static let steps = [
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
