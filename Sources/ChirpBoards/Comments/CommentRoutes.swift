internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import Hummingbird

/// The addresses of comments on a board's items: pages, and the same for programs.
struct CommentRoutes {
    let comments: BoardComments

    var desk: BoardDesk { comments.desk }
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
                    return desk.show(request, context) { removal(of: comment, on: item, $0) }
                }
            },
            .post("\(path)/:comment/removal", .signedIn) { _, context, _ in
                try await asPage {
                    let item = try await item(context)
                    try await remove(context)
                    return desk.goOn(to: "/\(item.board)/\(item.id)")
                }
            },
        ]
    }

    private var programs: [WebRoute] {
        [
            .api(
                .get, api, .everybody, scope: "read:statuses",
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
                .get, "\(api)/:comment", .everybody, scope: "read:statuses",
                summary: "A comment on an item, with its first answers"
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
    func item(_ context: WebContext) async throws -> Item {
        try await desk.item(on: comments.board, context, gone: word("comment.gone"), missing: .noComment)
    }

    func comment(_ item: Item, _ context: WebContext) async throws -> ItemComment {
        guard let id = context.parameters.get("comment").flatMap({ HubID($0) }),
            let found = try await comments.reader(context).comment(id, on: item.id, board: item.board)
        else { throw Problem.noComment }
        return found
    }

    func query(_ item: Item, _ request: Request) throws -> CommentQuery {
        let asked = request.asked
        var query = comments.query(item)
        query.order = asked["order"].flatMap(CommentQuery.Order.init) ?? query.order
        query.after = asked["after"].flatMap { PageCursor($0) }
        query.limit = min(max(asked["limit"]?.integer(in: .min ... .max) ?? query.limit, 1), HubReader.mostComments)
        query.answersTo = try id(asked["answers"], "answers", word("comment.not-found"))
        return query
    }
}
