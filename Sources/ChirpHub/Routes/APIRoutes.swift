internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpWeb
internal import FoundationEssentials
internal import Hummingbird

/// What programs ask for: posts in order, health, and the description of a clip's player.
struct APIRoutes {
    let reader: HubReader
    let links: HubLinks

    static let mostPosts: Int32 = 200
    static let mostAccounts: Int32 = 1000

    func add(to router: Router<WebContext>) {
        router.get("/health") { _, _ in
            let last = try await reader.lastSequence()
            return try Response.json(Health(status: "ok", lastSeq: last))
        }
        router.get("/api/v1/posts") { request, _ in try await posts(request) }
        router.get("/api/v1/accounts") { request, _ in try await accounts(request) }
        router.get("/oembed") { request, _ in try await embed(request) }
    }

    private struct Health: Encodable {
        let status: String
        let lastSeq: Int64
    }

    private struct Accounts: Encodable {
        let accounts: [PostDocument.Author]
        /// What to give as `after` for those behind them; absent with the last ones.
        let next: String?
    }

    private struct Posts: Encodable {
        let posts: [PostDocument]
        /// What to give as `after` next time.
        let next: Int64
    }

    private func accounts(_ request: Request) async throws -> Response {
        let after = request.uri.queryParameters["after"].map { String($0) } ?? ""
        let limit = try request.number("limit", in: 1...Self.mostAccounts) ?? Int(Self.mostAccounts)
        let accounts = try await reader.accounts(after: after, limit: limit)
        return try .json(
            Accounts(
                accounts: accounts.map(PostDocument.Author.init),
                next: accounts.count < limit ? nil : accounts.last?.handle))
    }

    private func posts(_ request: Request) async throws -> Response {
        let after = try request.cursor("after") ?? .start
        let limit = try request.number("limit", in: 1...Self.mostPosts) ?? 50
        let account = request.uri.queryParameters["account"].map { AccountID(rawValue: String($0)) }
        let posts = try await reader.posts(
            after: after, account.map { .published($0) } ?? .local, limit: limit)
        return try .json(
            Posts(posts: posts.map { PostDocument($0, links: links) }, next: posts.last?.sequence ?? after.row))
    }

    /// oEmbed 1.0 (oembed.com), JSON only. The type is `video` because sites that show a player do so for that one; what they leave
    /// out is `rich`.
    private func embed(_ request: Request) async throws -> Response {
        let query = request.uri.queryParameters
        guard query["format"].map({ $0 == "json" }) ?? true else { throw HTTPError(.notImplemented) }
        guard let url = query["url"], let id = HubID(pageAddress: String(url)), links.page(id) == url else {
            throw HTTPError(.notFound)
        }
        let clip = try await reader.shown(id.text)
        let width = min(try request.number("maxwidth", in: 1...100_000) ?? 480, 480)
        let height = min(try request.number("maxheight", in: 1...100_000) ?? 320, 320)
        let frame: HTML = """
            <iframe src="\(links.embed(clip.id))" width="\(width)" height="\(height)" \
            title="\(clip.displayTitle)"></iframe>
            """
        return try .json(
            OEmbed(
                type: "video", version: "1.0", title: clip.displayTitle, provider_name: "Chirp",
                provider_url: links.home, html: frame.text, width: width, height: height))
    }

    private struct OEmbed: Encodable {
        let type: String
        let version: String
        let title: String
        let provider_name: String
        let provider_url: String
        let html: String
        let width: Int
        let height: Int
    }
}
