internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import Hummingbird

/// Lists by Mastodon's client API: timelines, what one has marked, notices, conversations, and what a search finds.
struct ClientListRoutes {
    let desk: ClientDesk

    var routes: [WebRoute] {
        [
            list("/api/v1/timelines/home", .signedIn, "read:statuses", "Lists the posts of those one follows", .home),
            list("/api/v1/timelines/public", .everybody, "read:statuses", "Lists everybody's public posts", .local),
            .api(
                .get, "/api/v1/timelines/tag/:tag", .everybody, scope: "read:statuses",
                summary: "Lists public posts with a hashtag"
            ) { request, context in
                let tag = PercentEncoding.decode(context.parameters.get("tag") ?? "")
                return try await desk.page(.tagged(tag), desk.reader(context), request)
            },
            .api(
                .get, "/api/hub/v1/watched", .signedIn, scope: "read:statuses",
                summary: "How many items one watches: what is told of them is in one's home"
            ) { _, context in
                try .json(WatchedDocument(items: try await desk.reader(context).countOfWatched())).personal
            },
            list("/api/v1/bookmarks", .signedIn, "read:bookmarks", "Lists one's bookmarks", .marked(.bookmark)),
            list("/api/v1/favourites", .signedIn, "read:favourites", "Lists what one likes", .marked(.favourite)),
            .api(
                .get, "/api/v1/conversations", .signedIn, scope: "read:statuses",
                summary: "Lists posts to somebody in which one takes part, by thread"
            ) { try await conversations($0, $1) },
            .api(.get, "/api/v1/notifications", .signedIn, scope: "read:notifications", summary: "Lists one's notices")
            {
                try await notices($0, $1)
            },
            .api(
                .post, "/api/v1/notifications/clear", .signedIn, scope: "write:notifications", body: .upTo(1 << 10),
                summary: "Marks all notices as read"
            ) { _, context in
                try await desk.library.readNotices(of: context.account, to: .end)
                return .json { _ in }
            },
            .api(
                .get, "/api/v2/search", .everybody, scope: "read:search",
                summary: "Finds people, tags, and clips by address"
            ) { try await search($0, $1) },
        ]
    }

    private func list(
        _ path: String, _ access: Access, _ scope: TokenRule, _ summary: String, _ selection: PostSelection
    ) -> WebRoute {
        .api(.get, path, access, scope: scope, summary: summary) { request, context in
            try await desk.page(selection, desk.reader(context), request)
        }
    }

    private func notices(_ request: Request, _ context: WebContext) async throws -> Response {
        let page = try ClientPage(request, usual: 40, most: 80)
        let fields = PercentEncoding.fields(of: request.uri.query ?? "")
        func kinds(_ name: String) -> Set<String> {
            Set(fields.filter { $0.name == name || $0.name == "\(name)[]" }.map(\.value))
        }
        let (only, without) = (kinds("types"), kinds("exclude_types"))
        let wanted = Notice.Kind.ofClients.filter { kind in
            (only.isEmpty || only.contains(kind.rawValue)) && !without.contains(kind.rawValue)
        }
        guard !wanted.isEmpty else { return .json(Self.list([NoticeDocument]()) { $1.write(&$0) }) }
        let reader = desk.reader(context)
        let notices = try await reader.notices(
            before: page.before ?? .end, after: page.floor ?? page.above ?? .start, kinds: wanted, limit: page.limit)
        let documents = try await desk.documents(notices, reader)
        return page.link(
            .json(Self.list(documents) { $1.write(&$0) }), newest: notices.first?.id, oldest: notices.last?.id, request,
            desk.links)
    }

