internal import ChirpAccounts
internal import ChirpCommunity
internal import FoundationEssentials
internal import GRDB

/// What is written down of accounts: each act is one transaction.
extension SellerCards {
    var now: Int64 { Accounts.milliseconds(library.now()) }

    func write<Done: Sendable>(_ body: @Sendable (Database) throws -> Done) async throws(OrderRefusal) -> Done {
        do { return try await library.transact(body) } catch { throw OrderRefusal(error) }
    }

    /// Somebody wants to be paid by card: a row to begin with, one that was ended again, or a new round after an account that is gone.
    func begin(_ seller: AccountID) async throws(OrderRefusal) -> SellerCard {
        let (now, soon) = (now, now + OrderStore.firstLook)
        return try await write { database in
            guard try AccountStanding(of: seller, at: now, in: database)?.isActive == true else {
                throw OrderRefusal.noAccount
            }
            try database.cachedStatement(
                sql: """
                    INSERT INTO sellerCards (seller, round, since, due) VALUES (?1, 1, ?2, ?3)
                    ON CONFLICT (seller) DO UPDATE SET
                        account = iif(ending IS 'gone', NULL, account), round = round + (ending IS 'gone'),
                        since = iif(ending IS NULL, since, excluded.since), ending = NULL, tries = 0,
                        due = COALESCE(due, excluded.due), version = version + (ending IS NOT NULL)
                    """
            ).execute(arguments: [seller, now, soon])
            guard let card = try SellerCard.fetch(seller, in: database) else { throw OrderRefusal.notFound }
            return card
        }
    }

    /// The provider has said what an account is called. Whoever comes second finds it there.
    func name(_ card: SellerCard, _ account: String) async throws(OrderRefusal) -> SellerCard {
        try await write { database in
            try database.cachedStatement(
                sql: """
                    UPDATE sellerCards SET account = ?, version = version + 1
                    WHERE seller = ? AND round = ? AND account IS NULL
                    """
            ).execute(arguments: [account, card.seller, card.round])
            guard let card = try SellerCard.fetch(card.seller, in: database) else { throw OrderRefusal.notFound }
            return card
        }
    }

    /// It was not made, and will not be: the next try has a key of its own, since the provider repeats what it has answered under a key.
    func giveUp(_ card: SellerCard) async throws(OrderRefusal) {
        try await write { database in
            try database.cachedStatement(
                sql: """
                    UPDATE sellerCards SET round = round + 1, due = NULL, version = version + 1
                    WHERE seller = ? AND round = ? AND account IS NULL
                    """
            ).execute(arguments: [card.seller, card.round])
        }
    }

    /// What the provider has said of an account, unless something was written since it was asked.
    func note(
        _ standing: StripeConnect.Standing, of card: SellerCard
    ) async throws(OrderRefusal) -> (card: SellerCard, isNewest: Bool) {
        let now = now
        let state: SellerCard.State =
            switch standing {
            case .ready: .ready
            case .notReady: .begun
            case .gone: .gone
            }
        let due: Int64? =
            switch state {
            case .ready: now + Self.day
            case .begun where now - Accounts.milliseconds(card.since) < 30 * Self.day: now + Self.pause(card.tries)
            case .begun, .gone, .ended: nil
            }
        return try await write { database in
            try database.cachedStatement(
                sql: """
                    UPDATE sellerCards SET isReady = ?, ending = ?, since = iif(?, since, ?), due = ?, tries = ?,
                        version = version + 1
                    WHERE seller = ? AND version = ?
                    """
            ).execute(
                arguments: [
                    state == .ready, state == .gone ? "gone" : nil, state == card.state, now, due,
                    state == .begun ? card.tries + 1 : 0, card.seller, card.version,
                ])
            let isNewest = database.changesCount == 1
            if isNewest { try tell(card, isReady: state == .ready, at: now, in: database) }
            guard let card = try SellerCard.fetch(card.seller, in: database) else { throw OrderRefusal.notFound }
            return (card, isNewest)
        }
    }

    /// Tells the seller what is other than what she was told last: once, however often it is asked.
    private func tell(_ card: SellerCard, isReady: Bool, at now: Int64, in database: Database) throws {
        try database.cachedStatement(sql: "UPDATE sellerCards SET told = ?1 WHERE seller = ?2 AND told <> ?1").execute(
            arguments: [isReady, card.seller])
        guard database.changesCount == 1 else { return }
        try Notice.add(
            Notice.Draft(
                account: card.seller, kind: isReady ? .cardsTaken : .cardsRefused, cause: "cards:\(card.version + 1)"),
            at: now, in: database)
    }

    /// Whose account is to be asked about, the longest waiting first.
    func due(limit: Int = 100) async throws(OrderRefusal) -> [AccountID] {
        try await write { database in
            try AccountID.fetchAll(
                database.cachedStatement(sql: "SELECT seller FROM sellerCards WHERE due <= ? ORDER BY due LIMIT ?"),
                arguments: [now, limit])
        }
    }

    /// The provider does not answer: another time.
    func postpone(_ seller: AccountID) async throws(OrderRefusal) {
        try await write { database in
            try database.cachedStatement(
                sql: """
                    UPDATE sellerCards SET tries = tries + 1, due = ? + \(OrderStore.pause)
                    WHERE seller = ? AND due IS NOT NULL
                    """
            ).execute(arguments: [now, seller])
        }
    }

    private static let day: Int64 = 86_400_000
    /// In ms; doubled each time, up to six hours, as ``OrderStore/pause``.
    private static func pause(_ tries: Int64) -> Int64 { min(60_000 << min(tries, 9), 21_600_000) }
}
