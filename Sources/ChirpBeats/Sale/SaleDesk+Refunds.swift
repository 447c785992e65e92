package import ChirpAccounts
internal import ChirpBoards
package import ChirpCommunity
package import ChirpOrders
internal import ChirpWeb
internal import GRDB

/// Money that goes back. Where a service has it, that service says so. By hand nobody sees it but the two sides: the seller says that it goes back,
/// and what was delivered stays the buyer's until the buyer says that it is there.
extension SaleDesk {
    /// The seller gives the money back. Told again of what is paid by hand, the seller has sent it: the buyer is asked whether it is there. What
    /// was never delivered, or whose buyer is gone, ends by the seller's word.
    package func refund(_ order: HubID, by seller: AccountID, reason: String) async throws(OrderRefusal) -> Order {
        guard let known = try await orders.store.order(order), known.seller == seller, known.provider == hand.name
        else { return try await orders.refund(order, by: seller, reason: reason) }
        guard known.state == .refunding else {
            return try await orders.refund(order, by: seller, reason: reason) { before, database in
                guard before.state == .delivered else { return }
                try tell(before, .begun, by: seller, database)
            }
        }
        if known.buyer != nil, try await isHeld(known) {
            do { try await library.transact { try tell(known, .sent, by: seller, $0) } } catch {
                throw OrderRefusal.of(error)
            }
            return known
        }
        try await hand.mark(order, .refunded, by: seller)
        return try await orders.look(at: order)
    }

    /// The buyer says that the money of a payment by hand is back, which ends the licence; a moderator says so for a buyer who does not answer, and
    /// never of a sale of their own. Twice is once.
    package func confirmRefund(_ order: HubID, by person: AccountID) async throws(OrderRefusal) -> Order {
        guard let known = try await orders.store.order(order), known.provider == hand.name, known.seller != person
        else {
            throw .notFound
        }
        if known.state == .refunded, known.buyer == person { return known }
        try await hand.mark(order, .refunded, by: person)
        let after = try await orders.look(at: order)
        do { try await library.transact { try tell(known, .back, by: person, $0) } } catch {
            throw OrderRefusal.of(error)
        }
        return after
    }

    /// Whether a licence of an order has not ended.
    private func isHeld(_ order: Order) async throws(OrderRefusal) -> Bool {
        do { return try await grants.grant(ofOrder: order.id).map { $0.ending == nil } ?? false } catch {
            throw .delivery("\(error)")
        }
    }

    /// Writes to the other side, or to both, in their conversation, once for each step.
    private func tell(_ order: Order, _ step: RefundStep, by person: AccountID, _ database: Database) throws {
        guard let purchase = try PurchaseStore.purchase(of: order, in: database) else { return }
        let people = [order.buyer, order.seller].compactMap { $0 }.filter { $0 != person }
        let names = try people.compactMap { other in
            try String.fetchOne(
                database.cachedStatement(sql: "SELECT handle FROM accounts WHERE id = ?"), arguments: [other]
            ).map { "@\($0)" }
        }
        guard !names.isEmpty else { return }
        let page = person == order.buyer ? "\(BeatDesk.path)/sales" : Self.purchase(order.id)
        let link = "\(links.publicURL)\(page)"
        let line = step.line(["title": PostText.quoted(purchase.title)])
        var letter = PostDraft(
            author: person, text: "\(names.joined(separator: " ")) \(line)\n\(link)", link: link,
            key: "order:\(order.id):\(step)")
        letter.visibility = .direct
        _ = try library.announce(letter, to: people, in: database)
    }
}

/// A step of money that goes back by hand, of which the other side is told.
private enum RefundStep {
    /// The seller wants to give it back, and has sent it.
    case begun, sent
    /// It is with the buyer.
    case back

    func line(_ values: [String: String]) -> String {
        switch self {
        case .begun: word("beat.refund.begun", values)
        case .sent: word("beat.refund.sent", values)
        case .back: word("beat.refund.back", values)
        }
    }
}

extension Order {
    /// The buyer has what was bought: also while its money goes back by hand, where its licence has not ended.
    var isWithBuyer: Bool { state == .delivered || (state == .refunding && provider == ByHand.name) }
}
