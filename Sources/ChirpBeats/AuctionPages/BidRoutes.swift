internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpOrders
internal import ChirpWeb
internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird

/// Bidding in two steps (AR-11): what a bid binds to is said first, and that is what is placed then; and one's own bids.
struct BidRoutes {
    let desk: BeatDesk
    let deals: DealDesk

    private static let page = "\(BeatDesk.path)/:id/bid"
    private static let api = "\(BeatDesk.api)/:id/auction"
    /// How often somebody may bid.
    private static let rate = RateRule(120, per: 3600)

    var routes: [WebRoute] { pages + programs }

    private var pages: [WebRoute] {
        [
            .get("\(BeatDesk.path)/bids", .signedIn) { request, context in
                let account = try context.account
                // Whoever comes back from where her card was asked for sees what has become of it.
                let waiting = await desk.patience.shortly { await comeBack(account) }
                let own = try await deals.auctions.auctions(bidBy: account)
                return desk.show(request, context) { token in
                    BidListPage(
                        bids: own, waiting: waiting?.addresses ?? [], problems: waiting?.problems ?? [],
                        isAsking: waiting == nil, now: desk.now, layout: desk.layout(token, at: "/bids"),
                        links: desk.links
                    ).html
                }
            },
            .get(Self.page, .active) { request, context in
                try await desk.answering(request) {
                    let (track, auction) = try await auction(context)
                    return try await ask(request.asked["amount"] ?? "", track, auction, request, context)
                }
            },
            .post(Self.page, .active) { request, context, sent in
                try await desk.answering(request) {
                    let (track, auction) = try await auction(context)
                    do {
                        // Another auction of the same track has another end, and other terms.
                        guard sent["auction"] == auction.id.text else {
                            throw BidRefusal.changed(version: auction.version)
                        }
                        let step = try await place(
                            auction, amount: sent["amount"], version: sent["version"], card: sent["card"],
                            key: sent["key"], context)
                        switch step {
                        case .placed: return desk.desk.goOn(to: "\(track.path)#auction")
                        case .card(let address): return desk.goOn(to: address, otherwise: track.path)
                        case .waiting: return desk.desk.goOn(to: "\(BeatDesk.path)/bids")
                        }
                    } catch let refusal as BidRefusal
                        where refusal.status.kind == .clientError && refusal.status != .notFound
                    {
                        // Somebody may have bid meanwhile: how it stands now, and what is needed.
                        let (track, auction) = try await self.auction(context)
                        return page(sent["amount"], track, auction, nil, .none, false, refusal, request, context)
                    }
                }
            },
        ]
    }

