internal import ChirpCore
package import Hummingbird

/// Finds out who asks: by the token that a program shows (RFC 6750), or by the session that a browser shows. Who shows none is a
/// visitor.
package struct Identified: RouterMiddleware {
    /// Who has a token, and what it allows.
    package struct Bearer: Sendable {
        /// Nil for a program that asks for itself.
        package let person: Person?
        let scopes: Scopes
        /// By its client identifier.
        let program: String?

        package init(person: Person?, scopes: Scopes, program: String? = nil) {
            self.person = person
            self.scopes = scopes
            self.program = program
        }
    }

    private let cookie: HostCookie
    private let find: @Sendable (_ session: String) async throws -> Person?
    private let bearer: @Sendable (_ token: String) async throws -> Bearer?
    private let inAddress: String?
    private let elsewhere: @Sendable (_ path: String) -> Bool

    /// - Parameters:
    ///   - cookie: holds the session.
    ///   - find: whose session it is; nil when it has ended.
    ///   - bearer: whose token it is; nil when it has ended or never was one.
    ///   - inAddress: the beginning of the paths where a token may stand in the address (RFC 6750, section 2.3): of streams, since
    ///     browsers' `EventSource` sends no headers. Such addresses are written down nowhere.
    ///   - elsewhere: paths where tokens are of another kind, and whoever answers there looks at them.
    package init(
        cookie: HostCookie, find: @escaping @Sendable (_ session: String) async throws -> Person?,
        bearer: @escaping @Sendable (_ token: String) async throws -> Bearer? = { _ in nil },
        inAddress: String? = nil, elsewhere: @escaping @Sendable (_ path: String) -> Bool = { _ in false }
    ) {
        self.elsewhere = elsewhere
        self.cookie = cookie
        self.find = find
        self.bearer = bearer
        self.inAddress = inAddress
    }

    package func handle(
        _ request: Request, context: WebContext, next: @concurrent (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        if request.headers[.authorization] != nil, elsewhere(request.uri.path) {
            return own(try await next(request, context), "Authorization")
        }
        if let token = request.headers[.authorization].map({ Self.token($0) }) ?? inAddress(of: request) {
            // Some programs send an empty one before they have signed in.
            guard let token, !token.isEmpty else { return try await next(request, context) }
            guard let found = try await bearer(token) else {
                throw Self.ended
            }
            context.person = found.person
            context.token = token
            context.scopes = found.scopes
            context.program = found.program
            let request = Self.asking(request) { [bearer] in
                guard let now = try await bearer(token) else { throw Self.ended }
                try Self.require(now.person, toBeAs: found.person)
            }
            return own(try await next(request, context), "Authorization")
        }
        guard let session = cookie.value(in: request) else { return try await next(request, context) }
        context.session = session
        let person = try await find(session)
        context.person = person
        let request = Self.asking(request) { [find] in try Self.require(try await find(session), toBeAs: person) }
        let response = try await next(request, context)
        return context.person == nil ? response : own(response, "Cookie")
    }

    private static var ended: Problem {
        Problem(.unauthorized, "token", "The access token is invalid", bearer: .invalidToken)
    }

    /// The same request, at the end of whose body it is asked again who sends it: a body may take as long as its sender likes, and what was
    /// shown in the head may have ended meanwhile. The reader of the body does not see its end then.
    private static func asking(
        _ request: Request, _ check: @escaping @Sendable () async throws -> Void
    ) -> Request {
        var request = request
        let body = request.body
        request.body = Hummingbird.RequestBody(asyncSequence: CheckedBody(body: body, check: check))
        return request
    }

    /// Refuses whoever is nobody any more, or may do less than when the request began.
    private static func require(_ now: Person?, toBeAs before: Person?) throws {
        guard let before else { return }
        guard let now, now.id == before.id else { throw HTTPError(.unauthorized) }
        guard now.role == before.role, now.isActive || !before.isActive, now.isConfirmed || !before.isConfirmed else {
            throw HTTPError(.forbidden)
        }
    }

    /// What one person sees is nobody else's, whatever stands between.
    private func own(_ response: Response, _ header: String) -> Response {
        var response = response
        response.headers[.vary] = header
        return response
    }

    /// What stands in the address where that may be; nil: nothing does.
    private func inAddress(of request: Request) -> String?? {
        guard let inAddress, request.method == .get, request.uri.path.hasPrefix(inAddress) else { return nil }
        return request.uri.queryParameters["access_token"].map { PercentEncoding.decode(String($0)) }
    }

    /// What follows `Bearer`; nil for other ways to say who one is.
    private static func token(_ header: String) -> String? {
        let parts = header.split(separator: " ", maxSplits: 1)
        guard let scheme = parts.first, scheme.lowercased() == "bearer" else { return nil }
        return parts.count == 2 ? String(parts[1]) : ""
    }
}
