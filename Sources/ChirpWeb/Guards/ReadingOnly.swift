package import Hummingbird

/// Refuses whatever is not reading.
package struct ReadingOnly: RouterMiddleware {
    package init() {}

    package func handle(
        _ request: Request, context: WebContext, next: @concurrent (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        guard request.method == .get || request.method == .head else { throw HTTPError(.methodNotAllowed) }
        // Reading needs no body; one is not even read, see BodyRefusal.
        guard !BodyRefusal.hasBody(request.headers) else { throw HTTPError(.contentTooLarge) }
        return try await next(request, context)
    }
}
