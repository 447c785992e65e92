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
                let person = try context.someone
                return desk.say(
                    word("settings.title"),
                    """
                    <p>\(HTML.word("settings.who", ["handle": "<bdi>@\(person.handle)</bdi>"]))</p>
                    <ul>\(HTML(joining: ways(person).map(way), separator: "\n"))</ul>
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
                        of: account, to: form["username"], password: Secret(form["password"]), in: context)
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

    /// Every page of the settings, in the order in which they are wanted.
    private func ways(_ person: Person) -> [(path: String, name: String)] {
        let moderation = person.role == .member ? [] : [("/moderation", word("settings.moderation"))]
        return [
            ("/settings/profile", word("settings.profile")), ("/settings/profile/picture", word("settings.picture")),
            ("/settings/account", word("settings.account")),
            ("/settings/account/authenticator", word("settings.authenticator")),
            ("/settings/account/passkeys", word("settings.passkeys")),
            ("/settings/account/identities", word("settings.identities")),
            ("/settings/sessions", word("settings.sessions")), ("/settings/tokens", word("settings.tokens")),
            ("/settings/notices", word("settings.notices")), ("/settings/push", word("settings.push")),
            ("/settings/privacy", word("settings.privacy")),
            ("/settings/frames", word("settings.frames")), ("/settings/offline", word("settings.offline")),
            ("/settings/export", word("settings.export")), ("/settings/standing", word("settings.standing")),
        ] + moderation + [("/settings/delete", word("settings.delete")), ("/signout", word("signin.out-title"))]
    }

    private func way(_ way: (path: String, name: String)) -> HTML {
        "<li><a href=\"\(desk.prefix)\(way.path)\">\(way.name)</a></li>"
    }

    private func account(_ context: WebContext) async throws -> HubAccount { try await desk.account(context) }

    private func changePassword(_ request: Request, _ context: WebContext, _ form: Form) async throws -> Response {
        let account = try await account(context)
        do throws(AccountError) {
            let session = try await desk.changePassword(
                of: account, from: Secret(form["password"]), to: Secret(form["new-password"]), agent: request.agent,
                in: context)
            return try await desk.signedIn(session, to: "/settings/sessions", request, context)
        } catch {
            return desk.again(accountPage(account), error, request)
        }
    }

    private func changeMail(_ request: Request, _ context: WebContext, _ form: Form) async throws -> Response {
        let account = try await account(context)
        do throws(AccountError) {
            let mail = try await desk.changeMail(
                of: account, to: form["email"], password: Secret(form["password"]), from: context)
            return desk.say(
                word("account.look-into-mail"), "<p>\(word("settings.mail-sent", ["mail": mail.text]))</p>")
        } catch {
            return desk.again(mailPage(account), error, request)
        }
    }

    private func accountPage(_ account: HubAccount) -> FormPage {
        FormPage(
            title: word("settings.account"), action: "/settings/account/password",
            fields: desk.passwordNow(account) + [
                FormPage.Field(
                    name: "new-password", label: word("account.password-new"), type: "password",
                    autocomplete: "new-password",
                    hint: word("settings.password-hint", PasswordHash.lengths.words))
            ], button: word("account.save"),
            lead: """
                <p>\(whoAndWhere(account))</p>
                <p><a href="\(desk.prefix)/settings/account/identities">\(word("settings.identities"))</a></p>
                """)
    }

    private func whoAndWhere(_ account: HubAccount) -> HTML {
        func change(_ path: String) -> HTML {
            "<a href=\"\(desk.prefix)/settings/account/\(path)\">\(word("settings.change"))</a>"
        }
        return HTML.word(
            "settings.who-and-where",
            [
                "handle": "<bdi>@\(account.handle.text)</bdi>", "changeHandle": change("handle"),
                "mail": "\(account.mail?.text ?? word("settings.none"))", "changeMail": change("mail"),
            ])
    }

    private func handlePage(name: String, _ account: HubAccount) -> FormPage {
        FormPage(
            title: word("account.name"), action: "/settings/account/handle",
            fields: [
                FormPage.Field(
                    name: "username", label: word("settings.handle-new"), autocomplete: "username", value: name,
                    hint: word("account.name-hint", Handle.lengths.words)
                )
            ] + desk.passwordNow(account), button: word("account.save"),
            lead: "<p>\(word("settings.handle-lead"))</p>")
    }

    private func mailPage(_ account: HubAccount) -> FormPage {
        FormPage(
            title: word("account.mail"), action: "/settings/account/mail",
            fields: [
                FormPage.Field(
                    name: "email", label: word("settings.mail-new"), type: "email", autocomplete: "email")
            ] + desk.passwordNow(account), button: word("account.save"))
    }

}

/// Where a person is signed in.
private struct SessionsPage {
    let sessions: [SessionEntry]
    let token: String
    let prefix: String

    var html: HTML {
        Layout(prefix: prefix).page(
            title: "\(word("settings.sessions")) – Chirp", head: "<meta name=\"robots\" content=\"noindex\">",
            body: """
                <div class="form"><h1>\(word("settings.sessions"))</h1>
                <p role="status"></p><p role="alert"></p>
                <ul>\(HTML(joining: sessions.map(item), separator: "\n"))</ul>
                <form method="post" action="\(prefix)/settings/sessions/end-all">
                <input type="hidden" name="token" value="\(token)">
                <p>\(word("settings.end-all-lead"))</p>
                <p><button class="main">\(word("settings.end-all"))</button></p></form>
                \(FormPage.wayBack(prefix))</div>
                """)
    }

    private func item(_ session: SessionEntry) -> HTML {
        let agent = session.agent.isEmpty ? word("settings.no-agent") : session.agent
        return """
            <li><form method="post" action="\(prefix)/settings/sessions/end">
            <input type="hidden" name="token" value="\(token)"><input type="hidden" name="id" value="\(session.id)">
            <p>\(HTML.word("settings.session", ["agent": "<bdi>\(agent)</bdi>", "time": Wording.time(session.created)]))
            <button aria-label="\(word("settings.end-session", ["agent": agent]))">\(word("settings.end"))</button></p></form></li>
            """
    }
}
