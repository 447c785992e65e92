internal import ChirpAccounts
internal import FoundationEssentials
internal import GRDB

extension HubLibrary {
    /// How often one actor elsewhere may answer posts here within a day; what is more is dropped.
    static let mostRepliesADay = 100
    /// How often one actor elsewhere is told within an hour that it follows somebody here; what asks more often is not answered.
    static let mostFollowAnswersAnHour = 10

    /// Does what an activity from elsewhere says, once however often it is received. What it does, the notice of it and that it was done are
    /// one transaction.
    ///
    /// - Parameters:
    ///   - actor: whose signature was checked.
    ///   - id: of the activity.
    /// - Returns: false when it was done before.
    @discardableResult
    package func apply(
        _ act: RemoteAct, by actor: RemotePerson, activity id: String
    ) async throws(LibraryError) -> Bool {
        let now = Self.milliseconds(now())
        return try await write { database in
            try database.cachedStatement(
                sql: "INSERT INTO federationSeen (id, received) VALUES (?, ?) ON CONFLICT DO NOTHING"
            ).execute(arguments: [id, now])
            guard database.changesCount == 1 else { return false }
            // Whoever speaks is there again.
            try database.cachedStatement(sql: "DELETE FROM remoteHosts WHERE host = ? AND rests = 1").execute(
                arguments: [
                    actor.facts.host
                ])
            try RemoteDesk(actor: actor, activity: id, now: now, database: database).apply(act)
            return true
        }
    }
}

/// Does within a transaction what somebody elsewhere does.
private struct RemoteDesk {
    let actor: RemotePerson
    let activity: String
    let now: Int64
    let database: Database

    func apply(_ act: RemoteAct) throws {
        switch act {
        case .follow(let id): try follow(id)
        case .unfollow(let id): try unfollow("account = ?", [try account(id)])
        case .mark(let post, let kind): try mark(post, kind)
        case .unmark(let post, let kind):
            try run(
                "DELETE FROM remoteMarks WHERE post = ? AND actor = ? AND kind = ?", [post, actor.id, kind.rawValue])
        case .undo(let activity):
            try unfollow("activity = ?", [activity])
            try run("DELETE FROM remoteMarks WHERE actor = ? AND activity = ?", [actor.id, activity])
        case .reply(let post, let reply): try keep(reply, to: post)
        case .clip(let draft): try RemoteClip.keep(draft, by: actor.id, at: now, in: database)
        case .edit(let address, let text, let words):
            try run("UPDATE remoteReplies SET text = ? WHERE address = ? AND actor = ?", [text, address, actor.id])
            if let words { try RemoteClip.edit(address, words, by: actor.id, in: database) }
        case .remove(let address):
            try run("DELETE FROM remoteReplies WHERE address = ? AND actor = ?", [address, actor.id])
            try RemoteClip.remove(address, by: actor.id, at: now, in: database)
        case .leave: try run("DELETE FROM remoteActors WHERE id = ?", [actor.id])
        case .move(let target): try RemoteMove.apply(of: actor, to: target, at: now, in: database)
        case .block(let id):
            try unfollow("account = ?", [try account(id)])
            try run(
                "INSERT INTO remoteBlocks (account, actor, created) SELECT id, ?, ? FROM accounts WHERE id = ? ON CONFLICT DO NOTHING",
                [actor.id, now, try account(id)])
        case .unblock(let id):
            try run("DELETE FROM remoteBlocks WHERE account = ? AND actor = ?", [try account(id), actor.id])
        case .accept(let id, let follower):
            try run("UPDATE remoteFollows SET state = 'accepted' WHERE \(Self.asked)", asked(id, follower))
        case .reject(let id, let follower): try refuse(id, follower)
        case .report(let actors, let posts, let text): try report(actors, posts, text)
        }
    }

    private func run(_ sql: String, _ arguments: StatementArguments) throws {
        try database.cachedStatement(sql: sql).execute(arguments: arguments)
    }

    /// Whose actor it is, while it is switched on.
    private func account(_ id: String) throws -> AccountID? {
        let found = try FederationActor.one("federationActors.id = ?", [id], in: database)
        return found?.isOn == true ? found?.author?.id : nil
    }

    /// Everybody may follow who is not blocked. Either is told in any case: who asks again has not heard it.
    private func follow(_ id: String) throws {
        guard let account = try account(id) else { return }
        // The answer is a refusal while nobody follows (``HubLibrary/nextDelivery(to:)``).
        guard try !RemotePerson.isBlocked(actor.id, by: account, in: database) else { return try answer(id) }
        try run("DELETE FROM remoteBlocks WHERE account = ? AND actor = ?", [account, actor.id])
        try run(
            """
            INSERT INTO remoteFollowers (account, actor, activity, created) VALUES (?, ?, ?, ?)
            ON CONFLICT (account, actor) DO UPDATE SET activity = excluded.activity
            """, [account, actor.id, activity, now])
        try answer(id)
        try Notice.add(.follow, to: account, by: actor.id, cause: "follow:remote:\(actor.id)", at: now, in: database)
    }

