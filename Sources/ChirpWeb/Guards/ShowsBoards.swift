package import Hummingbird

/// Names the boards of a hub in the head of its pages. Pages are made in the request's task, so they know it without being told each.
package struct ShowsBoards: RouterMiddleware {
    /// A way to a board.
    package struct Way: Sendable {
        /// Without the prefix.
        let path: String
        /// In the visitor's language.
        let title: @Sendable () -> String

        package init(path: String, title: @escaping @Sendable () -> String) {
            self.path = path
            self.title = title
        }
    }

    @TaskLocal static var current: [Way] = []
    private let ways: [Way]

    package init(_ ways: [Way]) { self.ways = ways }

    package func handle(
        _ request: Request, context: WebContext, next: @concurrent (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        try await Self.$current.withValue(ways) { try await next(request, context) }
    }
}
