package import ChirpCore
package import Hummingbird

/// Says in the request's context whose request it is when a trusted proxy has handed it on. Everything that counts or refuses by
/// address asks the context.
package struct ForwardedAddress: RouterMiddleware {
    private let proxies: TrustedProxies

    package init(_ proxies: TrustedProxies) { self.proxies = proxies }

    package func handle(
        _ request: Request, context: WebContext, next: @concurrent (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        guard proxies.contains(context.address) else { return try await next(request, context) }
        var context = context
        context.comes(
            from: proxies.visitor(peer: context.address, forwarded: request.headers[values: .xForwardedFor]))
        return try await next(request, context)
    }
}
