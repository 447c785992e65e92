internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import Hummingbird

/// What people open: lists, a clip, a post, the clip's player for other sites, and the files these pages need. What they show is what
/// whoever looks may see.
struct PageRoutes {
    let desk: PageDesk
    /// Who may sign up.
    let registration: @Sendable () async throws -> Registration

    private var links: HubLinks { desk.links }

    /// The pages that are different for each person.
    var routes: [WebRoute] {
        [
            .get("/") { try await home($0, $1) },
            .get("/public") { request, context in
                try await list(.everybody, .local, request, context)
            },
            .get("/bookmarks", .signedIn) { request, context in
                try await list(.bookmarks, .marked(.bookmark), request, context)
            },
            .get("/tags/:tag") { request, context in
                let tag = PlainText(PercentEncoding.decode(context.parameters.get("tag") ?? ""), limit: 100).value
                return try await list(.tag(tag), .tagged(tag), request, context)
            },
            .get("/c/:id") { request, context in
                guard let id = context.parameters.get("id").flatMap({ HubID($0) }) else { throw HTTPError(.notFound) }
                return try await desk.clipPage(id, request, context)
            },
            .get("/p/:id") { request, context in
                guard let post = try await desk.reader(context).post(named: context.parameters.get("id") ?? "") else {
                    throw HTTPError(.notFound)
                }
                return try await desk.postPage(post, request, context)
            },
        ]
    }

    /// The pages and files that are the same for everybody, and so cost no look at who asks.
    func add(to router: Router<WebContext>) {
        let (reader, links) = (desk.library.seen(by: .visitor), links)
        router.group("embed").add(middleware: FramesAnywhere()).get(":id") { _, context in
            let clip = try await reader.shown(context.parameters.get("id"))
            let transcript = try await reader.transcript(of: clip.id)
            return Response.page(ClipPage(clip: clip, post: nil, links: links, transcript: transcript).embedded)
        }
        for asset in Asset.all {
            router.get("/assets/\(RouterPath(asset.name))") { request, _ in
                asset.content.answer(
                    to: request,
                    [
                        .contentType: asset.contentType, .cacheControl: "public, max-age=31536000, immutable",
                        .crossOriginResourcePolicy: "cross-origin",
                    ])
            }
        }
    }

    private func home(_ request: Request, _ context: WebContext) async throws -> Response {
        let reader = desk.reader(context)
        let list = try await posts(context.person == nil ? .local : .home, reader, request)
        guard let person = context.person else {
            // A hub where nobody signs up is somebody's own: reading it is all there is to do for others.
            let isOpen = try await registration() == .open
            return .page(HomePage(list: list, links: links, invites: isOpen).html)
        }
        let me = AccountID(rawValue: person.id)
        let followsNobody = try await reader.people(.followed(by: me), limit: 1).isEmpty
        let newest = followsNobody && list.isFirst ? try await reader.newestPeople(limit: 8) : []
        return try await desk.page(list.posts, request, context) { acts in
            HomePage(
                list: list.with(acts), links: links,
                member: HomePage.Member(
                    followsNobody: followsNobody, newest: newest, token: acts?.token)
            ).html
        }
    }

    private func list(
        _ kind: ListPage.Kind, _ selection: PostSelection, _ request: Request, _ context: WebContext
    ) async throws -> Response {
        let list = try await posts(selection, desk.reader(context), request)
        return try await desk.page(list.posts, request, context) { acts in
            ListPage(list: list.with(acts), links: links, kind: kind).html
        }
    }

    private func posts(_ selection: PostSelection, _ reader: HubReader, _ request: Request) async throws -> PostList {
        let before = try request.cursor("before", from: 1)
        // One more than is shown tells whether there is another page.
        let posts = try await reader.posts(before: before ?? .end, selection, limit: PostList.postsPerPage + 1)
        return PostList(posts, before: before, links: links)
    }
}

extension PageDesk {
    /// The page of a clip.
    ///
    /// - Parameter failed: what was typed into its form and not taken.
    func clipPage(
        _ id: HubID, _ request: Request, _ context: WebContext, failed: (text: String, why: WordsRefusal)? = nil
    ) async throws -> Response {
        let reader = reader(context)
        let (found, post) = try await reader.page(of: id)
        let clip: HubClip
        switch found {
        case .clip(let here): clip = here
        case .gone: throw HTTPError(.gone)
        case .nothing: throw HTTPError(.notFound)
        }
        let answers = try await post.asyncMap { try await reader.posts(below: $0.sequence) } ?? []
        let above = post?.replyTo
        let answered = try await above.asyncMap { try await reader.post($0) } ?? nil
        let transcript = try await reader.transcript(of: id)
        let status = failed?.why.status ?? .ok
        return try await page((post.map { [$0] } ?? []) + answers, request, context, status: status) { acts in
            var page = ClipPage(clip: clip, post: post, links: links, transcript: transcript, answered: answered)
            page.isOwn = isOwn(clip, context)
            page.comments = post.map { post in
                Comments(
                    post: post, answers: answers, links: links, acts: acts,
                    form: acts.map { form(for: post, $0, failed) }, isVisitor: context.person == nil)
            }
            return page.html
        }
    }

    /// The page of a post, with what it answers and its answers.
    func postPage(
        _ post: HubPost, _ request: Request, _ context: WebContext, failed: (text: String, why: WordsRefusal)? = nil
    ) async throws -> Response {
        let reader = reader(context)
        let thread = try await reader.posts(above: post.sequence) + [post] + reader.posts(below: post.sequence)
        let list = PostList(thread, before: nil, links: links, all: true)
        return try await page(thread, request, context, status: failed?.why.status ?? .ok) { acts in
            PostPage(
                post: post, thread: list.with(acts), links: links, form: acts.map { form(for: post, $0, failed) }
            ).html
        }
    }

    private func form(
        for post: HubPost, _ acts: PostActs, _ failed: (text: String, why: WordsRefusal)?
    ) -> AnswerForm {
        AnswerForm(
            post: post, token: acts.token, links: links, typed: failed?.text ?? "", problem: failed?.why.sentence)
    }
}

extension Optional {
    /// What something asynchronous makes of it; nil for nil.
    fileprivate func asyncMap<Result>(_ make: (Wrapped) async throws -> Result) async rethrows -> Result? {
        guard let self else { return nil }
        return try await make(self)
    }
}

extension HubReader {
    /// The clip that its viewer may see.
    ///
    /// - Throws: ``HTTPError`` with 404 for what never was or is not shared, 410 for what is gone.
    func visible(_ id: (some StringProtocol)?) async throws -> HubClip {
        guard let id = id.flatMap({ HubID($0) }) else { throw HTTPError(.notFound) }
        switch try await clip(id) {
        case .clip(let clip): return clip
        case .gone: throw HTTPError(.gone)
        case .nothing: throw HTTPError(.notFound)
        }
    }

    /// The clip of which other sites show a player or a card, if its viewer may see it. What is gone had an audience of its own, so here it is
    /// told from nothing no more than what is for some.
    ///
    /// - Throws: ``HTTPError`` with 404.
    func shown(_ id: (some StringProtocol)?) async throws -> HubClip {
        guard let id = id.flatMap({ HubID($0) }), case .clip(let clip) = try await clip(id) else {
            throw HTTPError(.notFound)
        }
        return clip
    }
}
