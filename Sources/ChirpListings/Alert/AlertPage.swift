internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpPlaces
internal import ChirpWeb
internal import FoundationEssentials

/// What somebody has saved.
struct AlertsPage {
    let alerts: [Alert]
    let token: String?
    let links: HubLinks

    private var path: String { "\(links.prefix)\(ListingDesk.path)/alerts" }

    var html: HTML {
        ListingLayout(links: links, token: token).page(
            title: word("alert.title"), head: ListingLayout.unlisted,
            body: """
                <h1>\(word("alert.title"))</h1>
                <p>\(word("alert.how"))</p>
                \(list)
                <p class="actions"><a class="main" href="\(path)/new">\(word("alert.new"))</a></p>
                """)
    }

    private var list: HTML {
        guard !alerts.isEmpty else { return "<p class=\"empty\">\(word("alert.none"))</p>" }
        let items = alerts.map { alert -> HTML in
            let fresh: HTML =
                alert.fresh > 0
                ? " <strong class=\"unread\">\(word("alert.fresh", count: alert.fresh))</strong>" : .nothing
            return """
                <li class="post"><div class="text"><h2 dir="auto"><a href="\(path)/\(alert.id.text)">\(alert.wish.name)</a>\(fresh)</h2>
                <p class="byline">\(Wording.time(alert.created))</p></div></li>
                """
        }
        return "<ol class=\"posts\" role=\"list\">\(HTML(joining: items, separator: "\n"))</ol>"
    }
}

/// One of them, with what has come that fits.
struct AlertPage {
    let alert: Alert
    let listings: [Listing]
    let now: Date
    let token: String?
    let links: HubLinks

    private var layout: ListingLayout { ListingLayout(links: links, token: token) }

    var html: HTML {
        let path = "\(links.prefix)\(ListingDesk.path)/alerts/\(alert.id.text)"
        let seen: HTML = alert.fresh > 0 ? layout.button(word("alert.seen"), to: "\(path)/seen") : .nothing
        return layout.page(
            title: alert.wish.name, head: ListingLayout.unlisted,
            body: """
                <h1 dir="auto">\(alert.wish.name)</h1>
                \(ListingList(listings, near: alert.wish.area?.point, now: now, links: links).html(empty: word("alert.empty")))
                \(seen)
                <p class="actions"><a href="\(links.prefix)\(ListingDesk.path)?\(query)">\(word("alert.search"))</a>
                <a href="\(path)/edit">\(word("alert.change"))</a></p>
                \(layout.button(word("alert.remove"), to: "\(path)/removal"))
                """)
    }

    private var query: String { PercentEncoding.form(ListingSearch(alert.wish).fields) }
}

/// The form of a saved search.
struct AlertForm {
    let search: ListingSearch
    /// Nil: of a new one.
    let id: HubID?
    let problem: String?
    let token: String?
    let links: HubLinks

    /// What such a form has sent.
    static func search(_ form: Form) -> ListingSearch {
        let names = ["q", "side", "category", "place", "at", "within"]
        // A name that was typed stands for itself, not for the point that was there before.
        return ListingSearch(RequestFields(names.filter { $0 != "at" || form["place"].isEmpty }.map { ($0, form[$0]) }))
    }

    var html: HTML {
        let path = "\(links.prefix)\(ListingDesk.path)/alerts/\(id.map { "\($0)/edit" } ?? "new")"
        let title = id == nil ? word("alert.new") : word("alert.change")
        let sides = Listing.Side.allCases.map { ($0.rawValue, $0.name) }
        let categories = Listing.Category.allCases.map { ($0.rawValue, $0.name) }
        let distances = ListingSearch.distances.map { ("\($0)", word("listing.kilometres", ["count": "\($0)"])) }
        return ListingLayout(links: links, token: token).form(
            title: title, problem: problem.map { "<p>\($0)</p>" } ?? .nothing,
            content: """
                <p>\(word("alert.how"))</p>
                <form method="post" action="\(path)" data-listing-search><input type="hidden" name="token" value="\(token ?? "")">\
                <input type="hidden" name="at" value="\(TypedPlace.text(search.at, places: 4))" data-at>
                <p class="field"><label for="q">\(word("listing.search.words"))</label>
                <input id="q" name="q" type="text" autocomplete="off" maxlength="\(Alert.longestWords)" value="\(search.words)"></p>
                <p class="field"><label for="side">\(word("listing.search.side"))</label>
                <select id="side" name="side"><option value="">\(word("listing.both"))</option>\
                \(ListingFields.options(sides, chosen: search.side?.rawValue ?? ""))</select></p>
                <p class="field"><label for="category">\(word("listing.field.category"))</label>
                <select id="category" name="category"><option value="">\(word("listing.all"))</option>\
                \(ListingFields.options(categories, chosen: search.category?.rawValue ?? ""))</select></p>
                <p class="field"><label for="place">\(word("listing.search.place"))</label>\(point)
                <input id="place" name="place" type="text" autocomplete="off" value="\(search.place)"></p>
                <p class="field"><label for="within">\(word("listing.search.within"))</label>
                <select id="within" name="within">\(ListingFields.options(distances, chosen: "\(search.within)"))</select></p>
                <p><button class="main">\(word("alert.save"))</button></p></form>
                """)
    }

    /// That a point is chosen already.
    private var point: HTML {
        guard let at = search.at else { return .nothing }
        return "<span class=\"hint\">\(word("alert.point", ["point": TypedPlace.text(at, places: 2)]))</span>"
    }
}

extension Alert.Wish {
    /// What is looked for, in a few words.
    var name: String {
        var parts: [String] = []
        if !words.isEmpty { parts.append(words) }
        if let side { parts.append(side.name) }
        if let category { parts.append(category.name) }
        if let area {
            let place = area.name.isEmpty ? TypedPlace.text(area.point, places: 2) : area.name
            parts.append(word("alert.near", ["km": "\(Int(clamping: area.radius / 1000))", "place": place]))
        }
        return parts.joined(separator: ", ")
    }
}

/// The way from a search to be told of what will fit it.
struct AlertLink {
    let search: ListingSearch
    let links: HubLinks

    var html: HTML {
        let query = PercentEncoding.form(search.fields.filter { $0.name != "order" })
        return """
            <p><a href="\(links.prefix)\(ListingDesk.path)/alerts/new\(query.isEmpty ? "" : "?\(query)")">\(word("alert.link"))</a></p>
            """
    }
}