    private var programs: [WebRoute] {
        [
            .api(
                .get, "\(Self.api)/binding", .active, scope: "read:orders",
                summary: "What a bid would bind to: to be shown before it is placed",
                query: [.text("amount", "as in 12.50")]
            ) { request, context in
                try await desk.answering(request) {
                    let (track, auction) = try await auction(context)
                    let earlier = try await deals.earlier(track.work)
                    let (binding, keepsCards) = try await binding(request.asked["amount"] ?? "", auction, context)
                    return Response.json { json in
                        json.field("auction", binding.auction.text)
                        binding.money.write(&json)
                        json.field("version", binding.version)
                        json.field("card", binding.card.rawValue)
                        json.field("keepsCard", keepsCards)
                        json.field("says", binding.sentence(ends: auction.ends, keepsCards: keepsCards))
                        earlier.write(&json)
                    }.personal
                }
            },
            .api(
                .post, "\(Self.api)/bids", .active, scope: "write:orders", body: .upTo(Form.mostBytes),
                summary: "Bids, binding to what was shown; the same key again places nothing more",
                takes: [
                    .text("amount", "as in 12.50"), .number("version", isRequired: true, "as in what was shown"),
                    .text("card", "hold or keep, as in what was shown"),
                    .text("key", isRequired: false, "the same for each try"),
                ], gives: 201
            ) { request, context in
                try await desk.answering(request) {
                    let (_, auction) = try await auction(context)
                    let sent = try await request.fields()
                    let step = try await place(
                        auction, amount: sent["amount"] ?? "", version: sent["version"] ?? "",
                        card: sent["card"] ?? "",
                        key: request.headers[.idempotencyKey] ?? sent["key"] ?? HubID().text, context)
                    return answer(step).personal
                }
            },
            .api(
                .get, "\(Self.api)/bids", .signedIn, scope: "read:orders",
                summary: "Bids at one's own auction with who has bid, or one's own at somebody else's"
            ) { request, context in
                try await desk.answering(request) {
                    let (_, auction) = try await auction(context)
                    let lines = try await deals.lines(auction, for: context.viewer)
                    return Response.json { json in
                        json.field("bids") { json in
                            json.array(lines) { json, line in
                                json.object { json in
                                    line.line.money.write(&json)
                                    json.field("at", line.line.at)
                                    json.field("bidder", line.person?.handle)
                                }
                            }
                        }
                    }.personal
                }
            },
            .api(
                .get, "\(BeatDesk.api)/bids", .signedIn, scope: "read:orders",
                summary: "Auctions that one bids at, and how one's bids stand"
            ) { request, context in
                try await desk.answering(request) {
                    let own = try await deals.auctions.auctions(bidBy: try context.account)
                    return Response.json { json in
                        json.field("auctions") { json in
                            json.array(own) { json, bid in
                                json.object { json in
                                    json.field("title", bid.title)
                                    bid.auction.write(&json, now: desk.now)
                                }
                            }
                        }
                    }.personal
                }
            },
        ]
    }

    // MARK: the acts themselves

    private func auction(_ context: WebContext) async throws -> (Track, Auction) {
        let track = try await desk.track(context)
        guard let auction = try await deals.auctions.auction(of: track.id, for: context.viewer) else {
            throw BidRefusal.notFound
        }
        return (track, auction)
    }

    private func money(_ typed: String, _ auction: Auction) throws(BidRefusal) -> Money {
        do throws(Money.Fault) { return try Money(typed, auction.start.currency) } catch {
            if case .tooMuch = error { throw .tooHigh(most: Money(Money.most, auction.start.currency)) }
            throw .tooLow(needed: auction.needed)
        }
    }

    private func binding(
        _ typed: String, _ auction: Auction, _ context: WebContext
    ) async throws -> (BidBinding, keepsCards: Bool) {
        let binding = try await deals.auctions.binding(
            of: try money(typed, auction), upon: auction.id, by: try context.account)
        return (binding, try await deals.keepsCards(of: try await deals.auctions.facts(of: auction.id).seller))
    }

    private func place(
        _ auction: Auction, amount: String, version: String, card: String, key: String, _ context: WebContext
    ) async throws -> BidStep {
        let account = try context.account
        try await desk.consume("beat-bid", Self.rate, context)
        let binding = BidBinding(
            auction: auction.id, version: version.integer(in: 0 ... .max) ?? 0, money: try money(amount, auction),
            card: CardUse(rawValue: card) ?? .keep)
        return try await deals.bid(binding, by: account, key: key)
    }

    private func ask(
        _ typed: String, _ track: Track, _ auction: Auction, _ request: Request, _ context: WebContext
    ) async throws -> Response {
        do {
            let (binding, keepsCards) = try await binding(typed, auction, context)
            let earlier = try await deals.earlier(track.work)
            return page(typed, track, auction, binding, earlier, keepsCards, nil, request, context)
        } catch let refusal as BidRefusal where refusal.status.kind == .clientError && refusal.status != .notFound {
            return page(typed, track, auction, nil, .none, false, refusal, request, context)
        }
    }

