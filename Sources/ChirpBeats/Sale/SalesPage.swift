internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpOrders
internal import ChirpWeb

/// What somebody has sold: who has not paid yet, what came of each, and what it adds up to.
struct SalesPage {
    let all: [KnownPurchase]
    let next: Int64?
    let sums: [SaleSum]
    let seller: PurchaseStore.Seller
    let cards: CardStanding
    let layout: BeatLayout
    let links: HubLinks

    private var token: HTML { "<input type=\"hidden\" name=\"token\" value=\"\(layout.token ?? "")\">" }

    var html: HTML {
        let more: HTML =
            next.map {
                "<p><a class=\"act\" href=\"\(links.prefix)\(BeatDesk.path)/sales?before=\(Int($0))\">\(word("beat.sale.older"))</a></p>"
            } ?? .nothing
        let list: HTML =
            all.isEmpty
            ? "<p>\(word("beat.sale.nosales"))</p>"
            : "<ul class=\"beat-like\" role=\"list\">\(HTML(joining: all.map(item), separator: "\n"))</ul>"
        return layout.page(
            title: word("beat.sale.sales"), head: BeatLayout.unlisted,
            body: """
                <h1>\(word("beat.sale.sales"))</h1>
                <p role="status"></p>
                \(statement)\(list)\(more)
                \(CardSection(standing: cards, token: token, links: links).html)
                <section class="form" aria-labelledby="how"><h2 class="section" id="how">\(word("beat.sale.how"))</h2>
                <form method="post" action="\(links.prefix)\(BeatDesk.path)/sales">\(token)
                <p class="field"><label for="name">\(word("beat.sale.name"))</label><span class="hint" id="name-hint">\(word("beat.sale.name.hint"))</span>
                <input id="name" name="name" type="text" autocomplete="name" value="\(seller.name)" maxlength="\(GrantDraft.longestName)" aria-describedby="name-hint"></p>
                <p class="field"><label for="words">\(word("beat.sale.words"))</label><span class="hint" id="words-hint">\(word("beat.sale.words.hint"))</span>
                <textarea id="words" name="words" rows="3" dir="auto" maxlength="\(PurchaseStore.Seller.longestWords)" aria-describedby="words-hint">\(seller.words)</textarea></p>
                <p><button class="main">\(word("beat.role.send"))</button></p></form></section>
                """)
    }

    /// From the ledger.
    private var statement: HTML {
        guard !sums.isEmpty else { return .nothing }
        let rows = sums.map { sum -> HTML in
            let left = (try? sum.paid.subtracting(sum.back)) ?? sum.paid
            return """
                <tr><th scope="row">\(sum.paid.currency.code)</th><td>\(sum.count)</td><td>\(amount(sum.paid))</td><td>\(amount(sum.back))</td><td>\(amount(left))</td></tr>
                """
        }
        return """
            <div class="beat-table"><table><caption>\(word("beat.sale.statement"))</caption><thead><tr><th scope="col">\(word("beat.field.currency"))</th>\
            <th scope="col">\(word("beat.sale.count"))</th><th scope="col">\(word("beat.sale.got"))</th>\
            <th scope="col">\(word("beat.sale.back"))</th><th scope="col">\(word("beat.sale.left"))</th></tr></thead>
            <tbody>\(HTML(joining: rows))</tbody></table></div>
            """
    }

    private func amount(_ money: Money) -> String { TrackWording.decimal(money.digits) }

    private func item(_ known: KnownPurchase) -> HTML {
        let order = known.order
        return """
            <li id="order-\(order.id.text)"><h2 dir="auto">\(known.title)</h2>
            <p><bdi>\(known.purchase?.licenceName ?? "")</bdi> · <b>\(order.terms.price.name)</b> · \(order.state.name) · \(Wording.time(order.changed))</p>
            <p class="byline"><bdi>\(known.purchase?.licensee ?? "")</bdi> · <code>\(order.id.text)</code></p>\(acts(known))</li>
            """
    }

    private func act(_ order: Order, _ noun: String, _ name: String) -> HTML {
        """
        <form method="post" action="\(links.prefix)\(BeatDesk.path)/sales/\(order.id.text)/\(noun)">\(token)<button class="act">\(name)</button></form>
        """
    }

    private func acts(_ known: KnownPurchase) -> HTML {
        let order = known.order
        let isByHand = order.provider == ByHand.name
        let acts: [HTML] =
            switch order.state {
            case .reserved where isByHand:
                [act(order, "payment", word("beat.sale.mark")), act(order, "refusal", word("beat.sale.unpaid"))]
            case .expired where isByHand, .failed where isByHand: [act(order, "payment", word("beat.sale.mark"))]
            case .refunding where isByHand:
                ["<p>\(word("beat.refund.waits"))</p>", act(order, "refund", word("beat.sale.sentback"))]
            case .paid where order.terms.price.amount > 0, .delivered where order.terms.price.amount > 0:
                [
                    """
                    <details><summary>\(word("beat.sale.refund"))</summary><p>\(isByHand ? word("beat.refund.byhand") : word("beat.sale.refund.lead"))</p>\
                    \(act(order, "refund", word("beat.sale.refund.send")))</details>
                    """
                ]
            case .refunded where order.terms.licence == .exclusive:
                known.purchase.flatMap { $0.request == nil ? $0 : nil }.map { purchase in
                    [
                        "<a class=\"act\" href=\"\(links.prefix)\(Track.path(purchase.item))\">\(word("beat.again.look"))</a>"
                    ]
                } ?? []
            default: []
            }
        return acts.isEmpty ? .nothing : "<div class=\"actions\">\(HTML(joining: acts))</div>"
    }
}
