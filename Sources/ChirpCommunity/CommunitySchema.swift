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
        SchemaStep(
            "community-003",
            """
            -- Nobody's: the one whose library it is.
            ALTER TABLE clips ADD COLUMN owner TEXT REFERENCES accounts (id) ON DELETE CASCADE;
            CREATE INDEX clipsByOwner ON clips (owner) WHERE owner IS NOT NULL;
            -- However a clip goes, also with its account, its link says "gone".
            CREATE TRIGGER clipsGone AFTER DELETE ON clips BEGIN
                INSERT INTO gone (id, removed) VALUES (OLD.id, unixepoch() * 1000) ON CONFLICT DO NOTHING;
            END;
            ALTER TABLE posts ADD COLUMN visibility TEXT NOT NULL DEFAULT 'public'
                CHECK (visibility IN ('public', 'unlisted', 'followers', 'direct'));
            -- Held: waits for a moderator's look. Hidden: taken from sight by one.
            ALTER TABLE posts ADD COLUMN state TEXT NOT NULL DEFAULT 'shown' CHECK (state IN ('shown', 'held', 'hidden'));
            ALTER TABLE posts ADD COLUMN replyTo INTEGER REFERENCES posts (sequence) ON DELETE SET NULL;
            ALTER TABLE posts ADD COLUMN spoiler TEXT NOT NULL DEFAULT '';
            ALTER TABLE posts ADD COLUMN language TEXT;
            CREATE INDEX postsByReply ON posts (replyTo) WHERE replyTo IS NOT NULL;
            CREATE TABLE postTags (
                tag  TEXT NOT NULL,
                post INTEGER NOT NULL REFERENCES posts (sequence) ON DELETE CASCADE,
                PRIMARY KEY (tag, post)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX postTagsByPost ON postTags (post);
            INSERT INTO postTags (tag, post) SELECT 'chirp', sequence FROM posts WHERE text LIKE '%#chirp%';
            CREATE TABLE recipients (
                post    INTEGER NOT NULL REFERENCES posts (sequence) ON DELETE CASCADE,
                account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                PRIMARY KEY (post, account)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX recipientsByAccount ON recipients (account, post);
            CREATE TABLE follows (
                follower TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                followed TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                created  INTEGER NOT NULL,
                PRIMARY KEY (follower, followed),
                CHECK (follower <> followed)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX followsByFollowed ON follows (followed, follower);
            CREATE TABLE blocks (
                blocker TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                blocked TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                created INTEGER NOT NULL,
                PRIMARY KEY (blocker, blocked),
                CHECK (blocker <> blocked)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX blocksByBlocked ON blocks (blocked, blocker);
            CREATE TABLE marks (
                account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                post    INTEGER NOT NULL REFERENCES posts (sequence) ON DELETE CASCADE,
                kind    TEXT NOT NULL CHECK (kind IN ('favourite', 'bookmark')),
                created INTEGER NOT NULL,
                PRIMARY KEY (account, kind, post)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX marksByPost ON marks (post, kind);
            CREATE TABLE notices (
                sequence INTEGER PRIMARY KEY AUTOINCREMENT,
                account  TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                kind     TEXT NOT NULL,
                -- What it came of: one notice for it, however often it happens.
                cause    TEXT NOT NULL,
                actor    TEXT REFERENCES accounts (id) ON DELETE CASCADE,
                post     INTEGER REFERENCES posts (sequence) ON DELETE CASCADE,
                created  INTEGER NOT NULL,
                readAt   INTEGER,
                UNIQUE (account, cause)
            ) STRICT;
            CREATE INDEX noticesByActor ON notices (actor) WHERE actor IS NOT NULL;
            CREATE INDEX noticesByPost ON notices (post) WHERE post IS NOT NULL;
            """),
    ]

    /// Those of all parts of the library. A part adds its own behind the others'.
    private static var allSteps: [SchemaStep] {
        steps + AccountSchema.steps + LetterSchema.steps + PeopleSchema.steps + MediaSchema.steps + TokenSchema.steps
            + CaseSchema.steps + IdentitySchema.steps + HandleSchema.steps + PlaceSchema.steps + NoticeSchema.steps
            + TranscriptSchema.steps + MessageSchema.steps + ListeningSchema.steps + DraftSchema.steps
            + FrameSchema.steps + TranscriptSchema.hearing + ItemSchema.steps + PictureSchema.steps + NoticeSchema.items
            + ClipHearers.steps + StrangerLetters.steps + PushSchema.steps + ItemSpeech.steps
            + CommentSchema.steps + [ItemSchema.broadCells] + ErasureSchema.steps
            + VoteSchema.steps + FilmSchema.steps + ItemMedia.steps + ItemParts.steps + FederationSchema.steps
            + AnnouncingSchema.steps + OutwardSchema.steps + AwaySchema.steps + WordMerging.steps
            + [AccountSchema.epochs] + PasskeySchema.steps + MediaSchema.unfinished + CaseSchema.recent
            + [AccountSchema.ends] + FrameSchema.ends + OutwardSchema.blocking + [AccountSchema.signOuts]
            + CommentSchema.media + FrameSchema.makers
    }

    /// What the steps leave in `user_version`. Releases before steps had names counted them there, and leave a library alone
    /// whose number is greater than theirs; so does this one. A step that such a release could not live with raises it.
    static let version = 1

    /// Brings a library to this release's form. Called under the library's lock.
    ///
    /// - Throws: ``DatabaseFailure/Kind/superseded`` when a later release has changed it; then nothing was changed.
    static func bringUpToDate(
        _ database: some DatabaseWriter, boards: [BoardTables]
    ) throws(DatabaseFailure) {
        do { try adopt(database) } catch { throw DatabaseFailure(error) }
        try migrator(boards).bringUpToDate(database, leaving: boards.reduce(into: []) { $0.formUnion($1.known) })
    }

    /// A board's steps come behind the library's, to whose tables they refer.
    private static func migrator(_ boards: [BoardTables]) -> DatabaseMigrator {
        DatabaseMigrator(allSteps + boards.flatMap(\.steps))
    }

    /// How a library's tables stand to this release. Changes nothing.
    static func state(of database: Database, boards: [BoardTables]) throws -> LibraryCheck.Report.Tables {
        let migrator = migrator(boards)
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
