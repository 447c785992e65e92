internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import FoundationEssentials
internal import Hummingbird

/// The addresses of comments on a board's items: pages, and the same for programs.
struct CommentRoutes {
    let comments: BoardComments

    private var desk: BoardDesk { comments.desk }
    private var path: String { "/\(comments.board)/:id/comments" }
    private var api: String { "/api/hub/v1\(path)" }

    var routes: [WebRoute] { pages + programs }

    private var pages: [WebRoute] {
        [
            .get(path) { request, context in
                try await asPage { try await all(try await item(context), request, context) }
            },
            .post(
                path, .active, files: [FileForm.Files("voice", mostBytes: BoardComments.mostClipBytes)],
                upTo: BoardComments.mostClipBytes + 2 * Form.mostBytes
            ) { request, context, sent in
                try await asPage { try await say(sent, request, context) }
            },
            .get("\(path)/:comment") { request, context in
                try await asPage {
                    let item = try await item(context)
                    return try await one(try await comment(item, context), of: item, request, context)
                }
            },
            .get("\(path)/:comment/removal", .signedIn) { request, context in
                try await asPage {
                    let item = try await item(context)
                    let comment = try await comment(item, context)
                    guard let author = comment.author?.id, [author, item.author.id].contains(try context.account) else {
                        throw Problem.noComment
                    }
                    return show(request, context) { removal(of: comment, on: item, $0) }
                }
            },
            .post("\(path)/:comment/removal", .signedIn) { _, context, _ in
                try await asPage {
                    let item = try await item(context)
                    try await remove(context)
                    return goOn(to: "/\(item.board)/\(item.id)")
                }
            },
        ]
    }

    private var programs: [WebRoute] {
        [
            .api(
                .get, api, .everybody,
                summary: "The comments on an item, each with its first answers; with answers=ID all answers to one",
                query: [
                    .text("order", isRequired: false, "oldest or newest"), .text("after", isRequired: false),
                    .number("limit"), .text("answers", isRequired: false, "the id of a comment"),
                ]
            ) { request, context in
                try await answering {
                    let item = try await item(context)
                    let query = try query(item, request)
                    guard let page = try await comments.reader(context).comments(query) else { throw Problem.noComment }
                    return list(page, item, context)
                }
            },
            .api(
                .post, api, .active, scope: "write:statuses", body: .upTo(Form.mostBytes),
                summary: "Says something about an item, in words, by one's own clip, or both; once for its key",
                takes: [
                    .text("text", isRequired: false), .text("clip", isRequired: false, "the id of one's own clip"),
                    .text("answers", isRequired: false, "the id of a comment"),
                    .text("key", isRequired: false, "the same for every try to say the same"),
                ], gives: 201
            ) { request, context in
                try await answering {
                    let (item, sent) = (try await item(context), try await request.fields())
                    var draft = try draft(on: item, context) { sent[$0] ?? "" }
                    draft.clip = try id(sent["clip"], "clip", word("comment.not-yours"))
                    try await take(context)
                    let id = try await write(draft)
                    return try await document(id, item, context, status: .created)
                }
            },
            .api(
                .get, "\(api)/:comment", .everybody, summary: "A comment on an item, with its first answers"
            ) { _, context in
                try await answering {
                    let item = try await item(context)
                    return one(try await comment(item, context), item, context)
                }
            },
            .api(
                .delete, "\(api)/:comment", .signedIn, scope: "write:statuses",
                summary: "Removes one's own comment, or one on one's own item", gives: 204
            ) { _, context in
                try await answering {
                    try await remove(context)
                    return Response(status: .noContent)
                }
            },
        ]
    }

    // MARK: What a path names

    /// The item, as the asker sees it.
    ///
    /// - Throws: ``Problem``: 404; 410 for what was there, with what became of it and when.
    private func item(_ context: WebContext) async throws -> Item {
        guard let id = context.parameters.get("id").flatMap({ HubID($0) }),
            let sight = try await comments.reader(context).item(id, board: comments.board)
        else { throw Problem.noComment }
        switch sight {
        case .item(let item): return item
        case .gone(let state, let since):
            let when = since.map { " \($0.formatted(.iso8601))" } ?? ""
            throw Problem(.gone, "gone", word("comment.gone"), detail: "\(state.rawValue)\(when)")
        }
    }

