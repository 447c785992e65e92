internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpOrders
internal import ChirpWeb
internal import FoundationEssentials
internal import Hummingbird

/// Buying: from a licence on a track's page to where it is paid.
struct BuyRoutes {
    let desk: BeatDesk
    let sales: SaleDesk

    private static let path = "\(BeatDesk.path)/:id/licences/:licence/purchase"
    private static let api = "\(BeatDesk.api)/:id/licences/:licence/purchase"

    var routes: [WebRoute] {
        [
            .get(Self.path, .active) { request, context in
                try await desk.answering(request) {
                    let (track, offer) = try await wanted(context)
                    guard offer.ended == nil else { throw PurchaseRefusal.changed }
                    return try await page(track, offer, key: HubID().text, request, context)
                }
            },
            .post(Self.path, .active) { request, context, form in
                try await desk.answering(request) {
                    let (track, offer) = try await wanted(context)
                    do throws(PurchaseRefusal) {
                        let order = try await sales.buy(
                            offer, of: track, by: AccountID(rawValue: context.person?.id ?? ""), named: form["name"],
                            seen: form["seen"], key: "form:\(form["key"].prefix(64))")
                        return goOn(order)
                    } catch {
                        // What can be put right on the form is put right there.
                        switch error {
                        case .name, .moreLicences, .order(.payment):
                            return try await page(
                                track, offer, name: form["name"], key: form["key"], request, context, error)
                        default: throw error
                        }
                    }
                }
            },
            .api(
                .get, Self.api, .active, scope: "read:orders",
                summary: "What is to be known before a licence is bought: which others stay valid, and the text"
            ) { request, context in
                try await desk.answering(request) {
                    let (track, offer) = try await wanted(context)
                    let earlier = try await sales.earlier(track.work)
                    let text = try await sales.texts.version(offer.text).text
                    return try .json(BeforeDocument(offer, earlier, text)).personal
                }
            },
            .api(
                .post, Self.api, .active, scope: "write:orders",
                summary: "Buys a licence: the answer says where it is paid",
                takes: [
                    .text("name", "for the contract"),
                    .text("seen", isRequired: false, "of what GET has said; needed for an exclusive licence"),
                    .text("key", isRequired: false, "the same for each try"),
                ], gives: 201
            ) { request, context in
                try await desk.answering(request) {
                    let (track, offer) = try await wanted(context)
                    let fields = try await request.fields()
                    let key = request.headers[.idempotencyKey] ?? fields["key"] ?? HubID().text
                    let order = try await sales.buy(
                        offer, of: track, by: try context.account, named: fields["name"] ?? "",
                        seen: fields["seen"] ?? "", key: "api:\(key.prefix(64))")
                    return try .json(try await OrderDocument(order, sales), status: .created).personal
                }
            },
        ]
    }

    private struct BeforeDocument: Encodable {
        let licence: OfferDocument
        let earlier: [EarlierLicences.Document]
        /// Licences that are being paid for.
        let coming: Int
        let seen, title, text, language: String

        init(_ offer: LicenceOffer, _ known: EarlierLicences, _ text: LicenceText) {
            licence = OfferDocument(offer)
            let isExclusive = offer.terms.kind == .exclusive
            earlier = isExclusive ? known.documents : []
            coming = isExclusive ? known.coming : 0
            (seen, title, self.text, language) = (known.digest, text.title, text.body, text.language.rawValue)
        }
    }

    /// The track and one of its licences, as the buyer sees them.
    private func wanted(_ context: WebContext) async throws -> (Track, LicenceOffer) {
        let track = try await desk.track(context)
        guard let id = context.parameters.get("licence").flatMap({ HubID($0) }),
            let offer = try await sales.offers.offer(id), offer.work == track.work
        else { throw Problem.noTrack }
        return (track, offer)
    }

    /// To where it is paid, or to what has come of it.
    private func goOn(_ order: Order) -> Response {
        guard order.state == .reserved, sales.isPaidElsewhere(order), let address = order.address else {
            return desk.desk.goOn(to: SaleDesk.purchase(order.id))
        }
        return Response(status: .seeOther, headers: [.location: address]).personal
    }

    private func page(
        _ track: Track, _ offer: LicenceOffer, name: String? = nil, key: String, _ request: Request,
        _ context: WebContext, _ refusal: PurchaseRefusal? = nil
    ) async throws -> Response {
        guard track.item.author.id != (try context.account) else { throw OrderRefusal.own }
        let earlier = try await sales.earlier(track.work)
        let text = try await sales.texts.version(offer.text).text
        let named = try await sales.purchases.seller(track.item.author.id).name
        return desk.show(request, context, status: refusal?.status ?? .ok) { token in
            BuyPage(
                track: track, offer: offer, text: text, earlier: earlier,
                licensor: named.isEmpty ? track.item.author.name : named, name: name ?? "", key: key,
                problem: refusal?.sentence, layout: desk.layout(token), links: desk.links
            ).html
        }.withForms(leadingTo: sales.pages)
    }
}

/// An order as its buyer's or seller's programs read it.
struct OrderDocument: Encodable {
    struct File: Encodable {
        let name, url, sha256: String
        let bytes: Int64
    }
    let id, state, currency, provider, url: String
    /// In the currency's smallest unit.
    let amount: Int64
    let title, licence, name, item: String?
    let created, changed: Date
    /// Until when it may be paid, and where.
    let until: Date?
    let address, reason: String?
    /// Once it was delivered.
    let grant, paper: String?
    let files: [File]

    init(_ order: Order, _ sales: SaleDesk) async throws {
        let purchase = try await sales.purchases.purchase(of: order)
        let found = order.isWithBuyer ? try await sales.grants.grant(ofOrder: order.id) : nil
        let root = sales.links.publicURL
        (id, state, provider) = (order.id.text, order.state.rawValue, order.provider)
        (amount, currency) = (order.terms.price.amount, order.terms.price.currency.code)
        url = "\(root)\(SaleDesk.purchase(order.id))"
        (title, licence, name, item) = (
            purchase?.title, purchase?.licenceName, purchase?.licensee, order.item?.text
        )
        (created, changed, until) = (order.created, order.changed, order.state == .reserved ? order.until : nil)
        address = order.state == .reserved ? order.address : nil
        reason = order.reason.isEmpty ? nil : order.reason
        grant = found?.id.text
        paper = found.map { "\(root)\(SaleDesk.paper(of: $0.id))" }
        files =
            found?.says.files.map {
                File(
                    name: $0.name, url: "\(root)\(SaleDesk.file($0.name, of: found?.id ?? order.id))",
                    sha256: $0.sha256, bytes: $0.bytes)
            } ?? []
    }
}
