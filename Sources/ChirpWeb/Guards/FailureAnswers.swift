internal import Hummingbird
internal import Logging

/// The outermost layer: refuses what is never right, turns every failure into an answer, and adds the headers that keep
/// browsers from doing more than a page needs.
struct GuardMiddleware: RouterMiddleware {
    let links: HubLinks
    /// Names under which the hub may be addressed; nil means any. See ``HubApplication``.
    let hosts: Set<String>?

    func handle(
        _ request: Request, context: HubContext, next: @concurrent (Request, HubContext) async throws -> Response
    ) async throws -> Response {
        var response: Response
        do {
            if let refusal = refuse(request) { throw HTTPError(refusal) }
            response = try await next(request, context)
        } catch {
            response = failure(error, request, context)
        }
        addHeaders(to: &response)
        return request.method == .head ? response.createHeadResponse() : response
    }

    private func refuse(_ request: Request) -> HTTPResponse.Status? {
        if let hosts {
            // A page elsewhere may have its own name resolve to this machine ("DNS rebinding") and read what only this
            // machine should. Its requests carry that name.
            guard let host = request.head.authority, hosts.contains(host.lowercased()) else {
                return .misdirectedRequest
            }
        }
        guard request.method == .get || request.method == .head else { return .methodNotAllowed }
        // Requests here need no body; one is not even read, see BodyRefusal.
        return BodyRefusal.hasBody(request.headers) ? .contentTooLarge : nil
    }

    /// What went wrong, without anything about the inside; that goes to the log.
    private func failure(_ error: any Error, _ request: Request, _ context: HubContext) -> Response {
        let status: HTTPResponse.Status
        switch error {
        case let error as HTTPError: status = error.status
        case HubError.busy: status = .serviceUnavailable
        default:
            status = .internalServerError
            context.logger.error("\(request.uri.path.prefix(100).debugDescription): \(error)")
        }
        let page = ErrorPage(status: status, links: links)
        let isForPrograms = request.uri.path.hasPrefix("/api/") || request.uri.path.hasSuffix(".json")
        var response =
            isForPrograms
            ? (try? .json(ErrorDocument(error: .init(status: status.code, title: page.title)), status: status))
                ?? Response(status: status)
            : .page(page.html, status: status)
        if let error = error as? HTTPError { response.headers.append(contentsOf: error.headers) }
        if status == .methodNotAllowed { response.headers[.allow] = "GET, HEAD" }
        if status == .tooManyRequests { response.headers[.retryAfter] = "10" }
        if status == .serviceUnavailable { response.headers[.retryAfter] = "2" }
        response.headers[.cacheControl] = "no-store"
        return response
    }

    private struct ErrorDocument: Encodable {
        struct Detail: Encodable {
            let status: Int
            let title: String
        }
        let error: Detail
    }

    private func addHeaders(to response: inout Response) {
        if response.headers[.contentSecurityPolicy] == nil {
            response.headers[.contentSecurityPolicy] = Self.policy(frames: "'none'")
            response.headers[.xFrameOptions] = "DENY"
        }
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.referrerPolicy] = "no-referrer"
        response.headers[.permissionsPolicy] = "camera=(), microphone=(), geolocation=()"
        if response.headers[.crossOriginResourcePolicy] == nil {
            response.headers[.crossOriginResourcePolicy] = "same-origin"
        }
    }

    /// Everything comes from the hub itself; nothing is inline (CSP level 3).
    static func policy(frames: String) -> String {
        """
        default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self'; \
        base-uri 'none'; form-action 'none'; frame-ancestors \(frames)
        """
    }
}
