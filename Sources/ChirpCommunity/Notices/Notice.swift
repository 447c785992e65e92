package import ChirpAccounts
package import ChirpNumbers
package import FoundationEssentials
package import GRDB

/// Something that an account is told.
package struct Notice: Hashable, Sendable, Identifiable {
    /// Its place among all notices; later ones have greater numbers.
    package let id: Int64
    package let kind: Kind
    /// Who did it.
    package let actor: PostAuthor?
    /// The same when it is nobody here.
    package let remote: Remote?
    /// The place in the feed of the post that it is about.
    package let post: Int64?
    /// What a board lists that it is about.
    package let item: Item?
    /// What moderators have decided; nil for a report that waits, and for everything else.
    package let decision: Decided?
    package let created: Date
    package let isRead: Bool

    /// As much of an item as a notice tells.
    package struct Item: Hashable, Sendable {
        package let id: HubID
        package let title: String
        /// Where it is to be seen, or the comment on it, without what links begin with.
        package let path: String
        /// It is the account's own.
        package let isOwn: Bool
    }

    /// As much of a decision as the one reads whom it concerns: never who has decided.
    package struct Decided: Hashable, Sendable {
        /// As in ``Decision/what``.
        package let what: String
        package let until: Date?
        /// Plain text.
        package let why: String
        /// Whether it is about the reader or what is hers; otherwise about what she says is.
        package let isOwn: Bool
        /// The case, where it can be appealed against.
        package let appealable: String?
    }

    /// The name is that of the Mastodon API where there is one.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case mention, follow, favourite
        /// A moderator has decided something about the account or what is its own.
        case moderation = "moderation_warning"
        /// Somebody says that an item is hers, or that she has what is looked for.
        case claim
        /// An item may be the other side of an own one.
        case match
        /// A new item is like what the account looks out for.
        case alert
        /// An own item ends soon.
        case ending
        /// Something became of an item that concerns the account.
        case listing
        /// Somebody says something about an own item, or answers what one has said about an item.
        case comment
        /// Somebody has broken a record that the account watches, holds, or has held.
        case record
        /// An own attempt counts, or does not.
        case verified, rejected
        /// A timed event begins that the account watches.
        case event
        /// What somebody bids on, or sells by auction, goes on: she was outbid, it is her turn to pay, it has ended.
        case bid
        /// A request for a beat that the account has part in goes on.
        case request
        /// Somebody wants to be connected, or agrees to be.
        case connection
        /// The account that somebody's sales are paid to by card may be charged, or may be no longer.
        case cardsTaken = "cards_taken"
        case cardsRefused = "cards_refused"

        /// Those that only boards tell which say so (``BoardTables/notices``).
        package static let ofBoards: [Kind] = [
            .record, .verified, .rejected, .event, .bid, .request, .connection, .cardsTaken, .cardsRefused,
        ]

        /// Those that Mastodon's API has a name for; its programs are told of no others.
        package static let ofClients: [Kind] = [.mention, .follow, .favourite, .moderation]
    }

    /// One that is to be written.
    package struct Draft: Sendable {
        let account: AccountID
        let kind: Kind
        let actor: AccountID?
        let post: Int64?
        let item: HubID?
        let cause: String
        /// The place of a comment on the item.
        let comment: Int64?

        /// - Parameter cause: what it came of, when kind, actor and post or item do not say it.
        package init(
            account: AccountID, kind: Kind, actor: AccountID? = nil, post: Int64? = nil, item: HubID? = nil,
            cause: String = "", comment: Int64? = nil
        ) {
            self.account = account
            self.kind = kind
            self.actor = actor
            self.post = post
            self.item = item
            self.comment = comment
            let about = item?.text ?? "\(post ?? 0)"
            self.cause = cause.isEmpty ? "\(kind.rawValue):\(actor?.rawValue ?? ""):\(about)" : cause
        }
    }

    /// Writes one, once for its cause, and none across a block; a letter and what browsers are told too. Of all only what the account
    /// wants (``NoticeChoice``).
    package static func add(_ draft: Draft, at instant: Int64, in database: Database) throws {
        // Who is at another server hears of it there.
        let hearsNothing = try Bool.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT 1 FROM blocks WHERE blocker = ? AND blocked = ?
                    UNION ALL SELECT 1 FROM accounts WHERE id = ? AND remote IS NOT NULL
                    """), arguments: [draft.account, draft.actor, draft.account])
        guard hearsNothing != true else { return }
        let choice = try NoticeChoice.of(draft.account, draft.kind, in: database)
        if choice.onPage {
            try write(draft, at: instant, in: database)
            // It was told before.
            guard database.changesCount > 0 else { return }
        }
        try Push.enqueue(draft, choice, at: instant, in: database)
        // Of a decision its own letter tells.
        guard choice.byMail, draft.kind != .moderation, let place = try place(of: draft, in: database) else { return }
        try Accounts.tell(
            draft.account, ofNotice: draft.kind.rawValue, by: place.actor, at: place.path, cause: draft.cause,
            now: instant, in: database)
    }

    /// Who did it, and where it is to be seen. Nil for a post that waits for a moderator's look, for an item that the account does not
    /// see, and for what is gone. Of what boards tell by themselves nobody did it.
    static func place(of draft: Draft, in database: Database) throws -> (actor: String, path: String)? {
        // It is about no item and nobody: her own page says more.
        if draft.kind == .cardsTaken || draft.kind == .cardsRefused { return ("", "/beats/sales") }
        let found = try String.fetchOne(
            database.cachedStatement(sql: "SELECT handle FROM accounts WHERE id = ?"), arguments: [draft.actor])
        if let item = draft.item {
            guard let summary = try Items.summary(of: item, in: database),
                try Items.isSeen(item, by: draft.account, in: database)
            else { return nil }
            guard let place = draft.comment else { return (found ?? "", summary.path) }
            let comment = try String.fetchOne(
                database.cachedStatement(sql: "SELECT id FROM comments WHERE sequence = ? AND state = 'shown'"),
                arguments: [place])
            return comment.map { (found ?? "", "\(summary.path)/comments/\($0)") }
        }
        guard let handle = found else { return nil }
        guard let post = draft.post else { return (handle, "/@\(handle)") }
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT id, clip FROM posts WHERE sequence = ? AND state = 'shown'"),
            arguments: [post])
        guard let row else { return nil }
        let (id, clip): (String, String?) = (row["id"], row["clip"])
        return (handle, clip.map { "/c/\($0)" } ?? "/p/\(id)")
    }

    private static func write(_ draft: Draft, at instant: Int64, in database: Database) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO notices (account, kind, cause, actor, post, item, comment, created)
                VALUES (:account, :kind, :cause, :actor, :post, :item, :comment, :created)
                ON CONFLICT (account, cause) DO NOTHING
                """
        ).execute(arguments: [
            "account": draft.account, "kind": draft.kind.rawValue, "cause": draft.cause, "actor": draft.actor,
            "post": draft.post, "item": draft.item?.text, "comment": draft.comment,
            "created": instant,
        ])
    }
}

