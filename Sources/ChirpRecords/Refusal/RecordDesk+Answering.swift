internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb
internal import Hummingbird

extension RecordDesk {
    /// Answers, and tells what went wrong: people by a page, programs by a problem in English.
    func answering(
        _ request: Request, _ context: WebContext, _ answer: () async throws -> Response
    ) async throws -> Response {
        try await telling.answering(request, answer)
    }

    private var telling: BoardTelling {
        BoardTelling(
            page: { [links] title, text in
                let body: HTML = """
                    <div class="failure"><h1>\(title)</h1>
                    \(text)
                    <p class="actions"><a class="main" href="\(links.prefix)\(Self.path)">\(word("challenge.toboard"))</a></p></div>
                    """
                return RecordLayout(links: links).page(title: title, head: RecordLayout.unlisted, body: body)
            },
            refused: { word("challenge.refused.title") },
            gone: { (word("challenge.gone.title"), "<p>\($0.sentence)</p>", $0.problem("The challenge is gone")) },
            refusal: { error in
                if let refusal = error as? ItemRefusal { return ChallengeRefusal.item(refusal) }
                if let refusal = error as? AttemptRefusal { return AttemptProblem(refusal: refusal) }
                return error as? any BoardRefusal
            })
    }
}

extension Problem {
    static let noChallenge = Problem(.notFound, "not-found", "There is no such challenge")
}

extension ItemGone {
    /// What became of it, and when: nothing else is told.
    fileprivate var sentence: HTML {
        guard let since else { return "\(word("challenge.gone.otherwise"))" }
        let time = Wording.time(since)
        return switch state {
        case .withdrawn: HTML.word("challenge.gone.withdrawn", ["time": time])
        case .expired: HTML.word("challenge.gone.expired", ["time": time])
        default: HTML.word("challenge.gone.ended", ["time": time])
        }
    }
}
