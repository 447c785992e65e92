package import ChirpAccounts
internal import ChirpCommunity
package import ChirpOrders
internal import ChirpBoards
internal import ChirpWeb
package import HTTPTypes
internal import GRDB

/// How somebody's sales are paid by card.
package enum CardStanding: Hashable, Sendable {
    /// Nobody connects an account here.
    case unavailable
    /// At the hub's own account: she is its owner.
    case own
    /// At an account of hers; nil: she has connected none.
    case seller(SellerCard?)

    /// As programs read it.
    var name: String {
        switch self {
        case .unavailable: "unavailable"
        case .own: "own"
        case .seller(let card): card?.state.rawValue ?? "none"
        }
    }
}

/// Why no account was connected.
package enum CardRefusal: Error, Hashable, Sendable {
    case unavailable
    /// The service does not let this hub connect accounts.
    case refused
    case order(OrderRefusal)
}

extension SaleDesk {
    package func cards(of seller: AccountID) async throws -> CardStanding {
        if let cards = payments.cards,
            try await library.reading({ try cards.account(of: seller, in: $0) }) == .own
        {
            return .own
        }
        guard let sellers = payments.sellers else { return .unavailable }
        return .seller(try await sellers.card(of: seller))
    }

    /// - Returns: where she says what the service wants to know, for her alone: not to be kept or logged. Nil: nothing is wanted.
    func connectCards(of seller: AccountID) async throws(CardRefusal) -> String? {
        let sellers = try await connecting(seller)
        let page = "\(links.publicURL)\(Self.cards)"
        do { return try await sellers.connect(seller, back: page, again: page) } catch {
            guard case .payment(let problem) = error, !problem.isTemporary else { throw .order(error) }
            throw .refused
        }
    }

    func lookAtCards(of seller: AccountID) async throws(CardRefusal) {
        let sellers = try await connecting(seller)
        do { try await sellers.look(at: seller) } catch { throw .order(error) }
    }

    func endCards(of seller: AccountID) async throws(CardRefusal) {
        let sellers = try await connecting(seller)
        do { try await sellers.end(seller) } catch { throw .order(error) }
    }

    private func connecting(_ seller: AccountID) async throws(CardRefusal) -> SellerCards {
        let standing: CardStanding
        do { standing = try await cards(of: seller) } catch { throw .order(.of(error)) }
        guard case .seller = standing, let sellers = payments.sellers else { throw .unavailable }
        return sellers
    }

    /// Where one comes back to from the service, without the prefix.
    static let cards = "\(BeatDesk.path)/sales/cards"
}

extension CardRefusal: BoardRefusal {
    package var sentence: String {
        switch self {
        case .unavailable: word("beat.card.unavailable")
        case .refused: word("beat.card.refused")
        case .order(let refusal): refusal.sentence
        }
    }

    package var status: HTTPResponse.Status {
        switch self {
        case .unavailable: .notFound
        case .refused: .conflict
        case .order(let refusal): refusal.status
        }
    }
}
