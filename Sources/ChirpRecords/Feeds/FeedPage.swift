internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpPlaces
internal import ChirpWeb
internal import FoundationEssentials

/// A list of challenges with the ways to the others, and the form to look for more. For visitors it is the front page of the board.
struct FeedPage {
    let search: RecordSearch
    let resolved: RecordSearch.Resolved
    let entries: ChallengeEntries
    let next: String?
    let isCut: Bool
    let visit: ChallengeVisit
    /// Names of places are known here.
    let hasPlaces: Bool
    let token: String?
    let now: Date
    let links: HubLinks

    private var base: String { "\(links.prefix)\(RecordDesk.path)" }
    private var isFront: Bool { search.fields.isEmpty && search.after == nil }
    private var place: ChallengePlace? {
        switch search.feed {
        case .local: .local
        default: isFront ? .global : nil
        }
    }

    var html: HTML {
        let title = isFront ? word("challenge.board") : search.feed.name
        let robots: HTML = isFront ? .nothing : RecordLayout.unlisted
        let further: HTML = isCut ? "<p>\(word("challenge.further"))</p>" : .nothing
        let list = ChallengeList(entries: entries, now: now, links: links)
        return RecordLayout(links: links, token: token, place: place).page(
            title: title, head: robots,
            body: """
                <h1>\(title)</h1>
                \(isFront && token == nil ? front : .nothing)\(feeds)\(search.feed == .local ? local : .nothing)\
                \(meant)\(form)
                <h2 class="section" id="results">\(heading)</h2>
                \(isAsked ? list.html(empty: empty) : .nothing)\(pages)\(further)
                """)
    }

    /// Whether something was looked for; otherwise a place is still to be said.
    private var isAsked: Bool { resolved.query != nil }

    private var pages: HTML {
        let fields = search.fields + [("after", next ?? "")]
        return ChallengeList.pages(
            RecordDesk.path, PercentEncoding.form(fields), hasNext: next != nil, links: links)
    }

    /// What visitors are told before anything else.
    private var front: HTML {
        """
        <div class="challenge-front"><p>\(word("challenge.front.lead"))</p>
        <p class="actions"><a class="main" href="\(links.prefix)\(IntroductionRoutes.path)">\(word("challenge.front.how"))</a>
        <a class="quiet" href="\(links.prefix)/signin?to=\(PercentEncoding.encode(RecordDesk.path))">\(word("challenge.front.signin"))</a></p></div>

        """
    }

    private var feeds: HTML {
        let ways = RecordSearch.Feed.allCases.map { feed -> HTML in
            let current: HTML = feed == search.feed ? " aria-current=\"page\"" : .nothing
            let query = feed == .new ? "feed=new" : "feed=\(feed.rawValue)"
            return "<li><a class=\"act\" href=\"\(base)?\(query)\"\(current)>\(feed.name)</a></li>"
        }
        return """
            <nav aria-label="\(word("challenge.feeds"))"><ul class="tags challenge-feeds" role="list">\
            \(HTML(joining: ways))</ul></nav>

            """
    }

    private var heading: String {
        if search.window != nil { return word("map.list") }
        guard let locality = resolved.locality else {
            if !isAsked { return word("challenge.results.nowhere") }
            return search.words.isEmpty ? search.feed.name : word("challenge.results")
        }
        let values = ["place": resolved.name, "count": "\(locality.radius)"]
        return resolved.name.isEmpty
            ? word("challenge.results.here", values) : word("challenge.results.near", values)
    }

    private var empty: String {
        switch search.feed {
        case .events: word("challenge.none.events")
        case .coming: word("challenge.none.coming")
        case .local: word("challenge.none.local")
        default: word("challenge.none")
        }
    }

