internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import FoundationEssentials

/// A list of the shop, with the form to look for more. It is the front page of the board.
struct ShopPage {
    let search: ShopSearch
    let tracks: [Track]
    let next: String?
    let layout: BeatLayout
    let now: Date
    let links: HubLinks

    private var base: String { "\(links.prefix)\(BeatDesk.path)" }

    private var title: String {
        switch search.kind {
        case .beat: word("beat.way.beats")
        case .open: word("beat.way.opens")
        case nil: word("beat.board")
        }
    }

    var html: HTML {
        var layout = layout
        layout.place = search.isFront ? search.kind.map { "?kind=\($0.rawValue)" } : nil
        let lead: HTML = search.isFront && layout.token == nil ? "<p>\(word("beat.front"))</p>\n" : .nothing
        return layout.page(
            title: title, head: search.isFront ? .nothing : BeatLayout.unlisted,
            body: """
                <h1>\(title)</h1>
                \(lead)\(form)
                <h2 class="section" id="results">\(heading)</h2>
                \(TrackList(tracks: tracks, now: now, links: links).html(empty: word("beat.none")))\(pages)
                """)
    }

    private var heading: String {
        if !search.isFront { return word("beat.results") }
        return search.order == .liked ? word("beat.sort.liked") : word("beat.sort.new")
    }

    private var pages: HTML {
        TrackList.pages(
            BeatDesk.path, PercentEncoding.form(search.fields + [("after", next ?? "")]), hasNext: next != nil,
            links: links)
    }

    private func number(_ name: String, _ label: String, _ value: Int?) -> HTML {
        let tempos = TrackWords.tempos
        return """
            <p class="field"><label for="\(name)">\(label)</label>
            <input id="\(name)" name="\(name)" type="number" inputmode="numeric" min="\(tempos.lowerBound)" \
            max="\(tempos.upperBound)" value="\(value.map { "\($0)" } ?? "")"></p>
            """
    }

    private func list(
        _ name: String, _ label: String, _ choices: [(value: String, name: String)], _ chosen: String, first: String?
    ) -> HTML {
        let none: HTML = first.map { "<option value=\"\">\($0)</option>" } ?? .nothing
        return """
            <p class="field"><label for="\(name)">\(label)</label>
            <select id="\(name)" name="\(name)">\(none)\(FormFields<TrackField>.options(choices, chosen: chosen))</select></p>
            """
    }

    private var form: HTML {
        let any = word("beat.search.any")
        let keys = Tonality.allCases.map { (value: "\($0.number)", name: $0.name) }
        let parts: [HTML] = [
            """
            <p class="field"><label for="q">\(word("beat.search.words"))</label>
            <input id="q" name="q" type="search" autocomplete="off" value="\(search.words)"></p>
            """,
            list(
                "kind", word("beat.field.kind"), Track.Kind.allCases.map { ($0.rawValue, $0.name) },
                search.kind?.rawValue ?? "", first: any),
            number("from", word("beat.search.from"), search.from),
            number("to", word("beat.search.to"), search.to),
            list("key", word("beat.key"), keys, search.key.map { "\($0.number)" } ?? "", first: any),
            list(
                "price", word("beat.field.price"), TrackPrice.Band.allCases.map { ($0.rawValue, $0.name) },
                search.price?.rawValue ?? "", first: any),
            """
            <p class="field"><label for="tag">\(word("beat.field.tags"))</label>
            <input id="tag" name="tag" type="text" autocomplete="off" value="\(search.tags.joined(separator: ", "))"></p>
            """,
            list(
                "sort", word("beat.search.sort"),
                [("new", word("beat.sort.new")), ("liked", word("beat.sort.liked"))], search.order.rawValue,
                first: nil),
        ]
        return """
            <details class="beat-search"\(search.isFront ? .nothing : " open")><summary>\(word("beat.search.title"))</summary>
            <form class="form wide" method="get" action="\(base)" role="search" data-beat-search>\(HTML(joining: parts, separator: "\n"))
            <p class="actions"><button class="main">\(word("beat.search.send"))</button></p></form></details>

            """
    }
}
