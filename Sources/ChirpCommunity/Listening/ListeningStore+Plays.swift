package import ChirpAccounts
package import ChirpNumbers
internal import FoundationEssentials
internal import GRDB

extension ListeningStore {
    /// A post that one session is to hear.
    package struct Detected: Hashable, Sendable {
        package let session: Int64
        package let post: Int64
        package let author: AccountID

        package init(session: Int64, post: Int64, author: AccountID) {
            (self.session, self.post, self.author) = (session, post, author)
        }
    }

    /// Posts behind a place with those into whose homes they belong: one question for all who listen.
    package func posts(after place: PageCursor, limit: Int) async throws(LibraryError) -> [StreamedPost] {
        try await library.streamedPosts(after: place, limit: limit)
    }

    /// Where the feed ends.
    package func feedEnd() async throws(LibraryError) -> Int64 {
        try await library.seen(by: .visitor).lastSequence()
    }

    /// Writes down what arrived, and up to where the feed was read, in one transaction. What is there already, or was deleted, ended or taken
    /// over by another process meanwhile, is left out.
    ///
    /// - Returns: what is new, in order of arrival.
    package func detect(_ found: [Detected], upTo place: Int64) async throws(LibraryError) -> [ListeningPlay] {
        let now = HubLibrary.milliseconds(library.now())
        return try await library.write { database in
            let insert = try database.cachedStatement(
                sql: """
                    INSERT INTO livePlays (session, post, author, arrived)
                    SELECT number, posts.sequence, posts.account, ? FROM liveSessions JOIN posts ON posts.sequence = ?
                    WHERE number = ? AND ended IS NULL AND driver = ?
                    ON CONFLICT (session, post) DO NOTHING RETURNING *
                    """)
            var plays: [ListeningPlay] = []
            for one in found {
                let rows = try Row.fetchAll(insert, arguments: [now, one.post, one.session, driver])
                plays += rows.map(ListeningPlay.init)
            }
            try database.cachedStatement(
                sql: """
                    UPDATE liveSessions SET readTo = :place WHERE ended IS NULL AND readTo < :place AND driver = :driver
                    """
            ).execute(arguments: ["place": place, "driver": driver])
            return plays
        }
    }

    /// Writes down what became of one. May be repeated.
    package func mark(
        _ play: Int64, _ state: ListeningPlay.State, seconds: Double = 0, why: String = ""
    ) async throws(LibraryError) {
        try await library.write { database in
            try database.cachedStatement(
                sql: "UPDATE livePlays SET state = ?, seconds = ?, why = ? WHERE id = ? AND \(Self.isDriven)"
            ).execute(arguments: [state.rawValue, seconds.isFinite ? max(seconds, 0) : 0, why, play, driver])
        }
    }

    /// Writes down how much of the one that is heard was heard.
    package func note(_ seconds: Double, of play: Int64) async throws(LibraryError) {
        guard seconds.isFinite, seconds >= 0 else { return }
        try await library.write { database in
            try database.cachedStatement(
                sql: "UPDATE livePlays SET seconds = ? WHERE id = ? AND state = 'playing' AND \(Self.isDriven)"
            ).execute(arguments: [seconds, play, driver])
        }
    }

    /// The last that arrived in a session, in order of arrival.
    package func plays(of session: Int64, limit: Int) async throws(LibraryError) -> [ListeningPlay] {
        try await library.read { database in
            try Row.fetchAll(
                database.cachedStatement(sql: "SELECT * FROM livePlays WHERE session = ? ORDER BY id DESC LIMIT ?"),
                arguments: [session, limit]
            ).reversed().map(ListeningPlay.init)
        }
    }

