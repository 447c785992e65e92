internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpMap
internal import ChirpWeb
internal import FoundationEssentials

/// The page of a listing.
struct ListingPage {
    let listing: Listing
    let view: ListingView
    /// What the viewer has put to it.
    let marks: Set<ItemMark>
    let transcript: ClipTranscript?
    /// What other parts of the board give.
    let parts: [(place: ListingPart.Place, html: HTML)]
    /// For its author: how often the number was shown.
    let calls: Int?
    /// The number, after it was asked for.
    var phone: String?
    /// Where it is shown.
    let map: HTML
    let ground: MapGround
    let now: Date
    let links: HubLinks

    private var item: Item { listing.item }
    private var isOpen: Bool { item.state == .open }

    var html: HTML {
        ListingLayout(links: links, token: view.token, ground: ground).page(
            title: "\(listing.side.name): \(item.title)", head: head,
            body: """
                <article class="listing listing-\(listing.side.rawValue)">
                <p class="byline"><span class="listing-side">\(listing.side.name)</span> · \
                <a href="\(links.prefix)\(ListingDesk.path)/category/\(item.category)">\(listing.categoryName)</a> · \
                \(Listing.ago(listing.moment, now: now))</p>
                <h1 dir="auto">\(item.title)</h1>
                \(state)\(listing.pictures(links).html)\(voice)\(words)
                <div class="listing-answers">\(HTML(joining: parts.filter { $0.place == .section }.map(\.html), separator: "\n"))</div>
                \(acts)
                \(facts)
                \(mine)
                </article>
                """)
    }

    /// Others may quote it; what is not open is in no search engine.
    private var head: HTML {
        let robots: HTML = isOpen && !item.isHidden ? .nothing : "<meta name=\"robots\" content=\"noindex\">"
        let text = String(item.text.prefix(200))
        let picture: HTML =
            item.pictures.first.map {
                "\n<meta property=\"og:image\" content=\"\(links.picture($0, .medium))\">"
            } ?? .nothing
        return """
            <link rel="canonical" href="\(links.publicURL)\(listing.path)">
            <meta property="og:title" content="\(listing.side.name): \(item.title)">
            <meta property="og:description" content="\(text)">
            <meta property="og:url" content="\(links.publicURL)\(listing.path)">\(picture)\(robots)
            """
    }

    private var state: HTML {
        var lines: [HTML] = []
        if item.isHidden { lines.append("\(word("listing.state.hidden"))") }
        if item.isFrozen { lines.append("\(word("listing.state.frozen"))") }
        let time = item.ended.map(Wording.time) ?? .nothing
        switch item.state {
        case .open: break
        case .draft: lines.append("\(word("listing.state.draft"))")
        case .settled:
            lines.append(
                item.outcome == ListingStore.Outcome.returned.rawValue
                    ? .word("listing.state.returned", ["time": time]) : .word("listing.state.found", ["time": time]))
        case .expired: lines.append(.word("listing.state.expired", ["time": time]))
        case .withdrawn:
            lines.append(.word("listing.state.withdrawn", ["time": time, "why": "<q dir=\"auto\">\(item.reason)</q>"]))
        }
        guard !lines.isEmpty else { return .nothing }
        return "<div class=\"listing-state\">\(HTML(joining: lines.map { "<p>\($0)</p>" }))</div>"
    }

    private var voice: HTML {
        guard let clip = item.clip else { return .nothing }
        let said: HTML =
            transcript.map { "<p class=\"words\" dir=\"auto\" lang=\"\($0.languageOr("en"))\">\($0.text)</p>" }
            ?? .nothing
        let player = Player(
            clip: clip, title: word("listing.voice", ["title": item.title]), transcript: transcript, links: links)
        return "\(player.html)\(said)"
    }

    private var words: HTML {
        guard !item.text.isEmpty else { return .nothing }
        let lines = item.text.split(separator: "\n", omittingEmptySubsequences: false).map { line -> HTML in
            "\(String(line))"
        }
        let language: HTML = item.language.map { " lang=\"\($0)\"" } ?? .nothing
        return "<p class=\"words\" dir=\"auto\"\(language)>\(HTML(joining: lines, separator: "<br>"))</p>"
    }

    private func form(_ path: String, _ button: String, _ hidden: HTML = .nothing, isMain: Bool = false) -> HTML {
        """
        <form method="post" action="\(links.prefix)\(listing.path)\(path)"><input type="hidden" name="token" \
        value="\(view.token ?? "")">\(hidden)<button class="\(isMain ? "main" : "act")">\(button)</button></form>
        """
    }

