package import Hummingbird

/// One address that is answered: method, path, who may use it, and what answers. Router, guards, the table of rights in tests and
/// the description for programs come from these declarations.
package struct WebRoute: Sendable {
    package let method: HTTPRequest.Method
    /// Parts that begin with `:` are parameters.
    package let path: String
    package let access: Access
    package let answer: @Sendable (Request, WebContext) async throws -> Response

    package init(
        _ method: HTTPRequest.Method, _ path: String, _ access: Access,
        answer: @escaping @Sendable (Request, WebContext) async throws -> Response
    ) {
        precondition(method == .get || method == .post)
        self.method = method
        self.path = path
        self.access = access
        self.answer = answer
    }

    /// A page or a document, read by whoever may.
    package static func get(
        _ path: String, _ access: Access = .everybody,
        answer: @escaping @Sendable (Request, WebContext) async throws -> Response
    ) -> WebRoute { WebRoute(.get, path, access, answer: answer) }

    /// An act. Its form was checked against forgery before it is answered.
    package static func post(
        _ path: String, _ access: Access,
        answer: @escaping @Sendable (Request, WebContext, Form) async throws -> Response
    ) -> WebRoute {
        WebRoute(.post, path, access) { request, context in
            guard let form = context.form else { throw HTTPError(.unsupportedMediaType) }
            return try await answer(request, context, form)
        }
    }
}

extension RouterMethods where Context == WebContext {
    /// Adds routes with their guards: forgery before rights, rights before the act.
    ///
    /// - Parameter signIn: where visitors are sent who open a page that is not for them.
    package func add(_ routes: [WebRoute], forgery: ForgeryCheck, signIn: @escaping @Sendable (Request) -> Response) {
        for route in routes {
            on(RouterPath(route.path), method: route.method) { request, context in
                var context = context
                if route.method != .get { context.form = try await forgery.checked(request, context) }
                guard route.access.lets(context.person) else {
                    if context.person == nil, route.method == .get { return signIn(request) }
                    throw HTTPError(context.person == nil ? .unauthorized : .forbidden)
                }
                return try await route.answer(request, context)
            }
        }
    }
}
