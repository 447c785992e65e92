internal import ChirpAccounts
internal import ChirpCore
internal import ChirpWeb
internal import Hummingbird

/// The services elsewhere by which a member signs in, to add and to take away.
struct LinkedIdentityRoutes {
    let identity: IdentityDesk

    private static let path = "/settings/account/identities"
    private var desk: AccountDesk { identity.desk }

    var routes: [WebRoute] {
        [
            .get(Self.path, .signedIn) { request, context in
                try await show(request, try await desk.account(context))
            },
            .post("\(Self.path)/link", .confirmed) { request, context, form in
                try await link(request, context, form)
            },
            .post("\(Self.path)/unlink", .signedIn) { request, context, form in
                let account = try await desk.account(context)
                do throws(AccountError) {
                    let accounts = try await desk.confirm(account, form, in: context)
                    await desk.send(try await accounts.unlink(form["id"], of: account.id))
                    return desk.goOn(to: Self.path)
                } catch {
                    return try await show(request, account, problem: error)
                }
            },
        ]
    }

    private func link(_ request: Request, _ context: WebContext, _ form: Form) async throws -> Response {
        let account = try await desk.account(context)
        let accounts: Accounts
        do throws(AccountError) { accounts = try await desk.confirm(account, form, in: context) } catch {
            return try await show(request, account, problem: error)
        }
        do throws(IdentityDesk.Failure) {
            let (page, browser) = try await identity.begin(
                form["service"], server: form["server"], way: Self.path, adding: (account.id, accounts), request,
                from: context.network)
            return identity.leading(to: page, browser: browser)
        } catch {
            return identity.failed(error)
        }
    }

    private func show(
        _ request: Request, _ account: HubAccount, problem: AccountError? = nil
    ) async throws -> Response {
        let linked = try await desk.accounts.identities(of: account.id)
        return desk.forgery.page(request) { token in
            let forms = linked.map { entry in
                form(
                    "unlink", token, account, id: entry.id,
                    fields: "<input type=\"hidden\" name=\"id\" value=\"\(entry.id)\">",
                    """
                    <p>\(desk.doors.name(of: entry.provider)): <bdi>\(entry.shown)</bdi>, \
                    \(HTML.word("identity.since", ["when": Wording.time(entry.created)]))</p>
                    """, button: word("identity.unlink"))
            }
            let status = problem.map { $0.problem?.status ?? .internalServerError } ?? .ok
            return .page(
                Layout(prefix: desk.prefix).form(
                    title: word("identity.ways"), problem: problem?.words,
                    body: """
                        <p>\(account.hasPassword ? word("identity.password") : word("identity.no-password"))</p>
                        \(HTML(joining: forms + additions(token, account), separator: "\n"))
                        """), status: status
            ).uncached
        }
    }

    /// The forms that add one.
    private func additions(_ token: String, _ account: HubAccount) -> [HTML] {
        var forms: [HTML] = []
        if desk.doors.openID != nil {
            forms.append(
                form(
                    "link", token, account, id: "oidc",
                    fields: "<input type=\"hidden\" name=\"service\" value=\"oidc\">",
                    "<h2>\(desk.doors.openIDName)</h2>",
                    button: word("identity.link", ["service": desk.doors.openIDName])))
        }
        if desk.doors.mastodon != nil {
            forms.append(
                form(
                    "link", token, account, id: "mastodon",
                    fields: """
                        <input type="hidden" name="service" value="mastodon">
                        <p class="field"><label for="server">\(word("identity.server"))</label>
                        <input id="server" name="server" type="text" autocomplete="on" required></p>
                        """, "<h2>Mastodon</h2>", button: word("identity.link", ["service": "Mastodon"])))
        }
        return forms
    }

    private func form(
        _ act: String, _ token: String, _ account: HubAccount, id: String, fields: HTML, _ lead: HTML, button: String
    ) -> HTML {
        let password: HTML =
            account.hasPassword
            ? """
            <p class="field"><label for="password-\(id)">\(word("identity.password-now"))</label>
            <input id="password-\(id)" name="password" type="password" autocomplete="current-password" required></p>
            """ : .nothing
        return """
            <form method="post" action="\(desk.prefix)\(Self.path)/\(act)">\(lead)
            <input type="hidden" name="token" value="\(token)">\(fields)\(password)
            <p><button>\(button)</button></p></form>
            """
    }
}
