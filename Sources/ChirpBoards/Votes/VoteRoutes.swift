internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpWeb
internal import Hummingbird

/// The addresses of votes on a board's items: an act with one handler and two answers, a page and a document.
struct VoteRoutes {
    let votes: BoardVotes

    private var desk: BoardDesk { votes.desk }
    private var path: String { "/\(votes.board)/:id/votes" }
    private var api: String { "/api/hub/v1\(path)" }

    var routes: [WebRoute] {
        [
            .post(path, .active) { request, context, form in
                try await asPage(request, context) {
                    let item = try await vote(form["vote"], context)
                    return desk.goOn(to: "/\(item.board)/\(item.id)#votes")
                }
            },
            .api(
                .get, api, .everybody, scope: "read:statuses",
                summary: "How an item stands with those who have voted on it"
            ) { _, context in
                try await answering { try await document(try await item(context), context) }
            },
            .api(
                .put, api, .active, scope: "write:favourites",
                summary: "Votes on an item, or takes the vote back; the same again changes nothing",
                takes: [.text("vote", "up, down or none")]
            ) { request, context in
                try await answering {
                    let sent = try await request.fields()
                    return try await document(try await vote(sent["vote"] ?? "", context), context)
                }
            },
        ]
    }

    /// Puts a vote to the item that the path names, or takes it back.
    ///
    /// - Returns: the item.
    private func vote(_ text: String, _ context: WebContext) async throws -> Item {
        let item = try await item(context)
        let vote = ItemVote(rawValue: text)
        guard vote != nil || text == "none" else {
            throw Problem(
                .unprocessableContent, "invalid", word("vote.invalid"), fields: ["vote": word("vote.unknown")])
        }
        let account = try context.account
        try await desk.consume("vote", BoardVotes.rule, by: .account(account), told: word("vote.too-often"))
        do throws(VoteRefusal) {
            try await desk.library.vote(vote, on: item.id, board: item.board, by: account, from: context.address)
        } catch { throw error.thrown }
        return item
    }

    private func item(_ context: WebContext) async throws -> Item {
        try await desk.item(
            on: votes.board, context, gone: word("vote.gone"),
            missing: Problem(.notFound, "not-found", word("vote.not-found")))
    }

    private func document(_ item: Item, _ context: WebContext) async throws -> Response {
        guard let standing = try await votes.standing(of: item, context) else { throw VoteRefusal.notFound.thrown }
        return Response.json { json in
            json.field("ups", standing.ups)
            json.field("downs", standing.downs)
            json.field("own", standing.own?.rawValue)
            // To four places: nobody ranks by more, and it reads well.
            json.field("score", seconds: (standing.score * 10_000).rounded() / 10_000)
            json.field("isSunk", standing.isSunk)
        }.personal
    }

    /// Programs are told in English.
    private func answering(_ answer: () async throws -> Response) async throws -> Response {
        try await Language.$current.withValue(.english) { try await answer() }
    }

    /// What programs are told as a problem, people are by a page that leads back to the item.
    private func asPage(
        _ request: Request, _ context: WebContext, _ answer: () async throws -> Response
    ) async throws -> Response {
        do { return try await answer() } catch let problem as Problem {
            guard problem.status != .notFound, problem.status != .gone, let id = context.parameters.get("id") else {
                throw HTTPError(problem.status)
            }
            var told = desk.show(request, context, status: problem.status) { token in
                votes.frame(
                    word("vote.refused"),
                    """
                    <h1>\(word("vote.refused"))</h1><p>\(problem.sentence).</p>
                    <p><a href="\(desk.links.prefix)/\(votes.board)/\(id)#votes">\(word("vote.back"))</a></p>
                    """, token)
            }
            if let seconds = problem.retryAfter { told.headers[.retryAfter] = "\(seconds)" }
            return told
        }
    }
}

extension VoteRefusal {
    /// For people and programs alike, in the visitor's language.
    var thrown: any Error {
        switch self {
        case .notFound: Problem(.notFound, "not-found", word("vote.not-found"))
        case .notActive: Problem(.forbidden, "not-active", word("vote.inactive"))
        case .own: Problem(.forbidden, "own-vote", word("vote.own"))
        case .ended: Problem(.conflict, "changed-meanwhile", word("vote.ended"))
        case .library(let error): error
        }
    }
}
