internal import ChirpDatabase

/// What people here do at other servers, as steps behind those of ``FederationSchema``.
///
/// Somebody elsewhere whom people here follow has a row among the accounts, by which she is followed, listed and heard as everybody is
/// (decision 1902). It holds no password, no address and no key: nobody acts by it. As there, triggers write down what goes out, in the
/// transaction of the act.
enum OutwardSchema {
    static let steps = [
        SchemaStep("federation-004", dropped + activities + FederationSchema.triggers + following),
        SchemaStep("federation-005", clips),
        SchemaStep("federation-006", acts),
        SchemaStep("federation-007", RemoteMove.table),
        SchemaStep("federation-008", here),
    ]

    /// A block of somebody elsewhere holds for what they did here too. It stands behind the steps of other parts.
    static let blocking = [
        SchemaStep(
            "federation-009",
            """
            CREATE TRIGGER federationBlocked AFTER INSERT ON blocks
            WHEN EXISTS (SELECT 1 FROM accounts WHERE id = NEW.blocked AND remote IS NOT NULL) BEGIN
                -- With the follower gone this answer is a refusal.
                INSERT INTO federationActivities (actor, kind, object, target, created)
                SELECT federationActors.id, 'accept', remoteFollowers.activity, remoteFollowers.actor, NEW.created
                FROM remoteFollowers \(actor("NEW.blocker"))
                WHERE remoteFollowers.account = NEW.blocker AND remoteFollowers.actor = \(blocked);
                DELETE FROM remoteFollowers WHERE account = NEW.blocker AND actor = \(blocked);
                DELETE FROM remoteMarks
                WHERE actor = \(blocked) AND post IN (SELECT id FROM posts WHERE account = NEW.blocker);
                DELETE FROM notices WHERE account = NEW.blocker AND remote = \(blocked);
                DELETE FROM remoteReplies
                WHERE actor = \(blocked) AND post IN (SELECT id FROM posts WHERE account = NEW.blocker);
            END;
            -- Those from before are seen to as well.
            INSERT OR REPLACE INTO blocks (blocker, blocked, created)
            SELECT blocker, blocked, blocks.created FROM blocks
            JOIN accounts ON accounts.id = blocks.blocked AND remote IS NOT NULL;
            """)
    ]

    private static let blocked = "(SELECT remote FROM accounts WHERE id = NEW.blocked)"

    /// Those that name the table which is made anew.
    private static let dropped = [
        "Posted", "Shown", "Hidden", "Edited", "Deleted", "Renamed", "Pictured", "SwitchedOff", "Closed", "Erased",
    ].map { "DROP TRIGGER federation\($0);\n" }.joined()

    /// With more kinds, and with what an activity is about. Its deliveries stay as they are.
    private static let activities = """
        CREATE TABLE federationActivitiesAnew (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT,
            -- The end of its address: the same however often it is delivered.
            id       TEXT NOT NULL UNIQUE DEFAULT (lower(hex(randomblob(16)))),
            actor    TEXT NOT NULL REFERENCES federationActors (id) ON DELETE CASCADE,
            kind     TEXT NOT NULL
                CHECK (kind IN ('create', 'update', 'delete', 'profile', 'farewell', 'accept', 'follow', 'unfollow',
                    'like', 'unlike', 'announce', 'unannounce')),
            -- The id of a post, of another server's activity that is answered, or of one of ours that is taken back.
            object   TEXT NOT NULL DEFAULT '',
            -- The address of what is liked or shared.
            about    TEXT NOT NULL DEFAULT '',
            -- Whom it goes to beside or instead of followers; NULL: to followers alone.
            target   INTEGER REFERENCES remoteActors (id) ON DELETE CASCADE,
            created  INTEGER NOT NULL
        ) STRICT;
        INSERT INTO federationActivitiesAnew (sequence, id, actor, kind, object, target, created)
            SELECT sequence, id, actor, kind, object, target, created FROM federationActivities ORDER BY sequence;
        DROP TABLE federationActivities;
        ALTER TABLE federationActivitiesAnew RENAME TO federationActivities;
        CREATE INDEX federationActivitiesByActor ON federationActivities (actor);
        CREATE INDEX federationActivitiesByTarget ON federationActivities (target) WHERE target IS NOT NULL;

        """

