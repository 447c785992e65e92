internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import Hummingbird

/// What programs ask for before they speak for somebody: their registration, their tokens, and where all of that is.
struct TokenRoutes {
    let desk: AccountDesk
    let links: HubLinks

    /// How often from one address. Of `tokens` only what is refused counts; `own` are those that programs are given for themselves, which no
    /// person has allowed.
    enum Rule {
        static let apps = RateRule(30, per: 3600)
        static let tokens = RateRule(30, per: 15 * 60)
        static let own = RateRule(60, per: 3600)
    }

    /// Of a body, in bytes.
    private static let most = Form.mostBytes

    var routes: [WebRoute] {
        [
            .api(
                .post, "/api/v1/apps", .everybody, scope: .open, body: .upTo(Self.most), summary: "Registers a program",
                takes: [
                    .text("client_name"), .list("redirect_uris", isRequired: true), .text("scopes", isRequired: false),
                    .text("website", isRequired: false),
                ]
            ) {
                try await register($0, $1)
            },
            .api(
                .get, "/api/v1/apps/verify_credentials", .everybody, scope: .open,
                summary: "The program whose token is shown"
            ) {
                try await verify($1)
            },
            .api(
                .post, "/oauth/token", .everybody, scope: .open, body: .upTo(Self.most),
                summary: "Gives a token (RFC 6749)"
            ) {
                try await token($0, $1)
            },
            .api(
                .post, "/oauth/revoke", .everybody, scope: .open, body: .upTo(Self.most),
                summary: "Ends a token (RFC 7009)"
            ) {
                try await revoke($0, $1)
            },
            .api(
                .get, "/.well-known/oauth-authorization-server", .everybody, scope: .open,
                summary: "Where programs get tokens (RFC 8414)"
            ) { _, _ in try .json(OAuthMetadata(links)) },
        ]
    }

    private func register(_ request: Request, _ context: WebContext) async throws -> Response {
        let fields = try await request.fields(upTo: Self.most)
        let name = PlainText(fields["client_name"] ?? "", limit: 100).value
        let website = fields["website"] ?? ""
        let redirects = fields.list("redirect_uris").flatMap { $0.split(whereSeparator: \.isWhitespace) }
        let addresses = redirects.compactMap { RedirectAddress($0) }
        let scopes = Scopes(fields["scopes"] ?? "read")
        var wrong: [String: String] = [:]
        if name.isEmpty { wrong["client_name"] = "A program has a name" }
        if !website.isEmpty, RedirectAddress(website)?.origin.hasPrefix("http") != true {
            wrong["website"] = "This is no address of a page"
        }
        if addresses.isEmpty || addresses.count != redirects.count || addresses.count > 20 {
            wrong["redirect_uris"] = "One to 20 addresses, absolute and without a fragment"
        }
        if scopes.names.isEmpty || !scopes.areKnown { wrong["scopes"] = "There is no such scope" }
        guard wrong.isEmpty else {
            throw Problem(.unprocessableContent, "invalid", "Something that was sent cannot be taken", fields: wrong)
        }
        try await desk.limits.consume("apps", Rule.apps, by: .network(context.network))
        let (app, secret) = try await desk.accounts.register(
            name: name, website: website, redirects: addresses, scopes: scopes.text)
        return try .json(AppDocument(app, secret: secret)).uncached
    }

    private func verify(_ context: WebContext) async throws -> Response {
        guard let id = context.program, let app = try await desk.accounts.app(id) else {
            throw Problem(.unauthorized, "token", "This is for programs that show their token")
        }
        return try .json(AppDocument(app, secret: nil))
    }

    private func token(_ request: Request, _ context: WebContext) async throws -> Response {
        let fields = try await request.fields(upTo: Self.most)
        return try await limited(context) {
            let client = try await ClientProof(request, fields, desk.accounts)
            switch fields["grant_type"] {
            case "authorization_code": return try await answer(redeem(fields, client))
            case "client_credentials": return try await answer(own(fields, client, context))
            default:
                throw Self.refusal("unsupported_grant_type", "A code or the program's own credentials are taken here")
            }
        }
    }

    private func redeem(_ fields: RequestFields, _ client: ClientProof) async throws -> IssuedToken {
        guard let code = OpaqueToken(shown: fields["code"] ?? ""),
            let issued = try await desk.accounts.redeem(
                code, app: client.app.id, isAuthentic: client.isAuthentic, redirect: fields["redirect_uri"] ?? "",
                verifier: fields["code_verifier"])
        else {
            throw Self.refusal("invalid_grant", "The code has ended, was used, or was given for something else")
        }
        return issued
    }

    private func own(
        _ fields: RequestFields, _ client: ClientProof, _ context: WebContext
    ) async throws -> IssuedToken {
        guard client.isAuthentic else { throw ClientProof.refusal }
        let registered = Scopes(client.app.scopes)
        var scopes = Scopes(fields["scope"] ?? "")
        if scopes.names.isEmpty { scopes = registered.allow("read") ? Scopes("read") : registered }
        guard scopes.areKnown, scopes.areWithin(registered) else {
            throw Self.refusal("invalid_scope", "The scope is unknown, or the program is not registered for it")
        }
        try await desk.limits.consume("app-token", Rule.own, by: .network(context.network))
        return try await desk.accounts.token(for: client.app.id, scopes: scopes.text)
    }

    private func answer(_ issued: IssuedToken) throws -> Response { try .json(TokenDocument(issued)).uncached }

    private func revoke(_ request: Request, _ context: WebContext) async throws -> Response {
        let fields = try await request.fields(upTo: Self.most)
        return try await limited(context) {
            // Whoever holds a token may end it; only a wrong secret is refused.
            let client = try await ClientProof(request, fields, desk.accounts)
            if let token = OpaqueToken(shown: fields["token"] ?? "") {
                try await desk.accounts.revoke(token, of: client.app.id)
            }
            return try .json([String: String]()).uncached
        }
    }

    /// Counts what is refused: guessing a secret or a code is hopeless, and should not cost this hub much either. A place is taken before
    /// and given back when nothing was refused, so that many at once find no more places than one after the other.
    private func limited(_ context: WebContext, _ body: () async throws -> Response) async throws -> Response {
        let place = [RateBucket("token", Rule.tokens, by: .network(context.network))]
        do {
            try await desk.limits.consume(place)
            let answer: Response
            do { answer = try await body() } catch {
                if !(error is Problem) { try? await desk.limits.restore(place) }
                throw error
            }
            // A token that was given is not lost over this.
            try? await desk.limits.restore(place)
            return answer
        } catch let error as AccountError {
            throw error.problem ?? error
        }
    }

    /// As RFC 6749, section 5.2, has it: the title is what programs know it by.
    private static func refusal(_ error: String, _ what: String) -> Problem {
        Problem(.badRequest, "oauth", error, detail: what)
    }
}
