internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpMap
internal import ChirpWeb
internal import Hummingbird

/// Looking for what was lost or found: by words, side, category and place, for people and programs.
struct SearchRoutes {
    let desk: ListingDesk

    var routes: [WebRoute] {
        [
            .get(ListingDesk.path) { request, context in
                try await page(ListingSearch(request.asked), request, context)
            },
            .get("\(ListingDesk.path)/categories") { request, context in
                let counts = try await counts(context)
                return desk.show(request, context) { token in
                    ListingCategoriesPage(counts: counts, token: token, links: desk.links).html
                }
            },
            .get("\(ListingDesk.path)/category/:name") { request, context in
                var search = ListingSearch(request.asked)
                guard let category = context.parameters.get("name").flatMap(Listing.Category.init) else {
                    throw HTTPError(.notFound)
                }
                search.category = category
                return try await page(search, request, context, isCategory: true)
            },
            .api(
                .get, ListingDesk.api, .everybody, scope: "read:statuses",
                summary: "Listings of Lost & Found that somebody looks for",
                query: Self.query
            ) { request, context in
                let search = ListingSearch(request.asked)
                let resolved = try await search.resolved(in: desk.desk.gazetteer)
                let page = try await page(resolved, context)
                return answer(try .json(ListingListDocument(page, place: resolved, links: desk.links)), context)
            },
            .api(
                .get, "\(ListingDesk.api)/markers", .everybody, scope: "read:statuses",
                summary: "Listings in a part of the earth as markers of a map, many at one place as one",
                query: Self.query + [.text("box", "south,west,north,east"), .number("zoom")]
            ) { request, context in
                let asked = request.asked
                guard let box = MapWindow.box(asked["box"]) else {
                    throw Problem.notTaken(["box": "south,west,north,east"])
                }
                let search = ListingSearch(asked)
                let query = try await search.resolved(in: nil).query
                let points = try await desk.map.points(query, in: box, near: nil, for: context.viewer)
                let zoom = asked["zoom"]?.integer(in: -99...999) ?? 10
                return answer(try .json(MapMarkers(points, in: box, zoom: zoom)), context)
            },
            .api(
                .get, "\(ListingDesk.api)/categories", .everybody, scope: "read:statuses",
                summary: "The categories of Lost & Found, and how many listings are open in each"
            ) { _, context in
                let counts = try await counts(context)
                let all = Listing.Category.allCases.map { Count(category: $0.rawValue, open: counts[$0.rawValue] ?? 0) }
                return answer(try .json(Counts(categories: all)), context)
            },
        ]
    }

    private static let query: [WebField] = [
        .text("q", isRequired: false, "words"), .text("side", isRequired: false, "lost or found"),
        .text("category", isRequired: false), .text("place", isRequired: false, "the name of a place"),
        .number("placeId", "one among several of that name"), .text("at", isRequired: false, "latitude,longitude"),
        .number("within", "kilometres"), .text("order", isRequired: false, "newest or nearest"),
        .text("after", isRequired: false, "where the page before ended"),
    ]

    private struct Count: Encodable {
        let category: String
        let open: Int
    }
    private struct Counts: Encodable { let categories: [Count] }

    private func counts(_ context: WebContext) async throws -> [String: Int] {
        try await desk.desk.library.seen(by: context.viewer).itemCounts(board: ListingStore.board)
    }

    /// What is different for each person stays with her.
    private func answer(_ response: Response, _ context: WebContext) -> Response {
        context.person == nil ? response : response.personal
    }

    /// A place that nobody knows has nothing near it; the whole world would be no answer.
    private func page(_ resolved: ListingSearch.Resolved, _ context: WebContext) async throws -> ListingsFound {
        resolved.isUnknown ? .init() : try await desk.store.page(resolved.query, for: context.viewer)
    }

    private func page(
        _ search: ListingSearch, _ request: Request, _ context: WebContext, isCategory: Bool = false
    ) async throws -> Response {
        let resolved = try await search.resolved(in: desk.desk.gazetteer)
        let found = try await page(resolved, context)
        let now = desk.desk.library.now()
        let list = ListingSearchPage.list(
            search, resolved, found, isCategory: isCategory, now: now, links: desk.links)
        let beside = try await desk.map.beside(
            list, name: word("listing.map"), resolved.window,
            resolved.isUnknown ? nil : resolved.query,
            fields: search.fieldsAnywhere, path: ListingSearchPage.path(search, isCategory: isCategory),
            inPath: isCategory ? "category" : nil, near: resolved.centre, for: context.viewer)
        return desk.show(request, context) { token in
            ListingSearchPage(
                search: search, resolved: resolved, beside: beside, ground: desk.ground, isCategory: isCategory,
                token: token, links: desk.links
            ).html
        }
    }
}
