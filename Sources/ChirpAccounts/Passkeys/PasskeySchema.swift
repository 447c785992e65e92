package import ChirpDatabase

/// The tables of passkeys, as steps. No secret is in them: a passkey's private half never leaves its authenticator, and challenges are there as
/// SHA-256 alone.
package enum PasskeySchema {
    package static let steps = [
        SchemaStep(
            "passkeys-001",
            """
            CREATE TABLE passkeys (
                -- The authenticator's name for it.
                credential BLOB PRIMARY KEY,
                -- What its owner sees in the list and ends it by; no secret.
                id         TEXT NOT NULL UNIQUE,
                account    TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                -- A COSE key.
                key        BLOB NOT NULL,
                -- How often it was used, as the authenticator counts; 0 where it does not.
                count      INTEGER NOT NULL,
                name       TEXT NOT NULL,
                -- Whether it is kept by a service that has it on several devices.
                synced     INTEGER NOT NULL,
                created    INTEGER NOT NULL,
                used       INTEGER
            ) STRICT;
            CREATE INDEX passkeysByAccount ON passkeys (account);
            -- What browsers were asked to sign, each once.
            CREATE TABLE passkeyChallenges (
                digest  BLOB PRIMARY KEY,
                -- Who adds a passkey; nobody's: somebody signs in.
                account TEXT REFERENCES accounts (id) ON DELETE CASCADE,
                expires INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX passkeyChallengesByAccount ON passkeyChallenges (account) WHERE account IS NOT NULL;
            CREATE INDEX passkeyChallengesByEnd ON passkeyChallenges (expires);
            """)
    ]
}
