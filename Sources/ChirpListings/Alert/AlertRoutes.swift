internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpPlaces
internal import ChirpWeb
internal import Hummingbird

/// Saved searches: pages, and the same for programs. What is looked for has the names that a search's address has.
struct AlertRoutes {
    let desk: ListingDesk
    private let store: AlertStore

    init(_ desk: ListingDesk) {
        self.desk = desk
        store = AlertStore(library: desk.desk.library)
    }

    private static let path = "\(ListingDesk.path)/alerts"
    private static let api = "\(ListingDesk.api)/alerts"
    private static let fields: [WebField] = [
        .text("q", isRequired: false, "words, all of which must be there"),
        .text("side", isRequired: false, "lost or found"), .text("category", isRequired: false),
        .text("place", isRequired: false, "the name of a place"), .text("at", isRequired: false, "latitude,longitude"),
        .number("within", "kilometres"),
    ]

    var routes: [WebRoute] { pages + programs }

    private var pages: [WebRoute] {
        [
            .get(Self.path, .signedIn) { request, context in
                let alerts = try await store.alerts(of: context.account)
                return desk.show(request, context) { token in
                    AlertsPage(alerts: alerts, token: token, links: desk.links).html
                }
            },
            .get("\(Self.path)/new", .active) { request, context in
                form(ListingSearch(request.asked), nil, request, context)
            },
            .post("\(Self.path)/new", .active) { request, context, form in
                try await save(AlertForm.search(form), nil, request, context)
            },
            .get("\(Self.path)/:alert", .signedIn) { request, context in
                try await desk.answering(request, context) {
                    let (alert, listings) = try await named(context)
                    return desk.show(request, context) { token in
                        AlertPage(
                            alert: alert, listings: listings, now: desk.desk.library.now(), token: token,
                            links: desk.links
                        ).html
                    }
                }
            },
            .get("\(Self.path)/:alert/edit", .active) { request, context in
                try await desk.answering(request, context) {
                    let alert = try await named(context).alert
                    return form(ListingSearch(alert.wish), alert.id, request, context)
                }
            },
            .post("\(Self.path)/:alert/edit", .active) { request, context, form in
                try await desk.answering(request, context) {
                    let alert = try await named(context).alert
                    return try await save(AlertForm.search(form), alert.id, request, context)
                }
            },
            .post("\(Self.path)/:alert/seen", .signedIn) { request, context, _ in
                try await desk.answering(request, context) {
                    let alert = try await named(context).alert
                    try await store.look(alert.id, by: context.account)
                    return desk.goOn(to: "\(Self.path)/\(alert.id)")
                }
            },
            .post("\(Self.path)/:alert/removal", .signedIn) { request, context, _ in
                try await desk.answering(request, context) {
                    try await remove(context)
                    return desk.goOn(to: Self.path)
                }
            },
        ]
    }

    private var programs: [WebRoute] {
        [
            .api(.get, Self.api, .signedIn, scope: "read:statuses", summary: "Lists one's saved searches") {
                _, context in
                let alerts = try await store.alerts(of: context.account)
                return .json { json in
                    json.field("alerts") { json in
                        json.array(alerts) { json, alert in json.object { write(alert, &$0) } }
                    }
                }
            },
            .api(
                .post, Self.api, .active, scope: "write:statuses", body: .upTo(Form.mostBytes),
                summary: "Saves a search, to be told of new listings that fit", takes: Self.fields, gives: 201
            ) { request, context in
                try await desk.answering(request, context) {
                    let wish = try await wish(of: ListingSearch(try await request.fields()))
                    return try await one(try await saved(wish, as: nil, context), context, status: .created)
                }
            },
            .api(
                .get, "\(Self.api)/:alert", .signedIn, scope: "read:statuses",
                summary: "A saved search, and the ids of listings that fit"
            ) { request, context in
                try await desk.answering(request, context) { try await one(try await named(context).alert.id, context) }
            },
            .api(
                .put, "\(Self.api)/:alert", .active, scope: "write:statuses", body: .upTo(Form.mostBytes),
                summary: "Looks for something else", takes: Self.fields
            ) { request, context in
                try await desk.answering(request, context) {
                    let alert = try await named(context).alert
                    let wish = try await wish(of: ListingSearch(try await request.fields()))
                    return try await one(try await saved(wish, as: alert.id, context), context)
                }
            },
            .api(
                .delete, "\(Self.api)/:alert", .signedIn, scope: "write:statuses", summary: "Forgets a saved search",
                gives: 204
            ) { request, context in
                try await desk.answering(request, context) {
                    try await remove(context)
                    return Response(status: .noContent)
                }
            },
        ]
    }

