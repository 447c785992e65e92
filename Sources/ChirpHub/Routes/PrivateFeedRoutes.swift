internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpWeb
internal import FoundationEssentials
internal import Hummingbird

/// What a member reads, for a feed reader that cannot sign in: at an address that only she knows.
struct PrivateFeedRoutes {
    let accounts: Accounts
    let library: HubLibrary
    let links: HubLinks

    func add(to router: Router<WebContext>) {
        router.get("/feeds/:file") { request, context in
            guard let name = context.parameters.get("file"), name.hasSuffix(".xml"),
                let address = OpaqueToken(shown: name.dropLast(4)),
                let account = try await accounts.account(ofFeed: address)
            else { throw HTTPError(.notFound) }
            return try await feed(of: account, at: "\(links.publicURL)/feeds/\(name)", request)
        }
    }

    private func feed(of account: HubAccount, at address: String, _ request: Request) async throws -> Response {
        let reader = library.seen(by: .member(account.id))
        let limit = FeedDocument.itemsPerPage
        let all = try await reader.posts(.home, limit: limit) + reader.posts(.direct, limit: limit)
        let posts = all.sorted { $0.sequence > $1.sequence }.prefix(limit)
        let channel = FeedChannel(homeOf: account.handle.text, at: address, links: links)
        // A feed reader asks for words without a session, so it is told of those alone that everybody may read.
        let open = posts.filter { [.published, .unlisted].contains($0.visibility) }
        let transcripts = try await reader.transcripts(of: open.compactMap(\.clip?.id))
        let document = RSSDocument(channel: channel, posts: Array(posts), transcripts: transcripts, links: links)
        var response = Response.document(
            Data(document.xml.text.utf8), type: "application/rss+xml; charset=utf-8", to: request)
        response.headers[.cacheControl] = "private, no-cache"
        response.headers[.robots] = "noindex"
        return response
    }
}
