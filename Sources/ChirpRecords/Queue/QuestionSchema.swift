internal import ChirpDatabase

/// The table of what those who judge have asked the authors of attempts, as steps.
enum QuestionSchema {
    static let steps = [
        SchemaStep(
            "trying-002",
            """
            CREATE TABLE attemptQuestions (
                sequence INTEGER PRIMARY KEY AUTOINCREMENT,
                attempt  INTEGER NOT NULL REFERENCES attempts (sequence) ON DELETE CASCADE,
                -- NULL: whose account is gone. The author never learns who it was.
                "by"     TEXT REFERENCES accounts (id) ON DELETE SET NULL,
                -- Empty then too; a question without an answer goes.
                text     TEXT NOT NULL,
                at       INTEGER NOT NULL,
                -- Of the author; empty: not yet.
                answer   TEXT NOT NULL DEFAULT '',
                answered INTEGER
            ) STRICT;
            CREATE INDEX attemptQuestionsByAttempt ON attemptQuestions (attempt, sequence);
            CREATE INDEX attemptQuestionsByAuthor ON attemptQuestions ("by") WHERE "by" IS NOT NULL;
            """)
    ]
}
