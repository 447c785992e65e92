internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import Hummingbird

/// What people say and take back, as a form or a program sends it.
extension CommentRoutes {
    func draft(
        on item: Item, _ context: WebContext, _ field: (String) -> String
    ) throws -> CommentDraft {
        let key = field("key")
        return CommentDraft(
            board: item.board, item: item.id, author: try context.account, key: key.isEmpty ? HubID().text : key,
            text: field("text"), answers: try id(field("answers"), "answers", word("comment.not-found")))
    }

    /// An id that was sent; nil where none was.
    func id(_ text: String?, _ field: String, _ otherwise: String) throws -> HubID? {
        guard let text, !text.isEmpty else { return nil }
        guard let id = HubID(text) else { throw Problem.commentNotTaken([field: otherwise]) }
        return id
    }

    func write(_ draft: CommentDraft) async throws -> HubID {
        do throws(CommentRefusal) { return try await desk.library.comment(draft) } catch { throw error.thrown }
    }

    func remove(_ context: WebContext) async throws {
        guard let id = context.parameters.get("comment").flatMap({ HubID($0) }) else { throw Problem.noComment }
        let account = try context.account
        do throws(CommentRefusal) { try await desk.library.removeComment(id, by: account) } catch { throw error.thrown }
    }

    /// - Throws: 429.
    func take(_ context: WebContext) async throws {
        try await desk.consume(
            "comment", BoardComments.rule, by: .account(try context.account), told: word("comment.too-often"))
    }

    /// A form's comment. What is not taken stays in the form, but for a recording, which no form keeps.
    func say(_ sent: FileForm, _ request: Request, _ context: WebContext) async throws -> Response {
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
                if let clip = draft.clip { try? await desk.library.release(clip) }
                throw error
            }
            let thread = above.map { "\(comments.path(item))/\(($0.above ?? $0.id).text)" }
            return desk.goOn(to: "\(thread ?? "/\(item.board)/\(item.id)")#comment-\(id)")
        } catch let problem as Problem {
            guard problem.status != .notFound else { throw problem }
            let typed = PlainText.lines(sent.fields["text"], limit: 4 * ItemComment.longestText)
            let list = above.map { [$0] } ?? []
            let name =
                above == nil ? word("comment.on", ["title": item.title]) : word("comment.one", ["title": item.title])
            var answer = try await desk.showMade(request, context, status: problem.status) { token in
                let view = try await comments.view(of: item, list, context, token: token)
                let body: HTML = """
                    \(heading(name, item))
                    <section class="comments" aria-label="\(word("comment.label"))">\(list.isEmpty ? .nothing : view.list(list))
                    \(view.entry(above: above, typed: typed, problem: problem.sentence))</section>
                    """
                return comments.frame(name, body, token)
            }
            if let seconds = problem.retryAfter { answer.headers[.retryAfter] = "\(seconds)" }
            return answer
        }
    }

    private func clip(_ voice: SentFile, on item: Item, of account: AccountID) async throws -> HubID {
        guard let take = desk.takeClip else { throw Problem.commentNotTaken(["voice": word("comment.nowhere")]) }
        do { return try await take(voice, word("comment.on", ["title": item.title]), account) } catch let problem
            as Problem
        {
            throw Problem.commentNotTaken(["voice": PlainText(problem.detail ?? problem.title, limit: 200).value])
        } catch {
            throw Problem.commentNotTaken(["voice": word("comment.unusable")])
        }
    }
}
