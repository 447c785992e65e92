package import Hummingbird

/// Answers pages in the language that the visitor asks for.
package struct SpeaksLanguage: RouterMiddleware {
    package init() {}

    package func handle(
        _ request: Request, context: WebContext, next: @concurrent (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        let language = Language(accepting: request.headers[.acceptLanguage])
        var response = try await Language.$current.withValue(language) { try await next(request, context) }
        if response.headers[.contentType]?.hasPrefix("text/html") == true {
            response.headers[.contentLanguage] = language.rawValue
            response.headers[.vary] =
                response.headers[.vary].map { "\($0), Accept-Language" } ?? "Accept-Language"
        }
        return response
    }
}
