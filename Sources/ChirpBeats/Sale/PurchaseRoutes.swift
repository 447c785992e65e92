internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpOrders
internal import ChirpWeb
internal import FoundationEssentials
internal import Hummingbird

/// What somebody has bought: a list, a page each, and the files, for as long as the licence lasts.
struct PurchaseRoutes {
    let desk: BeatDesk
    let sales: SaleDesk

    private static let path = "\(BeatDesk.path)/purchases"
    private static let api = "\(BeatDesk.api)/purchases"

    var routes: [WebRoute] { pages + programs + files(BeatDesk.path, nil) + files(BeatDesk.api, "read:orders") }

    private var pages: [WebRoute] {
        [
            .get(Self.path, .signedIn) { request, context in
                try await desk.answering(request) {
                    let page = try await sales.page(.buyer, request, context)
                    return desk.show(request, context) { token in
                        PurchaseListPage(
                            all: page.all, next: page.next, layout: desk.layout(token, at: "/purchases"),
                            links: desk.links
                        ).html
                    }
                }
            },
            .get("\(Self.path)/:id", .signedIn) { request, context in
                try await desk.answering(request) {
                    let order = try await own(context)
                    if order.isBidAlone { return desk.desk.goOn(to: "\(BeatDesk.path)/bids") }
                    return try await page(order, request, context)
                }
            },
            .post("\(Self.path)/:id/look", .signedIn) { request, context, _ in
                try await desk.answering(request) {
                    let order = try await own(context)
                    _ = try await sales.look(at: order.id)
                    return desk.desk.goOn(to: SaleDesk.purchase(order.id))
                }
            },
            // Where a payment page leads back to: it is asked how it stands, by a page that nobody is sent to by a stranger's link alone.
            .get("\(Self.path)/:id/paid", .signedIn) { request, context in
                try await desk.answering(request) {
                    let order = try await own(context)
                    if order.isBidAlone { return desk.desk.goOn(to: "\(BeatDesk.path)/bids") }
                    await desk.patience.shortly { _ = try? await sales.look(at: order.id) }
                    return desk.desk.goOn(to: "\(SaleDesk.purchase(order.id))?back=yes")
                }
            },
            .post("\(Self.path)/:id/cancellation", .signedIn) { request, context, _ in
                try await desk.answering(request) {
                    let order = try await own(context)
                    _ = try await sales.orders.cancel(order.id, by: try context.account)
                    return desk.desk.goOn(to: SaleDesk.purchase(order.id))
                }
            },
            .post("\(Self.path)/:id/refund", .active) { request, context, _ in
                try await desk.answering(request) {
                    let order = try await own(context)
                    _ = try await sales.confirmRefund(order.id, by: try context.account)
                    return desk.desk.goOn(to: SaleDesk.purchase(order.id))
                }
            },
        ]
    }

    private var programs: [WebRoute] {
        [
            .api(
                .get, Self.api, .signedIn, scope: "read:orders", summary: "What one has bought, the newest first",
                query: [.number("before")]
            ) { request, context in
                try await desk.answering(request) {
                    try .json(try await sales.documents(.buyer, request, context)).personal
                }
            },
            .api(
                .get, "\(Self.api)/:id", .signedIn, scope: "read:orders",
                summary: "Something that one buys: how it stands, and its files"
            ) { request, context in
                try await desk.answering(request) {
                    try .json(try await OrderDocument(try await own(context), sales)).personal
                }
            },
            .api(
                .post, "\(Self.api)/:id/look", .signedIn, scope: "write:orders",
                summary: "Asks whether something is paid, and has it delivered"
            ) { request, context in
                try await desk.answering(request) {
                    let order = try await sales.look(at: try await own(context).id)
                    return try .json(try await OrderDocument(order, sales)).personal
                }
            },
            .api(
                .delete, "\(Self.api)/:id", .signedIn, scope: "write:orders",
                summary: "Gives up paying: what was reserved is free for others"
            ) { request, context in
                try await desk.answering(request) {
                    let order = try await sales.orders.cancel(try await own(context).id, by: try context.account)
                    return try .json(try await OrderDocument(order, sales)).personal
                }
            },
            .api(
                .post, "\(Self.api)/:id/refund", .active, scope: "write:orders",
                summary:
                    "Says that the money of a payment by hand is back, as its buyer or a moderator: the licence ends"
            ) { request, context in
                try await desk.answering(request) {
                    // Not an own one alone: a moderator says it for a buyer who does not answer, and reads nothing else of it.
                    guard let id = context.parameters.get("id").flatMap({ HubID($0) }) else { throw Problem.noTrack }
                    let order = try await sales.confirmRefund(id, by: try context.account)
                    return Response.json { $0.field("state", order.state.rawValue) }.personal
                }
            },
        ]
    }

