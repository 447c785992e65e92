package import FoundationEssentials
internal import GRDB

/// One activity of this hub's for one inbox elsewhere.
package struct FederationDelivery: Hashable, Sendable {
    /// The activity, by its place in the tables.
    package let activity: Int64
    /// The end of the activity's address: the same however often it is delivered.
    package let activityID: String
    package let kind: Kind
    /// The id of a post, or of another server's activity that is answered.
    package let object: String
    /// The address of what is liked or shared.
    package let about: String
    /// The address of whom it concerns; empty for followers alone.
    package let target: String
    package let actor: FederationActor
    package let inbox: String
    package let host: String
    /// How often it failed.
    package let tries: Int
    package let created: Date

    package enum Kind: String, Hashable, Sendable {
        /// A clip is there, has changed, is there no more.
        case create, update, delete
        /// Somebody's name or picture has changed.
        case profile
        /// The actor is gone.
        case farewell
        /// Somebody may follow, or may not.
        case accept, reject
        /// Somebody here follows, or does so no more.
        case follow, unfollow
        /// Somebody here likes or shares a clip that was posted elsewhere, or does so no more.
        case like, unlike, announce, unannounce
    }
}

/// What waits to be delivered to a server, or could not be.
package struct FederationQueue: Hashable, Sendable, Identifiable {
    package let host: String
    package let waiting: Int
    /// In a row; 0 for a server that answers.
    package let failures: Int
    /// Nothing is sent before; nil: at once.
    package let next: Date?
    /// It failed on seven days: nothing is sent until it is heard of.
    package let rests: Bool
    package let reason: String
    package var id: String { host }
}

extension HubLibrary {
    /// On how many days a server may fail before it rests.
    package static let mostFailedDays = 7
    /// How long something is tried to be delivered, and how long it is remembered afterwards, in seconds.
    package static let deliveryAge = 14 * 24 * 3600.0

    private static let due = """
        FROM federationDeliveries LEFT JOIN remoteHosts ON remoteHosts.host = federationDeliveries.host
        WHERE state = 'waiting' AND COALESCE(rests, 0) = 0
        """

    /// The servers whose turn it is, those first for which something waits longest.
    package func dueHosts(most: Int) async throws(LibraryError) -> [String] {
        let now = Self.milliseconds(now())
        return try await read { database in
            try String.fetchAll(
                database,
                sql: """
                    SELECT federationDeliveries.host \(Self.due) AND COALESCE(next, 0) <= ?
                    GROUP BY federationDeliveries.host ORDER BY MIN(activity), federationDeliveries.host LIMIT \(most)
                    """, arguments: [now])
        }
    }

