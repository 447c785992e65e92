internal import ChirpDatabase

/// The tables of what this hub and other servers tell each other by ActivityPub, as steps. Instants are whole milliseconds since 1970 in UTC.
///
/// What goes out is written down by triggers, in the transaction of the act: an activity, and a delivery for each inbox that it goes to. So
/// nobody who posts or deletes knows of other servers, nothing is forgotten by a kill, and a shared inbox has one row however many read there.
enum FederationSchema {
    static let steps = [
        SchemaStep("federation-001", actors + outgoing),
        SchemaStep("federation-002", triggers),
        SchemaStep("federation-003", incoming),
    ]

    private static let actors = """
        -- Those who speak for this hub: people who have switched it on, and the hub itself, which asks for keys.
        CREATE TABLE federationActors (
            -- A part of its address, and no other name of anybody.
            id      TEXT PRIMARY KEY,
            -- NULL: the hub itself, or somebody who is gone, whose farewell is still to be delivered.
            account TEXT UNIQUE REFERENCES accounts (id) ON DELETE SET NULL,
            isHub   INTEGER NOT NULL DEFAULT 0 CHECK (isHub IN (0, 1)),
            -- 0: switched off; the address answers that it is gone.
            isOn    INTEGER NOT NULL CHECK (isOn IN (0, 1)),
            -- Secret: an RSA key, PKCS #8 in PEM.
            key     TEXT NOT NULL,
            created INTEGER NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX federationActorOfHub ON federationActors (isHub) WHERE isHub = 1;
        -- Others, as their servers have told of them.
        CREATE TABLE remoteActors (
            id          INTEGER PRIMARY KEY,
            address     TEXT NOT NULL UNIQUE,
            -- With the port where one is named.
            host        TEXT NOT NULL,
            -- As in ann@example.org.
            handle      TEXT NOT NULL,
            name        TEXT NOT NULL,
            page        TEXT NOT NULL,
            inbox       TEXT NOT NULL,
            sharedInbox TEXT,
            outbox      TEXT,
            keyID       TEXT NOT NULL,
            keyText     TEXT NOT NULL,
            fetched     INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX remoteActorsByHost ON remoteActors (host);
        CREATE TABLE remoteFollowers (
            account  TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            actor    INTEGER NOT NULL REFERENCES remoteActors (id) ON DELETE CASCADE,
            -- What asked for it, by its id: an acceptance names it.
            activity TEXT NOT NULL,
            created  INTEGER NOT NULL,
            PRIMARY KEY (account, actor)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX remoteFollowersByActor ON remoteFollowers (actor);
        -- Whom people here follow elsewhere.
        CREATE TABLE remoteFollows (
            account  TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            actor    INTEGER NOT NULL REFERENCES remoteActors (id) ON DELETE CASCADE,
            activity TEXT NOT NULL UNIQUE,
            state    TEXT NOT NULL CHECK (state IN ('asked', 'accepted')),
            created  INTEGER NOT NULL,
            PRIMARY KEY (account, actor)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX remoteFollowsByActor ON remoteFollows (actor);
        -- Who elsewhere has blocked somebody here.
        CREATE TABLE remoteBlocks (
            account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            actor   INTEGER NOT NULL REFERENCES remoteActors (id) ON DELETE CASCADE,
            created INTEGER NOT NULL,
            PRIMARY KEY (account, actor)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX remoteBlocksByActor ON remoteBlocks (actor);

        """