    private func page(
        _ typed: String, _ track: Track, _ auction: Auction, _ binding: BidBinding?, _ earlier: EarlierLicences,
        _ keepsCards: Bool, _ refusal: BidRefusal?, _ request: Request, _ context: WebContext
    ) -> Response {
        desk.show(request, context, status: refusal?.status ?? .ok) { token in
            BidPage(
                track: track, auction: auction, typed: typed, binding: binding, earlier: earlier,
                keepsCards: keepsCards,
                key: HubID().text, problem: refusal?.sentence, layout: desk.layout(token), links: desk.links
            ).html
        }.withForms(leadingTo: deals.pages)
    }

    private func answer(_ step: BidStep) -> Response {
        var text = JSONText()
        text.object { json in
            switch step {
            case .placed(let receipt):
                json.field("state", "placed")
                receipt.bid.money.write(&json)
                json.field("at", Accounts.date(receipt.bid.at))
                json.field("ends", Accounts.date(receipt.ends))
                json.field("extends", receipt.isExtending)
            case .card(let address):
                json.field("state", "card")
                json.field("address", address)
            case .waiting: json.field("state", "waiting")
            }
        }
        return .json(text, status: .created)
    }

    /// Goes on with what waits for somebody's card.
    private func comeBack(_ account: AccountID) async -> (addresses: [String], problems: [String]) {
        var (addresses, problems): ([String], [String]) = ([], [])
        let tries = (try? await deals.auctions.tries([.waiting], of: account, limit: 20)) ?? []
        for tried in tries {
            do {
                if case .card(let address) = try await deals.go(on: tried) { addresses.append(address) }
            } catch let refusal as any BoardRefusal {
                problems.append(refusal.sentence)
            } catch { problems.append(word("beat.refused.inside")) }
        }
        return (addresses, problems)
    }
}

extension DealDesk {
    /// The newest bids, with the people who have made them, as far as the viewer is told.
    func lines(
        _ auction: Auction, for viewer: Viewer, limit: Int = 100
    ) async throws -> [(line: Auction.Line, person: PostAuthor?)] {
        var lines: [(line: Auction.Line, person: PostAuthor?)] = []
        var known: [AccountID: PostAuthor] = [:]
        for line in try await auctions.bids(upon: auction.id, for: viewer, limit: limit) {
            if let bidder = line.bidder, known[bidder] == nil { known[bidder] = try await library.author(bidder) }
            lines.append((line, line.bidder.flatMap { known[$0] }))
        }
        return lines
    }
}

/// The auctions that somebody bids at.
struct BidListPage {
    let bids: [(auction: Auction, title: String)]
    /// Where cards are asked for that somebody has not given yet.
    let waiting: [String]
    let problems: [String]
    /// It is not known yet whether a card was given.
    let isAsking: Bool
    let now: Date
    let layout: BeatLayout
    let links: HubLinks

    private var asking: HTML {
        guard isAsking else { return .nothing }
        return """
            <div class="beat-state" data-beat-asking><p>\(word("deal.bids.asking"))</p>\(BeatLayout.waiting)</div>

            """
    }

    var html: HTML {
        let items = bids.map { bid -> HTML in
            """
            <li><article><h2 dir="auto"><a href="\(links.prefix)\(Track.path(bid.auction.item))#auction">\(bid.title)</a></h2>
            <p>\(bid.auction.level)</p><p><b>\(bid.auction.ownSentence ?? "")</b></p><p>\(bid.auction.standing(at: now))</p></article></li>
            """
        }
        let open = waiting.map { "<p><a class=\"act\" href=\"\($0)\">\(word("deal.card.go"))</a></p>" as HTML }
        let told = problems.map { "<p class=\"problem\" role=\"alert\">\($0).</p>" as HTML }
        let list: HTML =
            items.isEmpty
            ? "<p class=\"empty\">\(word("deal.bids.none"))</p>"
            : "<ol class=\"beat-deals\" role=\"list\">\(HTML(joining: items, separator: "\n"))</ol>"
        return layout.page(
            title: word("deal.way.bids"), head: BeatLayout.unlisted,
            body: """
                <h1>\(word("deal.way.bids"))</h1>
                <p role="status"></p>
                \(asking)\(HTML(joining: told))\(HTML(joining: open))
                \(list)
                """)
    }
}
