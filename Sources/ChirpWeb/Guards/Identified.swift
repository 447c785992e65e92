package import Hummingbird

/// Finds out who asks, by the session that the browser shows. Who shows none is a visitor.
package struct Identified: RouterMiddleware {
    private let cookie: HostCookie
    private let find: @Sendable (_ session: String) async throws -> Person?

    /// - Parameters:
    ///   - cookie: holds the session.
    ///   - find: whose session it is; nil when it has ended.
    package init(cookie: HostCookie, find: @escaping @Sendable (_ session: String) async throws -> Person?) {
        self.cookie = cookie
        self.find = find
    }

    package func handle(
        _ request: Request, context: WebContext, next: @concurrent (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        guard let session = cookie.value(in: request) else { return try await next(request, context) }
        var context = context
        context.session = session
        context.person = try await find(session)
        var response = try await next(request, context)
        // What one person sees is nobody else's, whatever stands between.
        if context.person != nil { response.headers[.vary] = "Cookie" }
        return response
    }
}
