internal import ChirpAccounts
package import ChirpCommunity
internal import ChirpCore
package import ChirpOrders
internal import ChirpWeb
package import GRDB

/// Brings what was paid: files that stay, a licence on paper, and a message of the seller's with both in the buyer's inbox (AR-12). Whatever an
/// order came of, a licence, an auction or a request, is delivered alike, and told of it in the same transaction.
package struct SaleDelivery: OrderDelivery {
    let library: HubLibrary
    let links: HubLinks
    let purchases: PurchaseStore
    let grants: GrantStore
    let masters: SaleMasters
    let tracks: TrackStore
    let requests: RequestStore
    /// Blocks.
    let key: @Sendable () throws(GrantKey.Failure) -> GrantKey
    /// Files that the message names.
    private static let mostNamed = 20
    /// Papers that are drawn at once: each takes a processor.
    private let seats = AsyncSemaphore(width: 2)

    package init(
        library: HubLibrary, links: HubLinks, grants: GrantStore, masters: SaleMasters, tracks: TrackStore,
        requests: RequestStore, key: @escaping @Sendable () throws(GrantKey.Failure) -> GrantKey
    ) {
        (self.library, self.links, self.grants, self.masters) = (library, links, grants, masters)
        (self.tracks, self.requests, self.key) = (tracks, requests, key)
        purchases = PurchaseStore(library: library)
    }

    package func prepare(_ order: Order) async throws -> @Sendable (Database) throws -> Void {
        guard let bought = try await purchases.purchase(of: order) else { throw SaleFault.noPurchase }
        let purchase = try await brought(bought, order)
        guard await seats.enter() else { throw CancellationError() }
        defer { seats.leave() }
        do {
            let (grant, language) = try await issue(purchase, order)
            return { database in
                // What refuses here keeps the order as it is; the sweep goes on with others.
                do { try handOver(grant, purchase, order, language, in: database) } catch {
                    throw OrderRefusal.delivery("\(error)")
                }
            }
        } catch SaleFault.over(let why) {
            try await purchases.end(purchase.id, of: order, why: why)
            throw SaleFault.over(why)
        }
    }

    /// A request is paid from now on, also while there is no track yet.
    private func brought(_ purchase: Purchase, _ order: Order) async throws -> Purchase {
        guard let request = purchase.request else { return purchase }
        let id: HubID?
        do {
            id = try await library.transact { [requests] database in
                try requests.paid(request, order.terms.price, payment: order.id.text, in: database)
                return try requests.track(of: request, in: database)
            }
        } catch RequestRefusal.over(_) {
            try await purchases.end(purchase.id, of: order, why: "the request has ended")
            throw SaleFault.over("the request has ended")
        }
        guard let id, let seller = purchase.seller,
            case .track(let track) = try await tracks.track(id, for: .member(seller))
        else { throw DealRefusal.noTrack }
        return purchase.bringing(track)
    }

    private func issue(_ purchase: Purchase, _ order: Order) async throws -> (Grant, Language) {
        try await check(purchase)
        let text = try await LicenceTextStore(library: library).version(purchase.text).text
        let parts = try await masters.keep(purchase)
        // What was agreed on promises what there is, and the paper says that.
        let kinds = purchase.terms.files.filter { kind in parts.contains { $0.kind == kind } }
        let terms = LicenceTerms(
            kind: purchase.terms.kind, files: kinds, limits: purchase.terms.limits, price: purchase.terms.price)
        let draft = GrantDraft(
            order: order.id, work: purchase.work, title: purchase.title, licence: purchase.licence,
            licenceName: purchase.licenceName, terms: terms, text: purchase.text,
            licensor: GrantParty(purchase.licensor, account: purchase.seller),
            licensee: GrantParty(purchase.licensee, account: purchase.buyer), sold: order.changed,
            files: parts.map(\.file))
        let key = try await offPool { [key] () throws(GrantKey.Failure) in try key() }
        do throws(GrantRefusal) {
            return (try await grants.issue(draft, key: key), text.language == .german ? .german : .english)
        } catch {
            // Who was asked for a track may say another one.
            if case .soldExclusively = error, purchase.request == nil {
                throw SaleFault.over("the work was sold exclusively")
            }
            throw error
        }
    }

    /// What can never be delivered is found before a paper is drawn.
    private func check(_ purchase: Purchase) async throws {
        if let over = purchase.over { throw SaleFault.over(over) }
        guard purchase.buyer != nil, !purchase.licensee.isEmpty else { throw SaleFault.over("the buyer is gone") }
        guard !purchase.licensor.isEmpty else { throw SaleFault.over("the seller is gone") }
        if let auction = purchase.auction {
            let turn = try await library.reading { try AuctionStore.turn(of: auction, in: $0) }
            guard turn?.bid.bidder == purchase.buyer else { throw SaleFault.over("the turn to pay was passed on") }
        }
        if let request = purchase.request {
            let phase = try await library.reading { try RequestRow.find(request, in: $0)?.request.state.phase }
            guard phase == .agreed || phase == .paid else { throw SaleFault.over("the request has ended") }
        }
    }

    private func handOver(
        _ grant: Grant, _ purchase: Purchase, _ order: Order, _ language: Language, in database: Database
    ) throws {
        let now = Accounts.milliseconds(library.now())
        if let auction = purchase.auction, let buyer = purchase.buyer {
            try AuctionStore.paid(
                auction, by: buyer, order.terms.price, payment: order.id.text, at: now, in: database)
        }
        if let request = purchase.request {
            try requests.paid(request, order.terms.price, payment: order.id.text, in: database)
            try requests.delivered(request, delivery: grant.id.text, in: database)
        }
        if purchase.terms.kind == .exclusive { try tracks.sell(grant.says.work, in: database) }
        guard let buyer = purchase.buyer, let seller = purchase.seller,
            let handle = try String.fetchOne(
                database.cachedStatement(sql: "SELECT handle FROM accounts WHERE id = ?"), arguments: [buyer])
        else { return }
        let page = "\(links.publicURL)\(SaleDesk.purchase(order.id))"
        // A message is no list of hundreds: all of them are on the page.
        let files = grant.says.files.prefix(Self.mostNamed).map {
            "\(links.publicURL)\(SaleDesk.file($0.name, of: grant.id))"
        }
        let said = Language.$current.withValue(language) {
            [
                word(
                    "beat.delivery.message",
                    [
                        "title": PostText.quoted(purchase.title),
                        "licence": PostText.quoted(purchase.licenceName),
                    ]),
                "\(word("beat.delivery.paper")) \(links.publicURL)\(SaleDesk.paper(of: grant.id))",
                "\(word("beat.delivery.check")) \(links.publicURL)\(SaleDesk.licence(grant.id))",
                word("beat.delivery.files"),
            ]
        }
        var message = PostDraft(
            author: seller, text: "@\(handle) \((said + files).joined(separator: "\n"))", link: page,
            key: "order:\(order.id)")
        message.visibility = .direct
        message.language = language.rawValue
        _ = try library.announce(message, to: [buyer], in: database)
    }
}
