internal import ChirpAccounts
internal import ChirpCore
internal import ChirpWeb
internal import Hummingbird

/// Signing in and out, and the owner's link.
struct SignInRoutes {
    let desk: AccountDesk
    let closed: ClosedPage

    var routes: [WebRoute] {
        [
            .get("/signin") { request, context in
                let way = AccountDesk.way(request.query("to"))
                guard context.person == nil else { return desk.goOn(to: way) }
                return desk.show(await page(name: "", way: way, asksCode: false), request)
            },
            .post("/signin", .everybody) { request, context, form in
                try await signIn(request, context, form)
            },
            .get("/signout") { request, _ in desk.show(signOutPage, request) },
            .post("/signout", .everybody) { _, context, _ in
                if let token = context.session.flatMap({ OpaqueToken(shown: $0) }) {
                    try await desk.accounts.signOut(token)
                }
                return desk.goOn(to: "/").setting(desk.cookie, to: "", seconds: 0)
            },
            // The link that the terminal prints. Opening it asks; the press of the button uses it up.
            .get("/signin/owner") { request, _ in
                desk.show(ownerPage(token: request.query("token")), request)
            },
            .post("/signin/owner", .everybody) { request, _, form in
                do throws(AccountError) {
                    guard let token = OpaqueToken(shown: form["link"]) else { throw .deadLink }
                    return desk.signedIn(
                        try await desk.accounts.signIn(byOwnerLink: token, agent: request.agent), to: "/", request)
                } catch {
                    return desk.again(ownerPage(token: ""), error, request)
                }
            },
        ]
    }

    private func signIn(_ request: Request, _ context: WebContext, _ form: Form) async throws -> Response {
        let (name, way) = (PlainText(form["username"], limit: 300).value, AccountDesk.way(form["to"]))
        let (byAddress, byName) = ("signin:\(context.holder.name)", "signin:name:\(name.lowercased())")
        // A browser that was signed in before has a bucket of its own, so that a stranger's failures keep nobody out.
        let known = desk.browsers.name(request).map { "signin:known:\($0)" }
        do throws(AccountError) {
            if let known {
                try await desk.limits.look(known, AccountDesk.Rule.signInByName)
            } else {
                try await desk.limits.look(byAddress, AccountDesk.Rule.signInByAddress)
                try await desk.limits.look(byName, AccountDesk.Rule.signInByName)
            }
            let entry = try await desk.accounts.enter(
                name: name, password: Secret(form["password"]), code: form["code"], agent: request.agent)
            switch entry {
            case .signedIn(let session): return desk.signedIn(session, to: way, request)
            case .closed(let account, let link): return await closed.show(account, link: link.token, request)
            }
        } catch {
            switch error {
            case .wrongCredentials, .codeNeeded(wasWrong: true):
                if let known {
                    try? await desk.limits.take(known, AccountDesk.Rule.signInByName)
                } else {
                    try? await desk.limits.take(byAddress, AccountDesk.Rule.signInByAddress)
                    try? await desk.limits.take(byName, AccountDesk.Rule.signInByName)
                }
            default: break
            }
            var asksCode = !form["code"].isEmpty
            if case .codeNeeded = error { asksCode = true }
            return desk.again(await page(name: name, way: way, asksCode: asksCode), error, request)
        }
    }

    private func page(name: String, way: String, asksCode: Bool) async -> FormPage {
        let isClosed = (try? await desk.entrance.registration()) ?? .closed == .closed
        var fields = [
            FormPage.Field(name: "username", label: "User name or mail address", autocomplete: "username", value: name),
            FormPage.Field(
                name: "password", label: "Password", type: "password", autocomplete: "current-password"),
        ]
        if asksCode {
            fields.append(
                FormPage.Field(
                    name: "code", label: "Code of the authenticator, or a recovery code",
                    autocomplete: "one-time-code"))
        }
        return FormPage(
            title: "Sign in", action: "/signin", fields: fields, button: "Sign in",
            hidden: [("to", way)],
            below: """
                <p><a href="\(desk.prefix)/reset">I do not know my password</a></p>
                \(isClosed ? .nothing : "<p><a href=\"\(desk.prefix)/signup\">Sign up</a></p>")
                """, doors: desk.doors.buttons([("to", way)]))
    }

    private var signOutPage: FormPage {
        FormPage(
            title: "Sign out", action: "/signout", fields: [], button: "Sign out",
            lead: "<p>This browser then shows what any visitor sees.</p>")
    }

    private func ownerPage(token: String) -> FormPage {
        FormPage(
            title: "Sign in as the owner", action: "/signin/owner", fields: [], button: "Sign in",
            hidden: [("link", OpaqueToken(shown: token) == nil ? "" : token)],
            lead: "<p>This link works once, for 30 minutes.</p>")
    }
}

extension Request {
    /// A field of the query, decoded; empty where there is none.
    func query(_ name: String) -> String { uri.queryParameters[name[...]].map { String($0) } ?? "" }
}
