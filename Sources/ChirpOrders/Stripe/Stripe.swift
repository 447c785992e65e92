package import ChirpAccounts
package import ChirpCommunity
package import ChirpCore
package import ChirpHTTP
package import FoundationEssentials
package import GRDB

/// Payment by cards and phones on a page of Stripe's, which offers Apple Pay and others where the device can (AR-11).
///
/// A price is paid on a page in payment mode. A bid's money is held there (manual capture), which banks keep for 4 days and 18 hours at the
/// least (docs.stripe.com/payments/place-a-hold-on-a-payment-method); a bid that is decided later leaves its card there (setup mode),
/// which is charged without its holder then.
package struct Stripe: PaymentProvider {
    static let name = "stripe"
    package var name: String { Self.name }
    /// Pages live for half an hour at the least; the rest is for making one.
    package let patience: Double = 35 * 60
    /// How long a page is open at the least, in seconds (docs.stripe.com/api/checkout/sessions/create, `expires_at`).
    static let shortestPage: Double = 30 * 60
    package let longestHold: Double = 4 * 86_400

    private let transport: any HTTPTransport
    private let settings: Settings
    private let now: @Sendable () -> Date

    package struct Settings: Sendable {
        /// Where the service is.
        package var api: WebAddress
        /// Of the account that is the hub's owner's: those of others are connected to it.
        package var key: Secret
        /// Whether somebody is paid to that account itself.
        package var isOwner: @Sendable (AccountID) -> Bool
        /// What others have connected; nil: they are not paid here.
        package var sellers: SellerCards?
        /// What signs messages; several while one is exchanged for another.
        package var signing: [Secret]
        /// Where the buyer comes back to, and where she goes who gives up.
        package var back: @Sendable (HubID) -> (paid: String, left: String)
        /// What the page says is bought.
        package var title: @Sendable (Order) -> String

        package init(
            api: WebAddress, key: Secret, isOwner: @escaping @Sendable (AccountID) -> Bool,
            sellers: SellerCards? = nil, signing: [Secret],
            back: @escaping @Sendable (HubID) -> (paid: String, left: String),
            title: @escaping @Sendable (Order) -> String
        ) {
            self.api = api
            self.key = key
            self.isOwner = isOwner
            self.sellers = sellers
            self.signing = signing
            self.back = back
            self.title = title
        }
    }

    /// - Parameter transport: repeats what may be repeated, and gives up what takes too long.
    package init(
        _ transport: any HTTPTransport, _ settings: Settings, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.transport = transport
        self.settings = settings
        self.now = now
    }

    package func checkout(_ order: Order) async throws(PaymentError) -> PaymentReport {
        try await page(order, "checkout", try paying(order))
    }

    package func hold(_ order: Order) async throws(PaymentError) -> PaymentReport {
        try await page(order, "hold", try paying(order) + [("payment_intent_data[capture_method]", "manual")])
    }

    package func keepCard(_ order: Order) async throws(PaymentError) -> PaymentReport {
        let caller = caller(order)
        let customer = try await telling(order) {
            () async throws(StripeCaller.Refusal) in
            try await caller.post(
                "/v1/customers", [("metadata[order]", order.id.text)], key: "\(order.id)-customer",
                as: StripeObject.Named.self)
        }
        return try await page(
            order, "card",
            [
                ("mode", "setup"), ("customer", customer.id),
                ("currency", order.terms.price.currency.code.lowercased()),
                ("setup_intent_data[metadata][order]", order.id.text),
            ])
    }

    package func events(_ raw: [UInt8], signature: String) throws(PaymentError) -> [PaymentEvent] {
        do { try StripeSignature(secrets: settings.signing).check(signature, of: raw, now: now()) } catch {
            throw .forged(provider: name, fault: error)
        }
        return [try StripeEvent(raw).event]
    }

    private func paying(_ order: Order) throws(PaymentError) -> [(name: String, value: String)] {
        [
            ("mode", "payment"), ("payment_intent_data[metadata][order]", order.id.text),
            ("line_items[0][quantity]", "1"),
            ("line_items[0][price_data][currency]", order.terms.price.currency.code.lowercased()),
            ("line_items[0][price_data][unit_amount]", "\(try StripeAmount.number(order.terms.price))"),
            ("line_items[0][price_data][product_data][name]", PlainText(settings.title(order), limit: 250).value),
        ]
    }

    private func page(
        _ order: Order, _ step: String, _ fields: [(name: String, value: String)]
    ) async throws(PaymentError) -> PaymentReport {
        let caller = caller(order)
        let back = settings.back(order.id)
        var all = [
            (name: "client_reference_id", value: order.id.text), ("metadata[order]", order.id.text),
            ("success_url", back.paid), ("cancel_url", back.left),
        ]
        if let until = order.until { all.append(("expires_at", "\(Int64(clamping: until.timeIntervalSince1970))")) }
        all += fields
        let isTooLate = order.until.map { $0.timeIntervalSince(now()) < Self.shortestPage } ?? false
        let session = try await telling(order) {
            [all] () async throws(StripeCaller.Refusal) -> StripeObject.Session? in
            do throws(StripeCaller.Refusal) {
                return try await caller.post(
                    "/v1/checkout/sessions", all, key: "\(order.id)-\(step)", as: StripeObject.Session.self)
            } catch {
                // Had it been made in time, its key would have brought it again: so there is none, and it cannot be made any more.
                guard case .refused(_, isCard: false) = error, isTooLate else { throw error }
                return nil
            }
        }
        guard let session else { return PaymentReport(.closed) }
        return try await report(session, of: order, caller)
    }

    /// Asks about an order, where it is paid.
    func caller(_ order: Order) -> StripeCaller {
        StripeCaller(transport: transport, api: settings.api, key: settings.key, account: order.account)
    }

    package func account(of seller: AccountID, in database: Database) throws -> PaymentAccount? {
        if settings.isOwner(seller) { return .own }
        return try settings.sellers?.account(of: seller, in: database).map { .connected($0) }
    }

    package func look(atAccount account: String) async throws(PaymentError) -> Bool {
        try await settings.sellers?.look(atAccount: account) ?? false
    }

    /// The same for what begins a payment: where that is refused at a seller's account, the account may be the reason.
    private func telling<Answer>(
        _ order: Order, _ call: () async throws(StripeCaller.Refusal) -> Answer
    ) async throws(PaymentError) -> Answer {
        do { return try await Self.telling(call) } catch {
            if !error.isTemporary, let account = order.account.name { await settings.sellers?.doubt(account) }
            throw error
        }
    }

    /// Says a refusal in the terms of whoever asked.
    static func telling<Answer>(
        _ call: () async throws(StripeCaller.Refusal) -> Answer
    ) async throws(PaymentError) -> Answer {
        do { return try await call() } catch {
            switch error {
            case .error(let error): throw error
            case .refused(let word, isCard: _): throw .refused(provider: name, reason: word)
            }
        }
    }
}
