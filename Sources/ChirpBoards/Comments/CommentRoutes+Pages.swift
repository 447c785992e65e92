internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import Hummingbird

/// Comments as pages: all on an item, one with its answers, and the question before one is removed.
extension CommentRoutes {
    /// What programs are told as a problem, people are by a page.
    func asPage(_ answer: () async throws -> Response) async throws -> Response {
        do { return try await answer() } catch let problem as Problem { throw HTTPError(problem.status) }
    }

    /// What a page is called, with the way back to the item.
    func heading(_ name: String, _ item: Item) -> HTML {
        """
        <h1 id="comments" dir="auto">\(name)</h1>
        <p><a href="\(desk.links.prefix)/\(item.board)/\(item.id.text)" dir="auto">\(item.title)</a></p>
        """
    }

    /// A page of the board.
    func page(
        _ name: String, _ request: Request, _ context: WebContext, _ body: (_ token: String?) async throws -> HTML
    ) async throws -> Response {
        try await desk.showMade(request, context) { token in comments.frame(name, try await body(token), token) }
    }

    /// All comments on an item, page by page, in the order that was chosen.
    func all(_ item: Item, _ request: Request, _ context: WebContext) async throws -> Response {
        var query = try query(item, request)
        query.answersTo = nil
        guard let found = try await comments.reader(context).comments(query) else { throw Problem.noComment }
        let name = word("comment.on", ["title": item.title])
        let (order, isFirst) = (query.order, query.after == nil)
        return try await page(name, request, context) { token in
            let view = try await comments.view(of: item, found.comments, context, token: token)
            return """
                \(heading(name, item))
                <section class="comments" aria-labelledby="comments">
                \(orders(order, item))\(found.comments.isEmpty && !isFirst ? "<p>\(word("comment.end"))</p>" : view.list(found.comments))
                \(further(comments.path(item), "order=\(order.rawValue)&", found.next))
                \(view.entry())</section>
                """
        }
    }

    /// One comment with the answers to it, page by page.
    func one(
        _ comment: ItemComment, of item: Item, _ request: Request, _ context: WebContext
    ) async throws -> Response {
        var (comment, query) = (comment, try query(item, request))
        (query.order, query.answersTo) = (.oldest, comment.id)
        let found = try await comments.reader(context).comments(query)
        comment = comment.with(found?.comments ?? [])
        let name = word("comment.one", ["title": item.title])
        return try await page(name, request, context) { [comment] token in
            let view = try await comments.view(of: item, [comment], context, token: token)
            let thread: HTML =
                comment.above.map {
                    """
                    <p><a href="\(desk.links.prefix)\(comments.path(item))/\($0.text)">\(word("comment.thread"))</a></p>
                    """
                } ?? .nothing
            return """
                \(heading(name, item))
                <section class="comments" aria-labelledby="comments">
                \(thread)\(view.list([comment]))\(further("\(comments.path(item))/\(comment.id)", "", found?.next))
                \(comment.state == .shown ? view.entry(above: comment) : .nothing)</section>
                """
        }
    }

    private func orders(_ chosen: CommentQuery.Order, _ item: Item) -> HTML {
        let ways = CommentQuery.Order.allCases.map { order -> HTML in
            let name = order == .oldest ? word("comment.oldest") : word("comment.newest")
            let current: HTML = order == chosen ? " aria-current=\"true\"" : .nothing
            return """
                <a href="\(desk.links.prefix)\(comments.path(item))?order=\(order.rawValue)"\(current)>\(name)</a>
                """
        }
        return
            "<nav class=\"pages\" aria-label=\"\(word("comment.order"))\">\(HTML(joining: ways, separator: " "))</nav>"
    }

    /// - Parameter query: what stands before the place; ends with `&` where there is something.
    private func further(_ path: String, _ query: String, _ next: PageCursor?) -> HTML {
        guard let next else { return .nothing }
        return """
            <nav class="pages" aria-label="\(word("list.pages"))"><a rel="next" \
            href="\(desk.links.prefix)\(path)?\(query)after=\(Int(next.row))">\(word("comment.more"))</a></nav>
            """
    }

    /// Asks before a comment is removed: a press by mistake cannot be taken back.
    func removal(of comment: ItemComment, on item: Item, _ token: String?) -> HTML {
        let name = word("comment.removal")
        let text = PlainText(comment.text, limit: 200).value
        return comments.frame(
            name,
            """
            <div class="form"><h1>\(name)</h1>
            <p>\(word("comment.removal-sure"))</p><blockquote dir="auto">\(text)</blockquote>
            <form method="post" action="\(desk.links.prefix)\(comments.path(item))/\(comment.id.text)/removal">\
            <input type="hidden" name="token" value="\(token ?? "")">
            <p class="actions"><button class="main">\(word("comment.remove"))</button>
            <a class="quiet" href="\(desk.links.prefix)/\(item.board)/\(item.id.text)" dir="auto">\(item.title)</a></p></form></div>
            """, token)
    }
}
