internal import ChirpCommunity
internal import ChirpOrders
internal import ChirpWeb

/// How somebody is paid by card: to begin with it, how it stands, and to end it.
struct CardSection {
    let standing: CardStanding
    let token: HTML
    let links: HubLinks

    var html: HTML {
        let content: HTML
        switch standing {
        case .unavailable: return .nothing
        case .own: content = "<p>\(word("beat.card.own"))</p>"
        case .seller(let card): content = section(card)
        }
        return """
            <section class="form" aria-labelledby="cards" data-cards="\(standing.name)"><h2 class="section" id="cards">\(word("beat.card.title"))</h2>
            \(content)</section>
            """
    }

    private func section(_ card: SellerCard?) -> HTML {
        guard let card else { return begin }
        return switch card.state {
        case .begun:
            "<p>\(word("beat.card.begun"))</p>\(act("", word("beat.card.goon")))\(act("/look", word("beat.sale.look"), "act"))\(end)"
        case .ready:
            """
            <p>\(HTML.word("beat.card.ready", ["time": Wording.time(card.since), "account": "<code>\(card.account ?? "")</code>"]))</p>\(end)
            """
        case .ended: "<p>\(word("beat.card.ended"))</p>\(act("", word("beat.card.again")))"
        case .gone:
            "<p>\(word("beat.card.gone"))</p>\(begin)"
        }
    }

    private var begin: HTML { "<p>\(word("beat.card.lead"))</p>\(act("", word("beat.card.begin")))" }

    private var end: HTML {
        """
        <details><summary>\(word("beat.card.end"))</summary><p>\(word("beat.card.end.lead"))</p>\
        \(act("/ending", word("beat.card.end.send"), "act"))</details>
        """
    }

    private func act(_ noun: String, _ name: String, _ look: String = "main") -> HTML {
        """
        <form method="post" action="\(links.prefix)\(SaleDesk.cards)\(noun)">\(token)<p><button class="\(look)">\(name)</button></p></form>
        """
    }
}
