package import ChirpDatabase

/// The tables of those who sign in by a service elsewhere, as steps. States and cookies are there as SHA-256 alone; what proves a
/// code (PKCE) is in no table, since it is derived from the state and the hub's key.
package enum IdentitySchema {
    package static let steps = [
        SchemaStep(
            "identity-001",
            """
            CREATE TABLE identities (
                -- The service, and its own name for the person.
                provider TEXT NOT NULL,
                subject  TEXT NOT NULL,
                account  TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                -- What its owner sees in the list and ends it by; no secret.
                id       TEXT NOT NULL UNIQUE,
                shown    TEXT NOT NULL,
                created  INTEGER NOT NULL,
                PRIMARY KEY (provider, subject)
            ) STRICT;
            CREATE INDEX identitiesByAccount ON identities (account);
            -- Browsers that were sent away to sign in.
            CREATE TABLE identityAttempts (
                digest   BLOB PRIMARY KEY,
                -- The cookie of the browser: nobody brings another's state back.
                browser  BLOB NOT NULL,
                provider TEXT NOT NULL,
                way      TEXT NOT NULL,
                -- Who adds a way to sign in; nobody's: somebody signs in.
                account  TEXT REFERENCES accounts (id) ON DELETE CASCADE,
                expires  INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX identityAttemptsByAccount ON identityAttempts (account) WHERE account IS NOT NULL;
            CREATE INDEX identityAttemptsByEnd ON identityAttempts (expires);
            -- Those who came back and have still to choose a name, or to show a second factor.
            CREATE TABLE identityArrivals (
                browser  BLOB PRIMARY KEY,
                provider TEXT NOT NULL,
                subject  TEXT NOT NULL,
                shown    TEXT NOT NULL,
                handle   TEXT NOT NULL,
                mail     TEXT,
                way      TEXT NOT NULL,
                account  TEXT REFERENCES accounts (id) ON DELETE CASCADE,
                expires  INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX identityArrivalsByAccount ON identityArrivals (account) WHERE account IS NOT NULL;
            CREATE INDEX identityArrivalsByEnd ON identityArrivals (expires);
            -- What other servers have registered this hub as.
            CREATE TABLE identityClients (
                server   TEXT NOT NULL,
                redirect TEXT NOT NULL,
                id       TEXT NOT NULL,
                secret   TEXT NOT NULL,
                used     INTEGER NOT NULL,
                PRIMARY KEY (server, redirect)
            ) STRICT;
            """),
        SchemaStep(
            "identity-002",
            """
            -- Whether the server promises to name itself in each answer (RFC 9207, section 3).
            ALTER TABLE identityClients ADD COLUMN namesIssuer INTEGER NOT NULL DEFAULT 0;
            """),
    ]
}
