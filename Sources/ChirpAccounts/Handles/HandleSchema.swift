package import ChirpDatabase

/// The table of names that people had before, as steps.
package enum HandleSchema {
    package static let steps = [
        SchemaStep(
            "handles-001",
            """
            -- Nobody else is ever given one, also when its account is gone: links that lead to a person never lead to another.
            CREATE TABLE formerHandles (
                handle   TEXT PRIMARY KEY,
                skeleton TEXT NOT NULL,
                account  TEXT REFERENCES accounts (id) ON DELETE SET NULL,
                changed  INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX formerHandlesByAccount ON formerHandles (account) WHERE account IS NOT NULL;
            CREATE INDEX formerHandlesBySkeleton ON formerHandles (skeleton);
            """)
    ]
}
