internal import ChirpAccounts
package import ChirpCommunity
internal import ChirpOrders
internal import ChirpWeb
internal import FoundationEssentials
internal import GRDB

/// Auctions, requests and connections of the board, and how they are paid. What is to be done next always follows from what is written down, so
/// each step may be repeated, by whoever comes.
package struct DealDesk: Sendable {
    package let auctions: AuctionStore
    package let requests: RequestStore
    package let connections: ConnectionStore
    package let money: DealMoney?

    /// - Parameter money: nil: bids bind by word alone, and nothing is paid here.
    package init(library: HubLibrary, links: HubLinks, money: DealMoney?) {
        auctions = AuctionStore(library: library, board: Beats.board)
        requests = Self.requests(library: library, links: links)
        connections = ConnectionStore(library: library)
        self.money = money
    }

    /// Requests, for whoever brings what was asked for (``SaleDelivery``) as well.
    package static func requests(library: HubLibrary, links: HubLinks) -> RequestStore {
        RequestStore(
            library: library, board: Beats.board, links: links,
            isProducer: { try RoleStore.roles(of: $0, in: $1).contains(.producer) }, line: { $0.line })
    }

    var library: HubLibrary { auctions.library }
    var now: Date { library.now() }

    /// Which licences of a work stay valid beside what is won; none where nothing is sold here.
    func earlier(_ work: HubID) async throws -> EarlierLicences { try await money?.earlier(work) ?? .none }

    /// Whether payments are kept or held at all where somebody is paid: by word alone otherwise.
    func keepsCards(of seller: AccountID) async throws -> Bool {
        guard let money else { return false }
        return try await money.provider(seller).map { $0 != ByHand.name } ?? false
    }

    /// Where forms lead in the end that pay somebody; empty: nowhere else.
    var pages: String { money?.pages ?? "" }

    /// Buys for a price that was agreed on, or won in somebody's place; the first order that is open, or a new one where those before were
    /// given up. The same once more is the same order.
    func order(
        _ subject: DealSubject, of turn: String, by buyer: AccountID, from seller: AccountID, item: HubID?,
        scope: String, price: Money
    ) async throws -> Order {
        guard let money, let provider = try await money.provider(seller) else { throw DealRefusal.noPayments }
        for number in 0..<Self.mostOrders {
            let purchase = DealPurchase(
                subject: subject, key: "\(turn):\(number)", kind: .offer, buyer: buyer, seller: seller, item: item,
                scope: scope, price: price)
            do {
                let draft = OrderDraft(
                    key: purchase.key, buyer: buyer, seller: seller, item: item,
                    terms: try await money.terms(purchase), provider: provider)
                let order = try await money.orders.buy(draft)
                if Self.gaveUp.contains(order.state) { continue }
                return order
            } catch { throw DealRefusal.order(OrderRefusal.of(error)) }
        }
        throw DealRefusal.notPaid
    }

    /// What has come for a turn that had passed by then, or a request that had ended, goes back; what has not come is waited for no longer.
    func giveBack(_ turn: String) async throws {
        guard let money else { return }
        for number in 0..<Self.mostOrders {
            guard let order = try await money.orders.store.order(placedAs: "\(turn):\(number)") else { return }
            if order.state == .paid {
                _ = try await money.orders.refund(order.id, by: nil, reason: "it was too late")
            } else if order.state == .reserved, let buyer = order.buyer {
                _ = try await money.orders.cancel(order.id, by: buyer)
            }
        }
    }

    /// How often somebody begins to pay the same.
    private static let mostOrders = 20
    private static let gaveUp: Set<Order.State> = [.failed, .expired, .released, .refunded, .refunding, .releasing]
}

extension OrderRefusal {
    static func of(_ error: any Error) -> OrderRefusal {
        (error as? OrderRefusal)
            ?? .library((error as? LibraryError) ?? .inputOutput(path: "orders", reason: "\(error)"))
    }
}

extension RequestEvent {
    /// What the conversation of the two says about it, beside what she says herself.
    fileprivate var line: String? {
        let money = act?.money.map { ["money": $0.words] } ?? [:]
        return switch act {
        case nil: word("deal.line.asked")
        case .price: word("deal.line.priced", money)
        case .counter: word("deal.line.countered", money)
        case .agree: word("deal.line.agreed", money)
        case .decline: word("deal.line.declined")
        case .pay: word("deal.line.paid", money)
        case .deliver: word("deal.line.delivered")
        }
    }
}

extension Money {
    /// As people read it, in their language.
    var words: String {
        word("beat.price.amount", ["amount": TrackWording.decimal(digits), "currency": currency.code])
    }
}
