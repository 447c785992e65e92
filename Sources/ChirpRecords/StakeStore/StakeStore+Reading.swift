package import ChirpAccounts
package import ChirpCommunity
internal import FoundationEssentials
internal import GRDB

extension StakeStore {
    /// The most of a page.
    package static let mostOnPage = 100

    /// What is and was pledged at a challenge, the newest first; nothing while stakes are off, and where the viewer does not see the challenge.
    package func stakes(at challenge: HubID, for viewer: Viewer, limit: Int = 10) async throws -> [Stake] {
        guard limits.isOn else { return [] }
        let reader = library.seen(by: viewer)
        return try await library.reading { database in
            let now = Accounts.milliseconds(reader.now)
            let item = reader.seesItem("stakes.challenge")
            let rows = try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT * FROM stakes WHERE challenge = ? AND \(item.sql)
                        ORDER BY sequence DESC LIMIT \(min(max(limit, 0), Self.mostOnPage))
                        """), arguments: [challenge.text] + item.arguments)
            return try rows.compactMap { try stake($0, for: reader, at: now, in: database) }
        }
    }

    private func stake(_ row: Row, for reader: HubReader, at now: Int64, in database: Database) throws -> Stake? {
        let (settled, paid): (Int64?, Int64?) = (row["settled"], row["attempt"])
        let known = StakeRow(row)
        var (state, attempt): (Stake.State, Int64?) = (.open, paid)
        switch (known.state, settled) {
        case ("paid", let settled?): state = .paid(Accounts.date(settled))
        case ("back", let settled?): state = .back(Accounts.date(settled))
        default:
            switch try Self.outcome(of: known, at: now, in: database) {
            case .open: state = .open
            case .waiting: state = .waiting
            case .frozen(let winning, let until): (state, attempt) = (.frozen(until: Accounts.date(until)), winning)
            // The next sweep does it.
            case .won(let winning): (state, attempt) = (.frozen(until: Accounts.date(now)), winning)
            case .back: state = .waiting
            }
        }
        let winner = try attempt.flatMap { number in
            try Row.fetchOne(
                database.cachedStatement(sql: "SELECT id, account FROM attempts WHERE sequence = ?"),
                arguments: [number])
        }
        let account: AccountID? = winner?["account"]
        guard let id = HubID(row["id"] as String) else { return nil }
        return Stake(
            id: id, amount: known.amount, unit: known.unit, made: Accounts.date(known.made),
            ends: Accounts.date(known.ends), state: state,
            attempt: (winner?["id"] as String?).flatMap { HubID($0) },
            winner: try account.flatMap { try reader.authors([$0], in: database)[$0] })
    }

    /// What somebody has given and got, the newest first; nothing while stakes are off.
    ///
    /// - Parameter before: ``StakeEntry/id`` of the last one of the page before.
    package func statement(
        of account: AccountID, before: PageCursor = .end, limit: Int
    ) async throws -> StakeStatement {
        guard limits.isOn else { return StakeStatement() }
        let reader = library.seen(by: .member(account))
        return try await library.reading { database in
            let item = reader.seesItem("stakes.challenge")
            let rows = try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT stakeLedger.sequence, stakeLedger.amount, movement.why, movement.unit, movement.at, stakes.id,
                            items.id AS challenge, items.title
                        FROM stakeLedger CROSS JOIN stakeMovements AS movement ON movement.sequence = stakeLedger.movement
                        CROSS JOIN stakes ON stakes.sequence = movement.stake
                        LEFT JOIN items ON items.id = stakes.challenge AND \(item.sql)
                        WHERE stakeLedger.account = ? AND stakeLedger.sequence < ?
                        ORDER BY stakeLedger.sequence DESC LIMIT \(min(max(limit, 0), Self.mostOnPage))
                        """), arguments: item.arguments + [account, before.row])
            let sums = try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT movement.unit, SUM(stakeLedger.amount) AS sum FROM stakeLedger
                        CROSS JOIN stakeMovements AS movement ON movement.sequence = stakeLedger.movement
                        WHERE stakeLedger.account = ? GROUP BY movement.unit
                        """), arguments: [account])
            return StakeStatement(
                entries: rows.compactMap(StakeEntry.init),
                balances: Dictionary(sums.map { ($0["unit"], $0["sum"]) }) { first, _ in first })
        }
    }
}

extension StakeEntry {
    /// Nil for what a later release has written.
    fileprivate init?(_ row: Row) {
        guard let stake = HubID(row["id"] as String), let why = Reason(rawValue: row["why"]) else { return nil }
        self.init(
            id: row["sequence"], stake: stake, why: why, amount: row["amount"], unit: row["unit"],
            at: Accounts.date(row["at"]), challenge: (row["challenge"] as String?).flatMap { HubID($0) },
            title: row["title"])
    }
}
