internal import ChirpAccounts
internal import FoundationEssentials
package import GRDB

/// What the tables of votes do within a transaction.
package enum Votes {
    /// A condition on `accounts` for those whose votes count at `?`, in ms: the mail address is confirmed, or another service vouches for them,
    /// a day has gone by, and they are neither suspended nor closed.
    private static let counting = """
        ((accounts.state = 'active'
                OR accounts.state = 'suspended' AND accounts.until IS NOT NULL AND accounts.until <= ?1)
            AND accounts.created <= ?1 - \(Int(clamping: Ranking.patience) * 1000))
        """

    /// Whether a board has votes.
    package static func areOn(_ board: String, in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM votedBoards WHERE board = ?)"),
            arguments: [board]) ?? false
    }

    /// Whether an item is on a board that has votes.
    static func areOnBoard(of id: HubID, in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT EXISTS (SELECT 1 FROM items WHERE id = ? AND board IN (SELECT board FROM votedBoards))
                    """), arguments: [id.text]) ?? false
    }

    /// What somebody has said of an item.
    static func vote(of account: AccountID, on item: Int64, in database: Database) throws -> ItemVote? {
        try String.fetchOne(
            database.cachedStatement(
                sql: "SELECT kind FROM itemMarks WHERE account = ? AND kind IN ('up', 'down') AND item = ?"),
            arguments: [account, item]
        ).flatMap(ItemVote.init)
    }

    /// Puts somebody's vote in the place of the one before, and the item where its votes say. The same again changes nothing.
    ///
    /// - Parameters:
    ///   - vote: nil: none any more.
    ///   - block: from which it comes (``VoteBlock``).
    ///   - now: in ms.
    static func put(
        _ vote: ItemVote?, on item: Int64, by account: AccountID, block: Int64?, at now: Int64, in database: Database
    ) throws {
        guard try vote != self.vote(of: account, on: item, in: database) else { return }
        try database.cachedStatement(
            sql: "DELETE FROM itemMarks WHERE account = ? AND kind IN ('up', 'down') AND item = ?"
        ).execute(arguments: [account, item])
        if let vote {
            try scoreFirst(item, in: database)
            let counts = try settle(account, at: now, in: database)
            try database.cachedStatement(
                sql: "INSERT INTO itemMarks (account, kind, item, at, counted, block) VALUES (?, ?, ?, ?, ?, ?)"
            ).execute(arguments: [account, vote.rawValue, item, now, counts, block])
        }
        try rank(item, at: now, in: database)
    }

    /// An item that never was in a list of open ones has no score yet.
    private static func scoreFirst(_ item: Int64, in database: Database) throws {
        let isThere = try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT 1 FROM itemScores WHERE item = ?"), arguments: [item])
        guard isThere == nil else { return }
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: "SELECT board, kind, category, listed, created FROM items WHERE sequence = ?"),
            arguments: [item])
        guard let row else { return }
        try database.cachedStatement(
            sql: """
                INSERT INTO itemScores (item, board, kind, category, listed, appeared, rank, number)
                SELECT ?, ?, ?, ?, ?, ?, ?, turn FROM scoreTurns
                """
        ).execute(arguments: [
            item, row["board"] as String, row["kind"] as String, row["category"] as String, row["listed"] as Bool,
            row["created"] as Int64,
            Ranking.rank(bound: Ranking.bound(ups: 0, downs: 0), appeared: row["created"]),
        ])
    }

    /// Lets all votes of somebody count, or none, as her account says at an instant.
    ///
    /// - Returns: whether they count.
    @discardableResult
    static func settle(_ account: AccountID, at now: Int64, in database: Database) throws -> Bool {
        let counts =
            try Bool.fetchOne(
                database.cachedStatement(sql: "SELECT \(counting) FROM accounts WHERE id = ?2"),
                arguments: [now, account]) ?? false
        let before = try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT counts FROM voters WHERE account = ?"), arguments: [account])
        guard counts != before else { return counts }
        try database.cachedStatement(
            sql: "INSERT INTO voters (account, counts) VALUES (?, ?) ON CONFLICT DO UPDATE SET counts = excluded.counts"
        ).execute(arguments: [account, counts])
        guard before != nil else { return counts }
        try database.cachedStatement(
            sql: """
                UPDATE itemMarks SET counted = ?1 WHERE account = ?2 AND kind IN ('up', 'down') AND counted <> ?1
                    AND EXISTS (SELECT 1 FROM itemScores WHERE itemScores.item = itemMarks.item)
                """
        ).execute(arguments: [counts, account])
        return counts
    }

    /// Puts an item where its votes say.
    ///
    /// - Returns: whether it stood elsewhere.
    @discardableResult
    static func rank(_ item: Int64, at now: Int64, in database: Database) throws -> Bool {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: "SELECT listed, appeared, ups, downs, rank, sunk, number, stale FROM itemScores WHERE item = ?"),
            arguments: [item])
        guard let row, row["stale"] else { return false }
        let bound = Ranking.bound(ups: row["ups"], downs: row["downs"])
        let rank = Ranking.rank(bound: bound, appeared: row["appeared"])
        let isSunk = bound < Ranking.leastBound
        let (before, wasSunk): (Double, Bool) = (row["rank"], row["sunk"])
        guard rank != before || isSunk != wasSunk else {
            try database.cachedStatement(sql: "UPDATE itemScores SET stale = 0 WHERE item = ?").execute(
                arguments: [item])
            return false
        }
        try database.cachedStatement(sql: "UPDATE scoreTurns SET turn = turn + 1").execute()
        if !wasSunk, row["listed"] {
            try database.cachedStatement(
                sql: "INSERT INTO formerScores (until, item, number, rank, at) SELECT turn, ?, ?, ?, ? FROM scoreTurns"
            ).execute(arguments: [item, row["number"] as Int64, before, now])
        }
        try database.cachedStatement(
            sql: """
                UPDATE itemScores SET rank = ?, sunk = ?, stale = 0, number = (SELECT turn FROM scoreTurns) WHERE item = ?
                """
        ).execute(arguments: [rank, isSunk, item])
        return true
    }

    /// Those whose votes count otherwise than their accounts say.
    static func unsettled(at now: Int64, in database: Database) throws -> [AccountID] {
        try AccountID.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT voters.account FROM voters JOIN accounts ON accounts.id = voters.account
                    WHERE voters.counts <> \(counting)
                    """), arguments: [now])
    }

    /// Makes all sums and ranks anew from the votes that count: for who has written votes by themselves, many at once. Lists that readers page through
    /// go on by the new ranks.
    package static func recount(in database: Database) throws {
        try database.execute(
            sql: """
                DELETE FROM voteSums;
                UPDATE itemScores SET ups = 0, downs = 0;
                INSERT INTO voteSums (item, block, ups, downs)
                SELECT item, COALESCE(block, 0) AS origin, SUM(kind = 'up'), SUM(kind = 'down') FROM itemMarks
                WHERE counted = 1 AND kind IN ('up', 'down') GROUP BY item, origin ORDER BY item, origin;
                INSERT INTO voters (account, counts)
                SELECT account, MAX(counted) FROM itemMarks
                WHERE kind IN ('up', 'down') AND item IN (SELECT item FROM itemScores) GROUP BY account
                ON CONFLICT DO UPDATE SET counts = excluded.counts;
                DELETE FROM formerScores;
                UPDATE scoreTurns SET turn = turn + 1;
                UPDATE scoreTurns SET forgotten = turn;
                """)
        var last = Int64.min
        while true {
            let rows = try Row.fetchAll(
                database.cachedStatement(
                    sql: "SELECT item, appeared, ups, downs FROM itemScores WHERE item > ? ORDER BY item LIMIT 10000"),
                arguments: [last])
            guard let end = rows.last else { return }
            last = end["item"]
            let update = try database.cachedStatement(
                sql: """
                    UPDATE itemScores SET rank = ?, sunk = ?, stale = 0, number = (SELECT turn FROM scoreTurns)
                    WHERE item = ?
                    """)
            for row in rows {
                let bound = Ranking.bound(ups: row["ups"], downs: row["downs"])
                try update.execute(arguments: [
                    Ranking.rank(bound: bound, appeared: row["appeared"]), bound < Ranking.leastBound,
                    row["item"] as Int64,
                ])
            }
        }
    }
}
