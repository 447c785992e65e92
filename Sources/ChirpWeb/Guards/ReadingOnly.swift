package import Hummingbird

/// Refuses whatever is neither reading nor a declared act.
package struct ReadingOnly: RouterMiddleware {
    private let acts: Acts

    package init(except acts: Acts = Acts([])) { self.acts = acts }

    package func handle(
        _ request: Request, context: WebContext, next: @concurrent (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        if acts.include(request.head) {
            // A longer body than the act takes is not read, see BodyRefusal: the act would wait for it.
            guard !BodyRefusal.hasBody(request.headers) || acts.includeBody(of: request.head) else {
                throw HTTPError(.contentTooLarge)
            }
            return try await next(request, context)
        }
        guard request.method == .get || request.method == .head, !acts.refuse(request.head) else {
            let allowed = acts.methods(at: request.head).joined(separator: ", ")
            throw HTTPError(.methodNotAllowed, headers: [.allow: allowed])
        }
        // Reading needs no body; one is not even read, see BodyRefusal.
        guard !BodyRefusal.hasBody(request.headers) else { throw HTTPError(.contentTooLarge) }
        return try await next(request, context)
    }
}
