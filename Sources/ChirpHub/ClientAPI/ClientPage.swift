internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import Hummingbird

/// Which part of a list is asked for, as Mastodon's API does (docs.joinmastodon.org/api/guidelines, "Pagination").
struct ClientPage {
    /// `max_id`: those before it.
    let before: PageCursor?
    /// `since_id`: the newest of those behind it.
    let floor: PageCursor?
    /// `min_id`: the oldest of those behind it.
    let above: PageCursor?
    let limit: Int

    /// - Parameter most: what `limit` may be; more is taken for it, as Mastodon does.
    init(_ request: Request, usual: Int = 20, most: Int = 40) throws {
        before = try Self.place("max_id", request)
        floor = try Self.place("since_id", request)
        above = try Self.place("min_id", request)
        let asked = try Self.read("limit", request) { $0.safeInteger.map { min($0, Int64(most)) } }
        limit = asked.map { max(Int($0), 1) } ?? usual
    }

    private static func place(_ name: String, _ request: Request) throws -> PageCursor? {
        try read(name, request) { PageCursor($0) }
    }

    private static func read<Number>(_ name: String, _ request: Request, _ number: (Substring) -> Number?) throws
        -> Number?
    {
        guard let text = request.uri.queryParameters[name[...]], !text.isEmpty else { return nil }
        guard let number = number(text) else {
            throw Problem(.badRequest, "not-understood", "This is no place in a list", fields: [name: "a number"])
        }
        return number
    }

    /// Adds the addresses of the pages beside this one (RFC 8288), the other parts of the query kept.
    func link(
        _ response: Response, newest: Int64?, oldest: Int64?, _ request: Request, _ links: HubLinks
    ) -> Response {
        guard let newest, let oldest else { return response }
        let kept = PercentEncoding.fields(of: request.uri.query ?? "").filter {
            !["max_id", "since_id", "min_id"].contains($0.name)
        }
        let base = "\(links.publicURL)\(request.uri.path)"
        let next = PercentEncoding.form(kept + [("max_id", "\(oldest)")])
        let previous = PercentEncoding.form(kept + [("min_id", "\(newest)")])
        var response = response
        response.headers[.link] = "<\(base)?\(next)>; rel=\"next\", <\(base)?\(previous)>; rel=\"prev\""
        return response
    }
}
