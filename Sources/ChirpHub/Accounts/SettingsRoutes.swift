internal import ChirpAccounts
internal import ChirpCore
internal import ChirpWeb
internal import Hummingbird

/// What a person sets about the own account.
struct SettingsRoutes {
    let desk: AccountDesk

    var routes: [WebRoute] {
        [
            .get("/settings", .signedIn) { _, context in
                let person = try context.signedIn
                return desk.say(
                    "Settings",
                    """
                    <p>You are signed in as <bdi>@\(person.handle)</bdi>.</p>
                    <ul><li><a href="\(desk.prefix)/settings/profile">Profile</a></li>
                    <li><a href="\(desk.prefix)/settings/profile/picture">Picture</a></li>
                    <li><a href="\(desk.prefix)/settings/account">Account</a></li>
                    <li><a href="\(desk.prefix)/settings/account/authenticator">Authenticator</a></li>
                    <li><a href="\(desk.prefix)/settings/sessions">Sessions</a></li>
                    <li><a href="\(desk.prefix)/settings/tokens">Tokens</a></li>
                    <li><a href="\(desk.prefix)/settings/privacy">Privacy</a></li>
                    <li><a href="\(desk.prefix)/settings/export">Export</a></li>
                    <li><a href="\(desk.prefix)/notices">Notices</a></li>
                    <li><a href="\(desk.prefix)/settings/standing">Standing</a></li>
                    \(person.role == .member ? .nothing : "<li><a href=\"\(desk.prefix)/moderation\">Moderation</a></li>")
                    <li><a href="\(desk.prefix)/settings/delete">Delete account</a></li>
                    <li><a href="\(desk.prefix)/signout">Sign out</a></li></ul>
                    """)
            },
            .get("/settings/account", .signedIn) { request, context in
                let account = try await account(context)
                return desk.show(accountPage(account), request)
            },
            .get("/settings/account/mail", .signedIn) { request, context in
                let account = try await account(context)
                return desk.show(mailPage(account), request)
            },
            .get("/settings/account/handle", .signedIn) { request, context in
                let account = try await account(context)
                return desk.show(handlePage(name: account.handle.text, account), request)
            },
            .post("/settings/account/handle", .signedIn) { request, context, form in
                let account = try await account(context)
                do throws(AccountError) {
                    try await desk.changeHandle(
                        of: account, to: form["username"], password: Secret(form["password"]))
                    return desk.goOn(to: "/settings/account")
                } catch {
                    let name = PlainText(form["username"], limit: 60).value
                    return desk.again(handlePage(name: name, account), error, request)
                }
            },
            .post("/settings/account/password", .signedIn) { request, context, form in
                try await changePassword(request, context, form)
            },
            .post("/settings/account/mail", .signedIn) { request, context, form in
                try await changeMail(request, context, form)
            },
            .get("/settings/sessions", .signedIn) { request, context in
                let account = try await account(context)
                let sessions = try await desk.accounts.sessions(of: account.id)
                return desk.forgery.page(request) { token in
                    .page(SessionsPage(sessions: sessions, token: token, prefix: desk.prefix).html).uncached
                }
            },
            .post("/settings/sessions/end", .signedIn) { _, context, form in
                let account = try await account(context)
                try await desk.accounts.end(session: form["id"], of: account.id)
                return desk.goOn(to: "/settings/sessions")
            },
            .post("/settings/sessions/end-all", .signedIn) { _, context, _ in
                try await desk.accounts.signOutEverywhere(try await account(context).id)
                return desk.goOn(to: "/signin").setting(desk.cookie, to: "", seconds: 0)
            },
        ]
    }

    private func account(_ context: WebContext) async throws -> HubAccount { try await desk.account(context) }

