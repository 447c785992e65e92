package import Hummingbird

/// Refuses requests with more fields than anybody needs (431; RFC 6585, section 5), whatever version of HTTP they come by.
package struct FewFields: RouterMiddleware {
    /// The most that a request may have.
    package static let most = 100

    package init() {}

    package func handle(
        _ request: Request, context: WebContext, next: @concurrent (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        guard request.headers.count <= Self.most else { throw HTTPError(.requestHeaderFieldsTooLarge) }
        return try await next(request, context)
    }
}
