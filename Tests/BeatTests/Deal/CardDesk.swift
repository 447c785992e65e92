import ChirpBeats
import ChirpCommunity
import ChirpOrders
import ChirpTestKit

/// Cards in memory: what a bidder does at the page that asks for one is told by the test.
struct CardDesk: PaymentProvider {
    let name = "cards"
    let patience: Double = 2100
    let longestHold: Double = 4 * 86_400

    private let given = Mutexed<Set<HubID>>([])
    private let charged = Mutexed<Set<HubID>>([])
    private let freed = Mutexed<Set<HubID>>([])

    /// Cards and holds that were let go.
    var letGo: Set<HubID> { freed.value }
    var charges: Set<HubID> { charged.value }

    /// The bidder has given her card.
    func give(_ order: HubID) { given.change { $0.insert(order) } }

    func checkout(_ order: Order) async throws(PaymentError) -> PaymentReport {
        PaymentReport(
            .pending, PaymentReferences(checkout: "c-\(order.id)"), address: "https://pay.example/\(order.id)")
    }
    func hold(_ order: Order) async throws(PaymentError) -> PaymentReport { try await checkout(order) }
    func keepCard(_ order: Order) async throws(PaymentError) -> PaymentReport { try await checkout(order) }

    func charge(_ order: Order) async throws(PaymentError) -> PaymentReport {
        charged.change { $0.insert(order.id) }
        return PaymentReport(.paid(order.terms.price))
    }
    func release(_ order: Order) async throws(PaymentError) -> PaymentReport {
        freed.change { $0.insert(order.id) }
        return PaymentReport(.closed)
    }
    func refund(_ order: Order) async throws(PaymentError) -> PaymentReport {
        PaymentReport(.refunded(order.terms.price))
    }
    func events(_ raw: [UInt8], signature: String) throws(PaymentError) -> [PaymentEvent] { [] }

    func state(of order: Order) async throws(PaymentError) -> PaymentReport {
        if charged.value.contains(order.id) { return PaymentReport(.paid(order.terms.price)) }
        guard given.value.contains(order.id) else { return PaymentReport(.pending) }
        return PaymentReport(order.method == .hold ? .held(order.terms.price) : .kept)
    }
}
