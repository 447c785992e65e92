internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb

/// What somebody reads before she pays: what the licence allows, its text, which others stay valid, and by which name she signs.
struct BuyPage {
    let track: Track
    let offer: LicenceOffer
    let text: LicenceText
    let earlier: EarlierLicences
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
                <p class="words">\(text.body)</p></div></details>
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

    /// Before an exclusive: what was sold stays valid.
    private var others: HTML { offer.terms.kind == .exclusive ? earlier.html : .nothing }
}
