internal import Hummingbird

/// What people open: the list, a clip, its player for other sites, and the files these pages need.
struct PageRoutes {
    let library: HubLibrary
    let links: HubLinks

    func add(to router: Router<HubContext>) {
        router.get("/") { request, _ in try await list(request) }
        router.get("/c/:id") { _, context in
            let clip = try await library.visible(context.parameters.get("id"))
            let post = try await library.post(about: clip.id)
            return Response.page(ClipPage(clip: clip, post: post, links: links).html)
        }
        router.get("/embed/:id") { _, context in
            let clip = try await library.visible(context.parameters.get("id"))
            var response = Response.page(ClipPage(clip: clip, post: nil, links: links).embedded)
            response.headers[.contentSecurityPolicy] = GuardMiddleware.policy(frames: "*")
            response.headers[.crossOriginResourcePolicy] = "cross-origin"
            return response
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

    private func list(_ request: Request) async throws -> Response {
        let before = try request.number("before", in: 1...Int64.max)
        let size = ListPage.postsPerPage
        // One more than is shown tells whether there is another page.
        let posts = try await library.posts(before: before ?? .max, limit: size + 1)
        return .page(
            ListPage(
                posts: Array(posts.prefix(size)), isFirst: before == nil,
                older: posts.count > size ? posts[size - 1].sequence : nil, links: links
            ).html)
    }
}

extension HubLibrary {
    /// The clip that somebody with a link may see.
    ///
    /// - Throws: ``HTTPError`` with 404 for what never was or is not shared, 410 for what is gone.
    func visible(_ id: (some StringProtocol)?) async throws -> HubClip {
        guard let id = id.flatMap({ HubID($0) }) else { throw HTTPError(.notFound) }
        switch try await find(id.text) {
        case .clip(let clip): return clip
        case .gone: throw HTTPError(.gone)
        case .nothing: throw HTTPError(.notFound)
        }
    }
}

extension Request {
    /// A number from the query, or nil when it is not given.
    ///
    /// - Throws: 400 when it is not a number or out of range.
    func number(_ name: String, in range: ClosedRange<Int64>) throws -> Int64? {
        guard let text = uri.queryParameters[name[...]] else { return nil }
        guard let number = Int64(text), range.contains(number) else { throw HTTPError(.badRequest) }
        return number
    }
}
