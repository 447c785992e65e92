package import ChirpAccounts
package import ChirpCommunity
package import ChirpOrders
internal import GRDB

/// How deals of the board are paid. Whoever puts the hub together gives it; without it bids bind by word alone, and nothing is paid here.
package struct DealMoney: Sendable {
    package let orders: OrderDesk
    /// By whom somebody is paid (``PaymentProvider/name``); nil: she takes no payments.
    package let provider: @Sendable (AccountID) async throws -> String?
    /// Where forms lead in the end that pay somebody, as in `https://pay.example`; empty: nowhere else.
    package let pages: String
    /// What an order of a deal says. Whoever brings licences writes down here what is bought, and may give the order a subject of its own; the
    /// same purchase again has the same terms.
    package let terms: @Sendable (DealPurchase) async throws -> OrderTerms
    /// Which licences of a work stay valid beside what is won (AR-17); none where nobody sells any.
    package let earlier: @Sendable (_ work: HubID) async throws -> EarlierLicences

    package init(
        orders: OrderDesk, provider: @escaping @Sendable (AccountID) async throws -> String? = { _ in ByHand.name },
        pages: String = "",
        terms: @escaping @Sendable (DealPurchase) async throws -> OrderTerms = { $0.terms },
        earlier: @escaping @Sendable (HubID) async throws -> EarlierLicences = { _ in .none }
    ) {
        self.orders = orders
        self.provider = provider
        self.pages = pages
        self.terms = terms
        self.earlier = earlier
    }
}

/// What somebody buys by a deal: always exclusively.
package struct DealPurchase: Hashable, Sendable {
    package let subject: DealSubject
    /// Of the order: one for one purchase.
    package let key: String
    package let kind: Order.Kind
    package let buyer: AccountID
    package let seller: AccountID
    /// Nil: a request, whose track is made when it is paid.
    package let item: HubID?
    /// What is exclusive.
    package let scope: String
    package let price: Money

    /// Those of an order that says the deal alone.
    package var terms: OrderTerms {
        OrderTerms(kind: kind, scope: scope, licence: .exclusive, subject: subject.text, price: price)
    }
}

/// What an order is about that a deal has led to; the subject of its terms (``OrderTerms/subject``).
package enum DealSubject: Hashable, Sendable {
    case auction(HubID)
    case request(HubID)

    package var text: String {
        switch self {
        case .auction(let id): "auction:\(id)"
        case .request(let id): "request:\(id)"
        }
    }

    /// Nil for what no deal has led to.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, let id = HubID(String(parts[1])) else { return nil }
        switch parts[0] {
        case "auction": self = .auction(id)
        case "request": self = .request(id)
        default: return nil
        }
    }
}

/// Why a deal was not paid, or not delivered.
package enum DealRefusal: Error, Hashable, Sendable {
    /// The seller takes no payments.
    case noPayments
    /// The payment was given up or refused: nothing binds anybody.
    case notPaid
    /// It is not, or no longer, that person's turn to pay.
    case notYourTurn
    /// The producer has not said which track it is.
    case noTrack
    case order(OrderRefusal)
}
