internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb
internal import Hummingbird

/// What may belong to somebody's own listing: a page and the same for programs.
struct MatchRoutes {
    let desk: ListingDesk
    private let store: MatchStore

    init(_ desk: ListingDesk) {
        self.desk = desk
        store = MatchStore(library: desk.desk.library)
    }

    private static let path = "\(ListingDesk.path)/:id/matches"
    private static let api = "\(ListingDesk.api)/:id/matches"

    var routes: [WebRoute] {
        [
            .get(Self.path, .signedIn) { request, context in
                try await desk.answering(request, context) {
                    let listing = try await desk.own(context)
                    let matches = try await store.matches(of: listing)
                    return desk.show(request, context) { token in
                        MatchPage(listing: listing, matches: matches, token: token, links: desk.links).html
                    }
                }
            },
            .post("\(Self.path)/seen", .signedIn) { request, context, _ in
                try await answer(.seen, request, context)
            },
            .post("\(Self.path)/:other/dismissal", .signedIn) { request, context, _ in
                try await answer(.dismissed, request, context)
            },
            .api(
                .get, Self.api, .signedIn, scope: "read:statuses",
                summary: "Lists what may be the other side of one's own listing, and why"
            ) { request, context in
                try await desk.answering(request, context) {
                    let matches = try await store.matches(of: try await desk.own(context))
                    return .json { json in
                        json.field("matches") { json in
                            json.array(matches) { json, match in json.object { write(match, &$0) } }
                        }
                    }
                }
            },
            .api(
                .post, "\(Self.api)/seen", .signedIn, scope: "write:statuses",
                summary: "Says that one has looked at all of them", gives: 204
            ) { request, context in try await answer(.seen, request, context) },
            .api(
                .post, "\(Self.api)/:other/dismissal", .signedIn, scope: "write:statuses",
                summary: "Puts one of them aside for good", gives: 204
            ) { request, context in try await answer(.dismissed, request, context) },
        ]
    }

    private func answer(
        _ answer: MatchStore.Answer, _ request: Request, _ context: WebContext
    ) async throws -> Response {
        try await desk.answering(request, context) {
            let listing = try await desk.own(context)
            let other = context.parameters.get("other").flatMap { HubID($0) }
            if answer == .dismissed, other == nil { throw Problem.noListing }
            let isThere = try await store.answer(answer, to: other, of: listing)
            if answer == .dismissed, !isThere { throw Problem.noListing }
            if request.isForProgram { return Response(status: .noContent) }
            return desk.goOn(to: "\(ListingDesk.path)/\(listing.id)/matches")
        }
    }

    private func write(_ match: Match, _ json: inout JSONText) {
        json.field("id", match.other.id.text)
        json.field("title", match.other.item.title)
        json.field("page", "\(desk.links.publicURL)\(ListingDesk.path)/\(match.other.id)")
        json.field("score", seconds: (match.score * 100).rounded() / 100)
        json.field("new", match.isNew)
        json.field("why") { json in json.array(match.reasons) { $0.value($1.words) } }
    }
}
