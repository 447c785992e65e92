package import ChirpDatabase

/// What people say of themselves beside their name, as steps.
package enum PeopleSchema {
    package static let steps = [
        SchemaStep(
            "people-001",
            """
            CREATE TABLE tags4people (
                account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                tag     TEXT NOT NULL CHECK (tag IN ('producer', 'artist', 'user')),
                PRIMARY KEY (account, tag)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX tags4peopleByTag ON tags4people (tag, account);
            """),
        SchemaStep(
            "people-002",
            """
            -- Some tens of kilobytes each, made by this program: no file of its own, so that it goes and is copied with the account.
            CREATE TABLE portraits (
                account TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
                jpeg    BLOB NOT NULL,
                sha256  TEXT NOT NULL,
                created INTEGER NOT NULL
            ) STRICT;
            """),
    ]
}
