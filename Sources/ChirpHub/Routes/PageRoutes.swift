internal import ChirpCommunity
internal import ChirpWeb
internal import Hummingbird

/// What people open: the list, somebody's page, a clip, its player for other sites, and the files these pages need.
struct PageRoutes {
    let reader: HubReader
    let links: HubLinks

    func add(to router: Router<WebContext>) {
        router.get("/") { request, _ in
            let list = try await list(of: nil, request)
            return Response.page(ListPage(list: list, links: links).html)
        }
        router.getOfPerson("", reader) { person, request in
            let list = try await list(of: person, request)
            return Response.page(ProfilePage(person: person, list: list, links: links).html)
        }
        router.get("/c/:id") { _, context in
            let clip = try await reader.visible(context.parameters.get("id"))
            let post = try await reader.post(about: clip.id)
            return Response.page(ClipPage(clip: clip, post: post, links: links).html)
        }
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

    private func list(of person: PostAuthor?, _ request: Request) async throws -> PostList {
        let before = try request.number("before", in: 1...Int64.max)
        // One more than is shown tells whether there is another page.
        let posts = try await reader.posts(
            before: before ?? .max, person.map { .by($0.id) } ?? .local, limit: PostList.postsPerPage + 1)
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
