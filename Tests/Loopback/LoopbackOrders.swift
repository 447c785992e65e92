import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpHTTP
import ChirpOrders
import Foundation
import GRDB

/// The project's side of payments, for peers that were not written here: Tests/Peers/stripe_orders.py.
enum LoopbackOrders {
    private struct Question: Decodable {
        let header: String
        let body: String
        let secrets: [String]
        let now: Double
    }

    /// Answers each line of JSON with `yes` or `no`: whether that message is believed.
    static func verify() throws {
        while let line = readLine() {
            let question = try JSONDecoder().decode(Question.self, from: Data(line.utf8))
            let signature = StripeSignature(secrets: question.secrets.map { Secret($0) })
            do throws(SignatureFault) {
                try signature.check(
                    question.header, of: Array(question.body.utf8), now: Date(timeIntervalSince1970: question.now))
                print("yes")
            } catch { print("no") }
            fflush(nil)
        }
    }

    private struct Bids: Codable {
        var card, hold, lost: String
    }

    private struct Given: Decodable {
        let customer, card, hold, lost: String
    }

    private struct Nothing: OrderDelivery {
        func prepare(_ order: Order) async throws -> @Sendable (Database) throws -> Void { { _ in } }
    }

    private struct Missing: Error {}

    /// Prints the names of three bids, reads what the service calls a card for the first and holds for the others, and prints what becomes of
    /// them: the first two win, the third does not, and the first is given back.
    static func bids(at api: String, key: String) async throws {
        guard let address = WebAddress(api), let eur = Currency("EUR") else { throw Missing() }
        let folder = FileManager.default.temporaryDirectory.appending(path: "chirp-orders-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let library = try HubLibrary(
            folder: folder.path(percentEncoded: false), boards: [OrderTables.tables])
        let people = [AccountID(rawValue: "buyer"), AccountID(rawValue: "seller")]
        try await library.transact { database in
            for person in people {
                try database.execute(
                    sql: """
                        INSERT INTO accounts (id, handle, skeleton, name, role, state, created)
                        VALUES (?1, ?1, ?1, ?1, 'member', 'active', 0)
                        """, arguments: [person])
            }
        }
        let item = try await library.createItem(
            ItemDraft(
                board: "shop", kind: "beat", author: people[1], key: "beat", title: "A beat", text: "", category: "beat"
            ))
        let settings = Stripe.Settings(
            api: address, key: Secret(key), isOwner: { _ in true }, signing: [],
            back: { _ in (paid: "https://hub.example.org/", left: "https://hub.example.org/") },
            title: { _ in "A beat" })
        let desk = OrderDesk(
            store: OrderStore(library: library), providers: [Stripe(CurlTransport(), settings)], delivery: Nothing())
        var orders: [Order] = []
        for (index, method) in [Order.Method.card, .hold, .hold].enumerated() {
            let terms = OrderTerms(kind: .bid, scope: "work-\(index)", licence: .exclusive, price: Money(8000, eur))
            let draft = OrderDraft(
                key: "bid-\(index)", buyer: people[0], seller: people[1], item: item, terms: terms, provider: "stripe")
            orders.append(
                try await desk.store.reserve(draft, method: method, until: Date(timeIntervalSinceNow: 2000)))
        }
        let names = Bids(card: orders[0].id.text, hold: orders[1].id.text, lost: orders[2].id.text)
        print(String(decoding: try JSONEncoder().encode(names), as: UTF8.self))
        fflush(nil)
        guard let line = readLine() else { throw Missing() }
        let given = try JSONDecoder().decode(Given.self, from: Data(line.utf8))
        let kept = PaymentReport(.kept, PaymentReferences(customer: given.customer, card: given.card))
        _ = try await desk.store.settle(orders[0].id, by: kept)
        for (order, payment) in zip(orders.dropFirst(), [given.hold, given.lost]) {
            let held = PaymentReport(.held(order.terms.price), PaymentReferences(payment: payment))
            _ = try await desk.store.settle(order.id, by: held)
        }
        let won = try await (desk.win(orders[0].id), desk.win(orders[1].id))
        let lost = try await desk.lose(orders[2].id)
        let back = try await desk.refund(orders[0].id, by: people[1], reason: "sorry")
        let states = [won.0, won.1, lost, back].map(\.state.rawValue)
        print(String(decoding: try JSONEncoder().encode(states), as: UTF8.self))
    }
}
