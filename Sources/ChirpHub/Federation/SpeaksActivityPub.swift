internal import ChirpCommunity
internal import ChirpCore
internal import ChirpFederation
internal import ChirpFediverse
internal import ChirpHTTP
internal import ChirpWeb
internal import Hummingbird

/// Gives other servers the document where people get the page: of somebody at `/@handle`, of a clip at `/c/ID`.
struct SpeaksActivityPub: RouterMiddleware {
    typealias Context = WebContext

    let fediverse: Fediverse

    func handle(
        _ request: Request, context: WebContext, next: @concurrent (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        let parts = request.uri.path.split(separator: "/")
        let isPerson = parts.count == 1 && (parts[0].hasPrefix("@") || parts[0].hasPrefix("%40"))
        let isClip = parts.count == 2 && parts[0] == "c"
        guard isPerson || isClip, request.method == .get || request.method == .head else {
            return try await next(request, context)
        }
        if MediaType.wantsActivity(request.headers[.accept]) {
            let document =
                isPerson
                ? try await fediverse.actor(named: PercentEncoding.decode(parts[0]).dropFirst())?.document
                : try await fediverse.note(ofClip: String(parts[1]))?.document
            if let document { return .activity(document) }
        }
        // Whoever keeps the page must know that others get something else there.
        var response = try await next(request, context)
        response.headers[.vary] = [response.headers[.vary], "Accept"].compactMap { $0 }.joined(separator: ", ")
        return response
    }
}
