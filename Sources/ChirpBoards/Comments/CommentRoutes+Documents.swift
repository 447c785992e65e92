internal import ChirpCommunity
internal import ChirpWeb
internal import Hummingbird

/// Comments as programs are told of them.
extension CommentRoutes {
    /// Programs are told in English.
    func answering(_ answer: () async throws -> Response) async throws -> Response {
        try await Language.$current.withValue(.english) { try await answer() }
    }

    func document(
        _ id: HubID, _ item: Item, _ context: WebContext, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        guard let found = try await comments.reader(context).comment(id, on: item.id, board: item.board) else {
            throw Problem.noComment
        }
        return one(found, item, context, status: status)
    }

    func one(
        _ comment: ItemComment, _ item: Item, _ context: WebContext, status: HTTPResponse.Status = .ok
    ) -> Response {
        var text = JSONText()
        CommentDocument(comment: comment, item: item, me: context.person?.id, links: desk.links).write(&text)
        return .json(text, status: status)
    }

    func list(_ page: CommentPage, _ item: Item, _ context: WebContext) -> Response {
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
