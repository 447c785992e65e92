internal import ChirpCommunity
internal import ChirpWeb
internal import Hummingbird

extension Router<WebContext> {
    /// Answers at an address of each account: `/@handle` and what follows. A handle that leads to nobody is a 404.
    ///
    /// - Parameter tail: empty, or a path that begins with a slash.
    func getOfPerson(
        _ tail: String, _ reader: HubReader,
        answer: @escaping @Sendable (PostAuthor, Request) async throws -> Response
    ) {
        // Some programs escape the sign, which is not necessary in a path.
        for sign in ["@", "%40"] {
            get(RouterPath("/\(sign){handle}\(tail)")) { request, context in
                guard let handle = context.parameters.get("handle"), let person = try await reader.person(named: handle)
                else { throw HTTPError(.notFound) }
                return try await answer(person, request)
            }
        }
    }
}