    private func comment(_ item: Item, _ context: WebContext) async throws -> ItemComment {
        guard let id = context.parameters.get("comment").flatMap({ HubID($0) }),
            let found = try await comments.reader(context).comment(id, on: item.id, board: item.board)
        else { throw Problem.noComment }
        return found
    }

    private func query(_ item: Item, _ request: Request) throws -> CommentQuery {
        let asked = RequestFields(PercentEncoding.fields(of: request.uri.query ?? ""))
        var query = comments.query(item)
        query.order = asked["order"].flatMap(CommentQuery.Order.init) ?? query.order
        query.after = asked["after"].flatMap { Int64($0) }
        query.limit = min(max(asked["limit"].flatMap { Int($0) } ?? query.limit, 1), HubReader.mostComments)
        query.answersTo = try id(asked["answers"], "answers", word("comment.not-found"))
        return query
    }

    // MARK: Acts

    private func draft(
        on item: Item, _ context: WebContext, _ field: (String) -> String
    ) throws -> CommentDraft {
        let key = field("key")
        return CommentDraft(
            board: item.board, item: item.id, author: try context.account, key: key.isEmpty ? HubID().text : key,
            text: field("text"), answers: try id(field("answers"), "answers", word("comment.not-found")))
    }

    /// An id that was sent; nil where none was.
    private func id(_ text: String?, _ field: String, _ otherwise: String) throws -> HubID? {
        guard let text, !text.isEmpty else { return nil }
        guard let id = HubID(text) else { throw Problem.commentNotTaken([field: otherwise]) }
        return id
    }

    private func write(_ draft: CommentDraft) async throws -> HubID {
        do throws(CommentRefusal) { return try await desk.library.comment(draft) } catch { throw error.thrown }
    }

    private func remove(_ context: WebContext) async throws {
        guard let id = context.parameters.get("comment").flatMap({ HubID($0) }) else { throw Problem.noComment }
        let account = try context.account
        do throws(CommentRefusal) { try await desk.library.removeComment(id, by: account) } catch { throw error.thrown }
    }

    /// - Throws: 429.
    private func take(_ context: WebContext) async throws {
        let account = try context.account
        do throws(AccountError) {
            try await desk.limits.take("comment:\(account)", BoardComments.rule)
        } catch {
            guard case .tooOften(let seconds) = error else { throw error }
            throw Problem(.tooManyRequests, "too-often", word("comment.too-often"), retryAfter: seconds)
        }
    }

    /// A form's comment. What is not taken stays in the form, but for a recording, which no form keeps.
    private func say(_ sent: FileForm, _ request: Request, _ context: WebContext) async throws -> Response {
        let item = try await item(context)
        var above: ItemComment?
        do {
            var draft = try draft(on: item, context) { sent.fields[$0] }
            if let id = draft.answers {
                above = try await comments.reader(context).comment(id, on: item.id, board: item.board)
            }
            try await take(context)
            if let voice = sent.files("voice").first {
                draft.clip = try await clip(voice, on: item, of: draft.author)
            }
            let id: HubID
            do { id = try await write(draft) } catch {
                // Nobody was to hear it but by this comment.
                if let clip = draft.clip { try? await desk.library.remove(clip) }
                throw error
            }
            let thread = above.map { "\(comments.path(item))/\(($0.above ?? $0.id).text)" }
            return goOn(to: "\(thread ?? "/\(item.board)/\(item.id)")#comment-\(id)")
        } catch let problem as Problem {
            guard problem.status != .notFound else { throw problem }
            let typed = PlainText.lines(sent.fields["text"], limit: 4 * ItemComment.longestText)
            let list = above.map { [$0] } ?? []
            let name =
                above == nil ? word("comment.on", ["title": item.title]) : word("comment.one", ["title": item.title])
            var token: String?
            var answer = show(request, context, status: problem.status) {
                token = $0
                return .nothing
            }
            let view = try await comments.view(of: item, list, context, token: token)
            let body: HTML = """
                \(heading(name, item))
                <section class="comments" aria-label="\(word("comment.label"))">\(list.isEmpty ? .nothing : view.list(list))
                \(view.entry(above: above, typed: typed, problem: problem.sentence))</section>
                """
            answer.body = ResponseBody(byteBuffer: ByteBuffer(string: comments.frame(name, body, token).text))
            if let seconds = problem.retryAfter { answer.headers[.retryAfter] = "\(seconds)" }
            return answer
        }
    }

