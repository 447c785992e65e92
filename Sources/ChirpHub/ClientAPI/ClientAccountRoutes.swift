internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import Hummingbird

/// People by Mastodon's client API: who they are, what they have posted, and how one stands to them.
struct ClientAccountRoutes {
    let desk: ClientDesk

    var routes: [WebRoute] {
        [
            .api(
                .get, "/api/v1/accounts/verify_credentials", .signedIn, scope: "profile",
                summary: "Tells whose token it is"
            ) { _, context in
                guard let person = context.person else { throw Problem.recordNotFound }
                let found = try await own(context)
                var json = JSONText()
                AccountDocument(person: found, links: desk.links).writeOwn(&json, role: person.role)
                return .json(json)
            },
            .api(
                .get, "/api/v1/accounts/lookup", .everybody, scope: "read:accounts", summary: "Finds a person by name"
            ) { request, context in
                guard let typed = request.uri.queryParameters["acct"] else { throw Problem.recordNotFound }
                let (name, reader) = (handle(PercentEncoding.decode(typed)), desk.reader(context))
                if let found = try await reader.people(.named(name), limit: 1).first { return answer(found) }
                // Programs keep names that people had.
                guard let now = try await reader.handle(formerly: name),
                    let found = try await reader.people(.named(now), limit: 1).first
                else { throw Problem.recordNotFound }
                return answer(found)
            },
            .api(
                .get, "/api/v1/accounts/relationships", .signedIn, scope: "read:follows",
                summary: "Tells how one stands to people"
            ) { request, context in
                let ids = PercentEncoding.fields(of: request.uri.query ?? "").filter {
                    ["id", "id[]"].contains($0.name)
                }
                return try await relationships(ids.prefix(80).map { AccountID(rawValue: $0.value) }, context)
            },
            .api(
                .get, "/api/v1/accounts/search", .signedIn, scope: "read:accounts",
                summary: "Finds people by their names"
            ) { request, context in
                let page = try ClientPage(request, usual: 40, most: 80)
                let text = handle(String(PercentEncoding.decode(request.uri.queryParameters["q"] ?? "")))
                guard !text.isEmpty else { return desk.answer([]) }
                if let found = try await desk.resolve(text, request, context) { return desk.answer([found]) }
                return desk.answer(try await desk.reader(context).people(.matching(text), limit: page.limit))
            },
            .api(.get, "/api/v1/accounts/:id", .everybody, scope: "read:accounts", summary: "Reads a person") {
                answer(try await desk.person($1.parameters.get("id"), desk.reader($1)))
            },
            .api(
                .get, "/api/v1/accounts/:id/statuses", .everybody, scope: "read:statuses",
                summary: "Lists a person's posts, newest first"
            ) { try await statuses($0, $1) },
            .api(
                .get, "/api/v1/accounts/:id/following", .everybody, scope: "read:accounts",
                summary: "Lists whom a person follows, by name"
            ) { try await people($0, $1) { .followed(by: $0) } },
            .api(
                .get, "/api/v1/accounts/:id/followers", .everybody, scope: "read:accounts",
                summary: "Lists who follows a person, by name"
            ) { try await people($0, $1) { .followers(of: $0) } },
            tie("follow", scope: "write:follows") {
                guard let refusal = try await desk.library.follow($1, by: $0, under: desk.limits) else { return }
                throw Problem.refused(refusal, field: "id")
            },
            tie("unfollow", scope: "write:follows") { try await desk.library.unfollow($1, by: $0) },
            tie("block", scope: "write:blocks") {
                try await desk.limits.consumeMark(by: $0)
                try await desk.library.block($1, by: $0)
            },
            tie("unblock", scope: "write:blocks") { try await desk.library.unblock($1, by: $0) },
        ]
    }

    private func own(_ context: WebContext) async throws -> PublicPerson {
        try await desk.person(try context.account.rawValue, desk.reader(context))
    }

    private func answer(_ person: PublicPerson) -> Response {
        var json = JSONText()
        AccountDocument(person: person, links: desk.links).write(&json)
        return .json(json)
    }

    /// A name without `@` and without this hub's own host.
    private func handle(_ text: String) -> String {
        let name = text.hasPrefix("@") ? String(text.dropFirst()) : text
        let parts = name.split(separator: "@", maxSplits: 1)
        return parts.count == 2 && parts[1] == desk.links.authority ? String(parts[0]) : name
    }

    private func statuses(_ request: Request, _ context: WebContext) async throws -> Response {
        let reader = desk.reader(context)
        let person = try await desk.person(context.parameters.get("id"), reader)
        let query = request.uri.queryParameters
        func isOn(_ name: String) -> Bool { ["1", "true"].contains(query[name[...]] ?? "") }
        // Nobody has pinned anything here.
        guard !isOn("pinned") else { return .json(Self.nothing) }
        let (withoutAnswers, withClips) = (isOn("exclude_replies"), isOn("only_media"))
        return try await desk.page(.by(person.author.id), reader, request) { post in
            (!withoutAnswers || post.replyTo == nil) && (!withClips || post.clip != nil)
        }
    }

    private static var nothing: JSONText {
        var json = JSONText()
        json.array([Int]()) { _, _ in }
        return json
    }

    private func people(
        _ request: Request, _ context: WebContext, _ selection: (AccountID) -> PeopleSelection
    ) async throws -> Response {
        let reader = desk.reader(context)
        let person = try await desk.person(context.parameters.get("id"), reader)
        let limit = min(max(try request.number("limit", in: 0...100_000) ?? 40, 1), 80)
        let query = request.uri.queryParameters
        // A cursor of its own: people have no place in an order of time here.
        let behind = query["behind"].map(String.init) ?? ""
        let found = try await reader.people(selection(person.author.id), behind: behind, limit: limit)
        var response = desk.answer(found)
        if found.count == limit, let last = found.last {
            let next = PercentEncoding.form([("limit", "\(limit)"), ("behind", last.author.handle)])
            response.headers[.link] = "<\(desk.links.publicURL)\(request.uri.path)?\(next)>; rel=\"next\""
        }
        return response
    }

    private func tie(
        _ verb: String, scope: TokenRule,
        act: @escaping @Sendable (_ me: AccountID, _ other: AccountID) async throws -> Void
    ) -> WebRoute {
        .api(
            .post, "/api/v1/accounts/:id/\(verb)", .active, scope: scope, body: .upTo(4 << 10),
            summary: "Changes how one stands to a person: \(verb)"
        ) { _, context in
            let person = try await desk.person(context.parameters.get("id"), desk.reader(context))
            let me = try context.account
            guard person.author.id != me else {
                throw Problem(.forbidden, "not-allowed", "This action is not allowed")
            }
            if verb == "follow", person.author.isElsewhere,
                let refusal = try await desk.library.mayFollowElsewhere(me)
            {
                throw ElsewhereRefusal.may(refusal).problem
            }
            try await act(me, person.author.id)
            guard let relationship = try await desk.reader(context).relationships(to: [person.author.id]).first else {
                throw Problem.recordNotFound
            }
            var json = JSONText()
            relationship.write(&json)
            return .json(json)
        }
    }

    private func relationships(_ accounts: [AccountID], _ context: WebContext) async throws -> Response {
        let found = try await desk.reader(context).relationships(to: accounts)
        var json = JSONText()
        json.array(found) { $1.write(&$0) }
        return .json(json)
    }
}