    /// What a server gets next, in the order in which it came to be; nil when nothing waits. The answer to a follow says how it stands now:
    /// whoever does not follow, since they are blocked, is refused.
    package func nextDelivery(to host: String) async throws(LibraryError) -> FederationDelivery? {
        try await read { database in
            let row = try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT federationDeliveries.*, federationActivities.id,
                            iif(federationActivities.kind = 'accept' AND NOT EXISTS (
                                SELECT 1 FROM remoteFollowers
                                JOIN federationActors ON federationActors.account = remoteFollowers.account
                                WHERE federationActors.id = federationActivities.actor
                                    AND remoteFollowers.actor = federationActivities.target
                            ), 'reject', federationActivities.kind) AS kind,
                            federationActivities.object, federationActivities.about, federationActivities.actor, remoteActors.address
                        FROM federationDeliveries
                        JOIN federationActivities ON federationActivities.sequence = federationDeliveries.activity
                        LEFT JOIN remoteActors ON remoteActors.id = federationActivities.target
                        WHERE federationDeliveries.host = ? AND state = 'waiting' ORDER BY activity LIMIT 1
                        """), arguments: [host])
            guard let row, let kind = FederationDelivery.Kind(rawValue: row["kind"]),
                let actor = try FederationActor.one("federationActors.id = ?", [row["actor"] as String], in: database)
            else { return nil }
            return FederationDelivery(
                activity: row["activity"], activityID: row["id"], kind: kind, object: row["object"],
                about: row["about"],
                target: row["address"] ?? "", actor: actor, inbox: row["inbox"], host: row["host"],
                tries: row["tries"], created: Self.date(row["created"]))
        }
    }

    /// An inbox has it, or will not get it. What a server takes proves that it is there.
    package func deliveryEnded(
        _ delivery: FederationDelivery, wasSent: Bool, isAlive: Bool = true
    ) async throws(LibraryError) {
        try await write { database in
            try database.cachedStatement(
                sql: """
                    UPDATE federationDeliveries SET state = ?, tries = tries + 1
                    WHERE activity = ? AND inbox = ? AND state = 'waiting'
                    """
            ).execute(arguments: [wasSent ? "sent" : "dropped", delivery.activity, delivery.inbox])
            guard isAlive else { return }
            try database.cachedStatement(sql: "DELETE FROM remoteHosts WHERE host = ?").execute(arguments: [
                delivery.host
            ])
        }
    }

    /// An inbox is there no more: nobody follows by it.
    package func inboxGone(_ delivery: FederationDelivery) async throws(LibraryError) {
        try await write { database in
            try database.cachedStatement(
                sql: "UPDATE federationDeliveries SET state = 'dropped' WHERE inbox = ? AND state = 'waiting'"
            ).execute(arguments: [delivery.inbox])
            try database.cachedStatement(
                sql: """
                    DELETE FROM remoteFollowers WHERE actor IN (
                        SELECT id FROM remoteActors WHERE host = ? AND COALESCE(sharedInbox, inbox) = ?)
                    """
            ).execute(arguments: [delivery.host, delivery.inbox])
        }
    }

    /// A server could not take it. Nothing is sent there earlier; one that failed on seven days rests, and what waits for it is given up.
    ///
    /// - Parameters:
    ///   - next: when it is tried again.
    ///   - reason: plain text.
    /// - Returns: whether it rests now.
    package func deliveryFailed(
        _ delivery: FederationDelivery, next: Date, reason: String
    ) async throws(LibraryError) -> Bool {
        let (now, next) = (Self.milliseconds(now()), Self.milliseconds(next))
        let day = now / 86_400_000
        return try await write { database in
            try database.cachedStatement(
                sql: "UPDATE federationDeliveries SET tries = tries + 1 WHERE activity = ? AND inbox = ?"
            ).execute(arguments: [delivery.activity, delivery.inbox])
            try database.cachedStatement(
                sql: """
                    INSERT INTO remoteHosts (host, failures, days, day, next, reason) VALUES (:host, 1, 1, :day, :next, :reason)
                    ON CONFLICT (host) DO UPDATE SET failures = failures + 1,
                        days = days + (excluded.day <> day), day = excluded.day, next = MAX(next, excluded.next),
                        reason = excluded.reason, rests = days + (excluded.day <> day) >= \(Self.mostFailedDays)
                    """
            ).execute(arguments: ["host": delivery.host, "day": day, "next": next, "reason": reason])
            let rests = try Bool.fetchOne(
                database.cachedStatement(sql: "SELECT rests FROM remoteHosts WHERE host = ?"),
                arguments: [delivery.host])
            guard rests == true else { return false }
            try database.cachedStatement(
                sql: "UPDATE federationDeliveries SET state = 'dropped' WHERE host = ? AND state = 'waiting'"
            ).execute(arguments: [delivery.host])
            return true
        }
    }

    /// Tells of every transaction of this process that has changed what waits.
    ///
    /// - Returns: ends it.
    package func deliveriesChanged(_ tell: @escaping @Sendable () -> Void) -> () -> Void {
        let watching = DatabaseRegionObservation(tracking: Table("federationDeliveries"))
            .start(in: database, onError: { _ in }, onChange: { _ in tell() })
        return { watching.cancel() }
    }

    /// When the next server is to be tried; nil when nothing waits.
    package func nextDelivery() async throws(LibraryError) -> Date? {
        try await read { database in
            try Int64.fetchOne(database.cachedStatement(sql: "SELECT MIN(COALESCE(next, 0)) \(Self.due)"))
        }.map(Self.date)
    }

    /// The servers for which something waits or that could not be reached, these first; and how many deliveries wait in all.
    package func federationQueues(
        limit: Int = 200
    ) async throws(LibraryError) -> (waiting: Int, queues: [FederationQueue]) {
        let now = Self.milliseconds(now())
        return try await read { database in
            let waiting = try Int.fetchOne(
                database, sql: "SELECT COUNT(*) FROM federationDeliveries WHERE state = 'waiting'")
            let rows = try Row.fetchAll(
                database,
                sql: """
                    WITH waits AS (
                        SELECT host, COUNT(*) AS waiting FROM federationDeliveries WHERE state = 'waiting' GROUP BY host)
                    SELECT hosts.host, COALESCE(waiting, 0) AS waiting, COALESCE(failures, 0) AS failures,
                        COALESCE(next, 0) AS next, COALESCE(rests, 0) AS rests, COALESCE(reason, '') AS reason
                    FROM (SELECT host FROM waits UNION SELECT host FROM remoteHosts) AS hosts
                    LEFT JOIN waits ON waits.host = hosts.host LEFT JOIN remoteHosts ON remoteHosts.host = hosts.host
                    ORDER BY rests DESC, failures DESC, waiting DESC, hosts.host LIMIT \(limit)
                    """)
            return (
                waiting ?? 0,
                rows.map { row in
                    let next: Int64 = row["next"]
                    return FederationQueue(
                        host: row["host"], waiting: row["waiting"], failures: row["failures"],
                        next: next > now ? Self.date(next) : nil, rests: row["rests"], reason: row["reason"])
                }
            )
        }
    }

    /// Forgets what was delivered long ago, gives up what is too old, and forgets actors whom nothing here refers to.
    func sweepFederation() async throws(LibraryError) {
        let now = now()
        let old = Self.milliseconds(now.addingTimeInterval(-Self.deliveryAge))
        let strange = Self.milliseconds(now.addingTimeInterval(-Self.strangerAge))
        try await write { database in
            for (sql, instant) in [
                ("DELETE FROM federationDeliveries WHERE created <= ?", old),
                (
                    """
                    DELETE FROM federationActivities WHERE created <= ?
                        AND NOT EXISTS (SELECT 1 FROM federationDeliveries WHERE activity = federationActivities.sequence)
                    """, old
                ),
                // Who is gone has said farewell to everybody.
                (
                    """
                    DELETE FROM federationActors WHERE account IS NULL AND isHub = 0 AND created <= ?
                        AND NOT EXISTS (SELECT 1 FROM federationActivities WHERE actor = federationActors.id)
                    """, Self.milliseconds(now)
                ),
                ("DELETE FROM federationSeen WHERE received <= ?", strange),
                (
                    "DELETE FROM remoteClips WHERE received <= ? AND post IS NULL AND state <> 'waiting'",
                    Self.milliseconds(now.addingTimeInterval(-2 * RemoteClip.lasting))
                ),
                // Whom nobody follows any more or has blocked, and of whom nothing is kept.
                (
                    """
                    DELETE FROM accounts WHERE remote IS NOT NULL AND created <= ?
                        AND NOT EXISTS (SELECT 1 FROM follows WHERE followed = accounts.id)
                        AND NOT EXISTS (SELECT 1 FROM blocks WHERE blocked = accounts.id)
                        AND NOT EXISTS (SELECT 1 FROM posts WHERE account = accounts.id)
                    """, Self.milliseconds(now.addingTimeInterval(-Self.unfollowedAge))
                ),
                (
                    """
                    DELETE FROM remoteActors WHERE fetched <= ?
                        AND NOT EXISTS (SELECT 1 FROM remoteFollowers WHERE actor = remoteActors.id)
                        AND NOT EXISTS (SELECT 1 FROM remoteFollows WHERE actor = remoteActors.id)
                        AND NOT EXISTS (SELECT 1 FROM remoteBlocks WHERE actor = remoteActors.id)
                        AND NOT EXISTS (SELECT 1 FROM remoteMarks WHERE actor = remoteActors.id)
                        AND NOT EXISTS (SELECT 1 FROM remoteReplies WHERE actor = remoteActors.id)
                        AND NOT EXISTS (SELECT 1 FROM notices WHERE remote = remoteActors.id)
                        AND NOT EXISTS (SELECT 1 FROM accounts WHERE remote = remoteActors.id)
                        AND NOT EXISTS (SELECT 1 FROM federationActivities WHERE target = remoteActors.id)
                    """, strange
                ),
            ] {
                try database.execute(sql: sql, arguments: [instant])
            }
        }
    }
}
