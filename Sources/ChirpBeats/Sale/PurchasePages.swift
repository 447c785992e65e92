internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpOrders
internal import ChirpWeb

/// An order with what was bought, for one of its sides.
struct KnownPurchase: Sendable {
    let order: Order
    let purchase: Purchase?
    let grant: Grant?

    /// What was bought, in words.
    var title: String { purchase?.title ?? word("beat.sale.gone") }
}

/// What has become of something that somebody buys: how it is paid, that it is paid, where its files are.
struct PurchasePage {
    let known: KnownPurchase
    /// Whether it is fetched as long as the licence lasts.
    let isInForce: Bool
    /// How its seller is paid by hand; empty: she says it in a message.
    let words: String
    /// She comes from where it is paid.
    let isBack: Bool
    let seller: PostAuthor?
    let layout: BeatLayout
    let links: HubLinks

    private var order: Order { known.order }

    var html: HTML {
        layout.page(
            title: known.title, head: BeatLayout.unlisted,
            body: """
                <h1 dir="auto">\(known.title)</h1>
                <p class="byline"><bdi>\(known.purchase?.licenceName ?? "")</bdi> · \(order.terms.price.name) · \(Wording.time(order.created))</p>
                <div class="beat-state" role="status" data-sale-state="\(order.state.rawValue)"><p><b>\(order.state.name)</b></p>\(told)</div>
                \(files)\(ways)
                <p><a href="\(links.prefix)\(BeatDesk.path)/purchases">\(word("beat.sale.purchases"))</a></p>
                """)
    }

    private var told: HTML {
        switch order.state {
        case .reserved where order.provider == ByHand.name:
            let until: HTML = order.until.map { .word("beat.sale.until", ["time": Wording.time($0)]) } ?? .nothing
            let how: HTML =
                words.isEmpty ? "\(word("beat.sale.byhand.ask"))" : "<q class=\"words\" dir=\"auto\">\(words)</q>"
            return """
                <p>\(HTML.word("beat.sale.byhand", ["price": "\(order.terms.price.name)", "number": "<code>\(order.id.text)</code>"]))</p>
                <p>\(how)</p><p>\(until)</p>
                """
        case .reserved where isBack: return asking(word("beat.sale.back.asking"))
        case .reserved:
            let until: HTML = order.until.map { .word("beat.sale.until", ["time": Wording.time($0)]) } ?? .nothing
            let pay: HTML =
                order.address.map {
                    "<p><a class=\"main\" href=\"\($0)\" rel=\"noreferrer\">\(word("beat.sale.pay"))</a></p>"
                }
                ?? .nothing
            return "<p>\(word("beat.sale.waiting"))</p><p>\(until)</p>\(pay)"
        case .paid:
            guard let request = known.purchase?.request else { return asking(word("beat.sale.delivering")) }
            return """
                <p>\(word("beat.sale.making"))</p>
                <p><a class="act" href="\(links.prefix)\(RequestSight.path(request))">\(word("deal.request"))</a></p>
                """
        case .refunding where isGoingBackByHand:
            let why: HTML = order.reason.isEmpty ? .nothing : "<p><q dir=\"auto\">\(order.reason)</q></p>"
            return "\(why)<p>\(word("beat.refund.lead"))</p>"
        case .failed, .expired, .refunded, .refunding:
            return order.reason.isEmpty ? .nothing : "<p><q lang=\"en\">\(order.reason)</q></p>"
        default: return .nothing
        }
    }

    /// It was delivered, and the buyer says when the money is there.
    private var isGoingBackByHand: Bool {
        order.state == .refunding && order.isWithBuyer && known.grant.map { $0.ending == nil } ?? false
    }

    /// What the page waits for by itself, where there is script; the button below asks otherwise.
    private func asking(_ sentence: String) -> HTML {
        """
        <div data-beat-asking="/api/hub/v1\(SaleDesk.purchase(order.id))/look"><p>\(sentence)</p>\(BeatLayout.waiting)</div>
        """
    }

    private var files: HTML {
        guard let grant = known.grant else { return .nothing }
        let paper = "\(links.prefix)\(SaleDesk.paper(of: grant.id))"
        let items =
            isInForce && order.isWithBuyer
            ? grant.says.files.map { file -> HTML in
                """
                <li><a class="act" href="\(links.prefix)\(SaleDesk.file(file.name, of: grant.id))" download>\(file.name)</a> · \(Wording.size(file.bytes))</li>
                """
            } : ["<li>\(word("beat.sale.ended"))</li>"]
        let until: HTML =
            grant.expires.map { "<p>\(HTML.word("beat.sale.expires", ["time": Wording.time($0)]))</p>" } ?? .nothing
        return """
            <section aria-labelledby="files"><h2 class="section" id="files">\(word("beat.sale.files"))</h2>
            <ul>\(HTML(joining: items))<li><a class="act" href="\(paper)" download>\(word("beat.sale.paper"))</a></li>\
            <li><a class="act" href="\(links.prefix)\(SaleDesk.licence(grant.id))">\(word("beat.sale.check"))</a></li></ul>\(until)</section>
            """
    }

    private var ways: HTML {
        var ways: [HTML] = []
        if order.state == .reserved {
            ways += [
                layout.button(word("beat.sale.look"), to: "\(links.prefix)\(SaleDesk.purchase(order.id))/look"),
                layout.button(
                    word("beat.sale.cancel"), to: "\(links.prefix)\(SaleDesk.purchase(order.id))/cancellation"),
            ]
        }
        if order.state == .paid {
            ways.append(layout.button(word("beat.sale.look"), to: "\(links.prefix)\(SaleDesk.purchase(order.id))/look"))
        }
        if isGoingBackByHand {
            ways.append(
                layout.button(word("beat.sale.mark"), to: "\(links.prefix)\(SaleDesk.purchase(order.id))/refund"))
        }
        if let seller {
            ways.append(
                """
                <p><a class="act" href="\(links.prefix)/@\(seller.handle)"><bdi>\(seller.name)</bdi></a></p>
                """)
        }
        return "<div class=\"actions\">\(HTML(joining: ways))</div>"
    }
}

/// What somebody has bought.
struct PurchaseListPage {
    let all: [KnownPurchase]
    let next: Int64?
    let layout: BeatLayout
    let links: HubLinks

    var html: HTML {
        let items = all.map { known -> HTML in
            """
            <li><h2><a href="\(links.prefix)\(SaleDesk.purchase(known.order.id))" dir="auto">\(known.title)</a></h2>
            <p><bdi>\(known.purchase?.licenceName ?? "")</bdi> · \(known.order.terms.price.name) · \(known.order.state.name) · \(Wording.time(known.order.changed))</p></li>
            """
        }
        let more: HTML =
            next.map {
                "<p><a class=\"act\" href=\"\(links.prefix)\(BeatDesk.path)/purchases?before=\(Int($0))\">\(word("beat.sale.older"))</a></p>"
            } ?? .nothing
        let list: HTML =
            all.isEmpty
            ? "<p>\(word("beat.sale.none"))</p>"
            : "<ul class=\"beat-like\" role=\"list\">\(HTML(joining: items, separator: "\n"))</ul>"
        return layout.page(
            title: word("beat.sale.purchases"), head: BeatLayout.unlisted,
            body: """
                <h1>\(word("beat.sale.purchases"))</h1>
                \(list)\(more)
                """)
    }
}
