package import ChirpDatabase

/// The tables of accounts, as steps. `accounts` itself came with `community-001`, when a hub had one; here it grows.
/// Instants are whole milliseconds since 1970 in UTC; secrets are there as SHA-256 alone.
package enum AccountSchema {
    package static let steps = [
        SchemaStep(
            "accounts-001",
            """
            ALTER TABLE accounts ADD COLUMN skeleton TEXT;
            ALTER TABLE accounts ADD COLUMN mail TEXT COLLATE NOCASE;
            ALTER TABLE accounts ADD COLUMN bio TEXT NOT NULL DEFAULT '';
            ALTER TABLE accounts ADD COLUMN password TEXT;
            ALTER TABLE accounts ADD COLUMN role TEXT NOT NULL DEFAULT 'member'
                CHECK (role IN ('member', 'moderator', 'owner'));
            ALTER TABLE accounts ADD COLUMN state TEXT NOT NULL DEFAULT 'active'
                CHECK (state IN ('unconfirmed', 'active', 'suspended', 'closed'));
            ALTER TABLE accounts ADD COLUMN until INTEGER;
            ALTER TABLE accounts ADD COLUMN totp BLOB;
            -- The last step of the clock for which a code was taken: none is taken twice.
            ALTER TABLE accounts ADD COLUMN totpStep INTEGER NOT NULL DEFAULT 0;
            UPDATE accounts SET role = 'owner', skeleton = handle WHERE rowid = (SELECT MIN(rowid) FROM accounts);
            CREATE UNIQUE INDEX accountsByMail ON accounts (mail) WHERE mail IS NOT NULL;
            CREATE UNIQUE INDEX accountsBySkeleton ON accounts (skeleton) WHERE skeleton IS NOT NULL;
            CREATE TABLE sessions (
                digest  BLOB PRIMARY KEY,
                -- What its owner sees in the list of sessions and ends it by; no secret.
                id      TEXT NOT NULL UNIQUE,
                account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                agent   TEXT NOT NULL,
                created INTEGER NOT NULL,
                expires INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX sessionsByAccount ON sessions (account);
            -- Links that work once. What one may do is its purpose.
            CREATE TABLE links (
                digest  BLOB PRIMARY KEY,
                purpose TEXT NOT NULL,
                account TEXT REFERENCES accounts (id) ON DELETE CASCADE,
                -- For a change of address: the new one.
                mail    TEXT,
                expires INTEGER NOT NULL
            ) STRICT;
            CREATE TABLE recoveryCodes (
                account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                digest  BLOB NOT NULL,
                PRIMARY KEY (account, digest)
            ) STRICT;
            """)
    ]

    /// A later step, behind those of the whole library.
    package static let epochs = SchemaStep(
        "accounts-002",
        """
        -- Counts what has ended the browsers in which the account is known: a part of what their cookies are signed with.
        ALTER TABLE accounts ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;
        """)

    /// Another, behind those of ``TokenSchema`` too: what has ended is found without reading what has not, since whoever signs in or up removes
    /// it, and everybody else who writes waits meanwhile.
    package static let ends = SchemaStep(
        "accounts-003",
        """
        CREATE INDEX sessionsByEnd ON sessions (expires);
        CREATE INDEX linksByEnd ON links (expires);
        CREATE INDEX codesByEnd ON codes (expires);
        CREATE INDEX accountsUnconfirmed ON accounts (created) WHERE state = 'unconfirmed';
        -- Those that programs have for themselves.
        CREATE INDEX tokensOfPrograms ON tokens (app, created) WHERE account IS NULL;
        """)

    /// A later step, behind those of the whole library.
    package static let signOuts = SchemaStep(
        "accounts-004",
        """
        -- Counts what has ended that lets people in: whoever listens for long is asked again when it has changed.
        CREATE TABLE signOuts (
            only  INTEGER PRIMARY KEY CHECK (only = 1),
            count INTEGER NOT NULL
        ) STRICT;
        INSERT INTO signOuts VALUES (1, 0);
        CREATE TRIGGER sessionsEnded AFTER DELETE ON sessions BEGIN UPDATE signOuts SET count = count + 1; END;
        CREATE TRIGGER tokensEnded AFTER DELETE ON tokens BEGIN UPDATE signOuts SET count = count + 1; END;
        CREATE TRIGGER accountsEnded AFTER UPDATE OF state ON accounts WHEN NEW.state <> OLD.state BEGIN
            UPDATE signOuts SET count = count + 1;
        END;
        """)
}
