internal import ChirpAccounts
internal import ChirpCore
internal import ChirpWeb
internal import Hummingbird

/// Signing in by a passkey: it is both factors, since it is used after a finger, a face or a number alone.
struct PasskeySignInRoutes {
    let desk: AccountDesk
    let closed: ClosedPage
    let party: PasskeyParty

    static let path = "/signin/passkey"

    var routes: [WebRoute] {
        [
            .get(Self.path) { request, _ in page(request, way: AccountDesk.way(request.query("to"))) },
            .post(Self.path, .everybody) { request, context, form in try await enter(request, context, form) },
        ]
    }

    private func enter(_ request: Request, _ context: WebContext, _ form: Form) async throws -> Response {
        let way = AccountDesk.way(form["to"])
        do throws(AccountError) {
            guard let challenge = OpaqueToken(shown: form["challenge"]),
                let answer = PasskeyAnswer.Assertion(
                    credential: form["credential"], clientData: form["client"],
                    authenticatorData: form["authenticator"], signature: form["signature"], userHandle: form["user"])
            else { throw .wrongCredentials }
            let entry = try await desk.accounts.enter(
                by: answer, challenge: challenge, at: party, agent: request.agent, from: desk.origin(request, context))
            switch entry {
            case .signedIn(let session): return try await desk.signedIn(session, to: way, request, context)
            case .closed(let account, let link): return await closed.show(account, link: link.token, request)
            }
        } catch {
            return page(request, way: way, problem: error)
        }
    }

    private func page(_ request: Request, way: String, problem: AccountError? = nil) -> Response {
        let status = problem.map { $0.problem?.status ?? .internalServerError } ?? .ok
        // Another sentence than that of a wrong password, which nobody has typed.
        let sentence = problem.map { $0 == .wrongCredentials ? word("passkey.unknown") : $0.words }
        var response = desk.forgery.page(request) { token in
            .page(
                Layout(prefix: desk.prefix).page(
                    title: "\(word("passkey.enter")) – Chirp", head: "<meta name=\"robots\" content=\"noindex\">",
                    script: PageScript(.passkey, words: ["passkey.here."], token: token),
                    body: """
                        <div class="form"><h1>\(word("passkey.enter"))</h1>
                        <p role="status"></p>
                        <div role="alert" class="problem">\(sentence.map { "<p>\($0).</p>" } ?? .nothing)</div>
                        <p>\(word("passkey.enter-lead"))</p>
                        <noscript><p>\(word("passkey.script"))</p></noscript>
                        <form method="post" action="\(desk.prefix)\(Self.path)" data-passkey="enter">
                        <input type="hidden" name="token" value="\(token)"><input type="hidden" name="to" value="\(way)">
                        <input type="hidden" name="challenge"><input type="hidden" name="client">
                        <input type="hidden" name="credential"><input type="hidden" name="authenticator">
                        <input type="hidden" name="signature"><input type="hidden" name="user">
                        <p><button class="main" disabled>\(word("signin.button"))</button></p></form>
                        <p><a href="\(desk.prefix)/signin?to=\(PercentEncoding.encode(way))">\(word("passkey.password"))</a></p></div>
                        """), status: status
            ).uncached
        }
        if let seconds = problem?.problem?.retryAfter { response.headers[.retryAfter] = "\(seconds)" }
        return response
    }
}
