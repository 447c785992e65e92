internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpMap
internal import ChirpPlaces
internal import ChirpWeb
internal import FoundationEssentials

/// What was lost and found, as a list beside a map, and the form to look for it.
struct ListingSearchPage {
    let search: ListingSearch
    let resolved: ListingSearch.Resolved
    /// The list, and the map beside it.
    let beside: HTML
    let ground: MapGround
    /// The page is of one category: its address can be shared.
    var isCategory = false
    let token: String?
    let links: HubLinks

    private var path: String { Self.path(search, isCategory: isCategory) }

    static func path(_ search: ListingSearch, isCategory: Bool) -> String {
        isCategory ? "\(ListingDesk.path)/category/\(search.category?.rawValue ?? "")" : ListingDesk.path
    }

    private var title: String {
        isCategory ? search.category?.name ?? word("listing.board") : word("listing.board")
    }

    var html: HTML {
        let robots: HTML =
            search.isEmpty || isCategory ? .nothing : "<meta name=\"robots\" content=\"noindex\">"
        return ListingLayout(links: links, token: token, ground: ground).page(
            title: title, head: robots,
            body: """
                <h1>\(title)</h1>
                \(isCategory ? .nothing : "<p class=\"byline\">\(word("listing.lead"))</p>")
                \(form)
                \(meant)
                <h2 class="section" id="results">\(heading)</h2>
                \(beside)
                """)
    }

    /// What stands beside the map.
    static func list(
        _ search: ListingSearch, _ resolved: ListingSearch.Resolved, _ page: ListingsFound, isCategory: Bool,
        now: Date, links: HubLinks
    ) -> HTML {
        let path = path(search, isCategory: isCategory)
        let further: HTML = page.isCut ? "<p>\(word("listing.further"))</p>" : .nothing
        return """
            \(ListingList(page.found, near: resolved.centre, now: now, links: links).html(empty: word("listing.none")))
            \(ListingList.pages(path, fields(search, isCategory: isCategory), next: page.next, links: links))\(further)\
            \(AlertLink(search: search, links: links).html)
            """
    }

    /// What pages further on are asked with.
    private static func fields(_ search: ListingSearch, isCategory: Bool) -> [(name: String, value: String)] {
        search.fields.filter { !(isCategory && $0.name == "category") }
    }

    private var heading: String {
        if search.window != nil { return word("map.list") }
        guard resolved.centre != nil else { return search.isEmpty ? word("listing.newest") : word("listing.results") }
        let values = ["place": resolved.name, "count": "\(search.within)"]
        return resolved.name.isEmpty ? word("listing.results.here", values) : word("listing.results.near", values)
    }

    private var form: HTML {
        let categories = Listing.Category.allCases.map { ($0.rawValue, $0.name) }
        let distances = ListingSearch.distances.map { ("\($0)", word("listing.kilometres", ["count": "\($0)"])) }
        let sides = Listing.Side.allCases.map { ($0.rawValue, $0.name) }
        let category: HTML =
            isCategory
            ? .nothing
            : """
            <p class="field"><label for="category">\(word("listing.field.category"))</label>
            <select id="category" name="category"><option value="">\(word("listing.all"))</option>\
            \(ListingFields.options(categories, chosen: search.category?.rawValue ?? ""))</select></p>
            """
        let orders = [("newest", word("listing.order.newest")), ("nearest", word("listing.order.nearest"))]
        return """
            <form class="form wide listing-search" method="get" action="\(links.prefix)\(path)" role="search" data-listing-search>
            <input type="hidden" name="at" value="\(at)">\(zoom)
            <p class="field"><label for="q">\(word("listing.search.words"))</label>
            <input id="q" name="q" type="search" autocomplete="off" value="\(search.words)"></p>
            <p class="field"><label for="place">\(word("listing.search.place"))</label>
            <input id="place" name="place" type="text" autocomplete="off" value="\(search.at == nil ? search.place : "")"></p>
            <p class="field"><label for="within">\(word("listing.search.within"))</label>
            <select id="within" name="within">\(ListingFields.options(distances, chosen: "\(search.within)"))</select></p>
            <p class="field"><label for="side">\(word("listing.search.side"))</label>
            <select id="side" name="side"><option value="">\(word("listing.both"))</option>\
            \(ListingFields.options(sides, chosen: search.side?.rawValue ?? ""))</select></p>
            \(category)
            <p class="field"><label for="order">\(word("listing.search.order"))</label>
            <select id="order" name="order">\(ListingFields.options(orders, chosen: search.isNearest ? "nearest" : "newest"))</select></p>
            <p class="actions"><button class="main">\(word("listing.search.send"))</button>
            <button type="button" data-near data-enhanced hidden>\(word("listing.near"))</button>\(forget)</p>
            <p class="problem" data-near-problem></p>
            </form>
            """
    }

    private var at: String {
        search.window.map { MapWindow.text($0.centre) } ?? TypedPlace.text(search.at, places: 3)
    }

    /// Words are looked for where the map is.
    private var zoom: HTML {
        search.window.map { "<input type=\"hidden\" name=\"zoom\" value=\"\($0.zoom)\">" } ?? .nothing
    }

    /// The position that was given for this search can be taken back.
    private var forget: HTML {
        guard search.at != nil || search.window != nil else { return .nothing }
        return "<a class=\"quiet\" href=\"\(links.prefix)\(path)\">\(word("listing.forget"))</a>"
    }

    private var meant: HTML {
        let lead: HTML =
            resolved.isUnknown
            ? "<p class=\"problem\">\(word("listing.fault.place")): <bdi>\(search.place)</bdi>.</p>" : .nothing
        guard !resolved.meant.isEmpty else { return lead }
        let ways = resolved.meant.map { place -> HTML in
            var other = search
            (other.at, other.place, other.placeID) = (nil, place.title, place.id)
            let query = PercentEncoding.form(other.fields.filter { !(isCategory && $0.name == "category") })
            return "<li><a class=\"act\" href=\"\(links.prefix)\(path)?\(query)\"><bdi>\(place.title)</bdi></a></li>"
        }
        return """
            \(lead)<nav aria-label="\(word("listing.meant"))"><p>\(word("listing.meant"))</p>\
            <ul class="tags" role="list">\(HTML(joining: ways))</ul></nav>
            """
    }
}

/// All categories, each with how many are open (LF-9).
struct ListingCategoriesPage {
    let counts: [String: Int]
    let token: String?
    let links: HubLinks

    var html: HTML {
        let title = word("listing.way.categories")
        let items = Listing.Category.allCases.map { category -> HTML in
            """
            <li><a href="\(links.prefix)\(ListingDesk.path)/category/\(category.rawValue)">\(category.name)</a> \
            <span>\(counts[category.rawValue] ?? 0)</span></li>
            """
        }
        return ListingLayout(links: links, token: token).page(
            title: title,
            body: """
                <h1>\(title)</h1>
                <p class="byline">\(word("listing.categories.lead"))</p>
                <ul class="listing-categories" role="list">\(HTML(joining: items, separator: "\n"))</ul>
                """)
    }
}
