internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb
internal import Hummingbird

extension ListingDesk {
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
                    <p class="actions"><a class="main" href="\(links.prefix)\(Self.path)">\(word("listing.toboard"))</a></p></div>
                    """
                return ListingLayout(links: links).page(
                    title: title, head: ListingLayout.unlisted, body: body)
            },
            refused: { word("listing.refused.title") },
            gone: { (word("listing.gone.title"), "<p>\($0.sentence)</p>", $0.problem("The listing is gone")) },
            refusal: { error in
                if let refusal = error as? ItemRefusal { return ListingRefusal.item(refusal) }
                return error as? ListingRefusal
            })
    }
}

extension Problem {
    static let noListing = Problem(.notFound, "not-found", "There is no such listing")
}