    /// Two answers wait at most: the first may be on its way already, the second names what has asked last. So that whoever takes them at
    /// once is not answered without end, there are no more than some an hour.
    private func answer(_ id: String) throws {
        let answers = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT sequence, created, EXISTS (SELECT 1 FROM federationDeliveries
                        WHERE activity = sequence AND state = 'waiting') AS waits
                    FROM federationActivities WHERE actor = ? AND kind = 'accept' AND target = ?
                    ORDER BY sequence DESC LIMIT \(HubLibrary.mostFollowAnswersAnHour)
                    """), arguments: [id, actor.id])
        let waiting: [Int64] = answers.filter { $0["waits"] }.map { $0["sequence"] }
        if waiting.count > 1 {
            return try run("UPDATE federationActivities SET object = ? WHERE sequence = ?", [activity, waiting[0]])
        }
        let recent = answers.filter { ($0["created"] as Int64) > now - 3_600_000 }
        guard recent.count < HubLibrary.mostFollowAnswersAnHour else { return }
        try run(
            "INSERT INTO federationActivities (actor, kind, object, target, created) VALUES (?, 'accept', ?, ?, ?)",
            [id, activity, actor.id, now])
    }

    /// Which follow of her is answered: a row of `remoteFollows`. What names neither what asked nor who did answers none.
    private static let asked = """
        actor = :actor AND COALESCE(:activity, :follower) IS NOT NULL AND activity = COALESCE(:activity, activity)
            AND (:follower IS NULL OR account = (SELECT account FROM federationActors WHERE id = :follower))
        """

    private func asked(_ activity: String?, _ follower: String?) -> StatementArguments {
        ["actor": actor.id, "activity": activity, "follower": follower]
    }

    /// A follow of somebody here was refused, or is ended. The row goes first, so that nothing is said back.
    private func refuse(_ id: String?, _ follower: String?) throws {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: "DELETE FROM remoteFollows WHERE \(Self.asked) RETURNING account, activity"),
            arguments: asked(id, follower))
        guard let row else { return }
        let account: AccountID = row["account"]
        try run(
            "DELETE FROM follows WHERE follower = ? AND followed = (SELECT id FROM accounts WHERE remote = ?)",
            [account, actor.id])
        try Notice.add(
            .follow, to: account, by: actor.id, cause: "refusal:\(row["activity"] as String)", at: now, in: database)
    }

    private func unfollow(_ condition: String, _ arguments: StatementArguments) throws {
        try run("DELETE FROM remoteFollowers WHERE \(condition) AND actor = ?", arguments + [actor.id])
    }

    /// Whose post it is that everybody may see, and its place in the feed.
    private func publicPost(_ id: String) throws -> (author: AccountID, place: Int64)? {
        try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT posts.account, sequence FROM posts
                    JOIN federationActors ON federationActors.account = posts.account AND isOn = 1
                    WHERE posts.id = ? AND visibility = 'public' AND state = 'shown' AND clip IS NOT NULL
                    """), arguments: [id]
        ).map { ($0["account"], $0["sequence"]) }
    }

    /// The same, of whoever has not blocked the actor.
    private func openPost(_ id: String) throws -> (author: AccountID, place: Int64)? {
        guard let post = try publicPost(id),
            try !RemotePerson.isBlocked(actor.id, by: post.author, in: database)
        else { return nil }
        return post
    }

    private func mark(_ id: String, _ kind: RemoteAct.Mark) throws {
        guard let post = try openPost(id) else { return }
        try run(
            """
            INSERT INTO remoteMarks (post, actor, kind, activity, created) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (post, actor, kind) DO UPDATE SET activity = excluded.activity
            """, [id, actor.id, kind.rawValue, activity, now])
        try Notice.add(
            .favourite, to: post.author, by: actor.id, post: post.place,
            cause: "\(kind.rawValue):remote:\(actor.id):\(id)", at: now, in: database)
    }

    private func keep(_ reply: RemoteReply, to id: String) throws {
        guard let post = try openPost(id) else { return }
        let today = try Int.fetchOne(
            database.cachedStatement(sql: "SELECT COUNT(*) FROM remoteReplies WHERE actor = ? AND created > ?"),
            arguments: [actor.id, now - 86_400_000])
        guard today ?? 0 < HubLibrary.mostRepliesADay else { return }
        try run(
            """
            INSERT INTO remoteReplies (address, post, actor, text, page, created) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (address) DO NOTHING
            """, [reply.address, id, actor.id, reply.text, reply.page, now])
        guard database.changesCount == 1 else { return }
        try Notice.add(
            .mention, to: post.author, by: actor.id, post: post.place, reply: database.lastInsertedRowID,
            cause: "reply:remote:\(reply.address)", at: now, in: database)
    }

    /// As a report of somebody here, but nothing is taken from sight by it: nobody here answers for it.
    private func report(_ actors: [String], _ posts: [String], _ text: String) throws {
        var subjects: [(CaseSubject, AccountID)] = try posts.compactMap { id in
            try publicPost(id).map { (.post($0.place), $0.author) }
        }
        if subjects.isEmpty {
            subjects = try actors.compactMap { id in try account(id).map { (.account($0), $0) } }
        }
        for (subject, author) in subjects.prefix(10) {
            let isKnown = try Bool.fetchOne(
                database.cachedStatement(sql: "SELECT 1 FROM reports WHERE kind = ? AND about = ? AND server = ?"),
                arguments: [subject.kind, subject.about, actor.facts.host])
            guard isKnown != true else { continue }
            let id = try HubLibrary.openCase(
                about: subject, of: author, deadline: now + 24 * 3_600_000, at: now, in: database)
            try run(
                """
                INSERT INTO reports ("case", kind, about, reporter, reason, text, server, at)
                VALUES (?, ?, ?, NULL, 'other', ?, ?, ?)
                """, [id, subject.kind, subject.about, text, actor.facts.host, now])
            try HubLibrary.tell(author, about: subject, cause: "case:\(id)", at: now, in: database)
        }
    }
}