    private func clip(_ bytes: [UInt8], on item: Item, of account: AccountID) async throws -> HubID {
        guard let take = desk.takeClip else { throw Problem.commentNotTaken(["voice": word("comment.nowhere")]) }
        do { return try await take(bytes, word("comment.on", ["title": item.title]), account) } catch let problem
            as Problem
        {
            throw Problem.commentNotTaken(["voice": PlainText(problem.detail ?? problem.title, limit: 200).value])
        } catch {
            throw Problem.commentNotTaken(["voice": word("comment.unusable")])
        }
    }
}

extension CommentRoutes {
    // MARK: Pages

    /// What programs are told as a problem, people are by a page.
    private func asPage(_ answer: () async throws -> Response) async throws -> Response {
        do { return try await answer() } catch let problem as Problem { throw HTTPError(problem.status) }
    }

    /// A page that nobody else keeps for who is signed in; visitors get the same page as all others.
    private func show(
        _ request: Request, _ context: WebContext, status: HTTPResponse.Status = .ok, _ page: (_ token: String?) -> HTML
    ) -> Response {
        guard context.person != nil else { return .page(page(nil), status: status) }
        var response = desk.forgery.page(request) { .page(page($0), status: status) }
        response.headers[.cacheControl] = "private, no-store"
        return response
    }

    private func goOn(to path: String) -> Response {
        Response(
            status: .seeOther, headers: [.location: "\(desk.links.prefix)\(path)", .cacheControl: "private, no-store"])
    }

    /// What a page is called, with the way back to the item.
    private func heading(_ name: String, _ item: Item) -> HTML {
        """
        <h1 id="comments" dir="auto">\(name)</h1>
        <p><a href="\(desk.links.prefix)/\(item.board)/\(item.id.text)" dir="auto">\(item.title)</a></p>
        """
    }

    /// The same page with what it can only be made with asynchronously: the token of its forms comes with the answer.
    private func page(
        _ name: String, _ request: Request, _ context: WebContext, _ body: (_ token: String?) async throws -> HTML
    ) async throws -> Response {
        var token: String?
        var answer = show(request, context) {
            token = $0
            return .nothing
        }
        let page = comments.frame(name, try await body(token), token)
        answer.body = ResponseBody(byteBuffer: ByteBuffer(string: page.text))
        return answer
    }

    /// All comments on an item, page by page, in the order that was chosen.
    private func all(_ item: Item, _ request: Request, _ context: WebContext) async throws -> Response {
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
    private func one(
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
    private func further(_ path: String, _ query: String, _ next: Int64?) -> HTML {
        guard let next else { return .nothing }
        return """
            <nav class="pages" aria-label="\(word("list.pages"))"><a rel="next" \
            href="\(desk.links.prefix)\(path)?\(query)after=\(Int(next))">\(word("comment.more"))</a></nav>
            """
    }

    /// Asks before a comment is removed: a press by mistake cannot be taken back.
    private func removal(of comment: ItemComment, on item: Item, _ token: String?) -> HTML {
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

    // MARK: Programs

    /// Programs are told in English.
    private func answering(_ answer: () async throws -> Response) async throws -> Response {
        try await Language.$current.withValue(.english) { try await answer() }
    }

    private func document(
        _ id: HubID, _ item: Item, _ context: WebContext, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        guard let found = try await comments.reader(context).comment(id, on: item.id, board: item.board) else {
            throw Problem.noComment
        }
        return one(found, item, context, status: status)
    }

    private func one(
        _ comment: ItemComment, _ item: Item, _ context: WebContext, status: HTTPResponse.Status = .ok
    ) -> Response {
        var text = JSONText()
        CommentDocument(comment: comment, item: item, me: context.person?.id, links: desk.links).write(&text)
        return .json(text, status: status)
    }

    private func list(_ page: CommentPage, _ item: Item, _ context: WebContext) -> Response {
        .json { json in
            json.field("count", item.comments)
            json.field("comments") { json in
                json.array(page.comments) { json, comment in
                    CommentDocument(comment: comment, item: item, me: context.person?.id, links: desk.links).write(
                        &json)
                }
            }
            json.field("next", page.next.map { "\($0)" })
        }
    }
}
