internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb
internal import Hummingbird

/// What people list, and what they say about it, for moderators who have seen something that nobody has reported: a page each, and the
/// opening of a case.
struct ModeratedThingRoutes {
    let desk: ModerationDesk

    /// A kind of thing, and what is peculiar to it.
    private struct Kind: Sendable {
        /// In addresses.
        let name: String
        /// Of its page, in the visitor's language.
        let title: @Sendable () -> String
        /// What programs are told that the case is about.
        let summary: String
        let subject: @Sendable (HubID) -> CaseSubject
        /// Whose it is, and how a moderator sees it.
        let view: @Sendable (HubID, AccountID) async throws(CaseError) -> (author: AccountID, html: HTML)
    }

    var routes: [WebRoute] { [items, comments].flatMap(routes) }

    private var items: Kind {
        Kind(
            name: "items", title: { word("moderation.item") },
            summary: "Opens a case about what a board lists, or gives the one that waits", subject: { .item($0) }
        ) { [desk] id, account async throws(CaseError) in
            let (item, author) = try await desk.library.item(id, for: account)
            return (author.id, ItemView(item: item, author: author, desk: desk).html)
        }
    }

    private var comments: Kind {
        Kind(
            name: "comments", title: { word("moderation.comment") },
            summary: "Opens a case about a comment on what a board lists, or gives the one that waits",
            subject: { .comment($0) }
        ) { [desk] id, account async throws(CaseError) in
            let comment = try await desk.library.comment(id, for: account)
            return (comment.author.id, CasePage.comment(comment, desk, sound: nil))
        }
    }

    private func routes(_ kind: Kind) -> [WebRoute] {
        let path = "/moderation/\(kind.name)/:id"
        return [
            .get(path, .moderators) { try await show(kind, $0, $1) },
            .post("\(path)/case", .moderators) { request, context, _ in
                let (id, account) = (try id(context), try context.account)
                return try await answer(request) { () async throws(CaseError) in
                    let found = try await desk.library.openCase(about: kind.subject(id), by: account)
                    return desk.desk.goOn(to: "/moderation/cases/\(found)")
                }
            },
            .api(
                .post, "/api/hub/v1\(path)/case", .moderators, scope: "write:moderation", body: .upTo(1 << 10),
                summary: kind.summary
            ) { _, context in
                let (id, account) = (try id(context), try context.account)
                let found = try await asProblem { () async throws(CaseError) in
                    try await desk.library.openCase(about: kind.subject(id), by: account)
                }
                return .told { $0.object { $0.field("id", found) } }
            },
        ]
    }

    private func show(_ kind: Kind, _ request: Request, _ context: WebContext) async throws -> Response {
        let (id, account) = (try id(context), try context.account)
        return try await answer(request) { () async throws(CaseError) in
            let (author, html) = try await kind.view(id, account)
            return desk.show(kind.title(), request) { token in
                let button: HTML =
                    author == account
                    ? .nothing
                    : desk.form(
                        "/moderation/\(kind.name)/\(id.text)/case", token: token,
                        "<p><button class=\"main\">\(word("moderation.people.case"))</button></p>")
                return "\(desk.menu(context))\(html)\(button)"
            }
        }
    }

    /// What is not there is a page that nobody wrote; what a rule refuses is said, with the way back.
    private func answer(
        _ request: Request, _ act: () async throws(CaseError) -> Response
    ) async throws -> Response {
        do throws(CaseError) { return try await act() } catch {
            guard error != .notFound else { throw HTTPError(.notFound) }
            return desk.failed(error, request, back: "/moderation/reports")
        }
    }

    private func id(_ context: WebContext) throws -> HubID {
        guard let id = context.parameters.get("id").flatMap({ HubID($0) }) else { throw HTTPError(.notFound) }
        return id
    }
}
