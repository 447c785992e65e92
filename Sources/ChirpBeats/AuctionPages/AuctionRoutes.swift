internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpOrders
internal import ChirpWeb
internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird

/// Auctions as their authors open and change them, and as whoever has won pays (AR-5): pages, and the same for programs.
struct AuctionRoutes {
    let desk: BeatDesk
    let deals: DealDesk

    private static let page = "\(BeatDesk.path)/:id/auction"
    private static let api = "\(BeatDesk.api)/:id/auction"
    /// How often somebody may open or change one.
    private static let rate = RateRule(50, per: 24 * 3600)

    var routes: [WebRoute] { pages + programs }

    private var pages: [WebRoute] {
        [
            .get(Self.page, .active) { request, context in
                try await desk.answering(request) {
                    let track = try await desk.ownTrack(context)
                    let auction = try await live(track, context)
                    return form(auction.map(AuctionForm.init) ?? AuctionForm(), track, request, context)
                }
            },
            .post(Self.page, .active) { request, context, sent in
                try await desk.answering(request) {
                    let (typed, track) = (AuctionForm { sent[$0] }, try await desk.ownTrack(context))
                    do {
                        try await set(typed, track, context)
                        return desk.desk.goOn(to: "\(track.path)#auction")
                    } catch let refusal as AuctionRefusal where refusal.status.kind == .clientError {
                        return form(typed, track, request, context, refusal)
                    }
                }
            },
            .post("\(Self.page)/withdrawal", .active) { request, context, _ in
                try await desk.answering(request) {
                    let track = try await desk.ownTrack(context)
                    try await withdraw(track, context)
                    return desk.desk.goOn(to: track.path)
                }
            },
            .get("\(Self.page)/payment", .active) { request, context in
                try await desk.answering(request) {
                    let track = try await desk.track(context)
                    let auction = try await auction(track, context)
                    guard auction.turn != nil else { throw DealRefusal.notYourTurn }
                    return try await payment(auction, of: track, request, context)
                }
            },
            .post("\(Self.page)/payment", .active) { request, context, sent in
                try await desk.answering(request) {
                    let track = try await desk.track(context)
                    do {
                        let order = try await pay(track, seen: sent["seen"], context)
                        return desk.goOn(to: order.address, otherwise: "\(track.path)#auction")
                    } catch PurchaseRefusal.moreLicences {
                        let auction = try await auction(track, context)
                        return try await payment(auction, of: track, request, context, PurchaseRefusal.moreLicences)
                    }
                }
            },
        ]
    }

    private var programs: [WebRoute] {
        [
            .api(
                .get, Self.api, .everybody, scope: "read:statuses",
                summary: "The auction of a track: what is bid, what is needed, and when it ends"
            ) { request, context in
                try await desk.answering(request) {
                    desk.answer(document(try await auction(try await desk.track(context), context)), context)
                }
            },
            .api(
                .put, Self.api, .active, scope: "write:orders", body: .upTo(Form.mostBytes),
                summary: "Opens an auction of one's own track, or changes one that nobody has bid at",
                takes: [
                    .text("start", "the least first bid, as in 12.50"), .text("step", "the same"),
                    .text("currency", isRequired: false, "EUR where it is not said"),
                    .text("ends", "ISO 8601, an hour to 30 days from now"),
                    .number("version", "of the auction that is changed; none to open one"),
                    .text("key", isRequired: false, "the same for each try"),
                ]
            ) { request, context in
                try await desk.answering(request) {
                    let (track, sent) = (try await desk.ownTrack(context), try await request.fields())
                    var typed = AuctionForm { sent[$0] ?? "" }
                    if let key = request.headers[.idempotencyKey] { typed.key = key }
                    try await set(typed, track, context)
                    return document(try await auction(track, context)).personal
                }
            },
            .api(
                .delete, Self.api, .active, scope: "write:orders",
                summary: "Takes an auction back that nobody has bid at"
            ) { request, context in
                try await desk.answering(request) {
                    let track = try await desk.ownTrack(context)
                    try await withdraw(track, context)
                    return document(try await auction(track, context)).personal
                }
            },
            .api(
                .get, "\(Self.api)/payment", .active, scope: "read:orders",
                summary: "What is to be known before paying: which other licences stay valid"
            ) { request, context in
                try await desk.answering(request) {
                    let track = try await desk.track(context)
                    guard try await auction(track, context).turn != nil else { throw DealRefusal.notYourTurn }
                    let earlier = try await deals.earlier(track.work)
                    return Response.json { earlier.write(&$0) }.personal
                }
            },
            .api(
                .post, "\(Self.api)/payment", .active, scope: "write:orders", body: .upTo(Form.mostBytes),
                summary: "Where to pay what one has won; whose turn it is alone",
                takes: [.text("seen", isRequired: false, "of what GET has said; needed where licences stay valid")]
            ) { request, context in
                try await desk.answering(request) {
                    let seen = try await request.fields()["seen"] ?? ""
                    let order = try await pay(try await desk.track(context), seen: seen, context)
                    return Response.json { order.write(&$0) }.personal
                }
            },
        ]
    }

