internal import ChirpAccounts
internal import ChirpCore
internal import ChirpWeb
internal import Hummingbird

/// Signing up, confirming an address, and setting a lost password anew.
struct SignUpRoutes {
    let desk: AccountDesk

    var routes: [WebRoute] {
        [
            .get("/signup") { request, context in
                switch try await desk.entrance.registration(from: context.address) {
                case .closed:
                    desk.say(word("signup.title"), "<p>\(word("signup.closed"))</p>")
                case .invite where OpaqueToken(shown: request.query("invitation")) == nil:
                    desk.say(word("signup.title"), "<p>\(word("signup.invite"))</p>")
                case .invite, .open:
                    desk.show(signUpPage(handle: "", mail: "", invitation: request.query("invitation")), request)
                }
            },
            .post("/signup", .everybody) { request, context, form in
                try await signUp(request, context, form)
            },
            .get("/confirm") { request, _ in
                guard OpaqueToken(shown: request.query("token")) != nil else {
                    return desk.say(word("signup.confirm-title"), "<p>\(word("signup.confirm-hint"))</p>")
                }
                return desk.show(confirmPage(token: request.query("token")), request)
            },
            .post("/confirm", .everybody) { request, _, form in
                do throws(AccountError) {
                    if desk.newcomers.holds(request, for: form["link"]) {
                        let session = try await desk.confirm(form["link"], signingIn: request.agent)
                        return desk.newcomers.end(welcome(session, request))
                    }
                    try await desk.confirm(form["link"])
                    return confirmed
                } catch {
                    return desk.again(confirmPage(token: ""), error, request)
                }
            },
            .get("/reset") { request, _ in
                let token = request.query("token")
                guard OpaqueToken(shown: token) != nil else { return desk.show(askPage(mail: ""), request) }
                return desk.show(resetPage(token: token), request)
            },
            .post("/reset", .everybody) { request, context, form in
                try await reset(request, context, form)
            },
        ]
    }

    /// Says whose the password may be: a stranger may have signed up with the address of whoever confirms it.
    private var confirmed: Response {
        desk.say(
            word("signup.confirmed"),
            """
            <p><a href="\(desk.prefix)/signin">\(word("signin.title"))</a></p><p>\(word("signup.confirmed-elsewhere")) \
            <a href="\(desk.prefix)/reset">\(word("signup.confirmed-reset"))</a></p>
            """)
    }

    /// Goes on to the first clip, signed in. Who does not follow reads that the address is confirmed.
    private func welcome(_ session: Session?, _ request: Request) -> Response {
        guard let session else { return confirmed }
        let way = "\(desk.prefix)/record?welcome=1"
        var response = desk.say(
            word("signup.confirmed"), "<p><a href=\"\(way)\">\(word("signup.go-on"))</a></p>")
        response.status = .seeOther
        response.headers[.location] = way
        return desk.carrying(session, request, response)
    }

    private func signUp(_ request: Request, _ context: WebContext, _ form: Form) async throws -> Response {
        let invitation = form["invitation"]
        do throws(AccountError) {
            let (mail, link) = try await desk.signUp(
                handle: form["username"], mail: form["email"], password: Secret(form["password"]),
                invitation: invitation, from: context)
            let page = desk.say(
                word("account.look-into-mail"), "<p>\(word("signup.sent", ["mail": mail.text]))</p>")
            return desk.newcomers.give(page, for: link)
        } catch {
            let page = signUpPage(
                handle: PlainText(form["username"], limit: 60).value, mail: PlainText(form["email"], limit: 300).value,
                invitation: invitation)
            return desk.again(page, error, request)
        }
    }

    /// Both steps: asking for the letter, and the new password.
    private func reset(_ request: Request, _ context: WebContext, _ form: Form) async throws -> Response {
        if OpaqueToken(shown: form["link"]) != nil {
            do throws(AccountError) {
                let account = try await desk.reset(form["link"], to: Secret(form["password"]))
                let page = desk.say(
                    word("signup.reset-done"),
                    "<p>\(word("signup.reset-ended"))</p><p><a href=\"\(desk.prefix)/signin\">\(word("signin.title"))</a></p>"
                )
                // Whoever reads the account's mail is its owner: strangers who guess keep nobody out who comes this way.
                return desk.browsers.remember(
                    account, epoch: try await desk.accounts.epoch(of: account), request, page)
            } catch {
                return desk.again(resetPage(token: form["link"]), error, request)
            }
        }
        do throws(AccountError) {
            let mail = try await desk.askForReset(mail: form["email"], from: context)
            return desk.say(
                word("account.look-into-mail"), "<p>\(word("signup.reset-sent", ["mail": mail.text]))</p>")
        } catch {
            return desk.again(askPage(mail: PlainText(form["email"], limit: 300).value), error, request)
        }
    }

    private func signUpPage(handle: String, mail: String, invitation: String) -> FormPage {
        let invitation = OpaqueToken(shown: invitation) == nil ? "" : invitation
        return FormPage(
            title: word("signup.title"), action: "/signup",
            fields: [
                FormPage.Field(
                    name: "email", label: word("account.mail"), type: "email", autocomplete: "email", value: mail),
                FormPage.Field(
                    name: "username", label: word("account.name"), autocomplete: "username", value: handle,
                    hint: word("account.name-hint", Handle.lengths.words)
                ),
                FormPage.Field(
                    name: "password", label: word("account.password"), type: "password", autocomplete: "new-password",
                    hint: word("account.password-hint", ["least": "\(PasswordHash.lengths.lowerBound)"])),
            ], button: word("signup.button"), hidden: [("invitation", invitation)],
            below: "<p><a href=\"\(desk.prefix)/signin\">\(word("signup.have-account"))</a></p>",
            doors: desk.doors.buttons([("invitation", invitation)]))
    }

    private func confirmPage(token: String) -> FormPage {
        FormPage(
            title: word("signup.confirm-title"), action: "/confirm", fields: [], button: word("signup.confirm-button"),
            hidden: [("link", token)])
    }

    private func askPage(mail: String) -> FormPage {
        FormPage(
            title: word("signup.reset-title"), action: "/reset",
            fields: [
                FormPage.Field(
                    name: "email", label: word("account.mail"), type: "email", autocomplete: "email", value: mail)
            ], button: word("signup.reset-button"))
    }

    private func resetPage(token: String) -> FormPage {
        FormPage(
            title: word("signup.reset-title"), action: "/reset",
            fields: [
                FormPage.Field(
                    name: "password", label: word("account.password-new"), type: "password",
                    autocomplete: "new-password",
                    hint: word("account.password-hint", ["least": "\(PasswordHash.lengths.lowerBound)"]))
            ], button: word("account.save"), hidden: [("link", token)])
    }
}
