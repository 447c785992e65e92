internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpMap
internal import ChirpPlaces
internal import ChirpWeb
internal import Hummingbird

extension RecordDesk {
    /// The board's maps: beside lists, and where a place is chosen.
    var map: BoardMap {
        BoardMap(desk, board: Records.board, ground: ground) { [links, now] item, spot, _ in
            let category = Challenge.Category(rawValue: item.category)?.name ?? item.category
            return MapPoint(
                point: spot ?? item.place?.shown ?? GeoPoint(nearLatitude: 0, longitude: 0), title: item.title,
                detail: "\(category) · \(RecordWording.ago(item.created, now: now))",
                href: "\(Self.path)/\(item.id)",
                pictureHref: item.pictures.first.map { links.picture($0, .small, below: "") })
        }
    }

    /// New challenges of an area, for programs that follow them.
    var feeds: BoardFeeds {
        BoardFeeds(
            board: Records.board, title: { word("challenge.board") },
            spokenSummary: "New challenges of an area in which somebody speaks, in the form of posts, oldest first",
            links: links,
            narrow: { asked, query in
                query.category = asked["category"].flatMap(Challenge.Category.init)?.rawValue
            },
            find: { [challenges] query in
                let (found, next, _) = try await challenges.challenges(query, for: .visitor)
                return (found.map(\.item), next)
            })
    }
}

/// Challenges on a map, drawn by the server, with the list of the same beside it.
struct MapPageRoutes {
    let desk: RecordDesk

    private static let path = "\(RecordDesk.path)/map"

    var routes: [WebRoute] {
        [
            .get(Self.path) { request, context in
                var search = RecordSearch(request.asked)
                if search.feed == .local { search.feed = .new }
                let resolved = try await search.resolved(in: desk.desk.gazetteer, ChallengeVisit())
                let found = try await FeedRoutes(desk: desk).found(search, resolved, context)
                let entries = try await desk.entries(found.found, for: context.viewer)
                let list: HTML = """
                    \(ChallengeList(entries: entries, now: desk.now, links: desk.links).html(empty: word("challenge.none")))\
                    \(pages(search, found.next))
                    """
                let beside = try await desk.map.beside(
                    list, name: word("challenge.map"), resolved.window, resolved.query, fields: search.fieldsAnywhere,
                    path: Self.path, near: resolved.locality?.centre, for: context.viewer)
                return desk.show(request, context) { token in page(search, resolved, beside, token) }
            },
            .api(
                .get, "\(RecordDesk.api)/markers", .everybody, scope: "read:statuses",
                summary: "Challenges in a part of the earth as markers of a map, many at one place as one",
                query: FeedRoutes.query + [.text("box", "south,west,north,east"), .number("zoom")]
            ) { request, context in
                let asked = request.asked
                guard let box = MapWindow.box(asked["box"]) else {
                    throw Problem.notTaken(["box": "south,west,north,east"])
                }
                var search = RecordSearch(asked)
                if search.feed == .local { search.feed = .new }
                let resolved = try await search.resolved(in: nil, ChallengeVisit())
                var points: [MapPoint] = []
                if let query = resolved.query {
                    points = try await desk.map.points(query, in: box, near: nil, for: context.viewer)
                }
                let zoom = asked["zoom"]?.integer(in: -99...999) ?? 10
                return desk.answer(try .json(MapMarkers(points, in: box, zoom: zoom)), context)
            },
        ]
    }

    private func pages(_ search: RecordSearch, _ next: String?) -> HTML {
        let query = PercentEncoding.form(search.fields + [("after", next ?? "")])
        return ChallengeList.pages(Self.path, query, hasNext: next != nil, links: desk.links)
    }

    private func page(
        _ search: RecordSearch, _ resolved: RecordSearch.Resolved, _ beside: HTML, _ token: String?
    ) -> HTML {
        let title = word("challenge.map")
        let wrong: HTML =
            resolved.isUnknown
            ? "<p class=\"problem\">\(word("challenge.fault.place")): <bdi>\(search.place)</bdi>.</p>" : .nothing
        return RecordLayout(links: desk.links, token: token, ground: desk.ground).page(
            title: title, head: search.fields.isEmpty ? .nothing : RecordLayout.unlisted,
            body: """
                <h1>\(title)</h1>
                <form class="form wide challenge-search" method="get" action="\(desk.prefix)\(Self.path)" role="search">
                <p class="field"><label for="q">\(word("challenge.search.words"))</label>
                <input id="q" name="q" type="search" autocomplete="off" value="\(search.words)"></p>
                <p class="field"><label for="place">\(word("challenge.search.place"))</label>
                <input id="place" name="place" type="text" autocomplete="off" value="\(search.place)"></p>
                <p class="actions"><button class="main">\(word("challenge.search.send"))</button></p></form>
                \(wrong)
                <h2 class="section" id="results">\(word("challenge.results"))</h2>
                \(beside)
                """)
    }
}
