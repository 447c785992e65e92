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
    ]

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
}