    /// The newest post of each thread to somebody.
    private func conversations(_ request: Request, _ context: WebContext) async throws -> Response {
        let page = try ClientPage(request)
        let reader = desk.reader(context)
        let posts = try await reader.posts(before: page.before ?? .end, .direct, limit: 200)
        // Posts come newest first: the first of a thread is its newest, and leads to the others.
        var threadOf: [Int64: Int64] = [:]
        var newest: [HubPost] = []
        for post in posts {
            let thread = threadOf[post.sequence] ?? post.sequence
            if threadOf[post.sequence] == nil { newest.append(post) }
            if let above = post.replyTo { threadOf[above] = threadOf[above] ?? thread }
        }
        let shown = Array(newest.prefix(page.limit))
        let me = try context.account
        let documents = try await desk.documents(shown, reader)
        let list = Self.list(documents) { json, document in
            json.object { json in
                json.field("id", "\(document.post.sequence)")
                json.field("unread", false)
                json.field("accounts") { json in
                    json.array(document.author.author.id == me ? [] : [document.author]) {
                        AccountDocument(person: $1, links: desk.links).write(&$0)
                    }
                }
                json.field("last_status") { document.write(&$0) }
            }
        }
        return page.link(
            .json(list), newest: shown.first?.sequence, oldest: shown.last?.sequence, request, desk.links)
    }

    private func search(_ request: Request, _ context: WebContext) async throws -> Response {
        let query = request.uri.queryParameters
        let text = PercentEncoding.decode(query["q"] ?? "", plusIsSpace: true)
        let kind = query["type"].map(String.init)
        let limit = try ClientPage(request).limit
        let reader = desk.reader(context)
        var people: [PublicPerson] = []
        var statuses: [StatusDocument] = []
        var tags: [String] = []
        let isAddress = text.hasPrefix("http://") || text.hasPrefix("https://")
        if isAddress {
            if kind != "accounts", kind != "hashtags", let clip = HubID(pageAddress: text),
                desk.links.page(clip) == text,
                let post = try await reader.post(about: clip)
            {
                statuses = try await desk.documents([post], reader)
            }
        } else if !text.isEmpty {
            let name = text.hasPrefix("@") || text.hasPrefix("#") ? String(text.dropFirst()) : text
            let own = name.hasSuffix("@\(desk.links.authority)") ? name.prefix { $0 != "@" } : name[...]
            if kind == nil || kind == "accounts" {
                people = try await desk.resolve(String(own), request, context).map { [$0] } ?? []
                if people.isEmpty { people = try await reader.people(.matching(String(own)), limit: limit) }
            }
            if kind == nil || kind == "hashtags" { tags = try await reader.tags(beginning: name, limit: limit) }
        }
        let (found, posts, names) = (people, statuses, tags)
        return .json { json in
            json.field("accounts") { $0.array(found) { AccountDocument(person: $1, links: desk.links).write(&$0) } }
            json.field("statuses") { $0.array(posts) { $1.write(&$0) } }
            json.field("hashtags") { $0.array(names) { TagDocument(name: $1, links: desk.links).write(&$0) } }
        }
    }

    private static func list<Item>(_ items: [Item], _ write: (inout JSONText, Item) -> Void) -> JSONText {
        var json = JSONText()
        json.array(items, write)
        return json
    }
}

extension ClientDesk {
    /// Notices of the one who reads, with those who did it and the posts they are about.
    func documents(_ notices: [Notice], _ reader: HubReader) async throws -> [NoticeDocument] {
        var posts: [HubPost] = []
        for place in Set(notices.compactMap(\.post)) {
            if let post = try await reader.post(place) { posts.append(post) }
        }
        let statuses = try await documents(posts, reader)
        let actors = Array(Set(notices.compactMap { $0.actor?.id }))
        let people = try await reader.people(.these(actors), limit: max(actors.count, 1))
        // Programs have to be told of an account, and people at other servers have none here.
        return notices.filter { $0.remote == nil }.map { notice in
            NoticeDocument(
                notice: notice, actor: people.first { $0.author.id == notice.actor?.id },
                status: statuses.first { $0.post.sequence == notice.post }, links: links)
        }
    }
}

/// What somebody watches, as `chirp live` asks for it.
private struct WatchedDocument: Encodable { let items: Int }

/// A notice as Mastodon's API has it (docs.joinmastodon.org/entities/Notification).
struct NoticeDocument {
    let notice: Notice
    let actor: PublicPerson?
    let status: StatusDocument?
    let links: HubLinks

    func write(_ json: inout JSONText) {
        json.object { json in
            json.field("id", "\(notice.id)")
            json.field("type", notice.kind.rawValue)
            json.field("group_key", "ungrouped-\(notice.id)")
            json.field("created_at", notice.created)
            if let actor { json.field("account") { AccountDocument(person: actor, links: links).write(&$0) } }
            if let status { json.field("status") { status.write(&$0) } }
        }
    }
}
