internal import ChirpCommunity
internal import ChirpWeb
internal import Hummingbird

extension Router<WebContext> {
    /// Answers at an address of each account: `/@handle` and what follows. A handle that leads to nobody is a 404.
    ///
    /// - Parameter tail: empty, or a path that begins with a slash.
    func getOfPerson(
        _ tail: String, _ reader: HubReader, _ links: HubLinks,
        answer: @escaping @Sendable (PostAuthor, Request) async throws -> Response
    ) {
        // Some programs escape the sign, which is not necessary in a path.
        for sign in ["@", "%40"] {
            get(RouterPath("/\(sign){handle}\(tail)")) { request, context in
                guard let handle = context.parameters.get("handle") else { throw HTTPError(.notFound) }
                guard let person = try await reader.person(named: handle) else {
                    return try await Response.moved(handle, tail, reader, links)
                }
                return try await answer(person, request)
            }
        }
    }
}

extension Response {
    /// Leads from a name that somebody had to the one that she has. Nothing keeps the answer unasked: a person may take a name back.
    ///
    /// - Throws: ``HTTPError`` with 404 when nobody had it.
    static func moved(
        _ handle: String, _ tail: String, _ reader: HubReader, _ links: HubLinks
    ) async throws -> Response {
        guard let now = try await reader.handle(formerly: handle) else { throw HTTPError(.notFound) }
        return Response(
            status: .movedPermanently,
            headers: [.location: "\(links.prefix)/@\(now)\(tail)", .cacheControl: "no-cache"])
    }
}
