public import ChirpHTTP

/// Follows redirects of GET and HEAD requests to hosts that the rule allows.
///
/// Never from https to plain http. `Authorization` and `Cookie` go only to the origin they were meant for.
public struct RedirectingTransport: HTTPTransport {
    private let base: any HTTPTransport
    private let maximum: Int
    private let allows: @Sendable (WebAddress) -> Bool

    /// - Parameters:
    ///   - maximum: redirects in a row, 0 or more.
    ///   - allows: asked about every address but the first.
    public init(_ base: any HTTPTransport, maximum: Int = 5, allows: @escaping @Sendable (WebAddress) -> Bool) {
        precondition(maximum >= 0)
        self.base = base
        self.maximum = maximum
        self.allows = allows
    }

    public func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        var request = request
        for _ in 0...maximum {
            let response = try await base.send(request)
            guard [301, 302, 303, 307, 308].contains(response.status), let location = response.headers["Location"],
                request.method == .get || request.method == .head
            else { return response }
            let host = request.address.host
            guard let next = request.address.resolving(location) else {
                throw .redirect(host: host, reason: "to something that is not a web address")
            }
            guard next.isSecure || !request.address.isSecure else {
                throw .redirect(host: host, reason: "to plain http")
            }
            guard allows(next) else { throw .redirect(host: host, reason: "to \(next.host), which is not expected") }
            if next.origin != request.address.origin {
                request.headers["Authorization"] = nil
                request.headers["Cookie"] = nil
            }
            request.address = next
        }
        throw .redirect(host: request.address.host, reason: "more than \(maximum) times in a row")
    }
}