    /// The one that a path names, if it is the asker's, and what fits it.
    private func named(_ context: WebContext) async throws -> (alert: Alert, listings: [Listing]) {
        guard let id = context.parameters.get("alert").flatMap({ HubID($0) }),
            let found = try await store.found(id, of: context.account)
        else { throw Problem.noListing }
        return found
    }

    /// - Throws: 422 for a place that nobody knows.
    private func wish(of search: ListingSearch) async throws -> Alert.Wish {
        var wish = Alert.Wish()
        (wish.words, wish.side, wish.category) = (search.words, search.side, search.category)
        let resolved = try await search.resolved(in: desk.desk.gazetteer)
        guard !resolved.isUnknown else {
            let meant = resolved.meant.map(\.title).joined(separator: "; ")
            let sentence = meant.isEmpty ? word("alert.noplace") : word("alert.meant", ["places": meant])
            throw Problem.notTaken(["place": sentence])
        }
        if let centre = resolved.centre {
            wish.area = Alert.Area(point: centre, radius: Double(search.within) * 1000, name: resolved.name)
        }
        return wish
    }

    /// - Throws: ``Problem``.
    private func saved(_ wish: Alert.Wish, as id: HubID?, _ context: WebContext) async throws -> HubID {
        do { return try await store.save(wish, as: id, by: context.account) } catch let refusal as AlertRefusal {
            switch refusal {
            case .notFound: throw Problem.noListing
            case .tooWide: throw Problem.notTaken(["q": word("alert.wide")])
            case .tooLong: throw Problem.notTaken(["q": word("alert.long", ["most": "\(Alert.longestWords)"])])
            case .tooMany: throw Problem.notTaken(["q": word("alert.many", ["most": "\(Alert.most)"])])
            }
        }
    }

    private func save(
        _ search: ListingSearch, _ id: HubID?, _ request: Request, _ context: WebContext
    ) async throws -> Response {
        do {
            let saved = try await saved(try await wish(of: search), as: id, context)
            return desk.goOn(to: "\(Self.path)/\(saved)")
        } catch let problem as Problem where problem.status == .unprocessableContent {
            return form(search, id, request, context, problem)
        }
    }

    private func remove(_ context: WebContext) async throws {
        try await store.remove(try await named(context).alert.id, by: context.account)
    }

    private func form(
        _ search: ListingSearch, _ id: HubID?, _ request: Request, _ context: WebContext, _ problem: Problem? = nil
    ) -> Response {
        desk.show(request, context, status: problem?.status ?? .ok) { token in
            AlertForm(search: search, id: id, problem: problem?.sentence, token: token, links: desk.links).html
        }
    }

    private func one(_ id: HubID, _ context: WebContext, status: HTTPResponse.Status = .ok) async throws -> Response {
        guard let (alert, listings) = try await store.found(id, of: context.account) else { throw Problem.noListing }
        var text = JSONText()
        text.object { json in
            write(alert, &json)
            json.field("listings") { json in json.array(listings) { $0.value($1.id.text) } }
        }
        return .json(text, status: status)
    }

    private func write(_ alert: Alert, _ json: inout JSONText) {
        json.field("id", alert.id.text)
        json.field("q", alert.wish.words)
        json.field("side", alert.wish.side?.rawValue)
        json.field("category", alert.wish.category?.rawValue)
        json.field("place", alert.wish.area?.name)
        json.field("at", alert.wish.area.map { TypedPlace.text($0.point, places: 4) })
        json.field("within", alert.wish.area.map { Int(clamping: $0.radius / 1000) })
        json.field("created", alert.created)
        json.field("new", alert.fresh)
    }
}

extension ListingSearch {
    init(_ wish: Alert.Wish) {
        self.init()
        (words, side, category) = (wish.words, wish.side, wish.category)
        if let area = wish.area {
            (at, within) = (area.point, Int(clamping: area.radius / 1000))
        }
    }
}
