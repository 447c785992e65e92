internal import ChirpCommunity

extension Stripe {
    package func state(of order: Order) async throws(PaymentError) -> PaymentReport {
        let caller = caller(order)
        let known = order.references
        return try await Self.telling { () async throws(StripeCaller.Refusal) in
            if let payment = known.payment { return try await intent(payment, of: order, caller) }
            // A card may have been charged without the answer having come.
            if order.method == .card, let customer = known.customer,
                let intent = try await charge(of: customer, order, caller)
            {
                return try await report(intent, of: order, caller)
            }
            guard let checkout = known.checkout else { return PaymentReport(.pending) }
            let session = try await caller.get(
                "/v1/checkout/sessions/\(try Self.safe(checkout))",
                [("expand[]", "payment_intent.latest_charge"), ("expand[]", "setup_intent")],
                as: StripeObject.Session.self)
            return try await state(session, of: order, caller)
        }
    }

    /// The page that was made or found.
    func report(
        _ session: StripeObject.Session, of order: Order, _ caller: StripeCaller
    ) async throws(PaymentError) -> PaymentReport {
        try await Self.telling { () async throws(StripeCaller.Refusal) in
            try await state(session, of: order, caller)
        }
    }

    private func state(
        _ session: StripeObject.Session, of order: Order, _ caller: StripeCaller
    ) async throws(StripeCaller.Refusal) -> PaymentReport {
        guard session.metadata?["order"] == order.id.text else { throw Self.strange("a page of another order") }
        var references = PaymentReferences(
            checkout: session.id, payment: session.paymentIntent?.id, customer: session.customer?.id)
        if let intent = session.paymentIntent?.whole {
            let report = try await report(intent, of: order, caller)
            let all = report.references.filled(from: references)
            // The page is over, and what was begun there has come to nothing.
            let isOver = session.status == "complete" && intent.status == "requires_payment_method"
            if isOver { return PaymentReport(.failed("the payment did not come"), all) }
            if session.status != "expired" || report.status != .pending {
                return PaymentReport(report.status, all, address: session.url)
            }
        }
        if let setup = session.setupIntent?.whole, setup.status == "succeeded", let card = setup.card?.id {
            references.card = card
            return PaymentReport(.kept, references)
        }
        return PaymentReport(session.status == "expired" ? .closed : .pending, references, address: session.url)
    }

    func intent(
        _ id: String, of order: Order, _ caller: StripeCaller
    ) async throws(StripeCaller.Refusal) -> PaymentReport {
        let intent = try await caller.get(
            "/v1/payment_intents/\(try Self.safe(id))", [("expand[]", "latest_charge")], as: StripeObject.Intent.self)
        return try await report(intent, of: order, caller)
    }

    func report(
        _ intent: StripeObject.Intent, of order: Order, _ caller: StripeCaller
    ) async throws(StripeCaller.Refusal) -> PaymentReport {
        guard intent.metadata?["order"] == order.id.text else { throw Self.strange("a payment of another order") }
        let references = PaymentReferences(
            payment: intent.id, customer: intent.customer?.id, card: order.method == .card ? intent.card?.id : nil)
        func money(_ number: Int64) throws(StripeCaller.Refusal) -> Money {
            guard let money = StripeAmount.money(number, intent.currency) else {
                throw Self.strange("an amount of '\(intent.currency)'")
            }
            return money
        }
        switch intent.status {
        case "succeeded":
            let paid = try money(intent.received ?? intent.amount)
            guard let charge = intent.charge?.whole else { return PaymentReport(.paid(paid), references) }
            if charge.refunded == true { return PaymentReport(.refunded(paid), references) }
            guard charge.disputed == true else { return PaymentReport(.paid(paid), references) }
            let disputes = try await caller.get(
                "/v1/disputes", [("payment_intent", intent.id)], as: StripeObject.List<StripeObject.Dispute>.self)
            let isLost = disputes.data.contains { $0.status == "lost" }
            return PaymentReport(isLost ? .chargedBack(paid) : .paid(paid), references)
        case "requires_capture": return PaymentReport(.held(try money(intent.capturable ?? intent.amount)), references)
        case "canceled": return PaymentReport(.closed, references)
        default: return PaymentReport(.pending, references)
        }
    }

    /// What has become of charging a card; nil when it was never charged.
    private func charge(
        of customer: String, _ order: Order, _ caller: StripeCaller
    ) async throws(StripeCaller.Refusal) -> StripeObject.Intent? {
        let intents = try await caller.get(
            "/v1/payment_intents",
            [("customer", customer), ("limit", "10"), ("expand[]", "data.latest_charge")],
            as: StripeObject.List<StripeObject.Intent>.self)
        let own = intents.data.filter { $0.metadata?["order"] == order.id.text }
        return own.first { $0.status == "succeeded" || $0.status == "processing" }
    }

    /// Ids come from the service itself; one that is none would ask for something else.
    static func safe(_ id: String) throws(StripeCaller.Refusal) -> String {
        let isSafe = id.utf8.allSatisfy { byte in
            byte == UInt8(ascii: "_") || (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
        }
        guard isSafe, (1...255).contains(id.utf8.count) else { throw strange("an id that is none") }
        return id
    }

    static func strange(_ what: String) -> StripeCaller.Refusal {
        .error(.malformed(provider: name, reason: what))
    }
}
