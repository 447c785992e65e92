import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpDatabase
import ChirpHTTP
import ChirpOrders
import ChirpTestKit
import Foundation
import GRDB
import LoopbackService
import Synchronization
import Testing

/// A library with a seller, buyers and a work of the seller's, Stripe on loopback, and a clock that tests set.
///
/// Giving another world opens the same library again, as a process does that comes after one that was killed: all that was in memory is gone.
final class OrderWorld: Sendable {
    static let secret = "whsec_loopback"
    /// Of the endpoint that connected accounts tell of.
    static let connectSecret = "whsec_connect"
    /// Who is not paid at the key's account.
    static let others: Set<String> = ["id-poor", "id-sue", "id-mia"]
    static let start: Int64 = 1_800_000_000

    let folder: TemporaryFolder
    let library: HubLibrary
    let stripe: LoopbackStripe
    let desk: OrderDesk
    let hand: ByHand
    let provider: Stripe
    let cards: SellerCards
    let parcels: Parcels
    private let time: SetClock

    /// - Parameter transport: what the provider is asked over; nil for a plain one.
    init(after other: OrderWorld? = nil, transport: (any HTTPTransport)? = nil) async throws {
        let folder = try other?.folder ?? TemporaryFolder()
        let time = other?.time ?? SetClock()
        let stripe = try other?.stripe ?? LoopbackStripe()
        stripe.set(now: time.now)
        (self.folder, self.time, self.stripe) = (folder, time, stripe)
        library = try HubLibrary(
            folder: folder.path("hub"), reserve: .init(Int64(0)),
            now: { withExtendedLifetime(folder) { Date(timeIntervalSince1970: Double(time.now)) } },
            boards: [OrderTables.tables, Parcels.tables])
        let api = try #require(WebAddress(stripe.base))
        cards = SellerCards(
            library: library,
            service: StripeConnect(transport ?? CurlTransport(), api: api, key: Secret(LoopbackStripe.key)))
        let settings = Stripe.Settings(
            api: api, key: Secret(LoopbackStripe.key), isOwner: { !Self.others.contains($0.rawValue) }, sellers: cards,
            signing: [Secret("whsec_former"), Secret(Self.secret), Secret(Self.connectSecret)],
            back: { ("https://hub.example.org/orders/\($0)", "https://hub.example.org/orders/\($0)/left") },
            title: { _ in "A beat" })
        provider = Stripe(
            transport ?? CurlTransport(), settings, now: { Date(timeIntervalSince1970: Double(time.now)) })
        hand = ByHand(library: library) { "https://hub.example.org/orders/\($0)" }
        parcels = Parcels()
        desk = OrderDesk(store: OrderStore(library: library), providers: [hand, provider], delivery: parcels)
        if other == nil {
            for name in ["ann", "bob", "cat", "poor"] { try await person(name) }
        }
    }

    var store: OrderStore { desk.store }
    var now: Int64 { time.now }

    func wait(_ seconds: Int64) {
        time.advance(seconds)
        stripe.set(now: time.now)
    }

    @discardableResult
    func person(_ name: String) async throws -> AccountID {
        try await people([name])
        return AccountID(rawValue: "id-\(name)")
    }

    func people(_ names: [String]) async throws {
        try await library.transact { database in
            for name in names {
                try database.execute(
                    sql: """
                        INSERT INTO accounts (id, handle, skeleton, name, role, state, created)
                        VALUES (?, ?, ?, ?, 'member', 'active', 0)
                        """, arguments: ["id-\(name)", name, name, name])
            }
        }
    }

    /// Something that is sold.
    func item(by seller: String = "ann") async throws -> HubID {
        try await library.createItem(
            ItemDraft(
                board: "shop", kind: "beat", author: AccountID(rawValue: "id-\(seller)"), key: UUID().uuidString,
                title: "A beat", text: "", category: "beat"))
    }

    func draft(
        _ item: HubID, by buyer: String = "bob", from seller: String = "ann", kind: Order.Kind = .buy,
        licence: Order.Licence? = .lease, scope: String? = "work-1", _ price: String = "12.50",
        currency: String = "EUR",
        provider: String = "stripe", key: String = UUID().uuidString
    ) throws -> OrderDraft {
        let currency = try #require(Currency(currency))
        return OrderDraft(
            key: key, buyer: AccountID(rawValue: "id-\(buyer)"), seller: AccountID(rawValue: "id-\(seller)"),
            item: item,
            terms: OrderTerms(
                kind: kind, scope: scope, licence: licence, subject: "mp3", price: try Money(price, currency)),
            provider: provider)
    }

