internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb
internal import FoundationEssentials
internal import Hummingbird

/// What belongs to somebody: the own listings, the saved ones, those that were looked at (LF-10), and everybody's by author (LF-4).
struct OwnListingRoutes {
    let desk: ListingDesk

    /// One of the lists.
    enum Kind: String, CaseIterable {
        case mine, saved, viewed
    }

    /// Of what was looked at, so many are kept to be seen.
    private static let mostViewed = 200
    private static let perPage = 40

    var routes: [WebRoute] {
        Kind.allCases.flatMap(lists) + [
            .post("\(ListingDesk.path)/viewed/removal", .signedIn) { _, context, _ in
                try await desk.store.forgetViewed(try context.account)
                return desk.goOn(to: "\(ListingDesk.path)/viewed")
            },
            .post("\(ListingDesk.path)/viewed/keeping", .signedIn) { _, context, form in
                try await desk.store.keepViewed(!form["on"].isEmpty, by: try context.account)
                return desk.goOn(to: "\(ListingDesk.path)/viewed")
            },
            .api(
                .delete, "\(ListingDesk.api)/viewed", .signedIn, scope: "write:bookmarks",
                summary: "Forgets what was looked at"
            ) { _, context in
                try await desk.store.forgetViewed(try context.account)
                return try .json(Keeping(isKept: try await desk.store.keepsViewed(try context.account))).personal
            },
            .api(
                .put, "\(ListingDesk.api)/viewed/keeping", .signedIn, scope: "write:bookmarks",
                summary: "Whether it is kept what is looked at", takes: [.flag("on", isRequired: true)]
            ) { request, context in
                let fields = try await request.fields()
                guard let isOn = fields.bool("on") else { throw Problem.notTaken(["on": "true or false"]) }
                try await desk.store.keepViewed(isOn, by: try context.account)
                return try .json(Keeping(isKept: isOn)).personal
            },
            .get("\(ListingDesk.path)/by/:handle") { request, context in try await byAuthor(request, context) },
        ]
    }

    private struct Keeping: Encodable { let isKept: Bool }

    private func lists(_ kind: Kind) -> [WebRoute] {
        [
            .get("\(ListingDesk.path)/\(kind.rawValue)", .signedIn) { request, context in
                let (found, next) = try await listings(kind, request, context)
                let keeps = try await desk.store.keepsViewed(try context.account)
                return desk.show(request, context) { token in
                    OwnListingPage(
                        kind: kind, found: found, next: next, keepsViewed: keeps, token: token ?? "",
                        now: desk.desk.library.now(), links: desk.links
                    ).html
                }
            },
            .api(
                .get, "\(ListingDesk.api)/\(kind.rawValue)", .signedIn,
                scope: kind == .mine ? "read:statuses" : ["read:bookmarks", "read:statuses"],
                summary: kind == .mine ? "One's own listings" : "Listings that were \(kind.rawValue)",
                query: [.text("after", isRequired: false)]
            ) { request, context in
                let (found, next) = try await listings(kind, request, context)
                return try .json(ListingListDocument(found, next: next, links: desk.links)).personal
            },
        ]
    }

    private func listings(
        _ kind: Kind, _ request: Request, _ context: WebContext
    ) async throws -> (found: [Listing], next: String?) {
        var query = ItemQuery(board: ListingStore.board)
        query.after = request.asked["after"]
        query.limit = Self.perPage
        switch kind {
        case .mine:
            query.author = try context.account
            query.states = Set(Item.State.allCases)
        case .saved:
            query.marked = .save
            query.states = [.open, .settled, .expired]
        case .viewed:
            query.marked = .view
            query.states = [.open, .settled, .expired]
            // The last ones, in one piece: at most two questions.
            query.limit = 100
            query.after = nil
            let first = try await desk.store.listings(query, for: context.viewer)
            guard let more = first.next else { return (first.found, nil) }
            query.after = more
            query.limit = Self.mostViewed - query.limit
            return (first.found + (try await desk.store.listings(query, for: context.viewer)).found, nil)
        }
        return try await desk.store.listings(query, for: context.viewer)
    }

