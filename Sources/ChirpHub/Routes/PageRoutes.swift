internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import Hummingbird

/// What people open: lists, somebody's page, a clip, its player for other sites, and the files these pages need. What they show is
/// what whoever looks may see.
struct PageRoutes {
    let library: HubLibrary
    let links: HubLinks
    let forgery: ForgeryCheck
    /// Who may sign up.
    let registration: @Sendable () async throws -> Registration

    /// The pages that are different for each person.
    var routes: [WebRoute] {
        [
            .get("/") { request, context in
                let reader = library.seen(by: context.viewer)
                let list = try await list(context.person == nil ? .local : .home, reader, request)
                guard context.person == nil else {
                    return Response.page(ListPage(list: list, links: links, kind: .home).html)
                }
                // A hub where nobody signs up is somebody's own: reading it is all there is to do for others.
                let isOpen = try await registration() == .open
                return Response.page(ListPage(list: list, links: links, kind: .visitors, invites: isOpen).html)
            },
            .get("/public") { request, context in
                let list = try await list(.local, library.seen(by: context.viewer), request)
                return Response.page(ListPage(list: list, links: links, kind: .everybody).html)
            },
            .get("/bookmarks", .signedIn) { request, context in
                let list = try await list(.marked(.bookmark), library.seen(by: context.viewer), request)
                return Response.page(ListPage(list: list, links: links, kind: .bookmarks).html)
            },
            .get("/tags/:tag") { request, context in
                let tag = PlainText(PercentEncoding.decode(context.parameters.get("tag") ?? ""), limit: 100).value
                let list = try await list(.tagged(tag), library.seen(by: context.viewer), request)
                return Response.page(ListPage(list: list, links: links, kind: .tag(tag)).html)
            },
            .get("/c/:id") { request, context in
                let reader = library.seen(by: context.viewer)
                let id = context.parameters.get("id").flatMap { HubID($0) }
                guard let id else { throw HTTPError(.notFound) }
                switch try await reader.page(of: id) {
                case (.clip(let clip), let post):
                    return Response.page(ClipPage(clip: clip, post: post, links: links).html)
                case (.gone, _): throw HTTPError(.gone)
                case (.nothing, _): throw HTTPError(.notFound)
                }
            },
            .get("/p/:id") { request, context in
                let reader = library.seen(by: context.viewer)
                guard let post = try await reader.post(named: context.parameters.get("id") ?? "") else {
                    throw HTTPError(.notFound)
                }
                let thread =
                    try await reader.posts(above: post.sequence) + [post] + reader.posts(below: post.sequence)
                return Response.page(PostPage(post: post, thread: thread, links: links).html)
            },
        ]
    }

    /// The pages and files that are the same for everybody, and so cost no look at who asks.
    func add(to router: Router<WebContext>) {
        let reader = library.seen(by: .visitor)
        router.group("embed").add(middleware: FramesAnywhere()).get(":id") { _, context in
            let clip = try await reader.visible(context.parameters.get("id"))
            return Response.page(ClipPage(clip: clip, post: nil, links: links).embedded)
        }
        for asset in Asset.all {
            router.get("/assets/\(RouterPath(asset.name))") { _, _ in
                Response(
                    status: .ok,
                    headers: [
                        .contentType: asset.contentType, .cacheControl: "public, max-age=31536000, immutable",
                        .crossOriginResourcePolicy: "cross-origin",
                    ],
                    body: ResponseBody(byteBuffer: ByteBuffer(bytes: asset.bytes)))
            }
        }
    }

    private func list(_ selection: PostSelection, _ reader: HubReader, _ request: Request) async throws -> PostList {
        let before = try request.number("before", in: 1...Int64.max)
        // One more than is shown tells whether there is another page.
        let posts = try await reader.posts(before: before ?? .max, selection, limit: PostList.postsPerPage + 1)
        return PostList(posts, before: before, links: links)
    }
}

extension HubReader {
    /// The clip that its viewer may see.
    ///
    /// - Throws: ``HTTPError`` with 404 for what never was or is not shared, 410 for what is gone.
    func visible(_ id: (some StringProtocol)?) async throws -> HubClip {
        guard let id = id.flatMap({ HubID($0) }) else { throw HTTPError(.notFound) }
        switch try await find(id) {
        case .clip(let clip): return clip
        case .gone: throw HTTPError(.gone)
        case .nothing: throw HTTPError(.notFound)
        }
    }
}
