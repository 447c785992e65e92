internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb
internal import Hummingbird

/// Which licences a work is offered under, for people and programs.
struct OfferRoutes {
    let desk: BeatDesk
    let sales: SaleDesk

    private static let path = "\(BeatDesk.path)/:id/licences"
    private static let api = "\(BeatDesk.api)/:id/licences"

    var routes: [WebRoute] {
        [
            .get(Self.path, .active) { request, context in
                try await desk.answering(request) {
                    let track = try await desk.ownTrack(context)
                    return try await page(track, try await begun(track, request), request, context)
                }
            },
            .post(Self.path, .active) { request, context, sent in
                try await desk.answering(request) {
                    let track = try await desk.ownTrack(context)
                    let form = OfferForm(one: { sent[$0] }, list: { sent.list($0) })
                    do {
                        _ = try await offer(form, of: track, context)
                        return desk.desk.goOn(to: "\(track.path)/licences")
                    } catch let refusal as OfferRefusal where refusal.status != .notFound {
                        return try await page(track, form, request, context, refusal)
                    }
                }
            },
            .post("\(Self.path)/:licence/closure", .active) { request, context, _ in
                try await desk.answering(request) {
                    let track = try await desk.ownTrack(context)
                    try await end(track, context)
                    return desk.desk.goOn(to: "\(track.path)/licences")
                }
            },
        ] + programs
    }

    private var programs: [WebRoute] {
        [
            .api(
                .get, Self.api, .everybody, scope: "read:statuses",
                summary: "The licences that a track is offered under"
            ) {
                request, context in
                try await desk.answering(request) {
                    let track = try await desk.track(context)
                    let offers = try await sales.offers.offers(of: track.work)
                    return desk.answer(try .json(offers.map(OfferDocument.init)), context)
                }
            },
            .api(
                .post, Self.api, .active, scope: "write:orders", body: .upTo(Form.mostBytes),
                summary: "Offers a licence of one's own track, or one in the place of another",
                takes: [
                    .text("name"), .text("template", isRequired: false, "mp3, wav, stems, unlimited or exclusive"),
                    .text("text", isRequired: false, "the id of a version of a text; the template's otherwise"),
                    .text("price", isRequired: false, "amount, free or offer"),
                    .text("amount", isRequired: false, "as in 12.50"), .text("currency", isRequired: false),
                    .list("files", "mp3, wav, stems"), .number("copies"), .number("streams"), .number("years"),
                    .flag("credit"), .flag("profit"), .flag("exclusive"),
                    .text("old", isRequired: false, "what it takes the place of"),
                ], gives: 201
            ) { request, context in
                try await desk.answering(request) {
                    let track = try await desk.ownTrack(context)
                    let fields = try await request.fields()
                    var form = OfferForm(one: { fields[$0] ?? "" }, list: { fields.list($0) })
                    try await complete(&form)
                    return try .json(OfferDocument(try await offer(form, of: track, context)), status: .created)
                        .personal
                }
            },
            .api(
                .delete, "\(Self.api)/:licence", .active, scope: "write:orders",
                summary: "Offers a licence no longer: what was sold stays sold", gives: 204
            ) { request, context in
                try await desk.answering(request) {
                    try await end(try await desk.ownTrack(context), context)
                    return Response(status: .noContent)
                }
            },
        ]
    }

    private func offer(_ form: OfferForm, of track: Track, _ context: WebContext) async throws -> LicenceOffer {
        let draft = try form.read()
        try await desk.consume("beat-licences", RateRule(200, per: 24 * 3600), context)
        return try await sales.offers.offer(
            draft, of: track.work, instead: form.old, files: try await sales.masters.kinds(of: track.work),
            by: try context.account)
    }

    private func end(_ track: Track, _ context: WebContext) async throws {
        guard let id = context.parameters.get("licence").flatMap({ HubID($0) }) else { throw OfferRefusal.notFound }
        try await sales.offers.end(id, of: track.work, by: try context.account)
    }

