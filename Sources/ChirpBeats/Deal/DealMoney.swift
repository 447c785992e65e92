package import ChirpAccounts
package import ChirpCommunity
package import ChirpOrders
internal import GRDB

/// How deals of the board are paid. Whoever puts the hub together gives it; without it bids bind by word alone, and nothing is paid here.
package struct DealMoney: Sendable {
    package let orders: OrderDesk
    /// By whom somebody is paid (``PaymentProvider/name``); nil: she takes no payments.
    package let provider: @Sendable (AccountID) async throws -> String?

    package init(
        orders: OrderDesk, provider: @escaping @Sendable (AccountID) async throws -> String? = { _ in Self.byHand }
    ) {
        self.orders = orders
        self.provider = provider
    }

    /// The way to pay that keeps no card and holds no money.
    package static let byHand = "by-hand"
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
