package import ChirpDatabase

/// The tables of programs that speak for people. Instants are whole milliseconds since 1970 in UTC; secrets are there as SHA-256 alone.
package enum TokenSchema {
    package static let steps = [
        SchemaStep(
            "tokens-001",
            """
            CREATE TABLE apps (
                id        TEXT PRIMARY KEY,
                secret    BLOB NOT NULL,
                name      TEXT NOT NULL,
                website   TEXT NOT NULL,
                -- One a line.
                redirects TEXT NOT NULL,
                scopes    TEXT NOT NULL,
                -- When it was registered, or last given a token: what nobody uses goes.
                used      INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX appsByUse ON apps (used);
            CREATE TABLE tokens (
                digest  BLOB PRIMARY KEY,
                -- What its owner sees in the list and ends it by; no secret.
                id      TEXT NOT NULL UNIQUE,
                app     TEXT NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
                -- Nobody's: the program asks for itself.
                account TEXT REFERENCES accounts (id) ON DELETE CASCADE,
                scopes  TEXT NOT NULL,
                created INTEGER NOT NULL,
                used    INTEGER NOT NULL,
                expires INTEGER
            ) STRICT;
            CREATE INDEX tokensByAccount ON tokens (account) WHERE account IS NOT NULL;
            CREATE INDEX tokensByApp ON tokens (app);
            CREATE INDEX tokensByEnd ON tokens (expires) WHERE expires IS NOT NULL;
            CREATE TABLE codes (
                digest    BLOB PRIMARY KEY,
                app       TEXT NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
                account   TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                redirect  TEXT NOT NULL,
                scopes    TEXT NOT NULL,
                challenge TEXT,
                expires   INTEGER NOT NULL,
                -- The token that was given for it: a code that comes twice was stolen, and its token ends.
                token     TEXT
            ) STRICT;
            CREATE INDEX codesByAccount ON codes (account);
            CREATE INDEX codesByApp ON codes (app);
            """),
        SchemaStep(
            "tokens-002",
            """
            CREATE TABLE feedAddresses (
                account TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
                digest  BLOB NOT NULL UNIQUE,
                created INTEGER NOT NULL
            ) STRICT;
            """),
    ]
}
