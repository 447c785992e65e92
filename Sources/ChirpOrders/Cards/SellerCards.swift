package import ChirpAccounts
package import ChirpCommunity
internal import FoundationEssentials
internal import GRDB

/// Accounts that sellers connect to the hub's owner's, so that they are paid by card as well (`Docs/decisions/1802`). Each is the one that the hub
/// has had made: its name comes from nobody else, since whoever could name another's would be paying her, or be paid for her. Whether it may be
/// charged is always asked.
package struct SellerCards: Sendable {
    let library: HubLibrary
    let service: StripeConnect

    package init(library: HubLibrary, service: StripeConnect) { (self.library, self.service) = (library, service) }

    /// The account that somebody's sales are paid to from now on; nil: she is paid otherwise.
    func account(of seller: AccountID, in database: Database) throws -> String? {
        guard let card = try SellerCard.fetch(seller, in: database), card.state == .ready else { return nil }
        return card.account
    }

    package func card(of seller: AccountID) async throws(OrderRefusal) -> SellerCard? {
        do { return try await library.reading { try SellerCard.fetch(seller, in: $0) } } catch {
            throw OrderRefusal(error)
        }
    }

    /// Begins to take cards, or goes on with that. Written down before anybody is asked: whoever comes after a process has died, or presses twice,
    /// goes on with the same account.
    ///
    /// - Parameters:
    ///   - back: where she comes back to from the provider's pages.
    ///   - again: where she comes to whose address is too old.
    /// - Returns: the address of those pages, for her alone; nil: there is nothing to say there.
    package func connect(_ seller: AccountID, back: String, again: String) async throws(OrderRefusal) -> String? {
        // One that turns out to be connected no more is followed by another.
        for _ in 0..<2 {
            let card = try await named(try await begin(seller))
            guard let account = card.account else { continue }
            switch try await asked(about: card).state {
            // Ended: by herself, elsewhere, in this moment.
            case .ready, .ended: return nil
            case .begun:
                return try await telling { () async throws(PaymentError) in
                    try await service.pages(of: account, back: back, again: again)
                }
            case .gone: continue
            }
        }
        throw .payment(.later(provider: Stripe.name, reason: "the account is not there"))
    }

    /// Asks how somebody's account stands.
    @discardableResult
    package func look(at seller: AccountID) async throws(OrderRefusal) -> SellerCard? {
        guard let card = try await card(of: seller) else { return nil }
        guard [.begun, .ready].contains(card.state) else { return card }
        return try await asked(about: try await named(card))
    }

    /// The seller is paid by hand from the next order on. What was paid before is given back where it was paid.
    package func end(_ seller: AccountID) async throws(OrderRefusal) {
        try await write { database in
            try database.cachedStatement(
                sql: """
                    UPDATE sellerCards SET ending = 'ended', isReady = 0, told = 0, since = ?, due = NULL, version = version + 1
                    WHERE seller = ? AND ending IS NULL
                    """
            ).execute(arguments: [now, seller])
        }
    }

    /// A message was about this account.
    ///
    /// - Returns: false for one that nobody here has.
    func look(atAccount account: String) async throws(PaymentError) -> Bool {
        do {
            guard let card = try await library.reading({ try SellerCard.fetch(account: account, in: $0) }) else {
                return false
            }
            if [.begun, .ready].contains(card.state) { _ = try await asked(about: card) }
            return true
        } catch OrderRefusal.payment(let error) { throw error } catch {
            throw .later(provider: Stripe.name, reason: "\(error)")
        }
    }

    /// A payment was refused at this account: it is asked about, and not used until somebody has answered.
    func doubt(_ account: String) async {
        if (try? await look(atAccount: account)) != nil { return }
        try? await write { database in
            try database.cachedStatement(
                sql: """
                    UPDATE sellerCards SET isReady = 0, since = ?1, due = ?1, version = version + 1
                    WHERE account = ?2 AND isReady = 1
                    """
            ).execute(arguments: [now, account])
        }
    }

    /// Asks about what is due: accounts that were asked for when a process died, that wait for the provider, and each of the others once a day, since
    /// messages get lost.
    ///
    /// - Returns: what went wrong and is tried again, in words.
    package func sweep() async throws(OrderRefusal) -> [String] {
        var problems: [String] = []
        for seller in try await due() {
            do { try await look(at: seller) } catch {
                if case .library = error { throw error }
                try await postpone(seller)
                if problems.count < 10 { problems.append("\(error)") }
            }
        }
        return problems
    }

    /// Has its account made, unless it is there.
    private func named(_ card: SellerCard) async throws(OrderRefusal) -> SellerCard {
        guard card.account == nil else { return card }
        let account: String
        do { account = try await service.open(for: card.seller, round: card.round) } catch {
            if !error.isTemporary { try await giveUp(card) }
            throw .payment(error)
        }
        return try await name(card, account)
    }

    /// Asks how an account stands, until the answer is not older than what is written.
    private func asked(about known: SellerCard) async throws(OrderRefusal) -> SellerCard {
        var card = known
        for _ in 0..<Self.mostTries {
            guard let account = card.account, [.begun, .ready].contains(card.state) else { return card }
            let standing = try await telling { () async throws(PaymentError) in try await service.standing(of: account)
            }
            let (after, isNewest) = try await note(standing, of: card)
            if isNewest { return after }
            card = after
        }
        return card
    }

    private static let mostTries = 5

    private func telling<Answer>(
        _ ask: () async throws(PaymentError) -> Answer
    ) async throws(OrderRefusal) -> Answer {
        do { return try await ask() } catch { throw .payment(error) }
    }
}