extension HubReader {
    /// The viewer's notices before a place, newest first; those about posts, items and comments that she may not see are left out. What was
    /// decided is told whatever became of what it is about.
    package func notices(
        before place: PageCursor = .end, after floor: PageCursor = .start, kinds: [Notice.Kind] = Notice.Kind.allCases,
        limit: Int
    ) async throws(LibraryError) -> [Notice] {
        guard let account else { return [] }
        let visible = visiblePosts
        let items = visibleItems
        let names = kinds.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        return try await library.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT notices.*, actors.handle, actors.name, items.board, items.title, items.account AS itemAuthor,
                        remoteActors.handle AS remoteHandle, remoteActors.page AS remotePage,
                        remoteReplies.text AS replyText, remoteReplies.page AS replyPage,
                        comments.id AS commentID, decisions.what AS decided, decisions.why, decisions.until,
                        decisions.account IS notices.account AS isOwn,
                        iif(cases.account = notices.account AND cases.state = 'decided' AND cases.upheld, cases.id, NULL)
                            AS appealable
                    FROM notices LEFT JOIN accounts AS actors ON actors.id = notices.actor
                    LEFT JOIN remoteActors ON remoteActors.id = notices.remote
                    LEFT JOIN remoteReplies ON remoteReplies.sequence = notices.reply
                    LEFT JOIN items ON items.id = notices.item
                    LEFT JOIN comments ON comments.sequence = notices.comment
                    LEFT JOIN decisions ON notices.cause GLOB 'decision:[0-9]*'
                        AND decisions.sequence = CAST(substr(notices.cause, 10) AS INTEGER)
                    LEFT JOIN cases ON cases.id = decisions."case"
                    WHERE notices.account = ? AND notices.sequence < ? AND notices.sequence > ?
                        AND notices.kind IN (\(names))
                        AND (decisions.sequence IS NOT NULL OR notices.post IS NULL OR EXISTS (
                            SELECT 1 FROM posts JOIN accounts ON accounts.id = posts.account
                            LEFT JOIN clips ON clips.id = posts.clip
                            WHERE posts.sequence = notices.post AND \(visible.sql)))
                        AND (decisions.sequence IS NOT NULL OR notices.item IS NULL OR \(items.sql))
                        AND (decisions.sequence IS NOT NULL OR notices.comment IS NULL OR \(Comments.seen()))
                    ORDER BY notices.sequence DESC LIMIT \(limit)
                    """,
                arguments: [account, place.row, floor.row] + visible.arguments + items.arguments
                    + ["me": account, "now": HubLibrary.milliseconds(now)]
            ).compactMap(Notice.init)
        }
    }

    /// How many the viewer has not read.
    package func unreadNotices() async throws(LibraryError) -> Int {
        guard let account else { return 0 }
        return try await library.read { database in
            try Int.fetchOne(
                database.cachedStatement(sql: "SELECT COUNT(*) FROM notices WHERE account = ? AND readAt IS NULL"),
                arguments: [account]) ?? 0
        }
    }
}

extension HubLibrary {
    /// The account has read its notices up to one.
    package func readNotices(of account: AccountID, to place: PageCursor) async throws(LibraryError) {
        let now = Self.milliseconds(now())
        try await write { database in
            try database.cachedStatement(
                sql: "UPDATE notices SET readAt = ? WHERE account = ? AND sequence <= ? AND readAt IS NULL"
            ).execute(arguments: [now, account, place.row])
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
        remote = Remote(row)
        post = row["post"]
        if let board = row["board"] as String?, let id = (row["item"] as String?).flatMap({ HubID($0) }) {
            let (comment, author): (String?, AccountID?) = (row["commentID"], row["itemAuthor"])
            item = Item(
                id: id, title: row["title"] ?? "",
                path: "/\(board)/\(id.text)" + (comment.map { "/comments/\($0)" } ?? ""),
                isOwn: author == row["account"])
        } else {
            item = nil
        }
        decision = (row["decided"] as String?).map { what in
            Decided(
                what: what, until: (row["until"] as Int64?).map(HubLibrary.date), why: row["why"], isOwn: row["isOwn"],
                appealable: row["appealable"])
        }
        created = HubLibrary.date(row["created"])
        isRead = (row["readAt"] as Int64?) != nil
    }
}
