package import FoundationEssentials
internal import GRDB

/// The feeds that a WebSub hub is still to be told of.
extension HubLibrary {
    /// Whether what changes in public feeds is written down from now on. When it is not, what waits is forgotten.
    package func announceFeeds(_ isOn: Bool) async throws(LibraryError) {
        try await write { database in
            if isOn {
                try database.execute(sql: "INSERT OR IGNORE INTO feedsAnnounced (isOn) VALUES (1)")
            } else {
                try database.execute(sql: "DELETE FROM feedsAnnounced; DELETE FROM changedFeeds")
            }
        }
    }

    /// Gives those their turn that have changed and were not seen yet.
    ///
    /// - Parameter pause: until the hub is told, in seconds; what changes again in the meantime is told with it.
    package func scheduleChangedFeeds(after pause: Double) async throws(LibraryError) {
        let now = now()
        let (seen, next) = (Self.milliseconds(now), Self.milliseconds(now.addingTimeInterval(pause)))
        let isNew = try await read { database in
            try Bool.fetchOne(
                database.cachedStatement(
                    sql: "SELECT EXISTS (SELECT 1 FROM changedFeeds WHERE next IS NULL OR since IS NULL)")) ?? false
        }
        // Whoever only looks keeps no other process from writing.
        guard isNew else { return }
        try await write { database in
            try database.cachedStatement(
                sql: """
                    UPDATE changedFeeds SET next = COALESCE(next, ?), since = COALESCE(since, ?)
                    WHERE next IS NULL OR since IS NULL
                    """
            ).execute(arguments: [next, seen])
        }
    }

    /// Whose turn it is, those first that failed least often; nil when nothing is due.
    package func dueChangedFeed() async throws(LibraryError) -> ChangedFeed? {
        let now = Self.milliseconds(now())
        return try await read { database in
            try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT changedFeeds.*, accounts.id, accounts.handle, accounts.name
                        FROM changedFeeds LEFT JOIN accounts ON accounts.id = changedFeeds.account
                        WHERE next <= ? ORDER BY tries, sequence LIMIT 1
                        """), arguments: [now]
            ).flatMap(ChangedFeed.init)
        }
    }

    /// The hub was told. A feed that has changed since it was asked about is told again.
    package func changedFeedTold(_ feed: ChangedFeed) async throws(LibraryError) {
        try await write { database in
            try database.cachedStatement(sql: "DELETE FROM changedFeeds WHERE sequence = ? AND changes = ?").execute(
                arguments: [feed.id, feed.changes])
            try database.cachedStatement(sql: "UPDATE changedFeeds SET next = NULL, tries = 0 WHERE sequence = ?")
                .execute(arguments: [feed.id])
        }
    }

    /// The hub could not be told.
    ///
    /// - Parameters:
    ///   - next: when it is tried again.
    ///   - holdsOthers: the hub is told of no other feed earlier.
    ///   - old: what waits since before is given up.
    /// - Returns: how many were given up.
    package func changedFeedFailed(
        _ feed: ChangedFeed, next: Date, holdsOthers: Bool, givingUp old: Date
    ) async throws(LibraryError) -> Int {
        let (next, old) = (Self.milliseconds(next), Self.milliseconds(old))
        return try await write { database in
            try database.cachedStatement(
                sql: "UPDATE changedFeeds SET tries = tries + 1, next = ? WHERE sequence = ?"
            ).execute(arguments: [next, feed.id])
            if holdsOthers {
                try database.cachedStatement(sql: "UPDATE changedFeeds SET next = ? WHERE next < ?").execute(
                    arguments: [next, next])
            }
            try database.cachedStatement(sql: "DELETE FROM changedFeeds WHERE since <= ? AND (sequence = ? OR ?)")
                .execute(arguments: [old, feed.id, holdsOthers])
            return database.changesCount
        }
    }

    /// When the hub is to be told of something; nil when nothing waits.
    package func nextChangedFeed() async throws(LibraryError) -> Date? {
        try await read { database in
            try Int64.fetchOne(database.cachedStatement(sql: "SELECT MIN(COALESCE(next, 0)) FROM changedFeeds"))
        }.map(Self.date)
    }

    /// Tells of every transaction of this process that has changed what waits.
    ///
    /// - Returns: ends it.
    package func feedsChanged(_ tell: @escaping @Sendable () -> Void) -> () -> Void {
        let watching = DatabaseRegionObservation(tracking: Table("changedFeeds"))
            .start(in: database, onError: { _ in }, onChange: { _ in tell() })
        return { watching.cancel() }
    }
}
