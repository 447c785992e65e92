internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpOrders
internal import ChirpWeb
internal import FoundationEssentials

/// An auction in its track's page: how it stands, what is needed, whose turn it is, and the form of a bid.
struct AuctionSection {
    let auction: Auction
    /// For the seller: who bids.
    let lines: [(line: Auction.Line, person: PostAuthor?)]
    let track: Track
    let view: TrackView
    let now: Date
    let links: HubLinks

    private var isRunning: Bool { auction.phase == .running && now < auction.ends }

    var html: HTML {
        let end = InstantText.iso(auction.ends)
        return """
            <section class="beat-auction" id="auction" aria-labelledby="auction-title" data-auction="\(track.id.text)" data-auction-ends="\(end)">
            <h2 class="section" id="auction-title">\(word("deal.auction"))</h2>
            <p data-auction-level aria-live="polite"><b>\(auction.level)</b></p>
            <p data-auction-standing>\(auction.standing(at: now))</p>
            \(terms)\(own)\(acts)\(bidders)</section>
            """
    }

    private var terms: HTML {
        guard isRunning else { return .nothing }
        let step = Money(auction.step, auction.start.currency).words
        return """
            <p>\(word("deal.terms", ["step": step, "minutes": "\(AuctionTerms.extensionTime / 60_000)"])) \
            <a href="\(links.prefix)\(track.path)#auction">\(word("deal.reload"))</a></p>

            """
    }

    private var own: HTML {
        auction.ownSentence.map { "<p role=\"status\" data-auction-own><b>\($0)</b></p>\n" } ?? .nothing
    }

    private var acts: HTML {
        if view.isAuthor { return manage }
        if auction.turn != nil { return payment }
        return isRunning ? bid : .nothing
    }

    private var manage: HTML {
        guard isRunning, auction.bidCount == 0 else { return .nothing }
        return "<p><a class=\"act\" href=\"\(links.prefix)\(track.path)/auction\">\(word("deal.change"))</a></p>\n"
    }

    private var payment: HTML {
        "<p><a class=\"main\" href=\"\(links.prefix)\(track.path)/auction/payment\">\(word("deal.pay"))</a></p>\n"
    }

    /// The first of two steps: what it binds to is said in the second one.
    private var bid: HTML {
        guard view.token != nil else {
            return "<p><a class=\"act\" href=\"\(links.prefix)/signin\">\(word("deal.signin"))</a></p>\n"
        }
        return """
            <form class="form" method="get" action="\(links.prefix)\(track.path)/bid">
            <p class="field"><label for="bid-amount">\(word("deal.field.bid", ["currency": auction.needed.currency.code]))</label>\
            <span class="hint" id="bid-hint" data-auction-needed>\(word("deal.hint.bid", ["needed": auction.needed.words]))</span>
            <input id="bid-amount" name="amount" inputmode="decimal" autocomplete="off" maxlength="12" required \
            aria-describedby="bid-hint" value="\(TrackWording.decimal(auction.needed.digits))"></p>
            <p><button class="main">\(word("deal.bid"))</button></p></form>

            """
    }

    private var bidders: HTML {
        guard !lines.isEmpty else { return .nothing }
        let items = lines.map { line, person -> HTML in
            let who: HTML =
                person.map { "<a href=\"\(links.prefix)/@\($0.handle)\"><bdi>@\($0.handle)</bdi></a>" }
                ?? "\(word("deal.somebody"))"
            return "<li><b>\(line.money.words)</b> · \(who) · \(Wording.time(line.at))</li>"
        }
        return "<h3>\(word("deal.bidders"))</h3><ol class=\"beat-bids\">\(HTML(joining: items, separator: "\n"))</ol>\n"
    }
}