    private func changePassword(_ request: Request, _ context: WebContext, _ form: Form) async throws -> Response {
        let account = try await account(context)
        do throws(AccountError) {
            let session = try await desk.changePassword(
                of: account, from: Secret(form["password"]), to: Secret(form["new-password"]), agent: request.agent)
            return desk.signedIn(session, to: "/settings/sessions", request)
        } catch {
            return desk.again(accountPage(account), error, request)
        }
    }

    private func changeMail(_ request: Request, _ context: WebContext, _ form: Form) async throws -> Response {
        let account = try await account(context)
        do throws(AccountError) {
            let mail = try await desk.changeMail(
                of: account, to: form["email"], password: Secret(form["password"]))
            return desk.say(
                "Look into your mail", "<p>A letter is on its way to \(mail.text). Its link makes it your address.</p>")
        } catch {
            return desk.again(mailPage(account), error, request)
        }
    }

    private func accountPage(_ account: HubAccount) -> FormPage {
        FormPage(
            title: "Account", action: "/settings/account/password",
            fields: desk.passwordNow(account) + [
                FormPage.Field(
                    name: "new-password", label: "New password", type: "password", autocomplete: "new-password",
                    hint: "At least \(PasswordHash.lengths.lowerBound) characters. Your other sessions end.")
            ], button: "Save",
            lead: """
                <p>User name: <bdi>@\(account.handle.text)</bdi> \
                (<a href="\(desk.prefix)/settings/account/handle">change</a>). Mail address: \(account.mail?.text ?? "none") \
                (<a href="\(desk.prefix)/settings/account/mail">change</a>).</p>
                <p><a href="\(desk.prefix)/settings/account/identities">Ways to sign in</a></p>
                """)
    }

    private func handlePage(name: String, _ account: HubAccount) -> FormPage {
        FormPage(
            title: "User name", action: "/settings/account/handle",
            fields: [
                FormPage.Field(
                    name: "username", label: "New user name", autocomplete: "username", value: name,
                    hint:
                        "\(Handle.lengths.lowerBound) to \(Handle.lengths.upperBound) letters from a to z, digits and _"
                )
            ] + desk.passwordNow(account), button: "Save",
            lead: "<p>At most once in 30 days. Your old name stays yours, and links with it lead to your page.</p>")
    }

    private func mailPage(_ account: HubAccount) -> FormPage {
        FormPage(
            title: "Mail address", action: "/settings/account/mail",
            fields: [
                FormPage.Field(
                    name: "email", label: "New mail address", type: "email", autocomplete: "email")
            ] + desk.passwordNow(account), button: "Save")
    }

}

/// Where a person is signed in.
private struct SessionsPage {
    let sessions: [SessionEntry]
    let token: String
    let prefix: String

    var html: HTML {
        Layout(prefix: prefix).page(
            title: "Sessions – Chirp", head: "<meta name=\"robots\" content=\"noindex\">",
            body: """
                <div class="form"><h1>Sessions</h1>
                <p role="status"></p><p role="alert"></p>
                <ul>\(HTML(joining: sessions.map(item), separator: "\n"))</ul>
                <form method="post" action="\(prefix)/settings/sessions/end-all">
                <input type="hidden" name="token" value="\(token)">
                <p><button class="main">Sign out everywhere</button></p></form></div>
                """)
    }

    private func item(_ session: SessionEntry) -> HTML {
        let agent = session.agent.isEmpty ? "A program without a name" : session.agent
        return """
            <li><form method="post" action="\(prefix)/settings/sessions/end">
            <input type="hidden" name="token" value="\(token)"><input type="hidden" name="id" value="\(session.id)">
            <p><bdi>\(agent)</bdi>, since \(Wording.time(session.created))
            <button aria-label="End the session of \(agent)">End</button></p></form></li>
            """
    }
}

extension WebContext {
    /// Who is signed in: in routes for those who are, there is somebody.
    var signedIn: Person {
        get throws {
            guard let person else { throw HTTPError(.unauthorized) }
            return person
        }
    }
}
