internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import Hummingbird

/// Cases and their decisions, and the first posts that wait for a look.
struct CaseRoutes {
    let desk: ModerationDesk

    var routes: [WebRoute] {
        let base = "/api/hub/v1/moderation"
        return [
            .get("/moderation", .moderators) { _, _ in desk.desk.goOn(to: "/moderation/reports") },
            .get("/moderation/reports", .moderators) { try await list($0, $1, waiting: true) },
            .get("/moderation/cases", .moderators) { try await list($0, $1, waiting: false) },
            .get("/moderation/cases/:id", .moderators) { try await show($0, $1) },
            .post("/moderation/cases/:id", .moderators) { try await decide($0, $1, $2) },
            .get("/moderation/cases/:id/sound", .moderators) { request, context in
                let (id, account) = (try id(context), try context.account)
                let found = try await asProblem { () async throws(CaseError) in
                    try await desk.library.moderationCase(id, for: account)
                }
                var clip = found.post?.clip
                if let spoken = found.item?.clip ?? found.comment?.clip {
                    clip = try await desk.library.seen(by: .member(account)).moderatedClip(spoken)
                }
                return try await sound(of: clip, request, account)
            },
            .get("/moderation/queue/:post/sound", .moderators) { request, context in
                let (place, account) = (try place(context), try context.account)
                let posts = try await asProblem { () async throws(CaseError) in
                    try await desk.library.heldPosts(for: account, at: place)
                }
                return try await sound(of: posts.first?.clip, request, account)
            },
            .get("/moderation/queue", .moderators) { try await queue($0, $1) },
            .post("/moderation/queue/:post", .moderators) { request, context, form in
                let (place, account) = (try place(context), try context.account)
                return await desk.act(request, then: "/moderation/queue") { () async throws(CaseError) in
                    _ = try await admit(place, { form[$0] }, by: account)
                }
            },
            .api(
                .get, "\(base)/cases", .moderators, scope: "read:moderation",
                summary: "Lists the cases that wait for a decision, or with state=decided those that have one"
            ) { request, context in
                let (account, waits) = (try context.account, request.query("state") != "decided")
                let cases = try await asProblem { () async throws(CaseError) in
                    try await desk.library.cases(waiting: waits, for: account)
                }
                return .told { $0.array(cases) { CaseDocument(case: $1, links: desk.links).write(&$0) } }
            },
            .api(
                .get, "\(base)/cases/:id", .moderators, scope: "read:moderation", summary: "Reads a case"
            ) { _, context in try await answer(try id(context), context) },
            .api(
                .post, "\(base)/cases/:id/decisions", .moderators, scope: "write:moderation", body: .upTo(64 << 10),
                summary: "Decides a case: what, why, days, hide, and state as it was read"
            ) { request, context in
                let (id, account, fields) = (try id(context), try context.account, try await request.fields())
                try await asProblem { () async throws(CaseError) in
                    let (verdict, state) = try Self.verdict({ fields[$0] ?? "" }, hides: fields.bool("hide") ?? true)
                    try await desk.library.decide(id, verdict, by: account, from: state)
                    await desk.desk.postman.lettersWait()
                }
                return try await answer(id, context)
            },
            .api(
                .get, "\(base)/queue", .moderators, scope: "read:moderation",
                summary: "Lists the posts that wait for a look"
            ) { _, context in
                let account = try context.account
                let posts = try await asProblem { () async throws(CaseError) in
                    try await desk.library.heldPosts(for: account)
                }
                return .told { $0.array(posts) { CaseDocument.write($1, desk.links, &$0) } }
            },
            .api(
                .post, "\(base)/queue/:post", .moderators, scope: "write:moderation", body: .upTo(64 << 10),
                summary: "Shows or hides a post that waits: what, why"
            ) { request, context in
                let (place, account, fields) = (try place(context), try context.account, try await request.fields())
                let after = try await asProblem { () async throws(CaseError) in
                    try await admit(place, { fields[$0] ?? "" }, by: account)
                }
                return .told { $0.object { $0.field("id", "\(after)") } }
            },
        ]
    }

    private func id(_ context: WebContext) throws -> String {
        guard let id = context.parameters.get("id"), HubID(id) != nil else { throw HTTPError(.notFound) }
        return id
    }

    private func place(_ context: WebContext) throws -> Int64 {
        guard let place = context.parameters.get("post")?.safeInteger else { throw HTTPError(.notFound) }
        return place
    }

    /// What nobody else hears at this moment: only from here, and kept by nobody.
    private func sound(of clip: HubClip?, _ request: Request, _ account: AccountID) async throws -> Response {
        guard let clip, clip.expires.map({ $0 > desk.library.now() }) ?? true else {
            throw HTTPError(.notFound)
        }
        let reader = desk.library.seen(by: .member(account))
        return try await ClipSound(clip, reader: reader, for: .asker).send(to: request).uncached
    }

    private func answer(_ id: String, _ context: WebContext) async throws -> Response {
        let account = try context.account
        let found = try await asProblem { () async throws(CaseError) in
            try await desk.library.moderationCase(id, for: account)
        }
        return .told { CaseDocument(case: found, links: desk.links).write(&$0) }
    }

