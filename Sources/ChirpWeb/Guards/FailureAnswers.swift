internal import Logging
package import Hummingbird
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTP2

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

    private let base: String
    private let page: @Sendable (HTTPResponse.Status) -> Page
    private let status: @Sendable (any Error) -> HTTPResponse.Status?
    private let problem: @Sendable (any Error) -> Problem?

    /// - Parameters:
    ///   - base: what the addresses of problems' types begin with, without a slash at the end.
    ///   - page: what people see.
    ///   - problem: the same for programs, where there is more to say than a status.
    ///   - status: what an error of a module below means here; nil for what nobody expected, which goes to the log.
    package init(
        base: String = "", page: @escaping @Sendable (HTTPResponse.Status) -> Page,
        problem: @escaping @Sendable (any Error) -> Problem? = { _ in nil },
        status: @escaping @Sendable (any Error) -> HTTPResponse.Status?
    ) {
        self.base = base
        self.page = page
        self.status = status
        self.problem = problem
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
        if let problem = error as? Problem { return answer(problem, request) }
        let known = problem(error)
        if let problem = known {
            if request.uri.path.hasPrefix("/api/") { return answer(problem, request) }
            status = problem.status
        } else if let error = error as? any HTTPResponseError {
            status = error.status
        } else if let known = self.status(error) {
            status = known
        } else if Self.isCutOff(error) {
            status = .badRequest
            context.logger.debug("a request ended early: \(error)")
        } else {
            status = .internalServerError
            context.logger.error("\(Self.nameless(request.uri.path).debugDescription): \(error)")
        }
        let page = page(status)
        var response: Response
        if Self.isOwnAPI(request) {
            response = answer(Problem(status, "status-\(status.code)", page.title), request)
        } else if request.uri.path.hasPrefix("/api/") || request.uri.path.hasSuffix(".json") {
            let document = ErrorDocument(error: .init(status: status.code, title: page.title))
            response = (try? .json(document, status: status)) ?? Response(status: status)
        } else {
            response = .page(page.html, status: status)
        }
        if let error = error as? HTTPError {
            for field in error.headers { response.headers[field.name] = field.value }
        }
        if status == .tooManyRequests { response.headers[.retryAfter] = "10" }
        if status == .serviceUnavailable { response.headers[.retryAfter] = "2" }
        if let seconds = known?.retryAfter { response.headers[.retryAfter] = "\(seconds)" }
        response.headers[.cacheControl] = "no-store"
        return response
    }

    /// Whether it says that the other end has sent less than it announced, or has gone.
    private static func isCutOff(_ error: any Error) -> Bool {
        error is HTTPParserError || error is ChannelError || error is IOError || error is NIOHTTP2Errors.StreamClosed
    }

    /// A path for the log, without the parts that may be secrets: addresses of feeds and clips.
    private static func nameless(_ path: String) -> String {
        path.prefix(200).split(separator: "/", omittingEmptySubsequences: false).map { part in
            part.utf8.count < 20 ? String(part) : "..."
        }.joined(separator: "/")
    }

    private func answer(_ problem: Problem, _ request: Request) -> Response {
        let document =
            Self.isOwnAPI(request)
            ? try? Response.json(
                problem.document(base: base), type: "application/problem+json", status: problem.status)
            : try? Response.json(problem.clientDocument, status: problem.status)
        var response = document ?? Response(status: problem.status)
        response.headers[.cacheControl] = "no-store"
        if let bearer = problem.bearer {
            response.headers[.wwwAuthenticate] = bearer.challenge
        } else if problem.status == .unauthorized {
            response.headers[.wwwAuthenticate] = "Bearer"
        }
        if let seconds = problem.retryAfter { response.headers[.retryAfter] = "\(seconds)" }
        return response
    }

    /// Whether a request is for the part of the API that is this hub's alone.
    private static func isOwnAPI(_ request: Request) -> Bool {
        request.uri.path.hasPrefix("/api/hub/") || request.uri.path.hasPrefix("/api/uploads")
    }

    private struct ErrorDocument: Encodable {
        struct Detail: Encodable {
            let status: Int
            let title: String
        }
        let error: Detail
    }
}
