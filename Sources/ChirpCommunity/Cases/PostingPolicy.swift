package import ChirpAccounts
internal import ChirpDatabase
internal import FoundationEssentials
internal import GRDB

/// What members may post, and what of it waits for a moderator's look.
package struct PostingPolicy: Hashable, Sendable {
    /// How many posts of an account must have been shown before the others are shown at once.
    package var heldFirst = 0
    /// The most that a new account posts within 24 hours, also when it removes them.
    package var perDay = 10.0
    /// The most that any member posts within an hour, also when it removes them. Nobody types as many.
    package var perHour = 300.0
    /// For how long an account is new, in seconds.
    package var newFor = 7 * 24 * 3600.0
    /// Multiplies ``perDay`` and ``perHour``.
    package var scale = 1.0

    package init(heldFirst: Int = 0, scale: Double = 1) {
        self.heldFirst = heldFirst
        self.scale = scale
    }
}

/// Whether an account may post now.
package enum PostingRule: Hashable, Sendable {
    case allowed
    /// It may, and a moderator looks at the post before others see it.
    case held
    case tooMany(retryAfter: Int)
}

/// Why a post is not taken, or what is done to one.
package enum PostingRefusal: Error, Hashable {
    /// Members, and new ones above all, post so often and no more; seconds to wait.
    case tooOften(seconds: Int)
    /// So many people who list things and do not know the author were written to within a day; seconds to wait.
    case strangers(seconds: Int)
    /// So much goes to other servers within a day (``HubLibrary/mostOutwardActsADay``); seconds to wait.
    case outward(seconds: Int)
    /// The account is suspended, closed or not confirmed.
    case notActive
    case library(LibraryError)
}

extension HubLibrary {
    /// Whether an account may post now. Another post may come in between: what posts asks ``post(_:under:)``.
    package func postingRule(
        for account: AccountID, _ policy: PostingPolicy
    ) async throws(LibraryError) -> PostingRule {
        let now = Self.milliseconds(now())
        return try await read { try Self.rule(for: account, policy, at: now, in: $0) }
    }

    /// Puts a draft into the feed if its author may post now. Rule, count and post are one transaction; a draft that was posted
    /// already is that post, whatever the rule says now.
    ///
    /// What is for followers or for everybody may be held. What is for somebody alone never is: moderators do not read letters.
    package func post(_ draft: PostDraft, under policy: PostingPolicy) async throws(PostingRefusal) -> HubPost {
        let now = Self.milliseconds(now())
        let posts = try await posting { try self.admit(draft, under: policy, at: now, in: $0) }
        guard let post = posts.first else {
            throw .library(.inputOutput(path: file.path, reason: "the post that was just written is not there"))
        }
        return post
    }

    /// Runs a transaction that posts and may be refused; then nothing of it has happened.
    func posting<T: Sendable>(_ body: @Sendable (Database) throws -> T) async throws(PostingRefusal) -> T {
        do { return try await database.write(body) } catch {
            throw (error as? PostingRefusal) ?? .library(libraryError(error))
        }
    }

    /// The same, within a transaction.
    ///
    /// - Throws: ``PostingRefusal``; then the transaction has to end with it.
    func admit(
        _ draft: PostDraft, under policy: PostingPolicy, at now: Int64, in database: Database
    ) throws -> [HubPost] {
        let known = try posts(
            "posts.account = ? AND posts.key = ?", [draft.author, draft.key], "posts.sequence LIMIT 1", in: database)
        guard known.isEmpty else { return known }
        // Suspended between the request and now.
        guard try Self.isActive(draft.author, at: now, in: database) else { throw PostingRefusal.notActive }
        var draft = draft
        switch try Self.rule(for: draft.author, policy, at: now, in: database) {
        case .allowed: break
        case .held: draft.isHeld = draft.isHeld || draft.visibility != .direct
        case .tooMany(let seconds): throw PostingRefusal.tooOften(seconds: seconds)
        }
        try StrangerLetters.admit(draft, at: now, in: database)
        try database.cachedStatement(sql: "DELETE FROM recentPosts WHERE at <= ?").execute(arguments: [now - Self.day])
        try database.cachedStatement(
            sql: "INSERT INTO recentPosts (account, at) SELECT id, ? FROM accounts WHERE id = ? AND role = 'member'"
        ).execute(arguments: [now, draft.author])
        let posts = try insert(draft, in: database)
        if let above = draft.replyTo { try Self.admitOutwardAct(on: above, by: draft.author, at: now, in: database) }
        return posts
    }

    /// In ms.
    private static let (hour, day): (Int64, Int64) = (3_600_000, 24 * 3_600_000)

    /// The rule, within the transaction that uses it. Moderators and the owner are trusted.
    static func rule(
        for account: AccountID, _ policy: PostingPolicy, at now: Int64, in database: Database
    ) throws -> PostingRule {
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT role, created FROM accounts WHERE id = ?"), arguments: [account])
        guard let row, row["role"] as String == "member" else { return .allowed }
        let created: Int64 = row["created"]
        let isNew = created > now - Int64(clamping: policy.newFor * 1000)
        // The longer wait first: who is new has both limits.
        let limits: [(Double, Int64)] = (isNew ? [(policy.perDay, day)] : []) + [(policy.perHour, hour)]
        for (most, span) in limits {
            let seconds = try wait(most * policy.scale, within: span, account, at: now, in: database)
            if let seconds { return .tooMany(retryAfter: seconds) }
        }
        guard policy.heldFirst > 0 else { return .allowed }
        let shown = try Int.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT COUNT(*) FROM (SELECT 1 FROM posts WHERE account = ? AND state = 'shown'
                        AND visibility <> 'direct' LIMIT ?)
                    """), arguments: [account, policy.heldFirst])
        return (shown ?? 0) < policy.heldFirst ? .held : .allowed
    }

    /// How many seconds an account waits until it has posted less than `most` within the time before; nil when it need not.
    ///
    /// - Parameter span: in ms.
    private static func wait(
        _ most: Double, within span: Int64, _ account: AccountID, at now: Int64, in database: Database
    ) throws -> Int? {
        let most = max(1, Int(clamping: most.rounded(.down)))
        let oldest = try Int64.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT at FROM recentPosts WHERE account = ? AND at > ? AND at <= ?
                    ORDER BY at DESC LIMIT 1 OFFSET ?
                    """), arguments: [account, now - span, now, most - 1])
        return oldest.map { max(1, Int(($0 + span - now + 999) / 1000)) }
    }
}
