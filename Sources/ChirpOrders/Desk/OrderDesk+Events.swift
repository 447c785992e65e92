internal import ChirpCommunity

extension OrderDesk {
    /// Takes what a provider sends by itself: written down first, then looked at. Once done, it is done, however often it comes.
    ///
    /// The sender is answered when this returns, since providers repeat what was not answered.
    ///
    /// - Parameters:
    ///   - raw: the content, byte by byte.
    ///   - name: the provider's, from the address that it was sent to.
    /// - Throws: ``OrderRefusal/payment(_:)`` for a message that nobody vouches for; such are counted (``OrderStore/refusals(of:)``).
    package func take(_ raw: [UInt8], signature: String, from name: String) async throws(OrderRefusal) {
        let provider = try provider(name)
        guard raw.count <= Self.longestEvent else {
            try await store.refuse("too long", of: name)
            throw .payment(.malformed(provider: name, reason: "a message that is too long"))
        }
        let events: [PaymentEvent]
        do { events = try provider.events(raw, signature: signature) } catch {
            switch error {
            case .forged(_, let fault): try await store.refuse(fault.rawValue, of: name)
            default: try await store.refuse("unreadable", of: name)
            }
            throw .payment(error)
        }
        for event in events where try await store.record(event, of: name) {
            try await apply(KnownEvent(provider: name, event: event, outcome: nil))
        }
    }

    /// Does what a message asks for: to look. What it says of amounts is compared, never believed.
    func apply(_ known: KnownEvent) async throws(OrderRefusal) {
        let event = known.event
        if let account = event.standing { return try await look(at: account, for: known) }
        guard let order = try await store.order(of: event, at: known.provider), order.provider == known.provider else {
            return try await store.finish(known, "refused: no such order")
        }
        // Whoever sells can write another's order into a payment of her own; what is asked then is asked where the order is paid, and nowhere else.
        guard event.account == order.account else { return try await store.finish(known, "refused: another account") }
        if let fault = Self.fault(of: event, at: order) {
            try await store.finish(known, "refused: \(fault)")
            return try await store.hurry(order.id)
        }
        let report: PaymentReport
        do { report = try await provider(order.provider).state(of: order.knowing(event.references)) } catch {
            guard case .payment(let problem) = OrderRefusal(error) else { throw OrderRefusal(error) }
            guard !problem.isTemporary else { return try await store.postpone(known) }
            return try await store.finish(known, "refused: \(problem.whatHappened)")
        }
        do {
            let after = try await settled(order, by: report)
            try await store.finish(known, "applied: \(after.state.rawValue)")
        } catch {
            // Somebody else has moved the order in this moment: it is looked at again.
            guard case .changed = error else { throw error }
            try await store.postpone(known)
        }
    }

    /// How a seller's account stands is asked as well, and never taken from a message.
    private func look(at account: String, for known: KnownEvent) async throws(OrderRefusal) {
        let isKnown: Bool
        do { isKnown = try await provider(known.provider).look(atAccount: account) } catch {
            guard case .payment(let problem) = OrderRefusal(error) else { throw OrderRefusal(error) }
            guard !problem.isTemporary else { return try await store.postpone(known) }
            return try await store.finish(known, "refused: \(problem.whatHappened)")
        }
        try await store.finish(known, isKnown ? "applied: account" : "refused: no such account")
    }

    private static func fault(of event: PaymentEvent, at order: Order) -> String? {
        let known = order.references
        if let page = event.references.checkout, let own = known.checkout, page != own { return "another page" }
        if let payment = event.references.payment, let own = known.payment, payment != own { return "another payment" }
        guard let money = event.money, money != order.terms.price else { return nil }
        return money.currency == order.terms.price.currency ? "wrong amount" : "other currency"
    }
}

extension Order {
    /// The order with what a message says its parts are called, to ask about them; what is known stays.
    func knowing(_ others: PaymentReferences) -> Order {
        Order(
            id: id, sequence: sequence, buyer: buyer, seller: seller, item: item, terms: terms, provider: provider,
            account: account, method: method, state: state, reason: reason, created: created, changed: changed,
            until: until,
            address: address, references: references.filled(from: others))
    }
}