    // MARK: the acts themselves

    /// - Throws: 404 where there is none.
    private func auction(_ track: Track, _ context: WebContext) async throws -> Auction {
        guard let auction = try await deals.auctions.auction(of: track.id, for: context.viewer) else {
            throw AuctionRefusal.notFound
        }
        return auction
    }

    private func live(_ track: Track, _ context: WebContext) async throws -> Auction? {
        let auction = try await deals.auctions.auction(of: track.id, for: context.viewer)
        return auction?.phase == .running ? auction : nil
    }

    private func set(_ typed: AuctionForm, _ track: Track, _ context: WebContext) async throws {
        let account = try context.account
        try await desk.consume("beat-auction", Self.rate, context)
        let terms = try typed.terms()
        if let auction = try await live(track, context), typed.version > 0 {
            try await deals.auctions.change(auction.id, to: terms, version: typed.version, by: account)
        } else {
            _ = try await deals.auctions.open(terms, of: track.id, by: account, key: typed.key)
        }
    }

    private func withdraw(_ track: Track, _ context: WebContext) async throws {
        try await deals.auctions.withdraw(try await auction(track, context).id, by: try context.account)
    }

    /// - Parameter seen: ``EarlierLicences/digest`` of what whoever pays was told.
    private func pay(_ track: Track, seen: String, _ context: WebContext) async throws -> Order {
        let account = try context.account
        try await desk.consume("beat-payment", BeatDesk.Rate.payments, context)
        let auction = try await auction(track, context)
        guard auction.turn != nil else { throw DealRefusal.notYourTurn }
        let earlier = try await deals.earlier(track.work)
        guard earlier.isEmpty || earlier.digest == seen else { throw PurchaseRefusal.moreLicences }
        return try await deals.pay(auction, by: account)
    }

    /// What was sold before, and the button that leads to where it is paid: a form that leads elsewhere needs a page that names where.
    private func payment(
        _ auction: Auction, of track: Track, _ request: Request, _ context: WebContext,
        _ refusal: PurchaseRefusal? = nil
    ) async throws -> Response {
        let earlier = try await deals.earlier(track.work)
        return desk.show(request, context, status: refusal?.status ?? .ok) { token in
            let layout = desk.layout(token)
            return layout.form(
                title: word("deal.pay"), problem: refusal.map { "<p>\($0.sentence).</p>" } ?? .nothing,
                content: """
                    <p dir="auto"><a href="\(desk.prefix)\(track.path)#auction">\(track.item.title)</a></p>
                    <p role="status">\(auction.standing(at: desk.now))</p>
                    \(earlier.html)
                    <form method="post" action="\(desk.prefix)\(track.path)/auction/payment">\
                    <input type="hidden" name="token" value="\(token ?? "")"><input type="hidden" name="seen" value="\(earlier.digest)">
                    <p><button class="main">\(word("deal.pay"))</button></p></form>
                    """)
        }.withForms(leadingTo: deals.pages)
    }

    private func document(_ auction: Auction) -> Response {
        Response.json { auction.write(&$0, now: desk.now) }
    }

    private func form(
        _ typed: AuctionForm, _ track: Track, _ request: Request, _ context: WebContext,
        _ refusal: AuctionRefusal? = nil
    ) -> Response {
        desk.show(request, context, status: refusal?.status ?? .ok) { token in
            AuctionFormPage(
                form: typed, track: track, refusal: refusal, layout: desk.layout(token), links: desk.links
            ).html
        }
    }
}

extension BeatDesk {
    /// Where something is paid, which is mostly elsewhere; a page of the hub's own where there is nothing to open.
    func goOn(to address: String?, otherwise path: String) -> Response {
        guard let address else { return desk.goOn(to: path) }
        return Response(status: .seeOther, headers: [.location: address]).personal
    }
}

extension Order {
    /// As whoever pays it reads it.
    func write(_ json: inout JSONText) {
        json.field("order", id.text)
        json.field("state", state.rawValue)
        terms.price.write(&json)
        json.field("address", address)
    }
}
