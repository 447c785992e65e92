internal import HTTPTypes
package import Hummingbird

/// Refuses requests that name several hosts or none (400; RFC 9112, section 3.2; RFC 9113, section 8.3.1), and, where it is known by which names this
/// server is reached, those that name another (421).
///
/// A server in front may have gone by the name that this one does not look at: then what is kept or allowed for one host is another's.
/// A page elsewhere may have its own name resolve to this machine ("DNS rebinding") and read what only this machine should. Its
/// requests carry that name.
package struct KnownHosts: RouterMiddleware {
    /// Names with their ports, in lower case; nil means any.
    private let hosts: Set<String>?

    package init(_ hosts: Set<String>?) { self.hosts = hosts }

    package func handle(
        _ request: Request, context: WebContext, next: @concurrent (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        guard RequestHost.isOne(authority: request.head.authority, fields: request.headers[values: .furtherHost]) else {
            throw HTTPError(.badRequest)
        }
        if let hosts {
            guard let host = request.head.authority, hosts.contains(host.lowercased()) else {
                throw HTTPError(.misdirectedRequest)
            }
        }
        return try await next(request, context)
    }
}