    private static let outgoing = """
        CREATE TABLE federationActivities (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT,
            -- The end of its address: the same however often it is delivered.
            id       TEXT NOT NULL UNIQUE DEFAULT (lower(hex(randomblob(16)))),
            actor    TEXT NOT NULL REFERENCES federationActors (id) ON DELETE CASCADE,
            kind     TEXT NOT NULL
                CHECK (kind IN ('create', 'update', 'delete', 'profile', 'farewell', 'accept', 'follow', 'unfollow')),
            -- The id of a post, or of another server's activity that is answered.
            object   TEXT NOT NULL DEFAULT '',
            -- Whom alone it goes to; NULL: all followers.
            target   INTEGER REFERENCES remoteActors (id) ON DELETE CASCADE,
            created  INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX federationActivitiesByActor ON federationActivities (actor);
        CREATE INDEX federationActivitiesByTarget ON federationActivities (target) WHERE target IS NOT NULL;
        -- With row numbers: SQLite tells of changes in such tables alone (sqlite.org/c3ref/update_hook.html).
        CREATE TABLE federationDeliveries (
            activity INTEGER NOT NULL REFERENCES federationActivities (sequence) ON DELETE CASCADE,
            inbox    TEXT NOT NULL,
            host     TEXT NOT NULL,
            state    TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sent', 'dropped')),
            tries    INTEGER NOT NULL DEFAULT 0,
            created  INTEGER NOT NULL,
            PRIMARY KEY (activity, inbox)
        ) STRICT;
        CREATE INDEX federationDeliveriesWaiting ON federationDeliveries (host, activity) WHERE state = 'waiting';
        CREATE INDEX federationDeliveriesByAge ON federationDeliveries (created);
        -- Servers that could not be reached; those that answer have no row.
        CREATE TABLE remoteHosts (
            host    TEXT PRIMARY KEY,
            -- In a row.
            failures INTEGER NOT NULL,
            -- On how many days, and the last of them since 1970.
            days    INTEGER NOT NULL,
            day     INTEGER NOT NULL,
            -- Nothing is sent before.
            next    INTEGER NOT NULL,
            -- 1: nothing is sent until it is heard of.
            rests   INTEGER NOT NULL DEFAULT 0 CHECK (rests IN (0, 1)),
            reason  TEXT NOT NULL
        ) STRICT;
        -- What moderators have set; a domain stands for all below it.
        CREATE TABLE federationDomains (
            domain  TEXT PRIMARY KEY,
            rule    TEXT NOT NULL CHECK (rule IN ('blocked', 'allowed')),
            why     TEXT NOT NULL,
            created INTEGER NOT NULL
        ) STRICT;
        """

    /// Those of the acts of people, and of activities as they are written down.
    static let triggers = """
        CREATE TRIGGER federationSpread AFTER INSERT ON federationActivities WHEN NEW.target IS NULL BEGIN
            INSERT OR IGNORE INTO federationDeliveries (activity, inbox, host, created)
            SELECT NEW.sequence, COALESCE(remoteActors.sharedInbox, remoteActors.inbox), remoteActors.host, NEW.created
            FROM federationActors JOIN remoteFollowers ON remoteFollowers.account = federationActors.account
            JOIN remoteActors ON remoteActors.id = remoteFollowers.actor
            WHERE federationActors.id = NEW.actor
                AND NOT EXISTS (SELECT 1 FROM remoteHosts WHERE remoteHosts.host = remoteActors.host AND rests = 1);
        END;
        CREATE TRIGGER federationSpreadToOne AFTER INSERT ON federationActivities WHEN NEW.target IS NOT NULL BEGIN
            INSERT INTO federationDeliveries (activity, inbox, host, created)
            SELECT NEW.sequence, inbox, host, NEW.created FROM remoteActors WHERE id = NEW.target;
        END;
        CREATE TRIGGER federationPosted AFTER INSERT ON posts
        WHEN NEW.visibility = 'public' AND NEW.state = 'shown' AND NEW.clip IS NOT NULL BEGIN
            INSERT INTO federationActivities (actor, kind, object, created)
            SELECT id, 'create', NEW.id, NEW.created FROM federationActors WHERE account = NEW.account AND isOn = 1;
        END;
        CREATE TRIGGER federationShown AFTER UPDATE OF state ON posts
        WHEN NEW.visibility = 'public' AND NEW.state = 'shown' AND OLD.state <> 'shown' AND NEW.clip IS NOT NULL BEGIN
            INSERT INTO federationActivities (actor, kind, object, created)
            SELECT id, 'create', NEW.id, unixepoch() * 1000 FROM federationActors
            WHERE account = NEW.account AND isOn = 1;
        END;
        CREATE TRIGGER federationHidden AFTER UPDATE OF state ON posts
        WHEN OLD.visibility = 'public' AND OLD.state = 'shown' AND NEW.state <> 'shown' AND OLD.clip IS NOT NULL BEGIN
            INSERT INTO federationActivities (actor, kind, object, created)
            SELECT id, 'delete', OLD.id, unixepoch() * 1000 FROM federationActors
            WHERE account = OLD.account AND isOn = 1;
        END;
        CREATE TRIGGER federationEdited AFTER UPDATE OF text, spoiler, language ON posts
        WHEN NEW.visibility = 'public' AND NEW.state = 'shown' AND NEW.clip IS NOT NULL BEGIN
            INSERT INTO federationActivities (actor, kind, object, created)
            SELECT id, 'update', NEW.id, unixepoch() * 1000 FROM federationActors
            WHERE account = NEW.account AND isOn = 1;
        END;
        CREATE TRIGGER federationDeleted AFTER DELETE ON posts
        WHEN OLD.visibility = 'public' AND OLD.state = 'shown' AND OLD.clip IS NOT NULL BEGIN
            INSERT INTO federationActivities (actor, kind, object, created)
            SELECT id, 'delete', OLD.id, unixepoch() * 1000 FROM federationActors
            WHERE account = OLD.account AND isOn = 1;
        END;
        CREATE TRIGGER federationRenamed AFTER UPDATE OF handle, name, bio ON accounts
        WHEN NEW.handle <> OLD.handle OR NEW.name <> OLD.name OR NEW.bio <> OLD.bio BEGIN
            INSERT INTO federationActivities (actor, kind, created)
            SELECT id, 'profile', unixepoch() * 1000 FROM federationActors WHERE account = NEW.id AND isOn = 1;
        END;
        CREATE TRIGGER federationPictured AFTER INSERT ON portraits BEGIN
            INSERT INTO federationActivities (actor, kind, created)
            SELECT id, 'profile', unixepoch() * 1000 FROM federationActors WHERE account = NEW.account AND isOn = 1;
        END;
        -- To switch it off, to be closed and to be erased is one thing for others: the actor says farewell, and nobody follows any more.
        CREATE TRIGGER federationSwitchedOff AFTER UPDATE OF isOn ON federationActors
        WHEN OLD.isOn = 1 AND NEW.isOn = 0 AND NEW.isHub = 0 BEGIN
            DELETE FROM federationActivities WHERE actor = NEW.id;
            INSERT INTO federationActivities (actor, kind, created) VALUES (NEW.id, 'farewell', unixepoch() * 1000);
            DELETE FROM remoteFollowers WHERE account = NEW.account;
        END;
        CREATE TRIGGER federationClosed AFTER UPDATE OF state ON accounts WHEN NEW.state = 'closed' BEGIN
            UPDATE federationActors SET isOn = 0 WHERE account = NEW.id;
        END;
        CREATE TRIGGER federationErased BEFORE DELETE ON accounts BEGIN
            UPDATE federationActors SET isOn = 0 WHERE account = OLD.id;
            UPDATE federationActors SET account = NULL WHERE account = OLD.id;
        END;
        """