    /// Those that wait to be heard, in order of arrival; the one that was being heard is the first of them.
    package func open(in session: Int64) async throws(LibraryError) -> [ListeningPlay] {
        try await library.read { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: "SELECT * FROM livePlays WHERE session = ? AND state IN ('queued', 'playing') ORDER BY id"),
                arguments: [session]
            ).map(ListeningPlay.init)
        }
    }

    /// Whose posts were deleted, of the sessions that run: ids of plays by session.
    package func gone() async throws(LibraryError) -> [Int64: [Int64]] {
        try await library.read { database in
            let rows = try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT livePlays.id, livePlays.session FROM liveSessions
                        JOIN livePlays ON livePlays.session = liveSessions.number
                        WHERE liveSessions.ended IS NULL AND livePlays.post IS NULL
                        """))
            return Dictionary(grouping: rows, by: { $0["session"] }).mapValues { $0.map { $0["id"] } }
        }
    }

    /// Whether a play may be heard now: its author is followed or what it tells of is watched, and the post is seen by the listener, with its clip (CH-22).
    package func mayHear(_ play: Int64, _ listener: AccountID) async throws(LibraryError) -> Bool {
        let visible = library.seen(by: .member(listener)).visiblePosts
        return try await library.read { database in
            try Bool.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT 1 FROM livePlays JOIN posts ON posts.sequence = livePlays.post
                        JOIN accounts ON accounts.id = posts.account JOIN clips ON clips.id = posts.clip
                        WHERE livePlays.id = ? AND clips.shared = 1 AND \(visible.sql)
                            AND (EXISTS (SELECT 1 FROM follows WHERE follower = ? AND followed = posts.account)
                                OR ? IN (\(ItemMedia.watchers(of: "posts.sequence"))))
                        """), arguments: [play] + visible.arguments + [listener, listener]) ?? false
        }
    }

    /// Posts at some places, as far as a listener sees them.
    package func posts(at places: [Int64], seenBy listener: AccountID) async throws(LibraryError) -> [Int64: HubPost] {
        guard !places.isEmpty else { return [:] }
        let visible = library.seen(by: .member(listener)).visiblePosts
        return try await library.read { database in
            let posts = try library.posts(
                "posts.sequence IN (SELECT value FROM json_each(?)) AND \(visible.sql)",
                [try places.statementList()] + visible.arguments,
                "posts.sequence", in: database)
            return Dictionary(posts.map { ($0.sequence, $0) }, uniquingKeysWith: { first, _ in first })
        }
    }

    /// What arrived in somebody's sessions and is listed still, newest first. What waits to be heard in one that runs is left out.
    ///
    /// - Parameter before: a play's id.
    package func heard(
        by listener: AccountID, before: PageCursor = .end, limit: Int
    ) async throws(LibraryError) -> [HeardPlay] {
        try await heard(by: listener, "livePlays.id < ?", before.row, limit: limit)
    }

    private func heard(
        by listener: AccountID, _ condition: String, _ number: Int64, limit: Int
    ) async throws(LibraryError) -> [HeardPlay] {
        let limitOfTime = HubLibrary.milliseconds(library.now().addingTimeInterval(-retention))
        let found = try await library.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT livePlays.*, COALESCE(liveSessions.ended, liveSessions.ends) AS finished,
                        (SELECT expires FROM clips JOIN posts ON posts.clip = clips.id
                            WHERE posts.sequence = livePlays.post) AS expires
                    FROM livePlays JOIN liveSessions ON liveSessions.number = livePlays.session
                    WHERE liveSessions.account = ? AND \(condition)
                        AND (liveSessions.ended IS NULL OR liveSessions.ended > ?)
                        AND (liveSessions.ended IS NOT NULL OR livePlays.state <> 'queued')
                    ORDER BY livePlays.id DESC LIMIT \(max(limit, 0))
                    """, arguments: [listener, number, limitOfTime]
            ).map { row in
                (
                    play: ListeningPlay(row), over: HubLibrary.date(row["finished"]),
                    expires: (row["expires"] as Int64?).map(HubLibrary.date)
                )
            }
        }
        let posts = try await posts(at: found.compactMap(\.play.post), seenBy: listener)
        let now = library.now()
        return found.map { play, over, expires in
            let post = play.post.flatMap { posts[$0] }.flatMap { $0.clip == nil ? nil : $0 }
            let absence: HeardPlay.Absence? =
                if post != nil { nil } else if play.post == nil { .deleted } else if let expires, expires <= now {
                    .expired
                } else { .withheld }
            let listed = over.addingTimeInterval(retention)
            return HeardPlay(
                play: play, post: post, absence: absence, keptUntil: expires.map { min($0, listed) } ?? listed)
        }
    }

    /// One of what ``heard(by:before:limit:)`` lists; nil when there is none.
    package func heard(_ play: Int64, by listener: AccountID) async throws(LibraryError) -> HeardPlay? {
        try await heard(by: listener, "livePlays.id = ?", play, limit: 1).first
    }
}
