internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb

/// The licences of a track on its page: what each allows, what it costs, and how one gets it.
struct OfferView {
    let track: Track
    let offers: [LicenceOffer]
    let view: TrackView
    /// Somebody is paying for the exclusive: until when.
    let taken: HTML?
    let links: HubLinks

    var html: HTML {
        let edit: HTML =
            view.isAuthor
            ? "<p><a class=\"act\" href=\"\(links.prefix)\(track.path)/licences\">\(word("beat.offer.edit"))</a></p>"
            : .nothing
        guard !offers.isEmpty else { return edit }
        return """
            <section class="beat-offers" aria-labelledby="licences"><h2 class="section" id="licences">\(word("beat.offer.title"))</h2>
            \(taken.map { "<p role=\"status\">\($0)</p>" } ?? .nothing)<ul class="beat-like" role="list">\(HTML(joining: offers.map(item), separator: "\n"))</ul>
            \(edit)</section>

            """
    }

    private func item(_ offer: LicenceOffer) -> HTML {
        """
        <li><h3 id="licence-\(offer.id.text)" dir="auto">\(offer.name)</h3>
        <p class="beat-price"><b>\(offer.terms.price.words(in: .here))</b></p>
        \(Self.terms(offer.terms))\(way(offer))</li>
        """
    }

    /// What a licence allows, line by line.
    static func terms(_ terms: LicenceTerms) -> HTML {
        let rows = terms.lines(in: .here).map { line -> HTML in
            "<div><dt>\(line.name)</dt><dd>\(line.extent)</dd></div>"
        }
        return "<dl class=\"beat-heard\">\(HTML(joining: rows))</dl>\n"
    }

    private func way(_ offer: LicenceOffer) -> HTML {
        guard !view.isAuthor, track.item.state == .open else { return .nothing }
        let isOffer = offer.terms.price == .offer
        let path =
            isOffer
            ? "\(BeatDesk.path)/ask/\(track.item.author.handle)?like=\(track.id)"
            : "\(track.path)/licences/\(offer.id)/purchase"
        let name =
            isOffer
            ? word("beat.offer.ask") : offer.terms.price == .free ? word("beat.offer.get") : word("beat.offer.buy")
        return """
            <p><a class="main" href="\(links.prefix)\(path)" aria-describedby="licence-\(offer.id.text)">\(name)</a></p>
            """
    }
}