    func order(_ id: HubID) async throws -> Order { try #require(try await store.order(id)) }

    /// Takes all messages of Stripe's that were not taken yet.
    func deliverMessages(from first: Int = 0, fault: LoopbackStripe.Fault = .none) async {
        for message in stripe.messages.dropFirst(first) { await take(message, fault: fault) }
    }

    @discardableResult
    func take(_ message: LoopbackStripe.Message, fault: LoopbackStripe.Fault = .none) async -> OrderRefusal? {
        let secret = message.account == nil ? Self.secret : Self.connectSecret
        let delivery = LoopbackStripe.delivery(of: message, secret: secret, at: now, fault: fault)
        do throws(OrderRefusal) {
            try await desk.take(delivery.content, signature: delivery.signature, from: "stripe")
            return nil
        } catch { return error }
    }

    /// Sweeps until nothing is due.
    func sweep(limit: Int = 200) async throws {
        for _ in 0..<limit {
            guard try await !desk.sweep().isEmpty else { return }
        }
        Issue.record("the sweep has no end")
    }

    /// What the ledger adds up to by currency, and how many of its movements do not.
    func ledgerSums() async throws -> (byCurrency: [String: Int64], faults: Int) {
        try await library.reading { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT currency, SUM(amount) AS total FROM orderLedger
                    JOIN orderMovements ON orderMovements.sequence = movement GROUP BY currency
                    """)
            let sums = Dictionary(rows.map { ($0["currency"] as String, $0["total"] as Int64) }, uniquingKeysWith: +)
            let faults = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM orderMovements WHERE fault <> 0") ?? -1
            return (sums, faults)
        }
    }

    /// What the seller has got by the ledger, in the smallest unit.
    func earned(_ currency: String = "EUR") async throws -> Int64 {
        try await library.reading { database in
            try Int64.fetchOne(
                database,
                sql: """
                    SELECT COALESCE(SUM(amount), 0) FROM orderLedger
                    JOIN orderMovements ON orderMovements.sequence = movement WHERE side = 'seller' AND currency = ?
                    """, arguments: [currency]) ?? 0
        }
    }

    func states() async throws -> [Order.State: Int] {
        try await library.reading { database in
            let rows = try Row.fetchAll(database, sql: "SELECT state, COUNT(*) AS n FROM orders GROUP BY state")
            return Dictionary(
                rows.compactMap { row in Order.State(rawValue: row["state"]).map { ($0, row["n"] as Int) } },
                uniquingKeysWith: +)
        }
    }
}

/// Hands orders over by a row of the library, so that twice would be seen.
struct Parcels: OrderDelivery {
    static let tables = BoardTables(
        name: "parcels",
        steps: [.init("parcels-001", "CREATE TABLE parcels (purchase INTEGER NOT NULL, state TEXT NOT NULL) STRICT;")])

    struct Fault: Error {}
    /// Orders for which nothing can be made.
    let broken = Mutexed(Set<HubID>())

    func prepare(_ order: Order) async throws -> @Sendable (Database) throws -> Void {
        guard !broken.value.contains(order.id) else { throw Fault() }
        return { database in
            try database.execute(
                sql: "INSERT INTO parcels (purchase, state) SELECT sequence, state FROM orders WHERE id = ?",
                arguments: [order.id.text])
        }
    }

    /// How many were handed over, of how many orders, and how many of them were not paid.
    static func counts(_ world: OrderWorld) async throws -> (all: Int, orders: Int, unpaid: Int) {
        try await world.library.reading { database in
            func count(_ sql: String) throws -> Int { try Int.fetchOne(database, sql: sql) ?? -1 }
            return (
                try count("SELECT COUNT(*) FROM parcels"), try count("SELECT COUNT(DISTINCT purchase) FROM parcels"),
                try count(
                    """
                    SELECT COUNT(*) FROM parcels WHERE state <> 'paid' OR NOT EXISTS (SELECT 1 FROM orderMovements
                        WHERE orderMovements.purchase = parcels.purchase AND why = 'payment')
                    """)
            )
        }
    }
}

/// A clock that stands still until it is moved, in Unix seconds.
private final class SetClock: Sendable {
    private let instant = Mutex(OrderWorld.start)
    var now: Int64 { instant.withLock { $0 } }
    func advance(_ seconds: Int64) { instant.withLock { $0 += seconds } }
}