    private static let following = """
        -- Whom an account stands for that is no account here.
        ALTER TABLE accounts ADD COLUMN remote INTEGER REFERENCES remoteActors (id) ON DELETE CASCADE;
        CREATE UNIQUE INDEX accountsByRemote ON accounts (remote) WHERE remote IS NOT NULL;
        CREATE TRIGGER federationRenamedElsewhere AFTER UPDATE OF handle, name ON remoteActors BEGIN
            UPDATE accounts SET name = NEW.name, handle = lower(NEW.handle)
            WHERE remote = NEW.id AND NOT EXISTS (
                SELECT 1 FROM accounts AS others WHERE others.handle = lower(NEW.handle) AND others.remote IS NOT NEW.id);
        END;
        CREATE TRIGGER federationFollowed AFTER INSERT ON follows
        WHEN EXISTS (SELECT 1 FROM accounts WHERE id = NEW.followed AND remote IS NOT NULL) BEGIN
            DELETE FROM remoteFollows
            WHERE account = NEW.follower AND actor = (SELECT remote FROM accounts WHERE id = NEW.followed);
            INSERT INTO remoteFollows (account, actor, activity, state, created)
            SELECT NEW.follower, remote, lower(hex(randomblob(16))), 'asked', NEW.created
            FROM accounts WHERE id = NEW.followed;
            INSERT INTO federationActivities (id, actor, kind, target, created)
            SELECT remoteFollows.activity, federationActors.id, 'follow', remoteFollows.actor, NEW.created
            FROM accounts
            JOIN remoteFollows ON remoteFollows.actor = accounts.remote AND remoteFollows.account = NEW.follower
            JOIN federationActors ON federationActors.account = NEW.follower AND isOn = 1
            WHERE accounts.id = NEW.followed;
        END;
        -- What was refused there has no row any more, and nothing is said of it.
        CREATE TRIGGER federationUnfollowed AFTER DELETE ON follows
        WHEN EXISTS (SELECT 1 FROM accounts WHERE id = OLD.followed AND remote IS NOT NULL) BEGIN
            INSERT INTO federationActivities (actor, kind, object, target, created)
            SELECT federationActors.id, 'unfollow', remoteFollows.activity, remoteFollows.actor, unixepoch() * 1000
            FROM accounts
            JOIN remoteFollows ON remoteFollows.actor = accounts.remote AND remoteFollows.account = OLD.follower
            JOIN federationActors ON federationActors.account = OLD.follower AND isOn = 1
            WHERE accounts.id = OLD.followed;
            DELETE FROM remoteFollows
            WHERE account = OLD.follower AND actor = (SELECT remote FROM accounts WHERE id = OLD.followed);
        END;
        \(switchedOff(telling: "SELECT actor FROM remoteFollows WHERE account = NEW.account"))
        """

    /// Who switches it off follows nobody elsewhere, and those are told farewell too.
    ///
    /// - Parameter others: who is told beside followers: a query for remote actors.
    private static func switchedOff(telling others: String) -> String {
        """
        DROP TRIGGER federationSwitchedOff;
        CREATE TRIGGER federationSwitchedOff AFTER UPDATE OF isOn ON federationActors
        WHEN OLD.isOn = 1 AND NEW.isOn = 0 AND NEW.isHub = 0 BEGIN
            DELETE FROM federationActivities WHERE actor = NEW.id;
            INSERT INTO federationActivities (actor, kind, object, target, created)
            SELECT NEW.id, 'unfollow', activity, actor, unixepoch() * 1000
            FROM remoteFollows WHERE account = NEW.account;
            INSERT INTO federationActivities (actor, kind, created) VALUES (NEW.id, 'farewell', unixepoch() * 1000);
            INSERT INTO federationDeliveries (activity, inbox, host, created)
            SELECT DISTINCT federationActivities.sequence, COALESCE(sharedInbox, inbox), host, federationActivities.created
            FROM federationActivities JOIN remoteActors ON remoteActors.id IN (\(others))
            WHERE federationActivities.actor = NEW.id AND kind = 'farewell' AND NOT EXISTS (
                SELECT 1 FROM federationDeliveries AS told WHERE told.activity = federationActivities.sequence
                    AND told.inbox = COALESCE(remoteActors.sharedInbox, remoteActors.inbox));
            DELETE FROM remoteFollowers WHERE account = NEW.account;
            DELETE FROM remoteFollows WHERE account = NEW.account;
            DELETE FROM follows WHERE follower = NEW.account
                AND followed IN (SELECT id FROM accounts WHERE remote IS NOT NULL);
        END;
        """
    }

    /// Whoever is here is found by handle without everybody elsewhere.
    private static let here = "CREATE INDEX accountsHere ON accounts (handle) WHERE remote IS NULL;"

