internal import Logging
package import Hummingbird

/// Turns every failure into an answer, for people or for programs; and leaves the body out of answers to HEAD.
package struct FailureAnswers: RouterMiddleware {
    /// A page for a failure. It tells nothing about the inside.
    package struct Page: Sendable {
        /// A few words, for programs too.
        let title: String
        let html: HTML

        package init(title: String, html: HTML) {
            self.title = title
            self.html = html
        }
    }

    private let page: @Sendable (HTTPResponse.Status) -> Page
    private let status: @Sendable (any Error) -> HTTPResponse.Status?

    /// - Parameters:
    ///   - page: what people see.
    ///   - status: what an error of a module below means here; nil for what nobody expected, which goes to the log.
    package init(
        page: @escaping @Sendable (HTTPResponse.Status) -> Page,
        status: @escaping @Sendable (any Error) -> HTTPResponse.Status?
    ) {
        self.page = page
        self.status = status
    }

    package func handle(
        _ request: Request, context: WebContext, next: @concurrent (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        let response: Response
        do {
            response = try await next(request, context)
        } catch {
            response = failure(error, request, context)
        }
        return request.method == .head ? response.createHeadResponse() : response
    }

    /// What went wrong, without anything about the inside; that goes to the log.
    private func failure(_ error: any Error, _ request: Request, _ context: WebContext) -> Response {
        let status: HTTPResponse.Status
        if let error = error as? HTTPError {
            status = error.status
        } else if let known = self.status(error) {
            status = known
        } else {
            status = .internalServerError
            context.logger.error("\(request.uri.path.prefix(100).debugDescription): \(error)")
        }
        let page = page(status)
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
}
