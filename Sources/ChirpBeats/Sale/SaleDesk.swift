package import ChirpAccounts
package import ChirpCommunity
internal import ChirpCore
package import ChirpOrders
internal import ChirpWeb
internal import FoundationEssentials
internal import GRDB

/// How sellers of a hub are paid.
package struct SalePayments: Sendable {
    /// By cards and phones, who has an account there (``PaymentProvider/account(of:in:)``); nil: everybody is paid by hand.
    package var cards: (any PaymentProvider)?
    /// Where their pages are, as in `https://pay.example`: browsers follow a form there only when its page has named it.
    package var pages: String
    /// How sellers connect accounts of their own; nil: they cannot.
    package var sellers: SellerCards?
    /// Where the pages are on which they fill those in.
    package var sellerPages: String
    /// What forms begin with.
    package var currency: TrackPrice.Currency

    package static let byHand = SalePayments()

    package init(
        cards: (any PaymentProvider)? = nil, pages: String = "", sellers: SellerCards? = nil,
        sellerPages: String = "", currency: TrackPrice.Currency = .eur
    ) {
        (self.cards, self.pages, self.currency) = (cards, pages, currency)
        (self.sellers, self.sellerPages) = (sellers, sellerPages)
    }
}

/// What selling needs: who takes the money, who brings what was paid, and what there is to sell.
package struct SaleDesk: Sendable {
    package let library: HubLibrary
    package let links: HubLinks
    package let orders: OrderDesk
    package let purchases: PurchaseStore
    package let offers: OfferStore
    package let texts: LicenceTextStore
    package let grants: GrantStore
    package let masters: SaleMasters
    let hand: ByHand
    let payments: SalePayments
    let limits: RateLimits?

    /// - Parameters:
    ///   - makeMP3: makes an MP3 of a master; nil: nobody does.
    ///   - limits: counts reservations; nil: nobody buys from outside.
    package init(
        library: HubLibrary, links: HubLinks, payments: SalePayments = .byHand,
        makeMP3: SaleMasters.MakeMP3? = nil, limits: RateLimits? = nil
    ) {
        self.limits = limits
        (self.library, self.links, self.payments) = (library, links, payments)
        purchases = PurchaseStore(library: library)
        offers = OfferStore(library: library)
        texts = LicenceTextStore(library: library)
        grants = GrantStore(library: library) { "\(links.publicURL)\(Self.licence($0))" }
        masters = SaleMasters(library: library, makeMP3: makeMP3)
        hand = ByHand(library: library) { "\(links.publicURL)\(Self.purchase($0))" }
        let path = "\(library.folder)/licence-key"
        orders = OrderDesk(
            store: OrderStore(library: library), providers: [hand] + (payments.cards.map { [$0] } ?? []),
            delivery: SaleDelivery(
                library: library, links: links, grants: grants, masters: masters, tracks: TrackStore(library: library),
                requests: DealDesk.requests(library: library, links: links),
                key: { () throws(GrantKey.Failure) in try GrantKey.read(path) }))
    }

    // MARK: addresses, without the prefix

    /// Of an order, for its buyer.
    package static func purchase(_ order: HubID) -> String { "\(BeatDesk.path)/purchases/\(order)" }
    /// Where anybody checks a licence.
    package static func licence(_ grant: HubID) -> String { "\(BeatDesk.path)/licences/\(grant)" }
    package static func paper(of grant: HubID) -> String { "\(BeatDesk.path)/grants/\(grant)/licence.pdf" }
    package static func file(_ name: String, of grant: HubID) -> String {
        "\(BeatDesk.path)/grants/\(grant)/files/\(PercentEncoding.encode(name))"
    }

    /// By whom somebody's sales are paid, in the transaction that reserves one.
    func provider(for seller: AccountID, in database: Database) throws -> String {
        guard let cards = payments.cards, try cards.account(of: seller, in: database) != nil else { return hand.name }
        return cards.name
    }

    /// The same for who asks before.
    package func provider(for seller: AccountID) async throws -> String {
        try await library.reading { try provider(for: seller, in: $0) }
    }

    /// Where a form may lead in the end that buys something; empty: nowhere else. Also of a seller who takes no cards: an order that was begun before
    /// is paid where it was begun.
    var pages: String { payments.cards == nil ? "" : payments.pages }

    /// Where a form leads that connects an account; empty: nowhere else.
    var sellerPages: String { payments.sellers == nil ? "" : payments.sellerPages }

    /// Whether an order is paid elsewhere than here.
    func isPaidElsewhere(_ order: Order) -> Bool { order.provider != hand.name }

    // MARK: paying

    /// Asks how an order stands, for whoever comes back from paying.
    package func look(at order: HubID) async throws(OrderRefusal) -> Order {
        try await bring(try await orders.look(at: order))
    }

    /// Brings what is paid now; what cannot be brought now the sweep brings.
    func bring(_ order: Order) async throws(OrderRefusal) -> Order {
        guard order.state == .paid else { return order }
        do { return try await orders.deliver(order) } catch {
            guard case .library(let problem) = error else { return try await orders.store.order(order.id) ?? order }
            throw .library(problem)
        }
    }

    // MARK: sellers

    /// The seller says that the money has come by hand.
    package func markPaid(_ order: HubID, by seller: AccountID) async throws(OrderRefusal) -> Order {
        try await hand.mark(order, .paid, by: seller)
        return try await look(at: order)
    }

    /// The seller says that no money has come: what was reserved is free for others.
    package func markUnpaid(_ order: HubID, by seller: AccountID) async throws(OrderRefusal) -> Order {
        try await orders.decline(order, by: seller, at: hand)
    }

    /// Does all that is due: messages of providers, orders, deliveries, and money that goes back.
    ///
    /// - Returns: what went wrong and is tried again, in words.
    package func sweep() async throws(OrderRefusal) -> [String] {
        var problems: [String] = []
        for _ in 0..<Self.mostRounds {
            let round = try await orders.sweep()
            problems += round.problems
            guard !round.isEmpty else { break }
        }
        if let sellers = payments.sellers { problems += try await sellers.sweep() }
        for order in try await overdue() {
            do { _ = try await orders.refund(order.id, by: nil, reason: order.why) } catch {
                if case .changed = error { continue }
                problems.append("\(error)")
            }
        }
        return problems
    }

    private static let mostRounds = 20

    /// What was paid and can never be delivered.
    private func overdue() async throws(OrderRefusal) -> [(id: HubID, why: String)] {
        var found: [(id: HubID, why: String)] = []
        for order in try await orders.store.undelivered() {
            do {
                guard let why = try await purchases.purchase(of: order)?.over else { continue }
                found.append((order.id, why))
            } catch { throw .delivery("\(error)") }
        }
        return found
    }
}
