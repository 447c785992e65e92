internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import FoundationEssentials
internal import Hummingbird

/// What belongs to somebody: the tracks that she offers, and those that she has archived or likes; and what somebody else offers.
struct OwnRoutes {
    let desk: BeatDesk

    private static let perPage = 24

    /// One of her lists.
    enum Kind: String, CaseIterable {
        case mine, archive

        var name: String {
            switch self {
            case .mine: word("beat.way.mine")
            case .archive: word("beat.way.archive")
            }
        }
    }

    var routes: [WebRoute] {
        Kind.allCases.flatMap(lists) + [
            .get("\(BeatDesk.path)/by/:handle") { request, context in
                guard let handle = context.parameters.get("handle"),
                    let person = try await desk.desk.library.seen(by: context.viewer).person(named: handle)
                else { throw HTTPError(.notFound) }
                var query = ItemQuery(board: Beats.board)
                query.author = person.id
                query.after = request.asked["after"]
                query.limit = Self.perPage
                let page = try await desk.tracks.tracks(query, for: context.viewer)
                return desk.show(request, context) { token in
                    list(
                        word("beat.by", ["name": person.name]), "by/\(person.handle)", page.found, page.next,
                        desk.layout(token))
                }
            }
        ]
    }

    private func lists(_ kind: Kind) -> [WebRoute] {
        [
            .get("\(BeatDesk.path)/\(kind.rawValue)", .signedIn) { request, context in
                let page = try await tracks(kind, request, context)
                return desk.show(request, context) { token in
                    list(
                        kind.name, kind.rawValue, page.found, page.next, desk.layout(token, at: "/\(kind.rawValue)"),
                        head: BeatLayout.unlisted,
                        ways: kind == .mine ? ways : .nothing)
                }
            },
            .api(
                .get, "\(BeatDesk.api)/\(kind.rawValue)", .signedIn,
                scope: kind == .mine ? "read:statuses" : ["read:bookmarks", "read:statuses"],
                summary: kind == .mine
                    ? "One's own tracks, whatever state they are in" : "Tracks that one has archived",
                query: [.text("after", isRequired: false)]
            ) { request, context in
                let page = try await tracks(kind, request, context)
                return try .json(TrackListDocument(page.found, next: page.next, links: desk.links)).personal
            },
        ]
    }

    private func tracks(
        _ kind: Kind, _ request: Request, _ context: WebContext
    ) async throws -> (found: [Track], next: String?) {
        var query = ItemQuery(board: Beats.board)
        query.after = request.asked["after"]
        query.limit = Self.perPage
        switch kind {
        case .mine:
            query.author = try context.account
            query.states = Set(Item.State.allCases)
        case .archive:
            query.marked = .save
            query.states = [.open, .settled, .expired]
        }
        return try await desk.tracks.tracks(query, for: context.viewer)
    }

    private var ways: HTML {
        "<p><a class=\"act\" href=\"\(desk.prefix)\(BeatDesk.path)/role\">\(word("beat.role.title"))</a></p>\n"
    }

    private func list(
        _ title: String, _ path: String, _ tracks: [Track], _ next: String?, _ layout: BeatLayout,
        head: HTML = .nothing, ways: HTML = .nothing
    ) -> HTML {
        let more = TrackList.pages(
            "\(BeatDesk.path)/\(path)", PercentEncoding.form([("after", next ?? "")]), hasNext: next != nil,
            links: desk.links)
        return layout.page(
            title: title, head: head,
            body: """
                <h1 dir="auto">\(title)</h1>
                \(ways)\(TrackList(tracks: tracks, now: desk.now, links: desk.links).html(empty: word("beat.own.none")))\(more)
                """)
    }
}

extension BeatDesk {
    private static let inProfile = 6

    /// What somebody offers, in her profile.
    func profile(of person: PostAuthor, for viewer: Viewer) async throws -> HTML {
        var query = ItemQuery(board: Beats.board)
        query.author = person.id
        query.limit = Self.inProfile
        let page = try await tracks.tracks(query, for: viewer)
        var others: [HTML] = []
        for part in parts.profiles { others.append(try await part(person, viewer, self)) }
        guard !page.found.isEmpty else { return HTML(joining: others) }
        let items = page.found.map { track -> HTML in
            """
            <li><a href="\(prefix)\(track.path)" dir="auto">\(track.item.title)</a> · \(track.kind.name) · \(track.price.name)</li>
            """
        }
        let all: HTML =
            page.next == nil
            ? .nothing
            : "<p><a href=\"\(prefix)\(Self.path)/by/\(person.handle)\">\(word("beat.profile.all"))</a></p>"
        return """
            <section aria-labelledby="beats"><h2 class="section" id="beats">\(word("beat.board"))</h2>
            <ul>\(HTML(joining: items, separator: "\n"))</ul>\(all)\(HTML(joining: others))</section>
            """
    }
}
