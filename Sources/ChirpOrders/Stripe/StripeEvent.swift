internal import ChirpCore

/// A message (docs.stripe.com/api/events): which order to look at.
package struct StripeEvent {
    let event: PaymentEvent

    /// - Throws: ``PaymentError/malformed(provider:reason:)``.
    package init(_ raw: [UInt8]) throws(PaymentError) {
        guard let message = try? UntrustedJSON.decode(Message.self, from: raw, .statement), !message.id.isEmpty,
            message.id.utf8.count <= 255
        else { throw .malformed(provider: Stripe.name, reason: "a message that is none") }
        let object = message.data.object
        var references = PaymentReferences()
        var money: Money?
        switch object.object {
        case "checkout.session":
            references.checkout = object.id
            references.payment = object.paymentIntent?.id
            references.customer = object.customer?.id
            if object.paymentStatus == "paid", let total = object.total, let currency = object.currency {
                money = StripeAmount.money(total, currency)
            }
        case "payment_intent":
            references.payment = object.id
            if object.status == "succeeded", let received = object.received, let currency = object.currency {
                money = StripeAmount.money(received, currency)
            }
        case "charge", "dispute", "refund": references.payment = object.paymentIntent?.id
        default: break
        }
        // `account`: of a message about something at a connected account (docs.stripe.com/connect/webhooks).
        let account = message.account.map { String($0.prefix(255)) }
        let isAboutAccount = account != nil && message.type.hasPrefix("account.")
        event = PaymentEvent(
            id: message.id, kind: String(message.type.prefix(100)),
            order: isAboutAccount ? nil : (object.metadata?["order"]).map { String($0.prefix(100)) },
            account: PaymentAccount(account), standing: isAboutAccount ? account : nil, references: references,
            money: money)
    }

    private struct Message: Decodable {
        let id, type: String
        let account: String?
        let data: Content
    }

    private struct Content: Decodable { let object: Subject }

    /// Parts of all the kinds of objects that messages are about.
    private struct Subject: Decodable {
        let id: String?
        let object: String?
        let status: String?
        let metadata: [String: String]?
        let paymentIntent: Expandable<StripeObject.Named>?
        let customer: Expandable<StripeObject.Named>?
        let paymentStatus: String?
        let total: Int64?
        let received: Int64?
        let currency: String?

        enum CodingKeys: String, CodingKey {
            case id, object, status, metadata, customer, currency
            case paymentIntent = "payment_intent"
            case paymentStatus = "payment_status"
            case total = "amount_total"
            case received = "amount_received"
        }
    }
}
