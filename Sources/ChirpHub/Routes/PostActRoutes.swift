internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import Hummingbird

/// What people do with posts by forms: like, bookmark, answer, remove.
struct PostActRoutes {
    let desk: PageDesk

    var routes: [WebRoute] {
        [
            mark("like") { try await desk.mark($0, .favourite, by: $1) },
            mark("unlike") { try await desk.library.unmark($0.sequence, .favourite, by: $1) },
            mark("bookmark") { try await desk.mark($0, .bookmark, by: $1) },
            mark("unbookmark") { try await desk.library.unmark($0.sequence, .bookmark, by: $1) },
            mark("share") { _ = try await desk.library.shareOutwards($0, by: $1) },
            mark("unshare") { try await desk.library.unshareOutwards($0, by: $1) },
            .post("/posts/:id/reply", .active) { try await reply($0, $1, $2) },
            .get("/posts/:id/delete", .signedIn) { request, context in
                let post = try await own(context)
                return desk.forgery.page(request) { token in
                    .page(
                        ConfirmPage(
                            title: word("post.delete.title"), text: "\(word("post.delete.text"))",
                            action: "/posts/\(post.sequence)/delete", back: post.page, token: token, links: desk.links
                        ).html
                    ).uncached
                }
            },
            .post("/posts/:id/delete", .signedIn) { _, context, _ in
                let post = try await own(context)
                let above = try await above(post, context)
                guard try await desk.library.removePost(post.sequence, by: context.account) else {
                    throw HTTPError(.notFound)
                }
                return desk.goOn(to: above?.page ?? (post.visibility == .direct ? "/messages" : "/"))
            },
        ]
    }

    private func mark(
        _ verb: String, _ act: @escaping @Sendable (HubPost, AccountID) async throws -> Void
    ) -> WebRoute {
        .post("/posts/:id/\(verb)", .active) { _, context, form in
            do {
                try await act(try await desk.post(context), context.account)
            } catch PostingRefusal.outward(let seconds) {
                throw AccountError.tooOften(seconds: seconds)
            } catch PostingRefusal.library(let error) {
                throw error
            }
            return desk.goOn(to: AccountDesk.way(form["back"]))
        }
    }

    private func own(_ context: WebContext) async throws -> HubPost {
        let post = try await desk.post(context)
        guard post.author.id == (try context.account) else { throw HTTPError(.notFound) }
        return post
    }

    private func above(_ post: HubPost, _ context: WebContext) async throws -> HubPost? {
        guard let above = post.replyTo else { return nil }
        return try await desk.reader(context).post(above)
    }

    private func reply(_ request: Request, _ context: WebContext, _ form: Form) async throws -> Response {
        let post = try await desk.post(context)
        let names = try await told(post, context)
        let refusal: WordsRefusal
        do throws(WordsRefusal) {
            let answer = try await desk.publish(form, context, to: names) { draft in
                draft.replyTo = post.sequence
                // An answer stands with what it answers. In everybody's list it would stand alone.
                // One to somebody elsewhere goes there.
                draft.visibility =
                    post.visibility == .published || post.author.isElsewhere ? .unlisted : post.visibility
            }
            return desk.goOn(to: "\(post.page)#p\(answer.sequence)")
        } catch { refusal = error }
        let failed = (text: PlainText.lines(form["text"], limit: 2000), why: refusal)
        var page =
            if let clip = post.clip { try await desk.clipPage(clip.id, request, context, failed: failed) } else {
                try await desk.postPage(post, request, context, failed: failed)
            }
        if let seconds = refusal.problem.retryAfter { page.headers[.retryAfter] = "\(seconds)" }
        return page
    }

    /// Who has to be named, so that an answer to what not everybody sees reaches them.
    private func told(_ post: HubPost, _ context: WebContext) async throws -> [String] {
        let me = try context.account
        switch post.visibility {
        case .published, .unlisted: return []
        case .followers: return post.author.id == me || post.author.isElsewhere ? [] : [post.author.handle]
        case .direct:
            return try await desk.reader(context).thread(with: post.sequence)?.people.map(\.handle) ?? []
        }
    }
}
