package import ChirpAccounts
internal import FoundationEssentials
internal import GRDB

extension HubLibrary {
    /// The posts that wait for a look, the oldest first, for a moderator.
    ///
    /// - Parameter place: of one of them; nil: all.
    package func heldPosts(
        for moderator: AccountID, at place: Int64? = nil, limit: Int = 100
    ) async throws(CaseError) -> [HubPost] {
        let now = Self.milliseconds(now())
        return try await look { database in
            _ = try Self.rank(of: moderator, at: now, in: database)
            return try self.posts(
                "posts.state = 'held' AND accounts.state <> 'closed' AND (? IS NULL OR posts.sequence = ?)",
                [place, place], "posts.sequence LIMIT \(limit)", in: database
            )
        }
    }

    /// Shows a post that waits, at the end of the feed, so that it reaches those who listen; or takes it from sight. It is a decision like others: in the log, told when the post is hidden, and
    /// one can appeal against it.
    ///
    /// - Returns: the post's place in the feed from now on.
    /// - Throws: ``CaseError/changedMeanwhile`` when the post waits no longer.
    @discardableResult
    package func admit(
        _ waiting: Int64, shows: Bool, by moderator: AccountID, why: String
    ) async throws(CaseError) -> Int64 {
        let verdict = try Verdict(shows ? .show : .hide, why: why).checked()
        let now = Self.milliseconds(now())
        return try await act { database in
            _ = try Self.rank(of: moderator, at: now, in: database)
            let author = try AccountID.fetchOne(
                database.cachedStatement(sql: "SELECT account FROM posts WHERE sequence = ?"), arguments: [waiting])
            guard let author else { throw CaseError.notFound }
            guard author != moderator else { throw CaseError.involved }
            try database.cachedStatement(sql: "UPDATE posts SET state = ? WHERE sequence = ? AND state = 'held'")
                .execute(arguments: [shows ? "shown" : "hidden", waiting])
            guard database.changesCount == 1 else { throw CaseError.changedMeanwhile }
            let post = shows ? try Self.placeAnew(waiting, in: database) : waiting
            let subject = CaseSubject.post(post)
            let id = try Self.openCase(about: subject, of: author, deadline: now, at: now, in: database)
            try database.cachedStatement(sql: "UPDATE cases SET state = ?, upheld = ? WHERE id = ?").execute(
                arguments: [
                    (shows ? ModerationCase.State.closed : .decided).rawValue, !shows, id,
                ])
            let decision = try Self.log(
                verdict.step.rawValue, case: id, by: moderator, account: author, why: verdict.why, at: now, in: database
            )
            if !shows {
                try Self.tell(
                    author, about: subject, cause: "decision:\(decision)", decision: decision, at: now, in: database)
            }
            return post
        }
    }
}
