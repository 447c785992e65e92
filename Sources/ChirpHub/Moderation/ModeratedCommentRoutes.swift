internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb
internal import Hummingbird

/// What people say about what boards list, for moderators who have seen something that nobody has reported.
struct ModeratedCommentRoutes {
    let desk: ModerationDesk

    var routes: [WebRoute] {
        let base = "/api/hub/v1/moderation"
        return [
            .get("/moderation/comments/:id", .moderators) { try await show($0, $1) },
            .post("/moderation/comments/:id/case", .moderators) { request, context, form in
                let (id, account) = (try id(context), try context.account)
                do throws(CaseError) {
                    let found = try await desk.library.openCase(about: .comment(id), by: account)
                    return desk.desk.goOn(to: "/moderation/cases/\(found)")
                } catch {
                    guard error != .notFound else { throw HTTPError(.notFound) }
                    return desk.failed(error, request, back: "/moderation/reports")
                }
            },
            .api(
                .post, "\(base)/comments/:id/case", .moderators, scope: "write:moderation", body: .upTo(1 << 10),
                summary: "Opens a case about a comment on what a board lists, or gives the one that waits"
            ) { _, context in
                let (id, account) = (try id(context), try context.account)
                let found = try await asProblem { () async throws(CaseError) in
                    try await desk.library.openCase(about: .comment(id), by: account)
                }
                return .told { $0.object { $0.field("id", found) } }
            },
        ]
    }

    private func id(_ context: WebContext) throws -> HubID {
        guard let id = context.parameters.get("id").flatMap({ HubID($0) }) else { throw HTTPError(.notFound) }
        return id
    }

    private func show(_ request: Request, _ context: WebContext) async throws -> Response {
        let (id, account) = (try id(context), try context.account)
        do throws(CaseError) {
            let comment = try await desk.library.comment(id, for: account)
            return desk.show(word("moderation.comment"), request) { token in
                let button: HTML =
                    comment.author.id == account
                    ? .nothing
                    : desk.form(
                        "/moderation/comments/\(id.text)/case", token: token,
                        "<p><button class=\"main\">\(word("moderation.people.case"))</button></p>")
                return "\(desk.menu(context))\(CasePage.comment(comment, desk, sound: nil))\(button)"
            }
        } catch {
            guard error != .notFound else { throw HTTPError(.notFound) }
            return desk.failed(error, request, back: "/moderation/reports")
        }
    }
}
