package import ChirpAccounts
package import ChirpCommunity
internal import FoundationEssentials
internal import GRDB

/// How an attempt stands with those who have voted on it. Who holds a record is not decided by that (OU-9).
package struct AttemptVotes: Hashable, Sendable {
    /// How many people, whether or not they count.
    package var ups = 0
    package var downs = 0
    /// The viewer's own.
    package var own: ItemVote?
    /// So few like it that the list in its challenge's page has it no more, until its votes change. It keeps its address.
    package var isSunk = false
}

extension AttemptStore {
    /// Says what somebody thinks of an attempt that others see, or takes it back. May be repeated: it counts once.
    ///
    /// - Parameters:
    ///   - vote: nil: nothing any more.
    ///   - address: from where she votes, as text; nil: not known.
    package func vote(
        _ vote: ItemVote?, on id: HubID, by account: AccountID, from address: String?
    ) async throws(AttemptRefusal) {
        let reader = library.seen(by: .member(account))
        try await change { database in
            let now = Accounts.milliseconds(library.now())
            guard try AccountStanding(of: account, at: now, in: database)?.isActive == true else {
                throw AttemptRefusal.noAccount
            }
            let seen = try seen(by: reader, in: database)
            let row = try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT attempts.sequence, attempts.account, attempts.state FROM attempts
                        JOIN rules ON rules.sequence = attempts.rule WHERE attempts.id = ? AND \(seen.sql)
                        """), arguments: [id.text] + seen.arguments)
            guard let row, let state = Attempt.State(rawValue: row["state"]) else { throw AttemptRefusal.notFound }
            let (sequence, author): (Int64, AccountID) = (row["sequence"], row["account"])
            guard author != account else { throw AttemptRefusal.involved(.author) }
            guard state == .waiting || state == .verified else { throw AttemptRefusal.state(state) }
            guard let vote else {
                try database.cachedStatement(sql: "DELETE FROM attemptVotes WHERE attempt = ? AND account = ?").execute(
                    arguments: [sequence, account])
                return
            }
            let block = try VoteBlock.number(of: address, on: id, at: now, in: database)
            try database.cachedStatement(
                sql: """
                    INSERT INTO attemptVotes (attempt, account, kind, block, at) VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT (attempt, account) DO UPDATE
                        SET kind = excluded.kind, block = excluded.block, at = excluded.at WHERE kind <> excluded.kind
                    """
            ).execute(arguments: [sequence, account, vote.rawValue, block, now])
        }
    }

    /// How attempts stand; those that nobody has voted on are not among them. Whether the viewer may see them was asked before.
    ///
    /// What counts is what counts of items (``Ranking``): the bound is made from the votes as they are now, for those of a page.
    package func votes(on attempts: [HubID], for viewer: Viewer) async throws -> [HubID: AttemptVotes] {
        guard !attempts.isEmpty else { return [:] }
        let (reader, ids) = (library.seen(by: viewer), try attempts.map(\.text).statementList())
        let now = Accounts.milliseconds(reader.now)
        let old = now - Int64(clamping: Ranking.patience * 1000)
        let rows = try await library.reading { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT attempts.id, vote.kind, vote.block, COUNT(*) AS many, MAX(vote.account IS ?) AS isOwn,
                            COUNT(*) FILTER (WHERE accounts.created <= ? AND (accounts.state = 'active'
                                OR accounts.state = 'suspended' AND accounts.until <= ?)) AS counting
                        FROM json_each(?) AS list CROSS JOIN attempts ON attempts.id = list.value
                        CROSS JOIN attemptVotes AS vote ON vote.attempt = attempts.sequence
                        CROSS JOIN accounts ON accounts.id = vote.account
                        GROUP BY attempts.id, vote.block, vote.kind
                        """), arguments: [reader.account, old, now, ids]
            ).map { VoteGroup($0) }
        }
        return Dictionary(grouping: rows, by: \.attempt).reduce(into: [:]) { found, groups in
            if let id = HubID(groups.key) { found[id] = AttemptVotes(groups.value) }
        }
    }
}

/// The votes of a block of addresses on an attempt, all for it or all against it.
private struct VoteGroup: Sendable {
    let attempt: String
    let vote: ItemVote
    let block: Int64?
    let many, counting: Int
    let isOwn: Bool

    init(_ row: Row) {
        (attempt, block, many) = (row["id"], row["block"], row["many"])
        vote = (row["kind"] as String) == "up" ? .up : .down
        (counting, isOwn) = (row["counting"], row["isOwn"])
    }
}

extension AttemptVotes {
    fileprivate init(_ groups: [VoteGroup]) {
        var (ups, downs) = (0, 0)
        var blocks: [Int64: (ups: Int, downs: Int)] = [:]
        for group in groups {
            let isUp = group.vote == .up
            if group.isOwn { own = group.vote }
            if isUp { self.ups += group.many } else { self.downs += group.many }
            if let block = group.block {
                let known = blocks[block] ?? (0, 0)
                blocks[block] = (
                    known.ups + (isUp ? group.counting : 0), known.downs + (isUp ? 0 : group.counting)
                )
            } else if isUp {
                ups += group.counting * Ranking.unit
            } else {
                downs += group.counting * Ranking.unit
            }
        }
        for block in blocks.values {
            let counted = Ranking.capped(ups: block.ups, downs: block.downs)
            (ups, downs) = (ups + counted.ups, downs + counted.downs)
        }
        isSunk = Ranking.bound(ups: ups, downs: downs) < Ranking.leastBound
    }
}
