internal import ChirpDatabase

/// The table of what people want to be told, as steps.
enum NoticeSchema {
    static let steps = [
        SchemaStep(
            "notices-001",
            """
            -- Only what somebody has chosen; for the rest there is a rule.
            CREATE TABLE noticeChoices (
                account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                kind    TEXT NOT NULL,
                onPage  INTEGER NOT NULL CHECK (onPage IN (0, 1)),
                byMail  INTEGER NOT NULL CHECK (byMail IN (0, 1)),
                PRIMARY KEY (account, kind)
            ) STRICT, WITHOUT ROWID;
            """)
    ]
}
