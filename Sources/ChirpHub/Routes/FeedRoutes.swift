internal import ChirpCommunity
internal import ChirpWeb
internal import FoundationEssentials
internal import Hummingbird

/// Posts for feed readers and podcast programs, newest first: everybody's, and those of each account.
struct FeedRoutes {
    let reader: HubReader
    let links: HubLinks
    /// The address of the WebSub hub that is told when they change; nil: none is.
    var hub: String?

    func add(to router: Router<WebContext>) {
        router.get("/feed.xml") { request, _ in try await rss(of: nil, request) }
        router.get("/feed.json") { request, _ in try await json(of: nil, request) }
        router.getOfPerson("/feed.xml", reader, links) { person, request in try await rss(of: person, request) }
        router.getOfPerson("/feed.json", reader, links) { person, request in try await json(of: person, request) }
    }

    /// The newest items alone: RSS has no pages that readers know of.
    private func rss(of person: PostAuthor?, _ request: Request) async throws -> Response {
        let posts = try await reader.posts(
            person.map { .published($0.id) } ?? .local, limit: FeedDocument.itemsPerPage)
        let transcripts = try await reader.transcripts(of: posts.compactMap(\.clip?.id))
        let channel = FeedChannel(of: person, links: links, hub: hub)
        let document = RSSDocument(channel: channel, posts: posts, transcripts: transcripts, links: links)
        return Response.document(
            Data(document.xml.text.utf8), type: "application/rss+xml; charset=utf-8", to: request
        ).naming(hub, topic: channel.rss)
    }

    private func json(of person: PostAuthor?, _ request: Request) async throws -> Response {
        let before = try request.cursor("before", from: 1)
        let posts = try await reader.posts(
            before: before ?? .end, person.map { .published($0.id) } ?? .local,
            limit: FeedDocument.itemsPerPage + 1)
        let channel = FeedChannel(of: person, links: links, hub: hub)
        let document = FeedDocument(channel: channel, posts: posts, before: before, links: links)
        return Response.document(
            try WebJSON.encode(document), type: "application/feed+json; charset=utf-8", to: request
        ).naming(before == nil ? hub : nil, topic: channel.json)
    }
}