    /// What was chosen, from a form or from a program.
    private static func verdict(
        _ field: (String) -> String, hides: Bool
    ) throws(CaseError) -> (Verdict, ModerationCase.State) {
        guard let step = Verdict.Step(rawValue: field("what")) else {
            throw .refused(field: "what", .noDecision)
        }
        guard let state = ModerationCase.State(rawValue: field("state")) else {
            throw .refused(field: "state", .noState)
        }
        let days = field("days")
        let count = days.integer(in: .min ... .max)
        guard days.isEmpty || count != nil else { throw .refused(field: "days", .daysAreNoNumber) }
        return (Verdict(step, days: count, hidesPost: hides, why: field("why")), state)
    }

    private func admit(
        _ place: Int64, _ field: (String) -> String, by account: AccountID
    ) async throws(CaseError) -> Int64 {
        guard ["show", "hide"].contains(field("what")) else {
            throw .refused(field: "what", .neitherShownNorHidden)
        }
        let shows = field("what") == "show"
        let why = field("why")
        return try await desk.library.admit(
            place, shows: shows, by: account,
            why: why.isEmpty ? (shows ? word("moderation.first.shown") : word("moderation.first.hidden")) : why)
    }

    // MARK: Pages

    private func list(_ request: Request, _ context: WebContext, waiting: Bool) async throws -> Response {
        let account = try context.account
        let title = waiting ? word("moderation.reports") : word("moderation.cases")
        do throws(CaseError) {
            try await settle()
            let cases = try await desk.library.cases(waiting: waiting, for: account)
            let held = waiting ? try await desk.library.heldPosts(for: account).count : 0
            let items = cases.map { found -> HTML in
                let reasons = found.reasonWords
                return """
                    <li><p><a href="\(desk.prefix)/moderation/cases/\(found.id)">\(CasePage.subject(found))</a></p>
                    <p class="byline">\(CasePage.state(found)) · \(word("moderation.count", count: found.reports.count))\
                    \(reasons.isEmpty ? "" : ": \(reasons)") · \(Wording.time(found.created))</p></li>
                    """
            }
            let waits: HTML =
                held > 0
                ? "<p><a href=\"\(desk.prefix)/moderation/queue\">\(word("moderation.waiting", ["number": "\(held)"]))</a></p>"
                : .nothing
            return desk.show(title, request) { _ in
                """
                \(desk.menu(context))\(waits)
                \(ModerationDesk.list(items, empty: "<p>\(word("moderation.empty"))</p>"))
                """
            }
        } catch {
            return desk.failed(error, request, back: "/")
        }
    }

    /// What ends by itself has ended before a moderator looks.
    private func settle() async throws(CaseError) {
        do throws(LibraryError) { try await desk.library.settleCases() } catch { throw .library(error) }
    }

    private func show(
        _ request: Request, _ context: WebContext, typed: Form? = nil, problem: CaseError? = nil
    ) async throws -> Response {
        let (id, account) = (try id(context), try context.account)
        do throws(CaseError) {
            let found = try await desk.library.moderationCase(id, for: account)
            return desk.show(word("moderation.one"), request, problem: problem) { token in
                "\(desk.menu(context))\(CasePage(found: found, desk: desk).html(token: token, typed: typed))"
            }
        } catch {
            guard error != .notFound else { throw HTTPError(.notFound) }
            return desk.failed(error, request, back: "/moderation/reports")
        }
    }

    private func decide(_ request: Request, _ context: WebContext, _ form: Form) async throws -> Response {
        let (id, account) = (try id(context), try context.account)
        do throws(CaseError) {
            let (verdict, state) = try Self.verdict({ form[$0] }, hides: form["hide"] == "yes")
            try await desk.library.decide(id, verdict, by: account, from: state)
            await desk.desk.postman.lettersWait()
            return desk.desk.goOn(to: "/moderation/cases/\(id)")
        } catch {
            guard error != .notFound else { throw HTTPError(.notFound) }
            return try await show(request, context, typed: form, problem: error)
        }
    }

    private func queue(_ request: Request, _ context: WebContext) async throws -> Response {
        let account = try context.account
        do throws(CaseError) {
            let posts = try await desk.library.heldPosts(for: account)
            return desk.show(word("moderation.queue"), request) { token in
                let items = posts.map { post -> HTML in
                    let button = { (what: String, words: String, name: String) -> HTML in
                        desk.form(
                            "/moderation/queue/\(post.sequence)", token: token,
                            """
                            <input type="hidden" name="what" value="\(what)">\
                            <button aria-label="\(name)">\(words)</button>
                            """)
                    }
                    let who = ["who": post.author.handle]
                    let buttons: [HTML] =
                        post.author.id == account
                        ? []
                        : [
                            button("show", word("moderation.show"), word("moderation.show-post", who)),
                            button("hide", word("moderation.hide"), word("moderation.hide-post", who)),
                        ]
                    return """
                        <li>\(CasePage.post(post, desk, sound: "/moderation/queue/\(post.sequence)/sound"))
                        \(HTML(joining: buttons))</li>
                        """
                }
                return """
                    \(desk.menu(context))
                    <p>\(word("moderation.queue.lead"))</p>
                    \(ModerationDesk.list(items, empty: "<p>\(word("moderation.queue.empty"))</p>"))
                    """
            }
        } catch {
            return desk.failed(error, request, back: "/")
        }
    }
}
