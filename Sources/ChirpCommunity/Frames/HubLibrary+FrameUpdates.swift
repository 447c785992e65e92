package import ChirpAccounts
package import ChirpNumbers
internal import FoundationEssentials
internal import GRDB

/// What waits to be shown on frames. It is written down first and told afterwards, so that a death at any moment loses nothing.
extension HubLibrary {
    /// How many updates a frame keeps that were shown.
    private static let kept = 200
    /// How many it keeps at all: the newest.
    package static let mostFrameUpdates = 5000
    /// How many posts one look takes in.
    private static let batch = 500

    /// Looks for what has come at this hub since the last look, and writes it down in the order in which it came.
    ///
    /// - Returns: false when the frame's account does not follow its person any more, or one of the two is not there.
    package func collect(_ frame: FrameDevice) async throws(LibraryError) -> Bool {
        guard let account = frame.account, let vip = frame.vip else { return false }
        let reader = seen(by: .member(account))
        let isThere = try await reader.relationships(to: [vip]).first?.isFollowing ?? false
        guard isThere, try await !reader.people(.these([vip]), limit: 1).isEmpty else { return false }
        let visible = reader.visiblePosts
        let cursor = frame.cursor.flatMap { PageCursor($0) } ?? .start
        let found = try await read { database in
            try self.posts(
                Self.ofPerson + " AND posts.sequence > ? AND \(visible.sql)",
                [vip, account, cursor.row] + visible.arguments, "posts.sequence LIMIT \(Self.batch)", in: database)
        }
        guard let last = found.last?.sequence else { return true }
        try await write { database in
            // Another screen with the same token may have looked meanwhile; the person may have been changed.
            let isCurrent =
                try Bool.fetchOne(
                    database.cachedStatement(sql: "SELECT 1 FROM frames WHERE id = ? AND vip = ? AND cursor IS ?"),
                    arguments: [frame.id, vip, frame.cursor]) ?? false
            guard isCurrent else { return }
            for post in found { try Self.add(post, to: frame.id, in: database) }
            try database.cachedStatement(sql: "UPDATE frames SET cursor = ?, contact = ? WHERE id = ?").execute(
                arguments: ["\(last)", Self.milliseconds(now()), frame.id])
            try Self.forgetOld(frame.id, in: database)
        }
        return true
    }

    /// Posts by somebody: those that are not for one person, and those for the account.
    private static let ofPerson = """
        posts.account = ? AND posts.state = 'shown' AND (posts.visibility <> 'direct' OR EXISTS
            (SELECT 1 FROM recipients WHERE recipients.post = posts.sequence AND recipients.account = ?))
        """

    /// Lets a frame show somebody at this hub. What she has posted lately can be looked at, and counts as shown.
    ///
    /// - Returns: nil when the frame's account does not follow her.
    package func watch(_ vip: AccountID, on frame: FrameDevice) async throws(LibraryError) -> FrameDevice? {
        guard let account = frame.account else { return nil }
        let reader = seen(by: .member(account))
        guard try await reader.relationships(to: [vip]).first?.isFollowing == true else { return nil }
        let visible = reader.visiblePosts
        let now = Self.milliseconds(now())
        return try await write { database in
            let lately = try self.posts(
                Self.ofPerson + " AND \(visible.sql)", [vip, account] + visible.arguments,
                "posts.sequence DESC LIMIT 50", in: database)
            let end =
                try Int64.fetchOne(
                    database.cachedStatement(sql: "SELECT seq FROM sqlite_sequence WHERE name = 'posts'")) ?? 0
            try database.cachedStatement(sql: "DELETE FROM frameUpdates WHERE frame = ?").execute(arguments: [frame.id])
            for post in lately.reversed() { try Self.add(post, to: frame.id, in: database) }
            try database.cachedStatement(sql: "DELETE FROM framePhotos WHERE frame = ? AND NOT isOwn").execute(
                arguments: [frame.id])
            try database.cachedStatement(
                sql: """
                    UPDATE frames SET vip = ?, step = 'watch', why = NULL, cursor = ?, contact = ?,
                        seen = COALESCE((SELECT MAX(id) FROM frameUpdates WHERE frame = frames.id), seen),
                        version = version + 1
                    WHERE id = ?
                    """
            ).execute(arguments: [vip, "\(end)", now, frame.id])
            return try Self.frame("frames.id = ?", [frame.id], in: database)
        }
    }

