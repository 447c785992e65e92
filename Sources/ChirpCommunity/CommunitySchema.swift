internal import ChirpAccounts
internal import ChirpDatabase
internal import GRDB

/// The tables of the library, as steps from one form to the next. Instants are whole milliseconds since 1970 in UTC.
enum CommunitySchema {
    static let steps = [
        SchemaStep(
            "community-001",
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
            PRAGMA user_version = 1;
            """),
        // One account's posts in the order of the feed: the index ends with the row's number, which is the place there.
        SchemaStep("community-002", "CREATE INDEX postsByAccount ON posts (account);"),
    ]

    /// What the steps leave in `user_version`. Releases before steps had names counted them there, and leave a library alone
    /// whose number is greater than theirs; so does this one. A step that such a release could not live with raises it.
    static let version = 1

    /// Brings a library to this release's form. Called under the library's lock.
    ///
    /// - Throws: ``DatabaseFailure/Kind/superseded`` when a later release has changed it; then nothing was changed.
    static func bringUpToDate(_ database: some DatabaseWriter) throws(DatabaseFailure) {
        do { try adopt(database) } catch { throw DatabaseFailure(error) }
        try DatabaseMigrator(steps + AccountSchema.steps).bringUpToDate(database)
    }

    /// How a library's tables stand to this release. Changes nothing.
    static func state(of database: Database) throws -> LibraryCheck.Report.Tables {
        let migrator = DatabaseMigrator(steps + AccountSchema.steps)
        let counted = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        if try counted > version || migrator.hasBeenSuperseded(database) { return .newer }
        return try migrator.hasCompletedMigrations(database) ? .current : .older
    }

    /// Writes down that a library of an earlier release has its first step behind it.
    private static func adopt(_ database: some DatabaseWriter) throws {
        let (counted, isNamed) = try database.read { database in
            let counted = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
            return (counted, try database.tableExists("grdb_migrations"))
        }
        guard counted <= version else { throw DatabaseFailure(.superseded) }
        guard counted == 1, !isNamed, let first = steps.first else { return }
        try database.write { database in
            try database.execute(sql: "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
            try database.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES (?)", arguments: [first.name])
        }
    }
}