    private static let clips = """
        -- Clips that people elsewhere have posted, from when their servers tell of them. The address is there once.
        CREATE TABLE remoteClips (
            sequence  INTEGER PRIMARY KEY AUTOINCREMENT,
            address   TEXT NOT NULL UNIQUE,
            actor     INTEGER NOT NULL REFERENCES remoteActors (id) ON DELETE CASCADE,
            -- The clip that it becomes here: chosen first, so that making it may be repeated.
            clip      TEXT NOT NULL UNIQUE,
            -- Where its sound lies.
            sound     TEXT NOT NULL,
            -- Plain, as all of its texts.
            title     TEXT NOT NULL,
            text      TEXT NOT NULL,
            spoiler   TEXT NOT NULL,
            language  TEXT,
            page      TEXT NOT NULL,
            published INTEGER NOT NULL,
            received  INTEGER NOT NULL,
            state     TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'kept', 'failed')),
            tries     INTEGER NOT NULL DEFAULT 0,
            -- It is not tried before.
            next      INTEGER NOT NULL DEFAULT 0,
            -- Why it failed.
            why       TEXT NOT NULL DEFAULT '',
            -- Its place in the feed, from when it can be heard until it is removed.
            post      INTEGER REFERENCES posts (sequence) ON DELETE SET NULL ON UPDATE CASCADE
        ) STRICT;
        CREATE INDEX remoteClipsByActor ON remoteClips (actor, received);
        CREATE INDEX remoteClipsWaiting ON remoteClips (actor, sequence) WHERE state = 'waiting';
        CREATE INDEX remoteClipsByPost ON remoteClips (post) WHERE post IS NOT NULL;
        CREATE INDEX remoteClipsByAge ON remoteClips (received);
        """

    /// Whose account has switched it on, within a statement.
    private static func actor(_ account: String) -> String {
        "JOIN federationActors ON federationActors.account = \(account) AND isOn = 1"
    }