    private static func add(_ post: HubPost, to frame: FrameDevice.ID, in database: Database) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO frameUpdates (frame, origin, kind, post, created) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (frame, origin) DO NOTHING
                """
        ).execute(arguments: [
            frame, post.id, post.visibility == .direct ? "message" : "post", post.sequence,
            milliseconds(post.created),
        ])
    }

    /// Writes down what was found at another network, and up to where it was read.
    ///
    /// - Parameters:
    ///   - device: the frame as it was when somebody began to look. One that shows somebody else by now, or was read further meanwhile,
    ///     stays as it is.
    ///   - areShown: they came before the frame was set up.
    package func keep(
        _ findings: [FrameFinding], for device: FrameDevice, cursor: String?, areShown: Bool = false
    ) async throws(LibraryError) {
        let (now, frame) = (Self.milliseconds(now()), device.id)
        try await write { database in
            let isCurrent =
                try Bool.fetchOne(
                    database.cachedStatement(sql: "SELECT 1 FROM frames WHERE id = ? AND sealed IS ? AND cursor IS ?"),
                    arguments: [frame, device.sealed.map { Data($0) }, device.cursor]) ?? false
            guard isCurrent else { return }
            for finding in findings {
                try database.cachedStatement(
                    sql: """
                        INSERT INTO frameUpdates (frame, origin, kind, sealed, created) VALUES (?, ?, ?, ?, ?)
                        ON CONFLICT (frame, origin) DO NOTHING
                        """
                ).execute(arguments: [
                    frame, finding.origin, finding.kind.rawValue, Data(finding.sealed),
                    Self.milliseconds(finding.created),
                ])
            }
            try database.cachedStatement(
                sql: """
                    UPDATE frames SET cursor = ?, contact = ?, seen = CASE WHEN ? THEN
                        COALESCE((SELECT MAX(id) FROM frameUpdates WHERE frame = frames.id), seen) ELSE seen END
                    WHERE id = ?
                    """
            ).execute(arguments: [cursor, now, areShown, frame])
            try Self.forgetOld(frame, in: database)
        }
    }

    private static func forgetOld(_ frame: FrameDevice.ID, in database: Database) throws {
        try database.cachedStatement(
            sql: """
                DELETE FROM frameUpdates WHERE frame = ?1 AND id <= (SELECT seen FROM frames WHERE id = ?1)
                    AND id < (SELECT id FROM frameUpdates WHERE frame = ?1 ORDER BY id DESC LIMIT 1 OFFSET \(kept))
                """
        ).execute(arguments: [frame])
        // A stranger's server may tell of new ones for as long as a screen is away.
        try database.cachedStatement(
            sql: """
                DELETE FROM frameUpdates WHERE frame = ?1
                    AND id <= (SELECT id FROM frameUpdates WHERE frame = ?1 ORDER BY id DESC LIMIT 1 OFFSET \(mostFrameUpdates))
                """
        ).execute(arguments: [frame])
    }

    /// Updates of a frame behind a place, oldest first; of what may not be seen any more there is only the place.
    package func updates(
        of frame: FrameDevice, after place: PageCursor, limit: Int
    ) async throws(LibraryError) -> [FrameUpdate] {
        try await updates(of: frame, "id > ? ORDER BY id LIMIT \(limit)", [place.row])
    }

    /// The newest updates of a frame, oldest first.
    package func newestUpdates(of frame: FrameDevice, limit: Int) async throws(LibraryError) -> [FrameUpdate] {
        try await updates(of: frame, "TRUE ORDER BY id DESC LIMIT \(limit)", []).reversed()
    }

    /// One update of a frame; nil when there is none.
    package func update(_ id: Int64, of frame: FrameDevice) async throws(LibraryError) -> FrameUpdate? {
        try await updates(of: frame, "id = ?", [id]).first
    }

    private func updates(
        of frame: FrameDevice, _ condition: String, _ arguments: StatementArguments
    ) async throws(LibraryError) -> [FrameUpdate] {
        let visible = seen(by: frame.account.map { .member($0) } ?? .visitor).visiblePosts
        let mine: StatementArguments = [frame.id]
        return try await read { database in
            let rows = try Row.fetchAll(
                database.cachedStatement(
                    sql: "SELECT id, kind, post, sealed, created FROM frameUpdates WHERE frame = ? AND \(condition)"),
                arguments: mine + arguments)
            return try rows.map { row in
                var post: HubPost?
                if let sequence = row["post"] as Int64? {
                    let place: StatementArguments = [sequence]
                    post = try self.posts(
                        "posts.sequence = ? AND \(visible.sql)", place + visible.arguments, "posts.sequence",
                        in: database
                    ).first
                }
                let id: Int64 = row["id"]
                return FrameUpdate(
                    id: id, kind: FrameUpdate.Kind(rawValue: row["kind"]) ?? .post, post: post,
                    sealed: (row["sealed"] as Data?).map(Array.init), created: Self.date(row["created"]),
                    isShown: id <= frame.seen)
            }
        }
    }

    /// Everything up to an update was shown. An earlier one changes nothing, and neither does one that is not there yet.
    package func frame(_ id: FrameDevice.ID, hasShown update: Int64) async throws(LibraryError) {
        try await write { database in
            try database.cachedStatement(
                sql: """
                    UPDATE frames SET seen = MAX(seen,
                        MIN(?1, COALESCE((SELECT MAX(id) FROM frameUpdates WHERE frame = frames.id), 0)))
                    WHERE id = ?2
                    """
            ).execute(arguments: [update, id])
        }
    }

    /// The network has answered.
    package func noteContact(of frame: FrameDevice.ID) async throws(LibraryError) {
        let now = Self.milliseconds(now())
        try await write { database in
            try database.cachedStatement(sql: "UPDATE frames SET contact = ? WHERE id = ?").execute(arguments: [
                now, frame,
            ])
        }
    }
}
