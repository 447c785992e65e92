internal import ChirpCommunity
internal import ChirpWeb
internal import FoundationEssentials

/// Some challenges with what their entries in a list tell beside them (OU-10).
struct ChallengeEntries {
    let challenges: [Challenge]
    /// Who holds the world's record of each, by challenge.
    let holders: [HubID: RecordSpan]
    /// At which the viewer holds a record, of whichever area.
    let led: Set<HubID>
    /// Films that show those records.
    let films: [HubID: HubID]
}

extension RecordDesk {
    func entries(_ challenges: [Challenge], for viewer: Viewer) async throws -> ChallengeEntries {
        let rules = challenges.map(\.rule.id)
        var led: Set<HubID> = []
        if case .member(let account) = viewer {
            let ids = try await holds.led(by: account, of: rules)
            led = Set(challenges.filter { ids.contains($0.rule.id) }.map(\.id))
        }
        let holders = try await holds.worldHolders(of: rules, for: viewer)
        return ChallengeEntries(
            challenges: challenges, holders: holders, led: led, films: try await attempts.films(of: holders.values))
    }
}

/// A list of them, one below the other.
struct ChallengeList {
    let entries: ChallengeEntries
    let now: Date
    let links: HubLinks

    /// - Parameter empty: what stands there when there are none.
    func html(empty: String) -> HTML {
        guard !entries.challenges.isEmpty else { return "<p class=\"empty\">\(empty)</p>" }
        let cards = entries.challenges.map { challenge -> HTML in
            let card = ChallengeCard(
                challenge: challenge, holder: entries.holders[challenge.id], isLed: entries.led.contains(challenge.id),
                film: entries.films[challenge.id], now: now, links: links)
            return "<li>\(card.html)</li>"
        }
        return "<ol class=\"challenge-list\" role=\"list\" data-feed>\(HTML(joining: cards, separator: "\n"))</ol>"
    }

    /// The way to the next ones. With the script they are there before it is reached.
    static func pages(_ path: String, _ query: String, hasNext: Bool, links: HubLinks) -> HTML {
        guard hasNext else { return .nothing }
        return """
            <nav class="pages" aria-label="\(word("list.pages"))"><a rel="next" data-next \
            href="\(links.prefix)\(path)?\(query)">\(word("challenge.more"))</a></nav>
            """
    }
}

/// One of them: a picture beside the facts.
struct ChallengeCard {
    let challenge: Challenge
    let holder: RecordSpan?
    let isLed: Bool
    let film: HubID?
    let now: Date
    let links: HubLinks

    private var item: Item { challenge.item }
    private var terms: RuleTerms { challenge.rule.terms }

    var html: HTML {
        """
        <article class="challenge-card\(isLed ? " challenge-led" : .nothing)" id="c\(item.id.text)">\(picture)
        <div class="challenge-facts"><p class="byline">\(HTML(joining: marks, separator: " · "))</p>
        <h2 dir="auto"><a href="\(links.prefix)\(challenge.path)">\(item.title)</a></h2>
        <p class="challenge-best">\(best)</p>
        \(time)<details class="challenge-details"><summary>\(word("challenge.card.more"))\
        <span class="visually-hidden">: \(item.title)</span></summary>\(more)</details></div></article>
        """
    }

    /// Of what is shown in motion the script plays four silent seconds, while they are to be seen.
    private var picture: HTML {
        let still: HTML
        if let id = item.pictures.first {
            still = """
                <img src="\(address(id, .small))" srcset="\(address(id, .small)) 320w, \(address(id, .medium)) 800w" \
                sizes="(min-width: 34rem) 14rem, 92vw" width="320" height="240" loading="lazy" decoding="async" alt="">
                """
        } else if let film {
            still = """
                <img src="\(links.film(film, .poster, below: links.prefix))" width="320" height="240" loading="lazy" \
                decoding="async" alt="">
                """
        } else {
            still =
                "<span class=\"challenge-nothing\" aria-hidden=\"true\">\(terms.unit.symbol.isEmpty ? "1" : terms.unit.symbol)</span>"
        }
        let preview: HTML =
            film.map { " data-preview=\"\(links.film($0, .preview, below: links.prefix))\"" } ?? .nothing
        return "<div class=\"challenge-picture\"\(preview)>\(still)</div>"
    }

    private func address(_ id: HubID, _ size: HubPicture.Size) -> String {
        links.picture(id, size, below: links.prefix)
    }

    /// Category and popularity, and what the viewer has to do with it.
    private var marks: [HTML] {
        var marks: [HTML] = ["<span class=\"challenge-category\">\(challenge.categoryName)</span>"]
        marks.append(
            """
            <span class="challenge-votes">\(word("challenge.votes", ["ups": "\(item.ups)", "downs": "\(item.downs)"]))</span>
            """)
        if isLed { marks.append("<b class=\"challenge-lead\">\(word("challenge.card.led"))</b>") }
        switch item.state {
        case .open: break
        case .draft: marks.append("<b>\(word("challenge.state.draft.short"))</b>")
        case .settled, .expired, .withdrawn: marks.append("<b>\(word("challenge.state.ended.short"))</b>")
        }
        if item.isHidden { marks.append("<b>\(word("challenge.state.hidden.short"))</b>") }
        return marks
    }

    private var best: HTML {
        guard let holder else { return "\(word("challenge.card.none"))" }
        let name: HTML = "<bdi>\(holder.person?.name ?? word("challenge.someone"))</bdi>"
        return HTML.word(
            "challenge.card.best",
            [
                "score": "<b>\(terms.said(holder.score))</b>", "name": name,
                "days": "\(RecordWording.days(holder.days))",
            ])
    }

    private var time: HTML {
        guard let event = terms.event else { return .nothing }
        return "<p class=\"challenge-time\">\(EventWording.sentence(event, now: now))</p>"
    }

    private var more: HTML {
        var facts: [HTML] = ["\(terms.gist)"]
        if let place = item.place, !place.name.isEmpty { facts.append("<bdi>\(place.name)</bdi>") }
        if terms.place == .here { facts.append("\(word("challenge.here.only"))") }
        facts.append("\(RecordWording.ago(item.created, now: now))")
        if item.comments > 0 { facts.append("\(word("challenge.comments", count: item.comments))") }
        let text = String(item.text.prefix(300))
        return """
            <p class="byline">\(HTML(joining: facts, separator: " · "))</p>\
            \(RecordWording.lines(text, language: item.language))
            """
    }
}

/// When a timed event is, in words.
enum EventWording {
    static func sentence(_ event: RuleTerms.Event, now: Date) -> HTML {
        let values = ["begins": Wording.time(event.begins), "ends": Wording.time(event.ends)]
        if now < event.begins { return HTML.word("challenge.event.coming", values) }
        if now <= event.ends { return HTML.word("challenge.event.running", values) }
        return HTML.word("challenge.event.over", values)
    }
}
