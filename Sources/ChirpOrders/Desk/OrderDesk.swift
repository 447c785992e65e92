package import ChirpAccounts
package import ChirpCommunity
internal import ChirpCore
package import FoundationEssentials
package import GRDB

/// Takes orders, and brings them to their end with the help of those who move the money.
///
/// What is to be done next always follows from the order as it is written down: so each step can be repeated by anybody, after a process has
/// died as well as while another does the same. Providers do a step once for its key, and the library changes an order once for its state.
package struct OrderDesk: Sendable {
    package let store: OrderStore
    private let providers: [String: any PaymentProvider]
    let delivery: any OrderDelivery

    /// How long an order is kept open for a provider that does not say whether it was paid, in seconds.
    static let grace: Double = 3600
    /// How long a charge is repeated whose answer was lost, in seconds: Stripe knows a key for a day (docs.stripe.com/api/idempotent_requests).
    static let mostRepeats: Double = 20 * 3600
    /// The most of a provider's message, in bytes: theirs have a few thousand.
    package static let longestEvent = 256 << 10

    package init(store: OrderStore, providers: [any PaymentProvider], delivery: any OrderDelivery) {
        self.store = store
        self.providers = Dictionary(providers.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        self.delivery = delivery
    }

    var now: Date { store.library.now() }

    /// Whether a provider moves money here.
    package func hasProvider(_ name: String) -> Bool { providers[name] != nil }

    func provider(_ name: String) throws(OrderRefusal) -> any PaymentProvider {
        guard let provider = providers[name] else { throw .noProvider(name) }
        return provider
    }

    /// Reserves what somebody buys, and makes the page where it is paid: ``Order/address``. What costs nothing is paid at once.
    ///
    /// - Throws: also ``OrderRefusal/payment(_:)`` while the provider does not answer; the same draft again is the same order.
    package func buy(_ draft: OrderDraft) async throws(OrderRefusal) -> Order {
        guard draft.terms.kind != .bid else { throw .badTerms }
        let provider = try provider(draft.provider)
        let order = try await store.reserve(
            draft, method: .checkout, until: now.addingTimeInterval(provider.patience)
        ) { try provider.account(of: draft.seller, in: $0) }
        return try await open(order)
    }

    /// Places a bid, which binds when its card is kept or its money held (``Order/State/bound``). Money is held only where the hold lasts until
    /// the auction is over.
    ///
    /// - Parameter ends: the end of the auction, with all its extensions.
    package func bid(_ draft: OrderDraft, ends: Date) async throws(OrderRefusal) -> Order {
        guard draft.terms.kind == .bid else { throw .badTerms }
        let provider = try provider(draft.provider)
        let holds = provider.longestHold > 0 && ends.timeIntervalSince(now) <= provider.longestHold
        let order = try await store.reserve(
            draft, method: holds ? .hold : .card, until: now.addingTimeInterval(provider.patience)
        ) { try provider.account(of: draft.seller, in: $0) }
        return try await open(order)
    }

    /// Writes down what somebody buys, in the transaction of whoever decides whether she may. It is gone on with by ``buy(_:)`` of the same draft.
    ///
    /// - Returns: false for one that was there before.
    /// - Throws: ``OrderRefusal``.
    package func reserve(_ draft: OrderDraft, in database: Database) throws -> Bool {
        guard draft.terms.kind != .bid else { throw OrderRefusal.badTerms }
        let provider = try provider(draft.provider)
        let until = now.addingTimeInterval(provider.patience)
        return try store.write(
            draft, method: .checkout, until: until, paidTo: { try provider.account(of: draft.seller, in: $0) },
            in: database
        ).isNew
    }

    /// Makes the page of an order, at the provider that it was reserved with: the same draft may name another one by now.
    private func open(_ order: Order) async throws(OrderRefusal) -> Order {
        let provider = try provider(order.provider)
        guard order.references.checkout == nil, [.asking, .reserved].contains(order.state) else { return order }
        // Its page cannot be made any more, and others may buy it.
        if let until = order.until, until <= now { return try await look(at: order.id) }
        let report: PaymentReport
        do {
            report =
                switch order.method {
                case .checkout: try await provider.checkout(order)
                case .hold: try await provider.hold(order)
                case .card: try await provider.keepCard(order)
                case .none: PaymentReport(.pending)
                }
        } catch {
            if !error.isTemporary { _ = try await store.settle(order.id, by: PaymentReport(.failed(Self.word(error)))) }
            throw .payment(error)
        }
        return try await store.settle(order.id, by: report)
    }

    /// A bid has won: it is charged.
    ///
    /// - Parameter patience: how long the buyer has when that does not succeed at once, in seconds.
    /// - Throws: ``OrderRefusal/taken(until:)`` and ``OrderRefusal/sold`` when somebody else has the exclusive.
    package func win(_ id: HubID, patience: Double = 48 * 3600) async throws(OrderRefusal) -> Order {
        _ = try await store.win(id, until: now.addingTimeInterval(patience))
        return try await look(at: id)
    }

    /// A bid has not won: its card or money is let go.
    package func lose(_ id: HubID) async throws(OrderRefusal) -> Order {
        _ = try await store.lose(id)
        return try await look(at: id)
    }

    /// The buyer gives up paying, and what was reserved is free for others.
    package func cancel(_ id: HubID, by buyer: AccountID) async throws(OrderRefusal) -> Order {
        guard let order = try await store.order(id), order.buyer == buyer else { throw .notFound }
        guard order.state == .reserved, order.method == .checkout else { throw .changed(order.state) }
        do { return try await store.settle(id, by: try await provider(order.provider).release(order)) } catch {
            throw OrderRefusal(error)
        }
    }

    /// The seller says that nobody has paid by hand, and what was reserved is free for others.
    package func decline(_ id: HubID, by seller: AccountID, at hand: ByHand) async throws(OrderRefusal) -> Order {
        guard let order = try await store.order(id), order.seller == seller, order.provider == hand.name else {
            throw .notFound
        }
        guard order.state == .reserved else { throw .changed(order.state) }
        let report: PaymentReport
        do { report = try await hand.release(order) } catch { throw .payment(error) }
        // Somebody may have said meanwhile that it was paid.
        let isUnpaid = report.status == .closed
        return try await store.settle(id, by: isUnpaid ? PaymentReport(.failed("not paid")) : report)
    }

    /// Gives back all that was paid.
    ///
    /// - Parameters:
    ///   - seller: nil for the hub itself.
    ///   - tell: tells the buyer of it, in the transaction in which the order turns back.
    package func refund(
        _ id: HubID, by seller: AccountID?, reason: String,
        tell: @Sendable (_ before: Order, Database) throws -> Void = { _, _ in }
    ) async throws(OrderRefusal) -> Order {
        _ = try await store.refund(id, by: seller, reason: PlainText(reason, limit: 200).value, tell: tell)
        return try await look(at: id)
    }

    /// Does what is next for an order: asks its provider, charges, gives back, lets go. For whoever comes back from a payment page too.
    ///
    /// - Returns: the order as it is then; also when its provider does not answer.
    @discardableResult
    package func look(at id: HubID) async throws(OrderRefusal) -> Order {
        guard let order = try await store.order(id) else { throw .notFound }
        guard order.method != .none else { return order }
        guard let provider = providers[order.provider] else {
            // It was switched off; others wait behind it.
            try await store.postpone(order)
            throw .noProvider(order.provider)
        }
        let isLate = order.until.map { $0 <= now } ?? false
        let report: PaymentReport
        do {
            report = try await next(for: order, isLate: isLate, provider)
        } catch {
            return try await settle(order, after: error)
        }
        return try await settled(order, by: report)
    }

    private func next(
        for order: Order, isLate: Bool, _ provider: any PaymentProvider
    ) async throws(PaymentError) -> PaymentReport {
        switch (order.state, order.method) {
        case (.refunding, _): return try await provider.refund(order)
        case (.releasing, _): return try await provider.release(order)
        // Nobody can pay any more what others may buy.
        case (.asking, _) where isLate, (.reserved, _) where isLate: return try await provider.release(order)
        case (.reserved, .hold), (.reserved, .card):
            guard now.timeIntervalSince(order.changed) > Self.mostRepeats, order.references.payment == nil else {
                return try await provider.charge(order)
            }
            let report = try await provider.state(of: order)
            guard case .kept = report.status else { return report }
            return PaymentReport(.failed("the card was not charged"), report.references)
        case (.asking, .card) where order.references.checkout == nil: return try await provider.keepCard(order)
        case (.asking, .hold) where order.references.checkout == nil: return try await provider.hold(order)
        case (.reserved, .checkout) where order.references.checkout == nil: return try await provider.checkout(order)
        case (.asking, _), (.bound, _), (.reserved, _), (.paid, _), (.delivered, _), (.refunded, _), (.released, _),
            (.failed, _), (.expired, _):
            return try await provider.state(of: order)
        }
    }

    func settled(_ order: Order, by report: PaymentReport) async throws(OrderRefusal) -> Order {
        let after = try await store.settle(order.id, by: report)
        guard after.state == order.state else {
            // What was paid too late, or is no longer wanted, goes back at once.
            return [.refunding, .releasing].contains(after.state) ? try await look(at: order.id) : after
        }
        let isOver = report.status == .closed && [.failed, .expired].contains(after.state)
        let isTooLong = now.timeIntervalSince(after.changed) > 7 * 86_400
        try await store.postpone(after, for: isOver || (isTooLong && [.failed, .expired].contains(after.state)))
        return after
    }

    /// Another time; or never, where asking again is no use.
    private func settle(_ order: Order, after error: PaymentError) async throws(OrderRefusal) -> Order {
        let isWaiting = [.asking, .reserved].contains(order.state)
        if isWaiting, !error.isTemporary {
            return try await settled(order, by: PaymentReport(.failed(Self.word(error))))
        }
        // Others may buy what nobody has paid, even if nobody can be asked; what was paid all the same goes back later.
        if isWaiting, let until = order.until, until.addingTimeInterval(Self.grace) <= now, order.method != .card {
            return try await settled(order, by: PaymentReport(.closed))
        }
        try await store.postpone(order)
        return order
    }

    /// Why an order failed, for the order itself.
    private static func word(_ error: PaymentError) -> String { PlainText(error.whatHappened, limit: 200).value }
}

/// Whoever brings what was paid to its buyer: in a board, a message with the file and the licence.
package protocol OrderDelivery: Sendable {
    /// Makes what is delivered, which may take its time. It may be called again, at the same order, when a process has died in between.
    ///
    /// - Returns: what hands it over. It is called in the transaction in which the order becomes delivered, so it happens once; it must do
    ///   nothing but write to that database.
    func prepare(_ order: Order) async throws -> @Sendable (Database) throws -> Void
}