    /// Where local is: said by name, or by the browser after a press, and kept for who is signed in.
    private var local: HTML {
        let radii = ChallengeFeed.Locality.radii
        let name = search.isAnywhere && resolved.isKept ? visit.name : search.place
        let at = TypedPlace.text(
            search.at ?? (resolved.isKept && name.isEmpty ? resolved.locality?.centre : nil), places: 3)
        let radius = resolved.locality?.radius ?? search.radius
        let keep: HTML
        if let token, let locality = resolved.locality, !resolved.isKept {
            keep = """
                <form method="post" action="\(base)/local"><input type="hidden" name="token" value="\(token)">\
                <input type="hidden" name="at" value="\(TypedPlace.text(locality.centre, places: 3))">\
                <input type="hidden" name="within" value="\(locality.radius)">\
                <p><button class="act">\(word("challenge.local.keep"))</button></p></form>
                """
        } else if let token, resolved.isKept {
            keep = """
                <form method="post" action="\(base)/local"><input type="hidden" name="token" value="\(token)">\
                <p><button class="act">\(word("challenge.local.forget"))</button></p></form>
                """
        } else {
            keep = .nothing
        }
        return """
            <form class="form challenge-local" method="get" action="\(base)" data-challenge-local>
            <input type="hidden" name="feed" value="local"><input type="hidden" name="at" value="\(at)">
            <p class="field"><label for="local-place">\(word("challenge.local.place"))</label>\
            <span class="hint" id="local-hint">\(hasPlaces ? word("challenge.local.hint") : word("challenge.local.noplaces"))</span>
            <input id="local-place" name="place" type="text" autocomplete="off" value="\(name)" aria-describedby="local-hint"></p>
            <p class="field"><label for="local-within">\(word("challenge.local.within"))</label>
            <input id="local-within" name="within" type="number" inputmode="numeric" min="\(radii.lowerBound)" \
            max="\(radii.upperBound)" value="\(radius)"></p>
            <p class="actions"><button class="main">\(word("challenge.local.show"))</button>
            <button type="button" data-near data-enhanced hidden>\(word("challenge.near"))</button></p>
            <p class="problem" data-near-problem></p>
            </form>\(keep)

            """
    }

    private var form: HTML {
        let categories = Challenge.Category.allCases.map { ($0.rawValue, $0.name) }
        let feed: HTML =
            search.feed == .new
            ? .nothing : "<input type=\"hidden\" name=\"feed\" value=\"\(search.feed.rawValue)\">"
        let whereabouts: HTML
        if search.feed == .local {
            whereabouts = HTML(
                joining: search.fields.filter { ["at", "place", "placeId", "within"].contains($0.name) }.map {
                    "<input type=\"hidden\" name=\"\($0.name)\" value=\"\($0.value)\">" as HTML
                })
        } else {
            whereabouts = """
                <p class="field"><label for="place">\(word("challenge.search.place"))</label>
                <input id="place" name="place" type="text" autocomplete="off" value="\(search.place)"></p>
                """
        }
        let isOpen = !search.words.isEmpty || search.category != nil || !search.place.isEmpty && search.feed != .local
        return """
            <details class="challenge-search"\(isOpen ? " open" : .nothing)><summary>\(word("challenge.search.title"))</summary>
            <form class="form wide" method="get" action="\(base)" role="search">\(feed)
            <p class="field"><label for="q">\(word("challenge.search.words"))</label>
            <input id="q" name="q" type="search" autocomplete="off" value="\(search.words)"></p>
            <p class="field"><label for="category">\(word("challenge.field.category"))</label>
            <select id="category" name="category"><option value="">\(word("challenge.search.all"))</option>\
            \(ChallengeFields.options(categories, chosen: search.category?.rawValue ?? ""))</select></p>
            \(whereabouts)
            <p class="actions"><button class="main">\(word("challenge.search.send"))</button></p></form></details>

            """
    }

    private var meant: HTML {
        let lead: HTML =
            resolved.isUnknown
            ? "<p class=\"problem\">\(word("challenge.fault.place")): <bdi>\(search.place)</bdi>.</p>" : .nothing
        guard !resolved.meant.isEmpty else { return lead }
        let ways = resolved.meant.map { place -> HTML in
            var other = search
            (other.at, other.place, other.placeID) = (nil, place.title, place.id)
            return """
                <li><a class="act" href="\(base)?\(PercentEncoding.form(other.fields))"><bdi>\(place.title)</bdi></a></li>
                """
        }
        return """
            \(lead)<nav aria-label="\(word("challenge.meant"))"><p>\(word("challenge.meant"))</p>\
            <ul class="tags" role="list">\(HTML(joining: ways))</ul></nav>
            """
    }
}

extension RecordSearch.Feed {
    var name: String {
        switch self {
        case .new: word("challenge.feed.new")
        case .popular: word("challenge.feed.popular")
        case .global: word("challenge.feed.global")
        case .local: word("challenge.feed.local")
        case .events: word("challenge.feed.events")
        case .coming: word("challenge.feed.coming")
        }
    }
}

/// The fields of a challenge's forms.
typealias ChallengeFields = FormFields<ChallengeField>
