package import ChirpDatabase

/// The table of ties that both want, as steps: one row for two people, whoever has asked.
package enum ConnectionSchema {
    package static let steps = [
        SchemaStep(
            "beats-connection-001",
            """
            CREATE TABLE connections (
                asker TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                asked TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                phase TEXT NOT NULL CHECK (phase IN ('asked', 'accepted', 'declined', 'ended')),
                since INTEGER NOT NULL,
                PRIMARY KEY (asker, asked),
                CHECK (asker <> asked)
            ) STRICT, WITHOUT ROWID;
            CREATE UNIQUE INDEX connectionsOfTwo ON connections (min(asker, asked), max(asker, asked));
            CREATE INDEX connectionsByAsked ON connections (asked, phase);
            -- How often somebody has asked within a day, also when the tie has gone on since.
            CREATE TABLE connectionQuestions (
                sequence INTEGER PRIMARY KEY,
                asker    TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                at       INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX connectionQuestionsByAsker ON connectionQuestions (asker, at);
            """)
    ]
}
