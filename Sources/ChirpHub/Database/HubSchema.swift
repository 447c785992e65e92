internal import GRDB

/// The tables of the library, as steps from one version to the next.
///
/// A step is never edited once released; a change is a new step. The version is SQLite's `user_version`. Instants are whole
/// milliseconds since 1970 in UTC.
enum HubSchema {
    /// What this release understands.
    static var version: Int { steps.count }

    static let steps: [String] = [
        """
        CREATE TABLE accounts (
            id      TEXT PRIMARY KEY,
            handle  TEXT NOT NULL UNIQUE,
            name    TEXT NOT NULL,
            created INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE clips (
            id          TEXT PRIMARY KEY,
            title       TEXT NOT NULL,
            fileName    TEXT NOT NULL,
            contentType TEXT NOT NULL,
            bytes       INTEGER NOT NULL,
            sha256      TEXT NOT NULL,
            seconds     REAL,
            peaks       BLOB,
            created     INTEGER NOT NULL,
            expires     INTEGER,
            shared      INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE INDEX clipsByExpiry ON clips (expires) WHERE expires IS NOT NULL;
        -- AUTOINCREMENT: a listener's place in the feed must stay valid when the newest post is removed.
        CREATE TABLE posts (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT,
            id       TEXT NOT NULL UNIQUE,
            key      TEXT NOT NULL,
            account  TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            text     TEXT NOT NULL,
            link     TEXT NOT NULL,
            clip     TEXT REFERENCES clips (id) ON DELETE CASCADE,
            created  INTEGER NOT NULL,
            UNIQUE (account, key)
        ) STRICT;
        CREATE INDEX postsByClip ON posts (clip) WHERE clip IS NOT NULL;
        -- Links that once led to a clip: nothing but the id is kept, so that the page can say "gone".
        CREATE TABLE gone (
            id      TEXT PRIMARY KEY,
            removed INTEGER NOT NULL
        ) STRICT;
        """
    ]

    /// Brings a database to this release's version. Called under the library's lock, on the writing connection.
    static func migrate(_ database: Database, path: String) throws {
        let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        guard found <= version else { throw HubError.newerLibrary(path: path) }
        guard found < version else { return }
        try database.inTransaction(.immediate) {
            for step in steps[found...] { try database.execute(sql: step) }
            try database.execute(sql: "PRAGMA user_version = \(version)")
            return .commit
        }
    }
}