    // MARK: files

    /// The files of a grant: for the one that holds it, as long as it lasts; its paper for both sides, for ever.
    private func files(_ root: String, _ scope: TokenRule?) -> [WebRoute] {
        let file: @Sendable (Request, WebContext) async throws -> Response = { request, context in
            try await desk.answering(request) { try await send(request, context) }
        }
        let paper: @Sendable (Request, WebContext) async throws -> Response = { request, context in
            try await desk.answering(request) { try await self.paper(request, context) }
        }
        let (one, other) = ("\(root)/grants/:id/files/:name", "\(root)/grants/:id/licence.pdf")
        guard let scope else { return [.get(one, .signedIn, answer: file), .get(other, .signedIn, answer: paper)] }
        return [
            .api(
                .get, one, .signedIn, scope: scope, summary: "A file that one has bought", givesType: "audio/wav",
                answer: file),
            .api(
                .get, other, .signedIn, scope: scope, summary: "The licence of something that one has bought or sold",
                givesType: "application/pdf", answer: paper),
        ]
    }

    private func grant(_ context: WebContext) async throws -> Grant {
        guard let id = context.parameters.get("id").flatMap({ HubID($0) }) else { throw Problem.noTrack }
        do throws(GrantRefusal) { return try await sales.grants.grant(id) } catch {
            if case .noSuchGrant = error { throw Problem.noTrack }
            throw PurchaseRefusal(error)
        }
    }

    private func send(_ request: Request, _ context: WebContext) async throws -> Response {
        let (grant, account) = (try await grant(context), try context.account)
        guard grant.licensee == account,
            let name = context.parameters.get("name").map({ PercentEncoding.decode($0) }),
            let file = grant.says.files.first(where: { $0.name == name }),
            // It is in the buyer's hands with the order, not with the paper.
            try await sales.orders.store.order(grant.says.order)?.isWithBuyer == true
        else { throw Problem.noTrack }
        guard grant.isInForce(at: desk.now) else { throw Problem(.gone, "gone", word("beat.sale.ended")) }
        guard let path = sales.library.kept(file.sha256),
            let sound = await offPool({ MediaFile(path) })
        else { throw Problem.noTrack }
        let answer = FileAnswer(sha256: file.sha256, modified: grant.says.sold, cacheControl: "private, no-cache")
        return try await answer.send(
            to: request, type: name.hasSuffix(".wav") ? "audio/wav" : "audio/mpeg",
            further: [.contentDisposition: Self.attachment(name)]
        ) { sound }
    }

    private func paper(_ request: Request, _ context: WebContext) async throws -> Response {
        let (grant, account) = (try await grant(context), try context.account)
        guard grant.licensee == account || grant.licensor == account else { throw Problem.noTrack }
        let pdf: [UInt8]
        do throws(GrantRefusal) { pdf = try await sales.grants.paper(of: grant.id) } catch { throw Problem.noTrack }
        var answer = Response.document(Data(pdf), type: "application/pdf", to: request).personal
        answer.headers[.contentDisposition] = Self.attachment("licence-\(grant.id).pdf")
        return answer
    }

    /// As RFC 6266 has it, with names in any letters (RFC 8187).
    private static func attachment(_ name: String) -> String {
        "attachment; filename*=UTF-8''\(PercentEncoding.encode(name))"
    }

    // MARK: one's own

    private func own(_ context: WebContext) async throws -> Order {
        guard let id = context.parameters.get("id").flatMap({ HubID($0) }),
            let order = try await sales.orders.store.order(id), order.buyer == (try context.account)
        else { throw Problem.noTrack }
        return order
    }

    private func page(_ order: Order, _ request: Request, _ context: WebContext) async throws -> Response {
        let known = try await sales.known(order, withGrant: true)
        var words = ""
        if let seller = order.seller { words = try await sales.purchases.seller(seller).words }
        var author: PostAuthor?
        if let seller = order.seller {
            author = try await desk.desk.library.seen(by: context.viewer).people(.these([seller]), limit: 1).first?
                .author
        }
        return desk.show(request, context) { token in
            PurchasePage(
                known: known, isInForce: known.grant?.isInForce(at: desk.now) ?? false, words: words,
                isBack: !(request.asked["back"] ?? "").isEmpty, seller: author, layout: desk.layout(token),
                links: desk.links
            ).html
        }
    }
}
