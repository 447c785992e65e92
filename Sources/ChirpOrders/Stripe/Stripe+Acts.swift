internal import ChirpCommunity

extension Stripe {
    package func charge(_ order: Order) async throws(PaymentError) -> PaymentReport {
        let caller = caller(order)
        let known = order.references
        let fields: [(name: String, value: String)]
        let path: String
        switch (order.method, known.payment, known.customer, known.card) {
        case (.hold, let payment?, _, _):
            path = try await Self.telling { () throws(StripeCaller.Refusal) in
                "/v1/payment_intents/\(try Self.safe(payment))/capture"
            }
            fields = [("expand[]", "latest_charge")]
        case (.card, nil, let customer?, let card?):
            path = "/v1/payment_intents"
            fields = [
                ("amount", "\(try StripeAmount.number(order.terms.price))"),
                ("currency", order.terms.price.currency.code.lowercased()), ("customer", customer),
                ("payment_method", card), ("off_session", "true"), ("confirm", "true"),
                ("metadata[order]", order.id.text), ("expand[]", "latest_charge"),
            ]
        default: return try await state(of: order)
        }
        do throws(StripeCaller.Refusal) {
            let intent = try await caller.post(
                path, fields, key: "\(order.id)-charge", as: StripeObject.Intent.self)
            return try await report(intent, of: order, caller)
        } catch {
            switch error {
            case .refused(let word, isCard: true): return PaymentReport(.failed(word))
            // It was taken already, or the hold has ended.
            case .refused where order.method == .hold: return try await state(of: order)
            case .refused(let word, isCard: false): throw .refused(provider: name, reason: word)
            case .error(let error): throw error
            }
        }
    }

    package func release(_ order: Order) async throws(PaymentError) -> PaymentReport {
        let caller = caller(order)
        let found = try await state(of: order)
        let known = order.references.filled(from: found.references)
        do throws(StripeCaller.Refusal) {
            switch found.status {
            case .paid, .refunded, .chargedBack, .closed, .failed: return found
            case .held:
                guard let payment = known.payment else { return found }
                let intent = try await caller.post(
                    "/v1/payment_intents/\(try Self.safe(payment))/cancel", [], key: "\(order.id)-release",
                    as: StripeObject.Intent.self)
                return try await report(intent, of: order, caller)
            case .kept:
                guard let card = known.card else { return found }
                _ = try await caller.post(
                    "/v1/payment_methods/\(try Self.safe(card))/detach", [], key: "\(order.id)-release",
                    as: StripeObject.Named.self)
                return PaymentReport(.closed, known)
            case .pending:
                // Without a page there is nothing that anybody could pay.
                guard let checkout = known.checkout else { return PaymentReport(.closed, known) }
                let session = try await caller.post(
                    "/v1/checkout/sessions/\(try Self.safe(checkout))/expire", [], key: "\(order.id)-close",
                    as: StripeObject.Session.self)
                return session.status == "expired" ? PaymentReport(.closed, known) : found
            }
        } catch {
            switch error {
            // It has become something else in between.
            case .refused: return try await state(of: order)
            case .error(let error): throw error
            }
        }
    }

    package func refund(_ order: Order) async throws(PaymentError) -> PaymentReport {
        let caller = caller(order)
        let found = try await state(of: order)
        guard case .paid(let money) = found.status, let payment = found.references.payment else { return found }
        do throws(StripeCaller.Refusal) {
            let refund = try await caller.post(
                "/v1/refunds", [("payment_intent", payment), ("metadata[order]", order.id.text)],
                key: "\(order.id)-refund", as: StripeObject.Refund.self)
            var references = found.references
            references.refund = refund.id
            switch refund.status {
            case "failed", "canceled": throw .error(.refused(provider: name, reason: "the refund has failed"))
            default: return PaymentReport(.refunded(money), references)
            }
        } catch {
            switch error {
            case .refused("charge_already_refunded", isCard: _):
                return PaymentReport(.refunded(money), found.references)
            case .refused(let word, isCard: _): throw .refused(provider: name, reason: word)
            case .error(let error): throw error
            }
        }
    }
}
