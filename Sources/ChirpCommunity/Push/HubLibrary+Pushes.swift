package import FoundationEssentials
internal import GRDB

/// What waits to be told to browsers: the outbox.
extension HubLibrary {
    /// How long what was sent or given up is remembered, in seconds: for so long nothing is told twice.
    private static let rememberedPushes = 7 * 24 * 3600.0

    /// What may be told at `:now`.
    private static let due = """
        FROM pushes
        JOIN pushSubscriptions ON pushSubscriptions.id = subscription
        JOIN sessions ON sessions.id = session AND sessions.expires > :now
        JOIN accounts ON accounts.id = pushes.account AND accounts.state <> 'closed'
        LEFT JOIN accounts AS actors ON actors.id = pushes.actor
        LEFT JOIN posts ON posts.sequence = pushes.post
        WHERE pushes.state = 'waiting'
            AND (actors.id IS NULL OR actors.state <> 'closed')
            AND (posts.sequence IS NULL OR posts.state = 'shown')
            AND NOT EXISTS (SELECT 1 FROM blocks WHERE blocker = pushes.account AND blocked = pushes.actor)
        """

    /// Whose turn it is, the oldest first, and of each browser one: a browser whose service hangs keeps no other waiting.
    ///
    /// What is about a closed account, across a block or about a post that is seen no more, and what is for a browser that is not
    /// signed in any more, stays away.
    package func waitingPushes(most: Int = 50) async throws(LibraryError) -> [Push] {
        let now = Self.milliseconds(now())
        return try await read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT MIN(pushes.sequence) AS sequence, pushes.account, cause, kind, path, tries, pushes.created,
                        actors.handle, subscription, endpoint, p256dh, auth, pushSubscriptions.language
                    \(Self.due) AND pushes.next <= :now
                    GROUP BY subscription ORDER BY sequence LIMIT \(most)
                    """, arguments: ["now": now]
            ).map(Push.init)
        }
    }

    /// A browser was told, or will not be.
    package func pushEnded(_ id: Push.ID, wasSent: Bool) async throws(LibraryError) {
        try await write { database in
            try database.cachedStatement(sql: "UPDATE pushes SET state = ? WHERE sequence = ? AND state = 'waiting'")
                .execute(arguments: [wasSent ? "sent" : "dropped", id])
        }
    }

    /// A browser could not be told. Nothing else is told to it earlier.
    package func pushFailed(_ push: Push, next: Date) async throws(LibraryError) {
        let next = Self.milliseconds(next)
        try await write { database in
            try database.cachedStatement(
                sql: "UPDATE pushes SET tries = tries + 1 WHERE sequence = ? AND state = 'waiting'"
            ).execute(arguments: [push.id])
            try database.cachedStatement(
                sql: "UPDATE pushes SET next = ? WHERE subscription = ? AND state = 'waiting' AND next < ?"
            ).execute(arguments: [next, push.browser.id, next])
        }
    }

    /// A browser is not to be reached any more: it is forgotten with what waits for it.
    package func pushBrowserGone(_ browser: Push.Browser) async throws(LibraryError) {
        try await write { database in
            // It may have subscribed again meanwhile, at another address.
            try database.cachedStatement(sql: "DELETE FROM pushSubscriptions WHERE id = ? AND endpoint = ?").execute(
                arguments: [browser.id, browser.endpoint])
        }
    }

    /// Tells of every transaction of this process that has changed what waits.
    ///
    /// - Returns: ends it.
    package func pushesChanged(_ tell: @escaping @Sendable () -> Void) -> () -> Void {
        let watching = DatabaseRegionObservation(tracking: Table("pushes"))
            .start(in: database, onError: { _ in }, onChange: { _ in tell() })
        return { watching.cancel() }
    }

    /// When the next browser is to be told of something; nil when nothing waits.
    package func nextPush() async throws(LibraryError) -> Date? {
        let now = Self.milliseconds(now())
        return try await read { database in
            try Int64.fetchOne(
                database.cachedStatement(sql: "SELECT MIN(pushes.next) \(Self.due)"), arguments: ["now": now])
        }.map(Self.date)
    }

    /// Forgets what ended long ago, and gives up what is too old to be news.
    package func sweepPushes(olderThan news: Double) async throws(LibraryError) {
        let now = now()
        let (old, forgotten) = (
            Self.milliseconds(now.addingTimeInterval(-news)),
            Self.milliseconds(now.addingTimeInterval(-Self.rememberedPushes))
        )
        try await write { database in
            try database.cachedStatement(
                sql: "UPDATE pushes SET state = 'dropped' WHERE state = 'waiting' AND created <= ?"
            ).execute(arguments: [old])
            try database.cachedStatement(sql: "DELETE FROM pushes WHERE state <> 'waiting' AND created <= ?").execute(
                arguments: [forgotten])
        }
    }
}

extension Push {
    fileprivate init(_ row: Row) {
        let (account, cause): (String, String) = (row["account"], row["cause"])
        let (key, secret): (Data, Data) = (row["p256dh"], row["auth"])
        id = row["sequence"]
        browser = Browser(
            id: row["subscription"], endpoint: row["endpoint"], key: Array(key), secret: Array(secret),
            language: row["language"])
        self.cause = "\(account):\(cause)"
        kind = row["kind"]
        actor = row["handle"] ?? ""
        path = row["path"]
        tries = row["tries"]
        created = HubLibrary.date(row["created"])
    }
}
