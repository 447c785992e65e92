internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import Hummingbird

/// People: their pages, whom they follow, who follows them, how to find them, and to follow them.
struct PeopleRoutes {
    let desk: PageDesk

    private var library: HubLibrary { desk.library }
    private var links: HubLinks { desk.links }

    var routes: [WebRoute] {
        ["@", "%40"].flatMap { sign -> [WebRoute] in
            // Some programs escape the sign, which is not necessary in a path.
            [
                .get("/\(sign){handle}") { try await profile($0, $1) },
                .get("/\(sign){handle}/followers") { request, context in
                    try await people(.followers, request, context) { .followers(of: $0) }
                },
                .get("/\(sign){handle}/following") { request, context in
                    try await people(.following, request, context) { .followed(by: $0) }
                },
            ]
        } + [
            .get("/search") { try await search($0, $1) },
            .post("/follow", .active) { _, context, form in
                try await tie(context, form) { me, other in
                    if other.isElsewhere, try await library.mayFollowElsewhere(me) == .notOn {
                        return desk.goOn(to: "/follow?\(PercentEncoding.form([("name", other.handle)]))")
                    }
                    guard let refusal = try await library.follow(other.id, by: me, under: desk.limits) else {
                        return nil
                    }
                    return .page(
                        Layout(prefix: links.prefix).page(title: "\(refusal) – Chirp", body: "<h1>\(refusal)</h1>"),
                        status: .unprocessableContent)
                }
            },
            .post("/unfollow", .active) { _, context, form in
                try await tie(context, form) { me, other in
                    try await library.unfollow(other.id, by: me)
                    return nil
                }
            },
        ]
    }

    private func profile(_ request: Request, _ context: WebContext) async throws -> Response {
        let reader = library.seen(by: context.viewer)
        guard let person = try await person(context, reader) else { return try await moved(context, "", reader) }
        let before = try request.cursor("before", from: 1)
        let posts = try await reader.posts(
            before: before ?? .end, .by(person.author.id), limit: PostList.postsPerPage + 1)
        let list = PostList(posts, before: before, links: links)
        let relationship = try await reader.relationships(to: [person.author.id]).first
        let canFollow = context.person?.isActive == true && context.person?.id != person.author.id.rawValue
        let tags = try await reader.tags(of: person.author.id)
        var boards: [HTML] = []
        for board in desk.boards where list.isFirst {
            boards.append(try await board.profile(person.author, context.viewer))
        }
        let shown = HTML(joining: boards)
        return try await desk.page(list.posts, request, context) { acts in
            var page = ProfilePage(person: person, tags: tags, list: list.with(acts), boards: shown, links: links)
            if canFollow, let acts {
                page.act = ProfilePage.Act(
                    isFollowing: relationship?.isFollowing == true, isAsked: relationship?.isAsked == true,
                    token: acts.token)
            }
            return page.html
        }
    }

    /// A list that a person has.
    private enum Side: String {
        case followers, following

        func title(_ person: PublicPerson) -> String {
            switch self {
            case .followers: word("people.followers", ["name": person.author.name])
            case .following: word("people.following", ["name": person.author.name])
            }
        }
    }

    private func people(
        _ side: Side, _ request: Request, _ context: WebContext, _ selection: (AccountID) -> PeopleSelection
    ) async throws -> Response {
        let reader = library.seen(by: context.viewer)
        guard let person = try await person(context, reader) else {
            return try await moved(context, "/\(side.rawValue)", reader)
        }
        let found = try await found(selection(person.author.id), reader, request)
        return .page(
            PeoplePage(
                title: side.title(person), path: "/@\(person.author.handle)/\(side.rawValue)", people: found,
                links: links
            ).html)
    }

    private func search(_ request: Request, _ context: WebContext) async throws -> Response {
        let words = PlainText(
            PercentEncoding.decode(request.uri.queryParameters["q"] ?? "", plusIsSpace: true), limit: 100
        ).value
        let reader = library.seen(by: context.viewer)
        let nothing = PostList([], before: nil, links: links)
        guard !words.isEmpty else { return .page(SearchPage(words: "", posts: nothing, links: links).html) }
        let name = words.hasPrefix("@") || words.hasPrefix("#") ? String(words.dropFirst()) : words
        let people = name.isEmpty ? [] : try await found(.matching(name), reader, request)
        let tags = try await reader.tags(beginning: name, limit: 20)
        let before = try request.cursor("before", from: 1)
        let posts = PostList(
            try await reader.posts(
                saying: words.split(separator: " ").map(String.init), before: before ?? .end,
                limit: PostList.postsPerPage + 1), before: before, links: links)
        return try await desk.page(posts.posts, request, context) { acts in
            var page = SearchPage(words: words, people: people, tags: tags, posts: posts.with(acts), links: links)
            page.elsewhere = acts == nil ? nil : desk.elsewhere.map { $0.isElsewhere(words) ? words : "" }
            return page.html
        }
    }

    private func found(
        _ selection: PeopleSelection, _ reader: HubReader, _ request: Request
    ) async throws -> [PublicPerson] {
        let behind = request.uri.queryParameters["behind"].map(String.init) ?? ""
        return try await reader.people(selection, behind: behind, limit: PeoplePage.perPage + 1)
    }

    private func tie(
        _ context: WebContext, _ form: Form, _ act: (_ me: AccountID, _ other: PostAuthor) async throws -> Response?
    ) async throws -> Response {
        let reader = library.seen(by: context.viewer)
        guard let other = try await reader.people(.named(form["handle"]), limit: 1).first else {
            throw HTTPError(.notFound)
        }
        if let answer = try await act(context.account, other.author) { return answer }
        let page = "\(links.prefix)/@\(other.author.handle)"
        return Response(status: .seeOther, headers: [.location: page, .cacheControl: "no-store"])
    }

    private func person(_ context: WebContext, _ reader: HubReader) async throws -> PublicPerson? {
        guard let handle = context.parameters.get("handle") else { throw HTTPError(.notFound) }
        return try await reader.people(.named(handle), limit: 1).first
    }

    private func moved(_ context: WebContext, _ tail: String, _ reader: HubReader) async throws -> Response {
        try await Response.moved(context.parameters.get("handle") ?? "", tail, reader, links)
    }
}