    /// A program may name a template alone: the rest is as that has it.
    private func complete(_ form: inout OfferForm) async throws {
        guard let template = LicenceTemplate(rawValue: form[.template]) else { return }
        let terms = template.terms(at: .offer)
        if form[.text].isEmpty { form[.text] = try await sales.texts.template(template, in: .here).id.text }
        if form[.name].isEmpty { form[.name] = template.name(in: .here) }
        if form.files.isEmpty { form.files = Set(terms.files) }
        let limits = terms.limits
        for (field, count) in [(OfferField.copies, limits.copies), (.streams, limits.streams), (.years, limits.years)]
        where form[field].isEmpty {
            form[field] = count.map(String.init) ?? ""
        }
        if form[.credit].isEmpty { form[.credit] = "yes" }
        if form[.profit].isEmpty { form[.profit] = "yes" }
        if terms.kind == .exclusive { form[.exclusive] = "yes" }
    }

    /// The form as it is opened: of a template, of what is to be changed, or of what fits the track's file.
    private func begun(_ track: Track, _ request: Request) async throws -> OfferForm {
        if let id = request.asked["change"].flatMap({ HubID($0) }), let offer = try await sales.offers.offer(id),
            offer.work == track.work, offer.ended == nil
        {
            return OfferForm(offer)
        }
        let files = try await sales.masters.kinds(of: track.work)
        let template =
            request.asked["template"].flatMap { LicenceTemplate(rawValue: $0) } ?? (files.contains(.wav) ? .wav : .mp3)
        return OfferForm(
            template, text: try await sales.texts.template(template, in: .here).id, files: files,
            currency: sales.payments.currency)
    }

    private func page(
        _ track: Track, _ form: OfferForm, _ request: Request, _ context: WebContext, _ refusal: OfferRefusal? = nil
    ) async throws -> Response {
        var texts: [(id: HubID, name: String)] = []
        for template in [LicenceTemplate.wav, .exclusive] {
            let text = try await sales.texts.template(template, in: .here)
            let name = template == .wav ? word("beat.text.lease") : word("beat.text.exclusive")
            texts.append((text.id, name))
        }
        for text in try await sales.texts.newest(by: try context.account) { texts.append((text.id, text.text.title)) }
        let account = try context.account
        if let id = HubID(form[.text]), !texts.contains(where: { $0.id == id }),
            let text = try? await sales.texts.version(id), text.account == nil || text.account == account
        {
            texts.append((id, "\(text.text.title) (\(text.version))"))
        }
        let offers = try await sales.offers.offers(of: track.work)
        let files = try await sales.masters.kinds(of: track.work)
        return desk.show(request, context, status: refusal?.status ?? .ok) { token in
            OfferPage(
                track: track, offers: offers, form: form, texts: texts, files: files, faults: refusal?.faults ?? [:],
                problem: refusal.flatMap { $0.faults.isEmpty ? $0.sentence : nil }, layout: desk.layout(token),
                links: desk.links
            ).html
        }
    }
}

/// A licence that is offered, as programs read it.
struct OfferDocument: Encodable {
    let id, name, kind, text: String
    let files: [String]
    let copies, streams, years: Int?
    let credit, profit: Bool
    let price: String
    /// In the currency's smallest unit.
    let amount: Int64?
    let currency: String?
    let isOpen: Bool

    init(_ offer: LicenceOffer) {
        (id, name, kind, text) = (offer.id.text, offer.name, offer.terms.kind.rawValue, offer.text.text)
        let (terms, limits) = (offer.terms, offer.terms.limits)
        files = terms.files.map(\.rawValue)
        (copies, streams, years) = (limits.copies, limits.streams, limits.years)
        (credit, profit, isOpen) = (limits.needsCredit, limits.allowsProfit, offer.ended == nil)
        switch terms.price {
        case .amount(let money): (price, amount, currency) = ("amount", money.smallest, money.currency)
        case .free: (price, amount, currency) = ("free", nil, nil)
        case .offer: (price, amount, currency) = ("offer", nil, nil)
        }
    }
}