    private static let incoming = """
        -- Activities of others that were applied, each once.
        CREATE TABLE federationSeen (
            id       TEXT PRIMARY KEY,
            received INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX federationSeenByAge ON federationSeen (received);
        CREATE TABLE remoteMarks (
            post     TEXT NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
            actor    INTEGER NOT NULL REFERENCES remoteActors (id) ON DELETE CASCADE,
            kind     TEXT NOT NULL CHECK (kind IN ('like', 'announce')),
            activity TEXT NOT NULL,
            created  INTEGER NOT NULL,
            PRIMARY KEY (post, actor, kind)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX remoteMarksByActor ON remoteMarks (actor, activity);
        CREATE TABLE remoteReplies (
            sequence INTEGER PRIMARY KEY,
            -- The address of the note.
            address  TEXT NOT NULL UNIQUE,
            post     TEXT NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
            actor    INTEGER NOT NULL REFERENCES remoteActors (id) ON DELETE CASCADE,
            -- Plain.
            text     TEXT NOT NULL,
            page     TEXT NOT NULL,
            created  INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX remoteRepliesByPost ON remoteReplies (post);
        CREATE INDEX remoteRepliesByActor ON remoteReplies (actor);
        -- Who did it, when that is nobody here, and what she said.
        ALTER TABLE notices ADD COLUMN remote INTEGER REFERENCES remoteActors (id) ON DELETE CASCADE;
        ALTER TABLE notices ADD COLUMN reply INTEGER REFERENCES remoteReplies (sequence) ON DELETE CASCADE;
        CREATE INDEX noticesByRemote ON notices (remote) WHERE remote IS NOT NULL;
        CREATE INDEX noticesByReply ON notices (reply) WHERE reply IS NOT NULL;
        -- The server that reports, when it is nobody here.
        ALTER TABLE reports ADD COLUMN server TEXT;
        """
}