    private func byAuthor(_ request: Request, _ context: WebContext) async throws -> Response {
        guard let handle = context.parameters.get("handle"),
            let person = try await desk.desk.library.seen(by: context.viewer).person(named: handle)
        else { throw HTTPError(.notFound) }
        var query = ItemQuery(board: ListingStore.board)
        query.author = person.id
        query.states = [.open, .settled, .expired]
        query.after = request.asked["after"]
        query.limit = Self.perPage
        let (found, next) = try await desk.store.listings(query, for: context.viewer)
        return desk.show(request, context) { token in
            let title = word("listing.by", ["name": person.name])
            return ListingLayout(links: desk.links, token: token).page(
                title: title,
                body: """
                    <h1 dir="auto">\(title)</h1>
                    <p class="byline"><a href="\(desk.prefix)/@\(person.handle)"><bdi>@\(person.handle)</bdi></a></p>
                    \(ListingList(found, near: nil, now: desk.desk.library.now(), links: desk.links).html(empty: word("listing.by.none")))
                    \(ListingList.pages("\(ListingDesk.path)/by/\(person.handle)", [], next: next, links: desk.links))
                    """)
        }
    }
}

/// One of the lists that somebody has.
private struct OwnListingPage {
    let kind: OwnListingRoutes.Kind
    let found: [Listing]
    let next: String?
    let keepsViewed: Bool
    let token: String
    let now: Date
    let links: HubLinks

    private var title: String {
        switch kind {
        case .mine: word("listing.way.mine")
        case .saved: word("listing.way.saved")
        case .viewed: word("listing.way.viewed")
        }
    }

    private var empty: String {
        switch kind {
        case .mine: word("listing.mine.none")
        case .saved: word("listing.saved.none")
        case .viewed: keepsViewed ? word("listing.viewed.none") : word("listing.viewed.off")
        }
    }

    var html: HTML {
        ListingLayout(links: links, token: token).page(
            title: title, head: ListingLayout.unlisted,
            body: """
                <h1>\(title)</h1>
                \(kind == .viewed ? viewing : .nothing)
                \(ListingList(found, near: nil, now: now, links: links).html(empty: empty))
                \(ListingList.pages("\(ListingDesk.path)/\(kind.rawValue)", [], next: next, links: links))
                """)
    }

    private func form(_ path: String, _ on: String, _ button: String) -> HTML {
        """
        <form method="post" action="\(links.prefix)\(ListingDesk.path)/viewed/\(path)"><input type="hidden" name="token" \
        value="\(token)"><input type="hidden" name="on" value="\(on)"><button class="act">\(button)</button></form>
        """
    }

    private var viewing: HTML {
        """
        <p>\(word("listing.viewed.lead"))</p>
        <div class="actions">\(form("removal", "", word("listing.viewed.clear")))\
        \(keepsViewed ? form("keeping", "", word("listing.viewed.stop")) : form("keeping", "yes", word("listing.viewed.start")))</div>
        """
    }
}

extension ListingDesk {
    /// What came to a good end on somebody's profile, and the way to the rest (LF-4).
    func profile(of person: PostAuthor, for viewer: Viewer) async throws -> HTML {
        var query = ItemQuery(board: ListingStore.board)
        query.author = person.id
        query.states = [.open, .settled, .expired]
        query.limit = 1
        guard try await !store.library.seen(by: viewer).items(query).items.isEmpty else { return .nothing }
        query.states = [.settled]
        query.limit = 5
        let settled = try await store.listings(query, for: viewer).found
        let items = settled.map { listing -> HTML in
            let time = listing.item.ended.map(Wording.time) ?? .nothing
            let outcome = ListingStore.Outcome(rawValue: listing.item.outcome)?.name ?? word("listing.settled")
            return """
                <li><a href="\(prefix)\(listing.path)" dir="auto">\(listing.item.title)</a>: \(outcome), \(time)</li>
                """
        }
        return """
            <section aria-labelledby="listings"><h2 class="section" id="listings">\(word("listing.profile"))</h2>
            <ul>\(HTML(joining: items, separator: "\n"))</ul>
            <p><a href="\(prefix)\(Self.path)/by/\(person.handle)">\(word("listing.profile.all"))</a></p></section>
            """
    }
}
