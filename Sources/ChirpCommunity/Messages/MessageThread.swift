package import ChirpAccounts
internal import ChirpDatabase
internal import ChirpFiles
internal import FoundationEssentials
internal import GRDB

/// A conversation: the posts to somebody among the same people.
package struct MessageThread: Hashable, Sendable, Identifiable {
    /// The same for all who take part, and for nobody else: it is made of who they are.
    package let id: String
    /// The others; those whose accounts are gone are not among them.
    package let people: [PostAuthor]
    /// The places in the feed, newest first.
    package let posts: [Int64]
    /// How many the viewer has not read.
    package let unread: Int

    static func id(of people: Set<AccountID>) -> String {
        String(FileDigest.sha256(of: people.map(\.rawValue).sorted().joined(separator: "\n")).prefix(32))
    }
}

extension HubReader {
    /// How many of the viewer's newest messages conversations are made of.
    static let mostMessages = 10_000

    /// The viewer's conversations, the one with the newest message first.
    ///
    /// - Parameters:
    ///   - end: the newest message of each comes before this place.
    ///   - limit: the most of them.
    package func threads(
        before end: PageCursor = .end, limit: Int = mostMessages
    ) async throws(LibraryError) -> [MessageThread] {
        try await threads(limit) { _, places in places.first.map { PageCursor($0) } ?? .end < end }
    }

    /// One of the viewer's conversations; nil when it is none of hers.
    package func thread(_ id: String) async throws(LibraryError) -> MessageThread? {
        try await threads(1) { found, _ in found == id }.first
    }

    /// The viewer's conversation that a message belongs to.
    package func thread(with post: Int64) async throws(LibraryError) -> MessageThread? {
        try await threads(1) { _, places in places.contains(post) }.first
    }

    /// - Parameter isAsked: whether one is, by its id and its messages, newest first. Names and what was read are looked up for these alone.
    private func threads(
        _ limit: Int, where isAsked: @Sendable (String, [Int64]) -> Bool
    ) async throws(LibraryError) -> [MessageThread] {
        guard let me = account else { return [] }
        let visible = visiblePosts
        return try await library.read { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT posts.sequence, posts.account,
                        (SELECT group_concat(account, char(10)) FROM recipients WHERE post = posts.sequence) AS others
                    FROM posts JOIN accounts ON accounts.id = posts.account LEFT JOIN clips ON clips.id = posts.clip
                    WHERE posts.visibility = 'direct' AND (posts.account = ? OR posts.sequence IN
                        (SELECT recipients.post FROM recipients WHERE recipients.account = ?)) AND \(visible.sql)
                    ORDER BY posts.sequence DESC LIMIT \(Self.mostMessages)
                    """, arguments: [me, me] + visible.arguments)
            var order: [String] = []
            var members: [String: Set<AccountID>] = [:]
            var posts: [String: (places: [Int64], others: [Int64])] = [:]
            // Most messages are among the same people as others.
            var ids: [[String]: String] = [:]
            for row in rows {
                let author: AccountID = row["account"]
                let others: String = row["others"] ?? ""
                let id: String
                if let known = ids[[author.rawValue, others]] {
                    id = known
                } else {
                    let people = Set(others.split(separator: "\n").map { AccountID(rawValue: String($0)) } + [author])
                    id = MessageThread.id(of: people)
                    ids[[author.rawValue, others]] = id
                    if members[id] == nil {
                        order.append(id)
                        members[id] = people
                    }
                }
                posts[id, default: ([], [])].places.append(row["sequence"])
                if author != me { posts[id, default: ([], [])].others.append(row["sequence"]) }
            }
            var asked: [String] = []
            for id in order where asked.count < limit && isAsked(id, posts[id]?.places ?? []) { asked.append(id) }
            let reads = try Self.reads(of: me, in: database)
            return try asked.map { id in
                let found = posts[id] ?? ([], [])
                let others = (members[id] ?? []).subtracting([me])
                return MessageThread(
                    id: id, people: try Self.names(of: others, in: database), posts: found.places,
                    unread: found.others.count { $0 > reads[id, default: 0] })
            }
        }
    }

    /// The id of the viewer's conversation with some people, whether or not there is one yet.
    package func threadID(with people: [AccountID]) -> String {
        MessageThread.id(of: Set(people + (account.map { [$0] } ?? [])))
    }

    /// Posts by their places, newest first, as far as the viewer sees them.
    package func posts(at places: [Int64]) async throws(LibraryError) -> [HubPost] {
        guard !places.isEmpty else { return [] }
        let visible = visiblePosts
        return try await library.read { database in
            try library.posts(
                "posts.sequence IN (SELECT value FROM json_each(?)) AND \(visible.sql)",
                [try places.statementList()] + visible.arguments,
                "posts.sequence DESC", in: database)
        }
    }

    private static func reads(of account: AccountID, in database: Database) throws -> [String: Int64] {
        let rows = try Row.fetchAll(
            database.cachedStatement(sql: "SELECT thread, post FROM threadReads WHERE account = ?"),
            arguments: [account])
        return Dictionary(rows.map { ($0["thread"], $0["post"]) }) { first, _ in first }
    }

    private static func names(of people: Set<AccountID>, in database: Database) throws -> [PostAuthor] {
        try people.map(\.rawValue).sorted().compactMap { id in
            try Row.fetchOne(
                database.cachedStatement(
                    sql: "SELECT id, handle, name FROM accounts WHERE id = ? AND state <> 'closed'"), arguments: [id]
            ).map(PostAuthor.init)
        }
    }
}

extension HubLibrary {
    /// An account has read a conversation up to a place in the feed.
    package func readThread(_ id: String, to place: Int64, by account: AccountID) async throws(LibraryError) {
        try await write { database in
            try database.cachedStatement(
                sql: """
                    INSERT INTO threadReads (account, thread, post) VALUES (?, ?, ?)
                    ON CONFLICT (account, thread) DO UPDATE SET post = max(post, excluded.post)
                    """
            ).execute(arguments: [account, id, place])
        }
    }
}

/// How far people have read what was written to them, as steps.
enum MessageSchema {
    static let steps = [
        SchemaStep(
            "messages-001",
            """
            CREATE TABLE threadReads (
                account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                thread  TEXT NOT NULL,
                -- The place in the feed up to which everything was read.
                post    INTEGER NOT NULL,
                PRIMARY KEY (account, thread)
            ) STRICT, WITHOUT ROWID;
            """)
    ]
}
