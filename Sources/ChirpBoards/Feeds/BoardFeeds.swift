internal import ChirpAccounts
package import ChirpCommunity
internal import ChirpPlaces
package import ChirpWeb
internal import FoundationEssentials
internal import Hummingbird

/// New items of a board, in an area or everywhere, for programs that follow them: feed readers, and `chirp live`, which plays what is said
/// in them.
package struct BoardFeeds: Sendable {
    /// A page of what a query finds, as a visitor sees it, and where the next one is.
    package typealias Find = @Sendable (ItemQuery) async throws -> (found: [Item], next: String?)

    private let board: String
    private let title: @Sendable () -> String
    private let spokenSummary: String
    private let narrow: @Sendable (RequestFields, inout ItemQuery) -> Void
    private let find: Find
    private let links: HubLinks

    private static let perPage = 50
    /// The newest items that are looked through for spoken ones: so many at once, and so often.
    private static let (most, pages): (Int, Int) = (100, 10)
    private static let area: [WebField] = [
        .text("at", "latitude,longitude"), .number("within", "metres, from 100 to 250,000"),
    ]

    /// - Parameters:
    ///   - board: its name, as in addresses.
    ///   - title: of the feed, in the visitor's language.
    ///   - spokenSummary: what the call for spoken items does, in a few words.
    ///   - narrow: adds what else a request asks for, such as a category; what makes no sense is as if it were not there.
    package init(
        board: String, title: @escaping @Sendable () -> String, spokenSummary: String, links: HubLinks,
        narrow: @escaping @Sendable (RequestFields, inout ItemQuery) -> Void, find: @escaping Find
    ) {
        self.board = board
        self.title = title
        self.spokenSummary = spokenSummary
        self.links = links
        self.narrow = narrow
        self.find = find
    }

    /// The addresses `/BOARD/feed.json` and `/api/hub/v1/BOARD/spoken`.
    package var routes: [WebRoute] {
        [
            .get("/\(board)/feed.json") { request, _ in
                let found = try await find(try query(request)).found
                let feed = ItemFeed(
                    found, title: title(), address: "\(links.publicURL)\(request.uri.description)",
                    home: "\(links.publicURL)/\(board)", links: links)
                return .document(
                    try WebJSON.encode(feed), type: "application/feed+json; charset=utf-8", to: request)
            },
            .api(
                .get, "/api/hub/v1/\(board)/spoken", .everybody, scope: "read:statuses", summary: spokenSummary,
                query: Self.area + [
                    .number("after", "what the answer before named as next"), .number("limit", "from 1 to 200"),
                ]
            ) { request, _ in
                let after = try request.cursor("after") ?? .start
                let limit = try request.number("limit", in: 1...200) ?? 50
                return try .json(try await spoken(try query(request), after: after, limit: limit))
            },
        ]
    }

    private func spoken(_ query: ItemQuery, after place: PageCursor, limit: Int) async throws -> SpokenItems {
        var query = query
        query.limit = Self.most
        var (spoken, newest): ([Item], Int64) = ([], place.row)
        for _ in 0..<Self.pages {
            let (found, next) = try await find(query)
            newest = max(newest, found.first?.sequence ?? 0)
            let new = found.filter { PageCursor($0.sequence) > place }
            spoken += new.filter { $0.clip != nil }
            guard new.count == found.count, let next else { break }
            query.after = next
        }
        let page = spoken.reversed().prefix(limit)
        let isLast = page.count == spoken.count
        return SpokenItems(
            posts: page.map { SpokenItems.Post($0, links: links) },
            next: isLast ? newest : page.last?.sequence ?? newest)
    }

    /// What a request asks for: an area, or everywhere when none is named, and what the board adds.
    ///
    /// - Throws: 400 for what is no place or no distance.
    private func query(_ request: Request) throws -> ItemQuery {
        let asked = request.asked
        var query = ItemQuery(board: board)
        query.limit = Self.perPage
        narrow(asked, &query)
        guard let at = asked["at"] else { return query }
        let metres = try request.number("within", in: 100...250_000) ?? 2000
        guard let point = TypedPlace.point(at) else { throw HTTPError(.badRequest) }
        query.area = .circle(point, radius: Double(metres))
        return query
    }
}
