internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpDrawing
internal import ChirpWeb

/// What somebody reads before she pays: what the licence allows, its text, which others stay valid, and by which name she signs.
struct BuyPage {
    let track: Track
    let offer: LicenceOffer
    let text: LicenceText
    let earlier: EarlierLicences
    /// How the seller is named in contracts.
    let licensor: String
    let name: String
    let key: String
    let problem: String?
    let layout: BeatLayout
    let links: HubLinks

    var html: HTML {
        let title = word("beat.buy.title", ["licence": offer.name])
        let isFree = offer.terms.price == .free
        return layout.form(
            title: title, problem: problem.map { "<p>\($0).</p>" } ?? .nothing,
            content: """
                <p role="status"></p>
                <p><a href="\(links.prefix)\(track.path)" dir="auto">\(track.item.title)</a> · <bdi>\(track.item.author.name)</bdi></p>
                <p class="beat-cost"><b>\(offer.terms.price.words(in: .here))</b></p>
                \(OfferView.terms(offer.terms))\(others)
                <details class="beat-search"><summary>\(word("beat.buy.text"))</summary><div lang="\(text.language.rawValue)"><h2>\(text.title)</h2>
                \(clauses)</div></details>
                <form method="post" action="\(links.prefix)\(track.path)/licences/\(offer.id.text)/purchase">\
                <input type="hidden" name="token" value="\(layout.token ?? "")"><input type="hidden" name="key" value="\(key)">\
                <input type="hidden" name="seen" value="\(earlier.digest)">
                <p class="field"><label for="name">\(word("beat.buy.name"))</label><span class="hint" id="name-hint">\(word("beat.buy.name.hint"))</span>
                <input id="name" name="name" type="text" autocomplete="name" value="\(name)" maxlength="\(GrantDraft.longestName)" \
                aria-describedby="name-hint\(problem == nil ? "" : " problem")" required></p>
                <p>\(isFree ? word("beat.buy.free.binding") : word("beat.buy.binding"))</p>
                <p class="actions"><button class="main">\(isFree ? word("beat.offer.get") : word("beat.buy.send"))</button>
                <a class="quiet" href="\(links.prefix)\(track.path)">\(word("beat.buy.leave"))</a></p></form>
                """)
    }

    /// The contract with what is known of it by now.
    private var clauses: HTML {
        var values = offer.terms.values(in: text.language)
        values[.work] = track.item.title
        values[.licence] = offer.name
        values[.licensor] = licensor
        for variable in LicenceVariable.allCases where values[variable] == nil { values[variable] = "…" }
        guard let parts = try? text.filled(values) else { return "<p class=\"words\">\(text.body)</p>" }
        let lines = parts.map { part -> HTML in
            switch part {
            case .heading(let words): "<h3>\(words)</h3>"
            case .paragraph(let words): "<p>\(words)</p>"
            case .facts, .table: .nothing
            }
        }
        return HTML(joining: lines, separator: "\n")
    }

    /// Before an exclusive: what was sold stays valid.
    private var others: HTML { offer.terms.kind == .exclusive ? earlier.html : .nothing }
}
