package import ChirpAccounts
package import FoundationEssentials
package import GRDB

/// Something that an account is told.
package struct Notice: Hashable, Sendable, Identifiable {
    /// Its place among all notices; later ones have greater numbers.
    package let id: Int64
    package let kind: Kind
    /// Who did it.
    package let actor: PostAuthor?
    /// The place in the feed of the post that it is about.
    package let post: Int64?
    package let created: Date
    package let isRead: Bool

    /// The name is that of the Mastodon API where there is one.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case mention, follow, favourite
        /// A moderator has decided something about the account or what is its own.
        case moderation = "moderation_warning"
    }

    /// One that is to be written.
    package struct Draft: Sendable {
        let account: AccountID
        let kind: Kind
        let actor: AccountID?
        let post: Int64?
        let cause: String

        /// - Parameter cause: what it came of, when kind, actor and post do not say it.
        package init(account: AccountID, kind: Kind, actor: AccountID? = nil, post: Int64? = nil, cause: String = "") {
            self.account = account
            self.kind = kind
            self.actor = actor
            self.post = post
            self.cause = cause.isEmpty ? "\(kind.rawValue):\(actor?.rawValue ?? ""):\(post ?? 0)" : cause
        }
    }

    /// Writes one, once for its cause, and none across a block.
    package static func add(_ draft: Draft, at instant: Int64, in database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO notices (account, kind, cause, actor, post, created)
                SELECT :account, :kind, :cause, :actor, :post, :created
                WHERE NOT EXISTS (SELECT 1 FROM blocks WHERE blocker = :account AND blocked = :actor)
                ON CONFLICT (account, cause) DO NOTHING
                """,
            arguments: [
                "account": draft.account, "kind": draft.kind.rawValue, "cause": draft.cause, "actor": draft.actor,
                "post": draft.post, "created": instant,
            ])
    }
}

extension HubReader {
    /// The viewer's notices before a place, newest first; those about posts that she may not see are left out.
    package func notices(
        before id: Int64 = .max, after floor: Int64 = 0, kinds: [Notice.Kind] = Notice.Kind.allCases, limit: Int
    ) async throws(LibraryError) -> [Notice] {
        guard let account else { return [] }
        let visible = visiblePosts
        let names = kinds.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        return try await library.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT notices.*, actors.handle, actors.name FROM notices
                    LEFT JOIN accounts AS actors ON actors.id = notices.actor
                    WHERE notices.account = ? AND notices.sequence < ? AND notices.sequence > ?
                        AND notices.kind IN (\(names))
                        AND (notices.post IS NULL OR EXISTS (
                            SELECT 1 FROM posts JOIN accounts ON accounts.id = posts.account
                            LEFT JOIN clips ON clips.id = posts.clip
                            WHERE posts.sequence = notices.post AND \(visible.sql)))
                    ORDER BY notices.sequence DESC LIMIT \(limit)
                    """,
                arguments: [account, id, floor] + visible.arguments
            ).compactMap(Notice.init)
        }
    }

    /// How many the viewer has not read.
    package func unreadNotices() async throws(LibraryError) -> Int {
        guard let account else { return 0 }
        return try await library.read { database in
            try Int.fetchOne(
                database, sql: "SELECT COUNT(*) FROM notices WHERE account = ? AND readAt IS NULL", arguments: [account]
            ) ?? 0
        }
    }
}

extension HubLibrary {
    /// The account has read its notices up to one.
    package func readNotices(of account: AccountID, to id: Int64) async throws(LibraryError) {
        let now = Self.milliseconds(now())
        try await write { database in
            try database.execute(
                sql: "UPDATE notices SET readAt = ? WHERE account = ? AND sequence <= ? AND readAt IS NULL",
                arguments: [now, account, id])
        }
    }
}

extension Notice {
    /// Nil for a kind of a later release.
    fileprivate init?(_ row: Row) {
        guard let kind = Kind(rawValue: row["kind"]) else { return nil }
        id = row["sequence"]
        self.kind = kind
        let actor: AccountID? = row["actor"]
        self.actor = actor.map { PostAuthor(id: $0, handle: row["handle"] ?? "", name: row["name"] ?? "") }
        post = row["post"]
        created = HubLibrary.date(row["created"])
        isRead = (row["readAt"] as Int64?) != nil
    }
}