    /// What a reader can do; a visitor is sent to sign in by each.
    private var acts: HTML {
        var acts = parts.filter { $0.place == .acts }.map(\.html)
        if view.token != nil {
            let isSaved = marks.contains(.save)
            acts.append(
                form(
                    "/save", isSaved ? word("listing.unsave") : word("listing.save"),
                    "<input type=\"hidden\" name=\"on\" value=\"\(isSaved ? "" : "yes")\">"))
        }
        if !view.isAuthor {
            if listing.hasPhone, isOpen { acts.append(call) }
            acts.append(
                "<a class=\"act\" href=\"\(links.prefix)/report/items/\(item.id.text)\">\(word("listing.report"))</a>")
            if isOpen, !item.isFrozen {
                acts.append(
                    """
                    <a class="act" href="\(links.prefix)/report/items/\(item.id.text)?reason=ownership">\(word("listing.ownership"))</a>
                    """)
            }
        }
        acts.append(
            """
            <button type="button" class="act" data-share="\(links.publicURL)\(listing.path)" data-title="\(item.title)" \
            data-enhanced hidden>\(word("listing.share"))</button>
            """)
        return "<div class=\"actions listing-acts\">\(HTML(joining: acts, separator: "\n"))</div>"
    }

    private var call: HTML {
        if let phone {
            let digits = String(phone.filter { $0.isASCII && ($0.isNumber || $0 == "+") })
            return "<a class=\"main\" href=\"tel:\(digits)\">\(phone)</a>"
        }
        guard view.token != nil else {
            return """
                <a class="act" href="\(links.prefix)/signin?to=\(links.prefix)\(listing.path)">\(word("listing.call.signin"))</a>
                """
        }
        return form("/telephone", word("listing.call"))
    }

    private func fact(_ name: String, _ value: HTML) -> HTML { "<div><dt>\(name)</dt><dd>\(value)</dd></div>" }

    private var facts: HTML {
        var facts: [HTML] = []
        if let place = item.place {
            let name: HTML = place.name.isEmpty ? "" : "<bdi>\(place.name)</bdi><br>"
            facts.append(fact(word("listing.fact.where"), "\(name)<small>\(place.precision.meaning)</small>"))
        }
        if let from = listing.happenedFrom {
            let to = listing.happenedTo ?? from
            facts.append(
                fact(
                    listing.side == .lost ? word("listing.fact.lost") : word("listing.fact.found"),
                    to == from
                        ? Wording.time(from)
                        : .word("listing.span", ["from": Wording.time(from), "to": Wording.time(to)])))
        }
        facts.append(fact(word("listing.fact.back"), "\(listing.handover.name)"))
        if !listing.reward.isEmpty { facts.append(fact(word("listing.fact.reward"), "<bdi>\(listing.reward)</bdi>")) }
        facts.append(
            fact(
                word("listing.fact.by"),
                """
                <a href="\(links.prefix)/@\(item.author.handle)"><bdi>\(item.author.name)</bdi></a>, \(Wording.time(item.created))
                """))
        if isOpen, let expires = item.expires { facts.append(fact(word("listing.fact.until"), Wording.time(expires))) }
        if item.saves > 0 { facts.append(fact(word("listing.fact.saves"), "\(item.saves)")) }
        return """
            <section class="facts" aria-labelledby="about"><h2 id="about">\(word("listing.facts"))</h2>
            <dl>\(HTML(joining: facts, separator: "\n"))</dl>
            \(map)</section>
            """
    }

    /// What its author alone sees.
    private var mine: HTML {
        guard view.isAuthor else { return .nothing }
        var ways: [HTML] = []
        func way(_ path: String, _ name: String) {
            ways.append("<a class=\"act\" href=\"\(links.prefix)\(listing.path)\(path)\">\(name)</a>")
        }
        if !item.isFrozen {
            if isOpen {
                way("/closure", word("listing.settle"))
                way("/edit", word("listing.edit"))
                way("/renewal", word("listing.renew"))
            }
            if isOpen || item.state == .expired || item.state == .draft { way("/withdrawal", word("listing.withdraw")) }
        }
        let shown: HTML =
            calls.map { $0 > 0 && listing.hasPhone ? "<p>\(word("listing.calls", count: $0))</p>" : .nothing }
            ?? .nothing
        let seen: HTML = "<p>\(word("listing.views", count: item.views))</p>"
        return """
            <section class="facts" aria-labelledby="mine"><h2 id="mine">\(word("listing.mine"))</h2>
            \(seen)\(shown)
            <div class="actions">\(HTML(joining: ways, separator: "\n"))</div>
            \(HTML(joining: parts.filter { $0.place == .own }.map(\.html), separator: "\n"))</section>
            """
    }
}
