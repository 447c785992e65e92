package import Hummingbird

/// Refuses requests that name another host.
///
/// A page elsewhere may have its own name resolve to this machine ("DNS rebinding") and read what only this machine should. Its
/// requests carry that name.
package struct KnownHosts: RouterMiddleware {
    /// Names with their ports, in lower case; nil means any.
    private let hosts: Set<String>?

    package init(_ hosts: Set<String>?) { self.hosts = hosts }

    package func handle(
        _ request: Request, context: WebContext, next: @concurrent (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        if let hosts {
            guard let host = request.head.authority, hosts.contains(host.lowercased()) else {
                throw HTTPError(.misdirectedRequest)
            }
        }
        return try await next(request, context)
    }
}
