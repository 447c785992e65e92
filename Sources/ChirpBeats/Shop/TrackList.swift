internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import FoundationEssentials

/// Tracks, one below the other: cover, facts, and a player of the preview.
struct TrackList {
    let tracks: [Track]
    let now: Date
    let links: HubLinks

    /// - Parameter empty: what stands there when there are none.
    func html(empty: String) -> HTML {
        guard !tracks.isEmpty else { return "<p class=\"empty\">\(empty)</p>" }
        let cards = tracks.map { "<li>\(card($0))</li>" as HTML }
        return "<ol class=\"beat-list\" role=\"list\" data-feed>\(HTML(joining: cards, separator: "\n"))</ol>"
    }

    /// The way to the next ones.
    static func pages(_ path: String, _ query: String, hasNext: Bool, links: HubLinks) -> HTML {
        guard hasNext else { return .nothing }
        return """
            <nav class="pages" aria-label="\(word("list.pages"))"><a rel="next" data-next \
            href="\(links.prefix)\(path)?\(query)">\(word("beat.more"))</a></nav>
            """
    }

    private func card(_ track: Track) -> HTML {
        let item = track.item
        return """
            <article class="beat-card" id="b\(item.id.text)">\(Self.cover(item, links))
            <div class="beat-facts"><p class="byline">\(HTML(joining: marks(track), separator: " · "))</p>
            <h2 dir="auto"><a href="\(links.prefix)\(track.path)">\(item.title)</a></h2>
            <p class="byline"><a href="\(links.prefix)/@\(item.author.handle)"><bdi>\(item.author.name)</bdi></a></p>
            <p class="byline">\(facts(track))</p>\(Self.sound(track, links))</div></article>
            """
    }

    private func marks(_ track: Track) -> [HTML] {
        var marks: [HTML] = [
            "<span class=\"beat-kind\">\(track.kind.name)</span>",
            "<b class=\"beat-price\">\(track.price.name)</b>",
        ]
        if !track.versionName.isEmpty { marks.append("<span dir=\"auto\">\(track.versionName)</span>") }
        switch track.item.state {
        case .open: break
        case .draft:
            marks.append(
                "<b>\(track.progress == .refused ? word("beat.state.refused.short") : word("beat.state.draft.short"))</b>"
            )
        case .settled where track.item.outcome == TrackOutcome.sold:
            marks.append("<b>\(word("beat.state.sold.short"))</b>")
        case .settled, .expired, .withdrawn: marks.append("<b>\(word("beat.state.ended.short"))</b>")
        }
        if track.item.isHidden { marks.append("<b>\(word("beat.state.hidden.short"))</b>") }
        return marks
    }

    private func facts(_ track: Track) -> HTML {
        var facts: [HTML] = []
        if let found = track.facts {
            facts.append("\(Wording.clock(Double(found.milliseconds) / 1000))")
            if let tempo = found.tempo { facts.append("\(TrackWording.tempo(tempo))") }
            if let key = found.key { facts.append("\(TrackWording.key(key))") }
        }
        facts += track.item.tags.prefix(5).map { tag -> HTML in
            """
            <a href="\(links.prefix)\(BeatDesk.path)?\(PercentEncoding.form([("tag", tag)]))" dir="auto">#\(tag)</a>
            """
        }
        if track.item.ups > 0 { facts.append("\(word("beat.likes", count: track.item.ups))") }
        return HTML(joining: facts, separator: " · ")
    }

    /// The cover, small; the title stands beside it.
    static func cover(_ item: Item, _ links: HubLinks) -> HTML {
        guard let id = item.pictures.first else {
            return
                "<div class=\"beat-cover\"><span class=\"beat-nothing\" aria-hidden=\"true\">\(Icon.mark)</span></div>"
        }
        return """
            <div class="beat-cover"><img src="\(links.picture(id, .small, below: links.prefix))" width="160" height="160" \
            loading="lazy" decoding="async" alt=""></div>
            """
    }

    /// What is heard of it.
    static func sound(_ track: Track, _ links: HubLinks) -> HTML {
        guard let path = track.previewPath else { return .nothing }
        return """
            <audio class="beat-sound" controls preload="none" src="\(links.prefix)\(path)" \
            aria-label="\(word("beat.preview.of", ["title": track.item.title]))" data-beat-sound></audio>
            """
    }
}
