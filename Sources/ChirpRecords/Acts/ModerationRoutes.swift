internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import Hummingbird

/// What moderators do with challenges: say that two are the same, and choose who verifies attempts.
struct ModerationRoutes {
    let desk: RecordDesk

    private func path(_ act: String) -> String { "\(RecordDesk.path)/:id/\(act)" }
    private func api(_ act: String) -> String { "\(RecordDesk.api)/:id/\(act)" }

    var routes: [WebRoute] { merging + verifying }

    private var merging: [WebRoute] {
        [
            .get(path("merger"), .moderators) { request, context in
                try await desk.answering(request, context) {
                    question(.merge(try await desk.challenge(context), into: ""), request, context)
                }
            },
            .post(path("merger"), .moderators) { request, context, form in
                try await desk.answering(request, context) {
                    let challenge = try await desk.challenge(context)
                    do { try await merge(challenge, into: form["into"], context) } catch let refusal as ChallengeRefusal
                        where !refusal.faults.isEmpty
                    {
                        return question(
                            .merge(challenge, into: form["into"]), request, context, faults: refusal.faults)
                    }
                    return desk.goOn(to: challenge.path)
                }
            },
            .get(path("parting"), .moderators) { request, context in
                try await desk.answering(request, context) {
                    question(.part(try await desk.challenge(context)), request, context)
                }
            },
            .post(path("parting"), .moderators) { request, context, _ in
                try await desk.answering(request, context) {
                    let challenge = try await desk.challenge(context)
                    try await desk.challenges.part(challenge.id, by: try context.account)
                    return desk.goOn(to: challenge.path)
                }
            },
            .api(
                .post, api("merger"), .moderators, scope: "write:moderation",
                summary: "Says that a challenge is the same as another", takes: [.text("into", "the other's id")]
            ) { request, context in
                try await desk.answering(request, context) {
                    let fields = try await request.fields()
                    try await merge(try await desk.challenge(context), into: fields["into"] ?? "", context)
                    return try await desk.document(of: context)
                }
            },
            .api(
                .post, api("parting"), .moderators, scope: "write:moderation",
                summary: "Says that a challenge that was merged is another after all"
            ) { request, context in
                try await desk.answering(request, context) {
                    let challenge = try await desk.challenge(context)
                    try await desk.challenges.part(challenge.id, by: try context.account)
                    return try await desk.document(of: context)
                }
            },
        ]
    }

    private var verifying: [WebRoute] {
        [
            .get(path("verifiers"), .moderators) { request, context in
                try await desk.answering(request, context) {
                    try await verifiers(try await desk.challenge(context), request, context)
                }
            },
            .post(path("verifiers"), .moderators) { request, context, form in
                try await desk.answering(request, context) {
                    let challenge = try await desk.challenge(context)
                    guard try await choose(form["handle"], at: challenge, isChosen: true, context) else {
                        return try await verifiers(challenge, request, context, typed: form["handle"])
                    }
                    return desk.goOn(to: "\(challenge.path)/verifiers")
                }
            },
            .post(path("verifiers/removal"), .moderators) { request, context, form in
                try await desk.answering(request, context) {
                    let challenge = try await desk.challenge(context)
                    _ = try await choose(form["handle"], at: challenge, isChosen: false, context)
                    return desk.goOn(to: "\(challenge.path)/verifiers")
                }
            },
            .api(
                .get, api("verifiers"), .moderators, scope: "read:moderation",
                summary: "Whom moderators have chosen to verify attempts at a challenge"
            ) { request, context in
                try await desk.answering(request, context) { try await verifiersDocument(context) }
            },
            verifierByProgram(.put, "Chooses somebody to verify attempts at a challenge"),
            verifierByProgram(.delete, "Chooses somebody no longer"),
        ]
    }

    private func verifierByProgram(_ method: HTTPRequest.Method, _ summary: String) -> WebRoute {
        .api(method, api("verifiers/:handle"), .moderators, scope: "write:moderation", summary: summary) {
            request, context in
            try await desk.answering(request, context) {
                let handle = context.parameters.get("handle") ?? ""
                let challenge = try await desk.challenge(context)
                guard try await choose(handle, at: challenge, isChosen: method == .put, context) else {
                    throw Problem(.notFound, "not-found", "There is no such person")
                }
                return try await verifiersDocument(context)
            }
        }
    }

