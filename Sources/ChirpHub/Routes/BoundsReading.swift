internal import ChirpCommunity
internal import ChirpWeb
internal import Hummingbird

/// What one request asks of the library ends when it keeps a reader for too long: 503, and the readers are others'.
struct BoundsReading: RouterMiddleware {
    func handle(
        _ request: Request, context: WebContext, next: @concurrent (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        try await HubLibrary.answering { try await next(request, context) }
    }
}
