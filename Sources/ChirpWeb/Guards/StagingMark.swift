package import Hummingbird

/// Marks everything that a server for trying things answers: pages begin with a banner, and search engines keep nothing.
package struct StagingMark: RouterMiddleware {
    package init() {}

    package func handle(
        _ request: Request, context: WebContext, next: @concurrent (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        var response = try await Staging.$isOn.withValue(true) { try await next(request, context) }
        response.headers[.robots] = "noindex, nofollow"
        return response
    }
}
