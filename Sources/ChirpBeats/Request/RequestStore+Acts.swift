package import ChirpAccounts
package import ChirpCommunity
internal import ChirpCore
package import ChirpOrders
package import FoundationEssentials
package import GRDB

extension RequestStore {
    /// Does something in one's own turn. Asked again, what was done is the answer.
    ///
    /// - Parameters:
    ///   - seen: how many acts there were when she looked; of all who act upon the same one wins.
    ///   - words: what she says with it.
    @discardableResult
    package func act(
        _ act: RequestState.Act, on id: HubID, seen: Int, by account: AccountID, words: String = ""
    ) async throws(RequestRefusal) -> BeatRequest {
        let words = PlainText.lines(words, limit: BeatRequest.longestWords + 1)
        guard words.isWithin(BeatRequest.longestWords) else { throw .tooLong(most: BeatRequest.longestWords) }
        return try await refusing { database in
            let now = Accounts.milliseconds(library.now())
            guard let row = try RequestRow.find(id, in: database), let side = row.request.side(of: account) else {
                throw RequestRefusal.notFound
            }
            // Money and files are not said, they come by their own ways.
            guard act.kind != .pay, act.kind != .deliver else {
                throw RequestRefusal.notNow(act.kind, row.request.state.phase)
            }
            let move = Move(act: act, side: side, words: words)
            if try row.wasDone(move, seen, in: database) { return row.request }
            if act == .decline {
                // Whoever wants to leave may, also across a block.
                guard try AccountStanding(of: account, at: now, in: database)?.isActive == true else {
                    throw RequestRefusal.noAccount
                }
            } else {
                try checkPeople(account, row.request.person(side.other), at: now, in: database)
            }
            guard seen == row.request.state.moves else {
                throw RequestRefusal.changed(moves: row.request.state.moves)
            }
            return try write(move, on: row, at: now, in: database)
        }
    }

    /// Takes note within the payment side's transaction that the asker has paid what was agreed. Told again of the same payment, nothing
    /// happens.
    ///
    /// - Parameter payment: the payment side's name of it; one for one payment.
    /// - Throws: ``RequestRefusal``; then the money goes back, as for ``RequestRefusal/over(_:)``.
    package func paid(_ id: HubID, _ money: Money, payment: String, in database: Database) throws {
        try mark(Move(act: .pay(money), side: .asker, mark: payment), on: id, in: database)
    }

    /// Takes note within the transaction that hands file and licence out. Told again of the same delivery, nothing happens.
    ///
    /// - Parameter delivery: its own name, as that of the licence.
    package func delivered(_ id: HubID, delivery: String, in database: Database) throws {
        try mark(Move(act: .deliver, side: .producer, mark: delivery), on: id, in: database)
    }

    private func mark(_ move: Move, on id: HubID, in database: Database) throws {
        guard let row = try RequestRow.find(id, in: database) else { throw RequestRefusal.notFound }
        let known = try Bool.fetchOne(
            database.cachedStatement(
                sql: "SELECT EXISTS (SELECT 1 FROM requestMoves WHERE request = ? AND act = ? AND mark = ?)"),
            arguments: [row.sequence, move.act.kind.rawValue, move.mark])
        if known == true { return }
        _ = try write(move, on: row, at: Accounts.milliseconds(library.now()), in: database)
    }

    private func write(_ move: Move, on row: RequestRow, at now: Int64, in database: Database) throws -> BeatRequest {
        let before = row.request.state
        // Time is over although nobody has swept.
        if let expires = row.request.expires, Accounts.milliseconds(expires) <= now {
            throw RequestRefusal.over(.expired)
        }
        let after = try before.after(move.act, by: move.side)
        try row.become(after, at: now, in: database)
        try row.note(
            side: move.side.rawValue, act: move.act.kind.rawValue, money: move.act.money, words: move.words,
            mark: move.mark, number: after.moves, at: now, in: database)
        guard let next = try RequestRow.find(row.request.id, in: database) else { throw RequestRefusal.notFound }
        try tell(RequestEvent(request: next.request, act: move.act, side: move.side), move.words, in: database)
        return next.request
    }

    /// Ends what nobody has moved in time. Both are told in the same transaction. May be repeated.
    ///
    /// - Returns: how many.
    @discardableResult
    package func expire(at instant: Date) async throws(RequestRefusal) -> Int {
        let now = Accounts.milliseconds(instant)
        var count = 0
        while true {
            let many = try await refusing { database in
                let rows = try Row.fetchAll(
                    database.cachedStatement(
                        sql: "SELECT * FROM requests WHERE expires <= ? ORDER BY expires LIMIT \(Self.sweptAtOnce)"),
                    arguments: [now]
                ).compactMap(RequestRow.init)
                for row in rows { try expire(row, at: now, in: database) }
                return rows.count
            }
            count += many
            if many < Self.sweptAtOnce { return count }
        }
    }

    /// How many end in one transaction, so that others get their turn.
    private static let sweptAtOnce = 100

    private func expire(_ row: RequestRow, at now: Int64, in database: Database) throws {
        guard let after = row.request.state.expired else { return }
        try row.become(after, at: now, in: database)
        try row.note(side: "time", act: "expire", number: after.moves, at: now, in: database)
        for side in RequestState.Side.allCases {
            try Notice.add(
                Notice.Draft(
                    account: row.request.person(side), kind: .request, actor: row.request.person(side.other),
                    cause: "request:\(row.request.id):expired"), at: now, in: database)
        }
    }
}

/// An act with all that is written down of it.
private struct Move: Sendable {
    let act: RequestState.Act
    let side: RequestState.Side
    var words = ""
    var mark: String?
}

extension RequestRow {
    /// Goes on to another state, once.
    fileprivate func become(_ state: RequestState, at now: Int64, in database: Database) throws {
        try database.cachedStatement(
            sql: """
                UPDATE requests SET phase = :phase, "by" = :by, amount = :amount, currency = :currency, moves = :moves,
                    changed = :now, expires = :expires
                WHERE sequence = :sequence AND phase = :before AND moves = :moves - 1
                """
        ).execute(arguments: [
            "phase": state.phase.rawValue, "by": state.by.rawValue, "amount": state.money?.amount,
            "currency": state.money?.currency.code, "moves": state.moves, "now": now,
            "expires": state.expires(since: now), "sequence": sequence, "before": request.state.phase.rawValue,
        ])
        guard database.changesCount == 1 else { throw RequestRefusal.changed(moves: request.state.moves) }
    }

    fileprivate func note(
        side: String, act: String, money: Money? = nil, words: String = "", mark: String? = nil, number: Int,
        at now: Int64, in database: Database
    ) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO requestMoves (request, number, side, act, amount, currency, words, mark, at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            sequence, number, side, act, money?.amount, money?.currency.code, words, mark, now,
        ])
    }

    /// Whether just that was done by that side upon what she has seen.
    fileprivate func wasDone(_ move: Move, _ seen: Int, in database: Database) throws -> Bool {
        guard seen < request.state.moves, seen >= 0 else { return false }
        let done = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT * FROM requestMoves WHERE request = ? AND number = ?"),
            arguments: [sequence, seen + 1])
        guard let done else { return false }
        return done["side"] == move.side.rawValue && done["act"] == move.act.kind.rawValue
            && Money(done) == move.act.money && done["words"] == move.words
    }
}
