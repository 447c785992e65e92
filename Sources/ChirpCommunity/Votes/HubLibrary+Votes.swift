package import ChirpAccounts
internal import FoundationEssentials
internal import GRDB

extension HubLibrary {
    /// Says what somebody thinks of an item, or takes it back. May be repeated: it counts once.
    ///
    /// - Parameters:
    ///   - vote: nil: nothing any more.
    ///   - address: from where she votes, as text. Kept is what ``VoteBlock`` makes of it. Nil, and an address of this machine: not known.
    package func vote(
        _ vote: ItemVote?, on id: HubID, board: String, by account: AccountID, from address: String?
    ) async throws(VoteRefusal) {
        let now = Self.milliseconds(now())
        let visible = seen(by: .member(account)).visibleItems
        do {
            try await database.write { database in
                guard try Self.isActive(account, at: now, in: database) else { throw VoteRefusal.notActive }
                let row = try Row.fetchOne(
                    database.cachedStatement(
                        sql: """
                            SELECT items.sequence, items.account = ? AS isOwn, items.state FROM items
                            WHERE items.id = ? AND items.board = ? AND items.board IN (SELECT board FROM votedBoards)
                                AND \(visible.sql)
                            """), arguments: [account, id.text, board] + visible.arguments)
                guard let row, let state = Item.State(rawValue: row["state"]) else { throw VoteRefusal.notFound }
                if row["isOwn"] { throw VoteRefusal.own }
                guard state == .open || state == .settled else { throw VoteRefusal.ended(state) }
                let block =
                    try vote == nil ? nil : VoteBlock.number(of: address, on: id, at: now, in: database)
                try Votes.put(
                    vote, on: row["sequence"] as Int64, by: account, block: block, at: now, in: database)
            }
        } catch {
            throw (error as? VoteRefusal) ?? .library(libraryError(error))
        }
    }

    /// How many people are settled, and how many items are ranked, in one transaction, so that others get their turn.
    private static let (peopleAtOnce, itemsAtOnce) = (20, 500)
    /// For so many seconds a list by popularity goes on as it began.
    package static let rankMemory = 3600.0

    /// Lets the votes of those count whose accounts have grown old enough, and of those no longer who are suspended or closed; puts the items where
    /// their votes say, and forgets what ranks and blocks of addresses were.
    ///
    /// - Returns: how many items stand elsewhere now.
    func sweepVotes(at instant: Date) async throws(LibraryError) -> Int {
        let now = Self.milliseconds(instant)
        var people = try await read { try Votes.unsettled(at: now, in: $0) }[...]
        while !people.isEmpty {
            try await write { [some = people.prefix(Self.peopleAtOnce)] database in
                for account in some { try Votes.settle(account, at: now, in: database) }
            }
            people = people.dropFirst(Self.peopleAtOnce)
        }
        var (all, isLast) = (0, false)
        while !isLast {
            let (looked, moved) = try await write { database in
                let items = try Int64.fetchAll(
                    database.cachedStatement(
                        sql: "SELECT item FROM itemScores WHERE stale = 1 LIMIT \(Self.itemsAtOnce)"))
                return (items.count, try items.count { try Votes.rank($0, at: now, in: database) })
            }
            all += moved
            isLast = looked < Self.itemsAtOnce
        }
        let limit = Self.milliseconds(instant.addingTimeInterval(-Self.rankMemory))
        try await write { database in
            try database.cachedStatement(
                sql: """
                    UPDATE scoreTurns SET forgotten = MAX(forgotten,
                        COALESCE((SELECT MAX(until) FROM formerScores WHERE at <= ?), 0))
                    """
            ).execute(arguments: [limit])
            try database.cachedStatement(sql: "DELETE FROM formerScores WHERE at <= ?").execute(arguments: [limit])
            try VoteBlock.forget(at: now, in: database)
        }
        return all
    }
}

extension HubReader {
    /// How items stand with those who have voted on them; those of boards without votes are not among them. Whether the viewer may see the items
    /// was asked before.
    package func votes(on items: [HubID]) async throws(LibraryError) -> [HubID: VoteStanding] {
        guard !items.isEmpty else { return [:] }
        let now = HubLibrary.milliseconds(now)
        return try await library.read { database in
            let rows = try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT items.id, itemTallies.ups AS many, itemTallies.downs AS few, score.*, own.kind AS own
                        FROM json_each(?) AS list CROSS JOIN items ON items.id = list.value
                        JOIN itemScores AS score ON score.item = items.sequence
                        LEFT JOIN itemTallies ON itemTallies.item = items.sequence
                        LEFT JOIN itemMarks AS own ON own.account = ? AND own.kind IN ('up', 'down')
                            AND own.item = items.sequence
                        """), arguments: [try items.map(\.text).statementList(), account])
            var standings: [HubID: VoteStanding] = [:]
            for row in rows {
                guard let id = HubID(row["id"] as String) else { continue }
                let (ups, downs): (Int, Int) = (row["ups"], row["downs"])
                let appeared: Int64 = row["appeared"]
                standings[id] = VoteStanding(
                    ups: row["many"] ?? 0, downs: row["few"] ?? 0, own: (row["own"] as String?).flatMap(ItemVote.init),
                    score: Ranking.score(
                        bound: Ranking.bound(ups: ups, downs: downs), age: Double(now - appeared) / 1000),
                    isSunk: row["sunk"])
            }
            return standings
        }
    }
}
