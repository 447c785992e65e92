internal import ChirpAccounts
internal import FoundationEssentials
internal import GRDB

/// Somebody elsewhere who is to be found at another place from now on. Who follows her here follows her there.
enum RemoteMove {
    /// Who has moved, or was moved to, moves no further for so many ms: no chain and no loop of theirs has people here follow without end.
    static let pause: Int64 = 30 * 86_400_000

    static let table = """
        -- Who elsewhere has gone where, by addresses, which outlive those who are deleted. The same move is done once.
        CREATE TABLE remoteMoves (
            address TEXT NOT NULL,
            target  TEXT NOT NULL,
            moved   INTEGER NOT NULL,
            PRIMARY KEY (address, target)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX remoteMovesByTarget ON remoteMoves (target);
        """

    /// Whether a move of hers would do anything: somebody here follows or blocks her, and she has not moved of late.
    static func isAwaited(of person: RemotePerson, at now: Int64, in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT EXISTS (SELECT 1 FROM accounts WHERE remote = :actor AND (
                            EXISTS (SELECT 1 FROM follows WHERE followed = accounts.id)
                            OR EXISTS (SELECT 1 FROM blocks WHERE blocked = accounts.id)))
                        AND NOT EXISTS (SELECT 1 FROM remoteMoves
                            WHERE (address = :address OR target = :address) AND moved > :old)
                    """),
            arguments: ["actor": person.id, "address": person.facts.address, "old": now - pause]) ?? false
    }

    /// Whoever follows her follows her there too, as far as she may; whoever has blocked her has blocked her there, unless she follows there
    /// already. The old one is still followed: clips that came from there are yet to be heard.
    static func apply(of person: RemotePerson, to target: RemotePerson.ID, at now: Int64, in database: Database) throws
    {
        guard try isAwaited(of: person, at: now, in: database),
            let address = try String.fetchOne(
                database.cachedStatement(sql: "SELECT address FROM remoteActors WHERE id = ?"), arguments: [target]),
            let new = try HubLibrary.introduce(target, at: now, in: database),
            let old = try AccountID.fetchOne(
                database.cachedStatement(sql: "SELECT id FROM accounts WHERE remote = ?"), arguments: [person.id])
        else { return }
        try database.cachedStatement(
            sql: "INSERT INTO remoteMoves (address, target, moved) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
        ).execute(arguments: [person.facts.address, address, now])
        guard database.changesCount == 1 else { return }
        try database.cachedStatement(
            sql: """
                INSERT INTO blocks (blocker, blocked, created) SELECT blocker, :new, :now FROM blocks
                WHERE blocked = :old AND NOT EXISTS (
                    SELECT 1 FROM follows WHERE follower = blocks.blocker AND followed = :new)
                ON CONFLICT DO NOTHING
                """
        ).execute(arguments: ["new": new.id, "old": old, "now": now])
        let followers = try AccountID.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT follower FROM follows WHERE followed = :old
                        AND NOT EXISTS (SELECT 1 FROM blocks WHERE blocker = follows.follower AND blocked = :new)
                    ORDER BY created, follower
                    """), arguments: ["old": old, "new": new.id])
        for follower in followers {
            try HubLibrary.follow(new.id, by: follower, at: now, in: database)
            try Notice.add(
                .follow, to: follower, by: target, cause: "move:\(person.id):\(person.facts.handle)", at: now,
                in: database)
        }
    }
}

extension HubLibrary {
    /// Whether it is to be looked at where somebody elsewhere has gone; false for what was done before and for what would do nothing.
    ///
    /// - Parameter id: of the activity that says so.
    package func awaitsMove(of person: RemotePerson, activity id: String) async throws(LibraryError) -> Bool {
        let now = Self.milliseconds(now())
        return try await read { database in
            let isDone = try Bool.fetchOne(
                database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM federationSeen WHERE id = ?)"),
                arguments: [id])
            return try isDone != true && RemoteMove.isAwaited(of: person, at: now, in: database)
        }
    }
}