    private static let acts = """
        -- What people here like and share of clips that were posted elsewhere.
        CREATE TABLE outwardMarks (
            account  TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            post     INTEGER NOT NULL REFERENCES posts (sequence) ON DELETE CASCADE ON UPDATE CASCADE,
            kind     TEXT NOT NULL CHECK (kind IN ('like', 'announce')),
            -- What has told of it: taking it back names that.
            activity TEXT NOT NULL UNIQUE DEFAULT (lower(hex(randomblob(16)))),
            created  INTEGER NOT NULL,
            PRIMARY KEY (account, post, kind)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX outwardMarksByPost ON outwardMarks (post);
        CREATE TRIGGER federationMarked AFTER INSERT ON marks WHEN NEW.kind = 'favourite' BEGIN
            INSERT INTO outwardMarks (account, post, kind, created)
            SELECT NEW.account, NEW.post, 'like', NEW.created FROM remoteClips \(actor("NEW.account"))
            WHERE remoteClips.post = NEW.post AND NOT EXISTS (SELECT 1 FROM outwardMarks AS known
                WHERE known.account = NEW.account AND known.post = NEW.post AND known.kind = 'like');
        END;
        CREATE TRIGGER federationUnmarked AFTER DELETE ON marks WHEN OLD.kind = 'favourite' BEGIN
            DELETE FROM outwardMarks WHERE account = OLD.account AND post = OLD.post AND kind = 'like';
        END;
        CREATE TRIGGER federationMarkTold AFTER INSERT ON outwardMarks BEGIN
            INSERT INTO federationActivities (id, actor, kind, about, target, created)
            SELECT NEW.activity, federationActors.id, NEW.kind, address, remoteClips.actor, NEW.created
            FROM remoteClips \(actor("NEW.account")) WHERE remoteClips.post = NEW.post;
        END;
        -- Of a clip that is no longer here nothing is taken back.
        CREATE TRIGGER federationMarkTakenBack AFTER DELETE ON outwardMarks BEGIN
            INSERT INTO federationActivities (actor, kind, object, about, target, created)
            SELECT federationActors.id, 'un' || OLD.kind, OLD.activity, address, remoteClips.actor, unixepoch() * 1000
            FROM remoteClips \(actor("OLD.account"))
            WHERE remoteClips.post = OLD.post AND EXISTS (SELECT 1 FROM posts WHERE sequence = OLD.post);
        END;
        -- What is shared is told to followers too, among whom its author may be; which of the two triggers comes first is not said.
        DROP TRIGGER federationSpreadToOne;
        CREATE TRIGGER federationSpreadToOne AFTER INSERT ON federationActivities WHEN NEW.target IS NOT NULL BEGIN
            INSERT INTO federationDeliveries (activity, inbox, host, created)
            SELECT NEW.sequence, inbox, host, NEW.created FROM remoteActors
            WHERE id = NEW.target AND NOT EXISTS (SELECT 1 FROM federationDeliveries AS told
                WHERE told.activity = NEW.sequence AND told.inbox = remoteActors.inbox);
        END;
        CREATE TRIGGER federationSpreadFurther AFTER INSERT ON federationActivities
        WHEN NEW.kind IN ('announce', 'unannounce') BEGIN
            INSERT INTO federationDeliveries (activity, inbox, host, created)
            SELECT DISTINCT NEW.sequence, COALESCE(remoteActors.sharedInbox, remoteActors.inbox), remoteActors.host,
                NEW.created
            FROM federationActors JOIN remoteFollowers ON remoteFollowers.account = federationActors.account
            JOIN remoteActors ON remoteActors.id = remoteFollowers.actor
            WHERE federationActors.id = NEW.actor
                AND NOT EXISTS (SELECT 1 FROM federationDeliveries AS told WHERE told.activity = NEW.sequence
                    AND told.inbox = COALESCE(remoteActors.sharedInbox, remoteActors.inbox))
                AND NOT EXISTS (SELECT 1 FROM remoteHosts WHERE remoteHosts.host = remoteActors.host AND rests = 1);
        END;
        -- Answers of people here to clips that were posted elsewhere, also when those are no longer here.
        CREATE TABLE outwardReplies (
            -- Its id.
            post    TEXT PRIMARY KEY,
            account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            -- Who is answered, and the address of what.
            actor   INTEGER NOT NULL REFERENCES remoteActors (id) ON DELETE CASCADE,
            above   TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX outwardRepliesByAccount ON outwardReplies (account);
        CREATE INDEX outwardRepliesByActor ON outwardReplies (actor);
        CREATE TRIGGER federationAnswered AFTER INSERT ON posts
        WHEN NEW.replyTo IS NOT NULL AND NEW.visibility IN ('public', 'unlisted') BEGIN
            INSERT INTO outwardReplies (post, account, actor, above)
            SELECT NEW.id, NEW.account, remoteClips.actor, address FROM remoteClips \(actor("NEW.account"))
            WHERE remoteClips.post = NEW.replyTo;
            INSERT INTO federationActivities (actor, kind, object, target, created)
            SELECT federationActors.id, 'create', NEW.id, outwardReplies.actor, NEW.created
            FROM outwardReplies \(actor("NEW.account"))
            WHERE outwardReplies.post = NEW.id AND NEW.state = 'shown';
        END;
        CREATE TRIGGER federationAnswerJudged AFTER UPDATE OF state ON posts
        WHEN (OLD.state = 'shown') <> (NEW.state = 'shown') BEGIN
            INSERT INTO federationActivities (actor, kind, object, target, created)
            SELECT federationActors.id, CASE WHEN NEW.state = 'shown' THEN 'create' ELSE 'delete' END, NEW.id,
                outwardReplies.actor, unixepoch() * 1000
            FROM outwardReplies \(actor("NEW.account")) WHERE outwardReplies.post = NEW.id;
        END;
        CREATE TRIGGER federationAnswerEdited AFTER UPDATE OF text, spoiler, language ON posts
        WHEN NEW.state = 'shown' BEGIN
            INSERT INTO federationActivities (actor, kind, object, target, created)
            SELECT federationActors.id, 'update', NEW.id, outwardReplies.actor, unixepoch() * 1000
            FROM outwardReplies \(actor("NEW.account")) WHERE outwardReplies.post = NEW.id;
        END;
        CREATE TRIGGER federationAnswerDeleted AFTER DELETE ON posts BEGIN
            INSERT INTO federationActivities (actor, kind, object, target, created)
            SELECT federationActors.id, 'delete', OLD.id, outwardReplies.actor, unixepoch() * 1000
            FROM outwardReplies \(actor("OLD.account"))
            WHERE outwardReplies.post = OLD.id AND OLD.state = 'shown';
            DELETE FROM outwardReplies WHERE post = OLD.id;
        END;
        \(switchedOff(telling: """
            SELECT actor FROM remoteFollows WHERE account = NEW.account
            UNION SELECT actor FROM outwardReplies WHERE account = NEW.account
            UNION SELECT remoteClips.actor FROM outwardMarks JOIN remoteClips ON remoteClips.post = outwardMarks.post
            WHERE outwardMarks.account = NEW.account
            """))
        """
}
