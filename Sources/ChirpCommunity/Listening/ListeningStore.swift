package import ChirpAccounts
package import FoundationEssentials
internal import GRDB

/// The tables of live listening in browsers. What was detected is a row, together with how far the feed was read, before anything else
/// happens; every statement may be repeated, and each post is there once for each session.
package struct ListeningStore: Sendable {
    package let library: HubLibrary
    /// For so many seconds after a session what arrived in it is listed. Default 24 h (CH-12, CH-23).
    package let retention: Double

    /// Who drives what is begun or adopted here: others that serve the library write nothing down for its sessions.
    let driver: String

    package static let defaultRetention = 24 * 3600.0
    /// More accounts than that are not chosen at once.
    package static let mostChosen = 5000

    package init(_ library: HubLibrary, retention: Double = ListeningStore.defaultRetention) {
        self.library = library
        self.retention = retention
        driver = HubID().text
    }

    /// What came of the wish to begin.
    package enum Beginning: Sendable {
        case begun(ListeningSession)
        /// The account listens already, in the session of that id.
        case alreadyLive(String)
    }

    /// Whom some names mean.
    package struct Chosen: Sendable {
        package let accounts: [AccountID]
        /// Names of nobody whom the listener follows.
        package let notFollowed: [String]
    }

    /// - Parameter names: ids, or handles with a leading `@`.
    package func choose(_ names: [String], for listener: AccountID) async throws(LibraryError) -> Chosen {
        let followed = try await following(of: listener)
        let ids = Dictionary(followed.map { ($0.id.rawValue, $0.id) }, uniquingKeysWith: { first, _ in first })
        let handles = Dictionary(followed.map { ($0.handle, $0.id) }, uniquingKeysWith: { first, _ in first })
        var accounts: [AccountID] = []
        var missing: [String] = []
        var known: Set<AccountID> = []
        for name in names {
            let found = name.hasPrefix("@") ? handles[name.dropFirst().lowercased()] : ids[name]
            guard let found else {
                missing.append(name)
                continue
            }
            if known.insert(found).inserted { accounts.append(found) }
        }
        return Chosen(accounts: accounts, notFollowed: missing)
    }

    /// Whom somebody follows, by handle.
    package func following(of account: AccountID) async throws(LibraryError) -> [PostAuthor] {
        try await library.read { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT accounts.id, handle, name FROM follows JOIN accounts ON accounts.id = follows.followed
                        WHERE follower = ? AND accounts.state IN ('active', 'suspended') ORDER BY handle
                        """), arguments: [account]
            ).map(PostAuthor.init)
        }
    }

    /// Writes a session down that begins with what is posted from now on.
    package func begin(
        _ account: AccountID, chosen: [AccountID], window: ListeningWindow
    ) async throws(LibraryError) -> Beginning {
        let now = HubLibrary.milliseconds(library.now())
        return try await library.write { database in
            if let id = try String.fetchOne(
                database.cachedStatement(sql: "SELECT id FROM liveSessions WHERE account = ? AND ended IS NULL"),
                arguments: [account])
            {
                return .alreadyLive(id)
            }
            try database.cachedStatement(
                sql: """
                    INSERT INTO liveSessions (id, account, begins, ends, followsClock, readTo, created, driver)
                    VALUES (?, ?, ?, ?, ?, (\(Self.feedEnd)), ?, ?)
                    """
            ).execute(arguments: [
                HubID().text, account, HubLibrary.milliseconds(window.begins),
                HubLibrary.milliseconds(window.ends), window.followsClock, now, driver,
            ])
            let number = database.lastInsertedRowID
            try Self.choose(chosen, in: number, database)
            return .begun(try Self.session(number, database))
        }
    }

    /// Changes one that runs. Those who are chosen newly count with what they post from now on.
    ///
    /// - Parameter place: up to where posts were looked at for those who were chosen before.
    /// - Returns: nil when it has ended, or another process drives it.
    package func change(
        _ number: Int64, chosen: [AccountID]? = nil, readTo place: Int64 = 0, window: ListeningWindow? = nil,
        isPaused: Bool? = nil
    ) async throws(LibraryError) -> ListeningSession? {
        try await library.write { database in
            let runs = try Bool.fetchOne(
                database.cachedStatement(
                    sql: "SELECT 1 FROM liveSessions WHERE number = ? AND ended IS NULL AND driver = ?"),
                arguments: [number, driver])
            guard runs == true else { return nil }
            if let chosen {
                try database.cachedStatement(sql: "DELETE FROM liveChosen WHERE session = ?").execute(arguments: [
                    number
                ])
                try Self.choose(chosen, in: number, database)
                try database.cachedStatement(sql: "UPDATE liveSessions SET readTo = ? WHERE number = ? AND readTo < ?")
                    .execute(arguments: [place, number, place])
            }
            if let window {
                try database.cachedStatement(
                    sql: "UPDATE liveSessions SET begins = ?, ends = ?, followsClock = ? WHERE number = ?"
                ).execute(arguments: [
                    HubLibrary.milliseconds(window.begins), HubLibrary.milliseconds(window.ends),
                    window.followsClock, number,
                ])
            }
            if let isPaused {
                try database.cachedStatement(sql: "UPDATE liveSessions SET paused = ? WHERE number = ?").execute(
                    arguments: [isPaused, number])
            }
            return try Self.session(number, database)
        }
    }

    /// Ends one that is driven here. May be repeated; the first time counts. What waits then, or is being heard, is not heard to its end.
    package func end(_ number: Int64) async throws(LibraryError) {
        let now = HubLibrary.milliseconds(library.now())
        try await library.write { database in
            try database.cachedStatement(
                sql: """
                    UPDATE livePlays SET state = 'skipped', why = 'ended'
                    WHERE session = ? AND state IN ('queued', 'playing') AND \(Self.isDriven)
                    """
            ).execute(arguments: [number, driver])
            try database.cachedStatement(
                sql: "UPDATE liveSessions SET ended = ? WHERE number = ? AND ended IS NULL AND driver = ?"
            ).execute(arguments: [now, number, driver])
        }
    }

    /// Takes over what others drove, or ran when the last process ended: the sessions that have not ended. Whoever drove one before hears
    /// of it with ``driven()``.
    ///
    /// - Parameter account: whose; nil: everybody's.
    package func adopt(of account: AccountID? = nil) async throws(LibraryError) -> [ListeningSession] {
        try await library.write { database in
            let adopted = try Int64.fetchAll(
                database.cachedStatement(
                    sql: """
                        UPDATE liveSessions SET runs = runs + 1, driver = :driver
                        WHERE ended IS NULL AND driver IS NOT :driver AND (:account IS NULL OR account = :account)
                        RETURNING number
                        """), arguments: ["driver": driver, "account": account])
            return try adopted.sorted().map { try Self.session($0, database) }
        }
    }

    /// The sessions that are driven here and have not ended.
    package func driven() async throws(LibraryError) -> Set<Int64> {
        try await library.read { database in
            try Int64.fetchSet(
                database.cachedStatement(sql: "SELECT number FROM liveSessions WHERE ended IS NULL AND driver = ?"),
                arguments: [driver])
        }
    }

    /// Whether a session is driven here.
    package func isDriven(_ session: ListeningSession) -> Bool { session.driver == driver }

    /// A condition on a play, with the driver as its argument.
    static let isDriven = "session IN (SELECT number FROM liveSessions WHERE driver = ?)"

    /// The session of an account that runs; nil when there is none.
    package func running(of account: AccountID) async throws(LibraryError) -> ListeningSession? {
        try await library.read { database in
            try Int64.fetchOne(
                database.cachedStatement(sql: "SELECT number FROM liveSessions WHERE account = ? AND ended IS NULL"),
                arguments: [account]
            ).map { try Self.session($0, database) }
        }
    }

    /// Removes sessions whose time of being listed is over, with all that arrived in them.
    ///
    /// - Returns: how many.
    @discardableResult
    package func sweep(at instant: Date) async throws(LibraryError) -> Int {
        let limit = HubLibrary.milliseconds(instant.addingTimeInterval(-retention))
        return try await library.write { database in
            try database.cachedStatement(sql: "DELETE FROM liveSessions WHERE ended IS NOT NULL AND ended <= ?")
                .execute(arguments: [limit])
            return database.changesCount
        }
    }

    private static let feedEnd = "SELECT COALESCE((SELECT seq FROM sqlite_sequence WHERE name = 'posts'), 0)"

    private static func choose(_ accounts: [AccountID], in number: Int64, _ database: Database) throws {
        for account in accounts {
            try database.cachedStatement(
                sql: "INSERT INTO liveChosen (session, account) SELECT ?, id FROM accounts WHERE id = ?"
            ).execute(arguments: [number, account])
        }
    }

    private static func session(_ number: Int64, _ database: Database) throws -> ListeningSession {
        let chosen = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT accounts.id, handle, name FROM liveChosen JOIN accounts ON accounts.id = liveChosen.account
                    WHERE session = ? ORDER BY handle
                    """), arguments: [number]
        ).map(PostAuthor.init)
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT * FROM liveSessions WHERE number = ?"), arguments: [number])
        guard let row else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a session that was just written is not there")
        }
        return ListeningSession(row, chosen: chosen)
    }
}
