internal import ChirpAccounts
internal import ChirpCore
internal import ChirpWeb
internal import Hummingbird

/// Signing in and out, and the owner's link.
struct SignInRoutes {
    let desk: AccountDesk
    let closed: ClosedPage
    /// Whether browsers make passkeys for this hub.
    let takesPasskeys: Bool

    var routes: [WebRoute] {
        [
            .get("/signin") { request, context in
                let way = AccountDesk.way(request.query("to"))
                // Somebody who is signed in and was on the way to a page goes on; who asks for the form itself gets it.
                guard context.person == nil || request.query("to").isEmpty else { return desk.goOn(to: way) }
                var page = await page(name: "", way: way, asksCode: false)
                if let person = context.person {
                    page.lead =
                        "<p>\(HTML.word("signin.already", ["handle": "<bdi>@\(person.handle)</bdi>"]))</p>"
                }
                return desk.show(page, request)
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
            .post("/signin/owner", .everybody) { request, context, form in
                do throws(AccountError) {
                    guard let token = OpaqueToken(shown: form["link"]) else { throw .deadLink }
                    let session = try await desk.accounts.signIn(byOwnerLink: token, agent: request.agent)
                    return try await desk.signedIn(session, to: "/", request, context)
                } catch {
                    return desk.again(ownerPage(token: ""), error, request)
                }
            },
        ]
    }

    private func signIn(_ request: Request, _ context: WebContext, _ form: Form) async throws -> Response {
        let (name, way) = (PlainText(form["username"], limit: 300).value, AccountDesk.way(form["to"]))
        do throws(AccountError) {
            let entry = try await desk.accounts.enter(
                name: name, password: Secret(form["password"]), code: form["code"], agent: request.agent,
                from: desk.origin(request, context))
            switch entry {
            case .signedIn(let session): return try await desk.signedIn(session, to: way, request, context)
            case .closed(let account, let link): return await closed.show(account, link: link.token, request)
            }
        } catch {
            var asksCode = !form["code"].isEmpty
            if case .codeNeeded = error { asksCode = true }
            return desk.again(await page(name: name, way: way, asksCode: asksCode), error, request)
        }
    }

    private func page(name: String, way: String, asksCode: Bool) async -> FormPage {
        let isClosed = (try? await desk.entrance.registration()) ?? .closed == .closed
        var fields = [
            FormPage.Field(name: "username", label: word("signin.name"), autocomplete: "username", value: name),
            FormPage.Field(
                name: "password", label: word("account.password"), type: "password", autocomplete: "current-password"),
        ]
        if asksCode {
            fields.append(
                FormPage.Field(
                    name: "code", label: word("signin.code"),
                    autocomplete: "one-time-code"))
        }
        return FormPage(
            title: word("signin.title"), action: "/signin", fields: fields, button: word("signin.button"),
            hidden: [("to", way)],
            below: """
                <p><a href="\(desk.prefix)/reset">\(word("signin.lost"))</a></p>
                \(isClosed ? .nothing : "<p><a href=\"\(desk.prefix)/signup\">\(word("signup.title"))</a></p>")
                """, doors: passkeys(way) + desk.doors.buttons([("to", way)]))
    }

    private func passkeys(_ way: String) -> [FormPage.Door] {
        guard takesPasskeys else { return [] }
        return [
            FormPage.Door(
                action: PasskeySignInRoutes.path, button: word("passkey.enter"), hidden: [("to", way)], isAct: false)
        ]
    }

    private var signOutPage: FormPage {
        FormPage(
            title: word("signin.out-title"), action: "/signout", fields: [], button: word("signin.out-button"),
            lead: "<p>\(word("signin.out-lead"))</p>")
    }

    private func ownerPage(token: String) -> FormPage {
        FormPage(
            title: word("signin.owner-title"), action: "/signin/owner", fields: [], button: word("signin.button"),
            hidden: [("link", OpaqueToken(shown: token) == nil ? "" : token)],
            lead: "<p>\(word("signin.owner-lead"))</p>")
    }
}

extension Request {
    /// A field of the query, decoded; empty where there is none.
    func query(_ name: String) -> String { uri.queryParameters[name[...]].map { String($0) } ?? "" }
}
