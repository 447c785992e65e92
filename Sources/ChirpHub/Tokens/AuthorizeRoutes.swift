internal import ChirpAccounts
internal import ChirpCore
internal import ChirpWeb
internal import Hummingbird

/// Where a person lets a program speak for her: the authorisation endpoint of OAuth 2.0.
struct AuthorizeRoutes {
    let desk: AccountDesk

    var routes: [WebRoute] {
        [
            .get("/oauth/authorize", .confirmed) { request, context in
                let sent = Dictionary(
                    PercentEncoding.fields(of: request.uri.query ?? "").map { ($0.name, $0.value) },
                    uniquingKeysWith: { first, _ in first })
                return try await answering { try await ask(request, context) { sent[$0] ?? "" } }
            },
            .post("/oauth/authorize", .confirmed) { _, context, form in
                try await answering { try await decide(context, form) }
            },
        ]
    }

    private func ask(
        _ request: Request, _ context: WebContext, _ field: (String) -> String
    ) async throws -> Response {
        let asked = try await AuthorizeRequest(desk.accounts, field)
        let handle = try context.someone.handle
        let sent = AuthorizeRequest.names.map { (name: $0, value: field($0)) }.filter { !$0.value.isEmpty }
        return desk.forgery.page(request) { token in
            let page = AuthorizePage(
                request: asked, handle: handle, sent: sent, token: token, prefix: desk.prefix)
            return .page(page.html).uncached.withForms(leadingTo: asked.redirect.origin)
        }
    }

    /// The form is looked at as the request was: what it holds has been in the browser's hands.
    private func decide(_ context: WebContext, _ form: Form) async throws -> Response {
        let asked = try await AuthorizeRequest(desk.accounts) { form[$0] }
        guard form["answer"] != "no" else {
            throw AuthorizeRequest.Refusal.sent(
                to: asked.redirect, fault: .refused, state: asked.state)
        }
        let code = try await desk.accounts(of: context).code(
            of: AccountID(rawValue: try context.someone.id),
            for: CodeGrant(
                app: asked.app.id, redirect: asked.redirect.text, scopes: asked.scopes.text, challenge: asked.challenge)
        )
        let text = code.secret.reveal()
        guard asked.redirect != .outOfBand else {
            return desk.say(
                word("tokens.code-title"),
                """
                <p>\(HTML.word("tokens.code-text", ["app": "<bdi>\(asked.app.name)</bdi>"]))</p>
                <p><code class="oauth-code">\(text)</code></p>
                """)
        }
        return goOn(asked.redirect.answering([("code", text), ("state", asked.state)]))
    }

    private func answering(_ body: () async throws -> Response) async throws -> Response {
        do { return try await body() } catch let refusal as AuthorizeRequest.Refusal {
            switch refusal {
            case .told(let sentence): return told("<p>\(sentence)</p>")
            case .sent(.outOfBand, let fault, _): return told("<p>\(fault.words)</p>")
            // The person has pressed "Refuse".
            case .sent(let redirect, .refused, let state): return goOn(address(redirect, .refused, state))
            case .sent(let redirect, let fault, let state):
                // Anybody can register a program, and have a browser come here with something wrong. A redirect by itself would lead it from a
                // name that people trust to one that a stranger has chosen (RFC 9700, section 4.11.2).
                let way = HTML.word("tokens.go-on", ["place": "<bdi>\(redirect.origin)</bdi>"])
                return told(
                    """
                    <p>\(fault.words)</p>
                    <p>\(word("tokens.go-on-lead"))</p>
                    <p><a class="main" rel="nofollow noreferrer" href="\(address(redirect, fault, state))">\(way)</a></p>
                    """)
            }
        }
    }

    /// A program's own address, with what it is told of a fault.
    private func address(_ redirect: RedirectAddress, _ fault: AuthorizeRequest.Fault, _ state: String) -> String {
        redirect.answering([
            ("error", fault.error), ("error_description", fault.rawValue), ("state", state),
        ])
    }

    private func told(_ text: HTML) -> Response {
        var response = desk.say(word("tokens.not-let-in"), text)
        response.status = .badRequest
        return response
    }

    private func goOn(_ address: String) -> Response {
        Response(status: .seeOther, headers: [.location: address, .cacheControl: "no-store"])
    }
}
