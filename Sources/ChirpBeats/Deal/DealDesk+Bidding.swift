package import ChirpAccounts
internal import ChirpCommunity
internal import ChirpOrders
internal import FoundationEssentials

/// How far a bid is.
package enum BidStep: Sendable {
    case placed(BidReceipt)
    /// Its card is asked for at an address; it counts when that was done.
    case card(address: String)
    /// The provider has not said yet where.
    case waiting
}

extension DealDesk {
    /// Bids. Where cards are kept or money is held the bid counts as soon as that was done; where not, at once. The same again is the same bid.
    ///
    /// - Throws: ``BidRefusal``, ``DealRefusal``.
    package func bid(_ binding: BidBinding, by bidder: AccountID, key: String) async throws -> BidStep {
        guard money != nil else { return .placed(try await auctions.place(binding, by: bidder, key: key)) }
        return try await go(on: try await auctions.attempt(binding, by: bidder, key: key))
    }

    /// Goes on with a bid that was written down: for whoever comes back from where her card was asked for, too.
    func go(on tried: BidTry) async throws -> BidStep {
        guard let money, let bidder = tried.bidder else { throw BidRefusal.noAccount }
        switch tried.state {
        case .placed, .won, .over: return .placed(try await auctions.place(tried))
        case .refused: throw DealRefusal.notPaid
        case .waiting: break
        }
        guard let provider = try await money.provider(tried.auction.seller) else { throw DealRefusal.noPayments }
        let draft = OrderDraft(
            key: tried.purchase, buyer: bidder, seller: tried.auction.seller, item: tried.auction.item,
            terms: OrderTerms(
                kind: .bid, scope: tried.auction.scope, licence: .exclusive,
                subject: DealSubject.auction(tried.auction.id).text, price: tried.binding.money), provider: provider)
        var order: Order
        do {
            let ends = Date(timeIntervalSince1970: Double(tried.auction.ends) / 1000)
            // Whoever comes back has perhaps given her card.
            let isKnown = try await money.orders.store.order(placedAs: tried.purchase) != nil
            order = try await money.orders.bid(draft, ends: ends)
            if isKnown, order.state == .asking { order = try await money.orders.look(at: order.id) }
        } catch { throw DealRefusal.order(error) }
        switch order.state {
        case .bound: return .placed(try await place(tried, order.id, money))
        case .asking: return order.address.map { .card(address: $0) } ?? .waiting
        default:
            try await auctions.turn(tried, to: .refused)
            throw DealRefusal.notPaid
        }
    }

    /// A bid that is too late, or too low by now, lets its card go at once.
    private func place(_ tried: BidTry, _ order: HubID, _ money: DealMoney) async throws -> BidReceipt {
        do throws(BidRefusal) { return try await auctions.place(tried) } catch {
            if case .library = error { throw error }
            _ = try await money.orders.lose(order)
            try await auctions.turn(tried, to: .refused)
            throw error
        }
    }
}
