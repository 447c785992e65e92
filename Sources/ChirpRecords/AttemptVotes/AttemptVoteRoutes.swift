internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb
internal import Hummingbird

/// Votes on single attempts (OU-9): a form in the page of each, and the same for programs.
struct AttemptVoteRoutes {
    let desk: RecordDesk

    private static let path = "\(RecordDesk.path)/attempts/:attempt/votes"
    private static let api = "\(RecordDesk.api)/attempts/:attempt/votes"
    /// How often one person votes, or thinks again.
    private static let rule = RateRule(300, per: 3600)

    var routes: [WebRoute] {
        [
            .post(Self.path, .active) { request, context, form in
                try await desk.answering(request, context) {
                    desk.goOn(to: "\(Attempt.path(try await vote(form["vote"], context)))#votes")
                }
            },
            .api(
                .get, Self.api, .everybody, scope: "read:statuses",
                summary: "How an attempt stands with those who have voted on it"
            ) { request, context in
                try await desk.answering(request, context) { try await document(try await seen(context), context) }
            },
            .api(
                .put, Self.api, .active, scope: "write:favourites", body: .upTo(Form.mostBytes),
                summary: "Votes on an attempt, or takes the vote back; the same again changes nothing",
                takes: [.text("vote", "up, down or none")]
            ) { request, context in
                try await desk.answering(request, context) {
                    let sent = try await request.fields()
                    return try await document(try await vote(sent["vote"] ?? "", context), context)
                }
            },
        ]
    }

    /// The attempt that a path names, if whoever asks sees it.
    private func seen(_ context: WebContext) async throws -> HubID {
        guard let id = context.parameters.get("attempt").flatMap({ HubID($0) }),
            try await desk.attempts.attempt(id, for: context.viewer) != nil
        else { throw AttemptProblem(refusal: .notFound) }
        return id
    }

    private func vote(_ text: String, _ context: WebContext) async throws -> HubID {
        let id = try await seen(context)
        let vote = ItemVote(rawValue: text)
        guard vote != nil || text == "none" else {
            throw Problem(
                .unprocessableContent, "invalid", word("vote.invalid"), fields: ["vote": word("vote.unknown")])
        }
        let account = try context.account
        try await desk.desk.consume("vote", Self.rule, by: .account(account), told: word("vote.too-often"))
        do throws(AttemptRefusal) {
            try await desk.attempts.vote(vote, on: id, by: account, from: context.address)
        } catch {
            throw AttemptProblem(refusal: error)
        }
        return id
    }

    private func document(_ id: HubID, _ context: WebContext) async throws -> Response {
        let votes = try await desk.attempts.votes(on: [id], for: context.viewer)[id] ?? AttemptVotes()
        return Response.json { json in
            json.field("ups", votes.ups)
            json.field("downs", votes.downs)
            json.field("own", votes.own?.rawValue)
            json.field("isSunk", votes.isSunk)
        }.personal
    }
}

/// What people think of an attempt, in its page: a button for each side for who may vote, which is pressed again to take the vote back.
struct AttemptVoteSection {
    let attempt: Attempt
    let votes: AttemptVotes
    /// Of the page's forms; nil for who does not vote here.
    let token: String?
    let links: HubLinks

    var html: HTML {
        guard attempt.state == .waiting || attempt.state == .verified else { return .nothing }
        let sides: HTML
        if let token, !attempt.isOwn {
            sides = """
                <form class="acts" method="post" action="\(links.prefix)\(attempt.path)/votes">\
                <input type="hidden" name="token" value="\(token)">\(button(.up))\(button(.down))</form>
                """
        } else {
            sides = "<p class=\"byline\">\(name(.up)) · \(name(.down))</p>"
        }
        return "<section class=\"votes\" id=\"votes\" aria-label=\"\(word("vote.title"))\">\(sides)</section>"
    }

    private func name(_ vote: ItemVote) -> String {
        vote == .up
            ? word("vote.up", ["count": "\(votes.ups)"]) : word("vote.down", ["count": "\(votes.downs)"])
    }

    private func button(_ vote: ItemVote) -> HTML {
        let isOwn = votes.own == vote
        return """
            <button class="act" name="vote" value="\(isOwn ? "none" : vote.rawValue)" \
            aria-pressed="\(isOwn ? "true" : "false")">\(name(vote))</button>
            """
    }
}