    /// The other is named by its address, or by its id.
    private func merge(_ challenge: Challenge, into typed: String, _ context: WebContext) async throws {
        let typed = PlainText(typed, limit: 300).value
        let name = typed.split(separator: "/").last.map { $0.prefix { $0 != "?" && $0 != "#" } } ?? ""
        guard let id = HubID(String(name)), id != challenge.id,
            case .challenge = try await desk.challenges.challenge(id, for: context.viewer)
        else { throw ChallengeRefusal.fields([.into: typed.isEmpty ? .missing : .noSuch]) }
        try await desk.challenges.merge(challenge.id, into: id, by: try context.account)
    }

    /// - Returns: false when nobody is called so.
    private func choose(
        _ handle: String, at challenge: Challenge, isChosen: Bool, _ context: WebContext
    ) async throws -> Bool {
        let handle = String(PlainText(handle, limit: 100).value.drop { $0 == "@" })
        guard let person = try await desk.desk.library.seen(by: context.viewer).person(named: handle) else {
            return false
        }
        let moderator = try context.account
        if isChosen {
            try await desk.verifiers.choose(person.id, at: challenge.id, by: moderator)
        } else {
            try await desk.verifiers.dismiss(person.id, at: challenge.id, by: moderator)
        }
        return true
    }

    private struct VerifiersDocument: Encodable { let verifiers: [PersonDocument] }

    private func verifiersDocument(_ context: WebContext) async throws -> Response {
        let challenge = try await desk.challenge(context)
        let people = try await desk.verifiers.chosen(at: challenge.id, for: context.viewer)
        return try .json(VerifiersDocument(verifiers: people.map { PersonDocument($0, links: desk.links) })).personal
    }

    /// - Parameter typed: a name that nobody has.
    private func verifiers(
        _ challenge: Challenge, _ request: Request, _ context: WebContext, typed: String? = nil
    ) async throws -> Response {
        let people = try await desk.verifiers.chosen(at: challenge.id, for: context.viewer)
        return desk.show(request, context, status: typed == nil ? .ok : .unprocessableContent) { token in
            VerifiersPage(
                challenge: challenge, people: people, typed: typed, token: token ?? "", links: desk.links
            ).html
        }
    }

    private func question(
        _ question: ChallengeQuestion, _ request: Request, _ context: WebContext,
        faults: [ChallengeField: ChallengeFault] = [:]
    ) -> Response {
        desk.show(request, context, status: faults.isEmpty ? .ok : .unprocessableContent) { token in
            ChallengeQuestionPage(question: question, faults: faults, token: token ?? "", links: desk.links).html
        }
    }
}

/// Who was chosen to verify attempts at a challenge, and the form to choose somebody.
private struct VerifiersPage {
    let challenge: Challenge
    let people: [PostAuthor]
    let typed: String?
    let token: String
    let links: HubLinks

    var html: HTML {
        let action: HTML = "\(links.prefix)\(challenge.path)/verifiers"
        let rows = people.map { person -> HTML in
            """
            <li><a href="\(links.prefix)/@\(person.handle)"><bdi>\(person.name)</bdi></a>
            <form method="post" action="\(action)/removal"><input type="hidden" name="token" value="\(token)">\
            <input type="hidden" name="handle" value="\(person.handle)"><button class="act" \
            aria-label="\(word("challenge.verifiers.dismiss")): \(person.name)">\(word("challenge.verifiers.dismiss"))</button></form></li>
            """
        }
        let list: HTML =
            people.isEmpty
            ? "<p class=\"empty\">\(word("challenge.verifiers.none"))</p>" : "<ul>\(HTML(joining: rows))</ul>"
        let problem: HTML = typed == nil ? .nothing : "<p>\(word("challenge.verifiers.nobody")).</p>"
        return RecordLayout(links: links, token: token).form(
            title: word("challenge.verifiers"), problem: problem,
            content: """
                <p role="status"></p>
                <p><a href="\(links.prefix)\(challenge.path)" dir="auto">\(challenge.item.title)</a></p>
                <p>\(word("challenge.verifiers.lead"))</p>\(list)
                <form method="post" action="\(action)"><input type="hidden" name="token" value="\(token)">
                <p class="field"><label for="handle">\(word("challenge.verifiers.handle"))</label>
                <input id="handle" name="handle" type="text" autocomplete="off" autocapitalize="none" maxlength="100" \
                value="\(typed ?? "")"\(typed == nil ? .nothing : " aria-describedby=\"problem\" aria-invalid=\"true\"")></p>
                <p><button class="main">\(word("challenge.verifiers.choose"))</button></p></form>
                """)
    }
}
