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
                    desk.say("Sign up", "<p>Nobody can sign up at this hub. Whoever runs it lets people in.</p>")
                case .invite where OpaqueToken(shown: request.query("invitation")) == nil:
                    desk.say("Sign up", "<p>Signing up here needs an invitation, which is a link.</p>")
                case .invite, .open:
                    desk.show(signUpPage(handle: "", mail: "", invitation: request.query("invitation")), request)
                }
            },
            .post("/signup", .everybody) { request, context, form in
                try await signUp(request, context, form)
            },
            .get("/confirm") { request, _ in
                guard OpaqueToken(shown: request.query("token")) != nil else {
                    return desk.say(
                        "Confirm your address", "<p>The letter that was sent there has a link. It leads here.</p>")
                }
                return desk.show(confirmPage(token: request.query("token")), request)
            },
            .post("/confirm", .everybody) { request, _, form in
                do throws(AccountError) {
                    try await desk.confirm(form["link"])
                    return desk.say(
                        "Your address is confirmed", "<p><a href=\"\(desk.prefix)/signin\">Sign in</a></p>")
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

    private func signUp(_ request: Request, _ context: WebContext, _ form: Form) async throws -> Response {
        let invitation = form["invitation"]
        do throws(AccountError) {
            let mail = try await desk.signUp(
                handle: form["username"], mail: form["email"], password: Secret(form["password"]),
                invitation: invitation, from: context.address)
            return desk.say(
                "Look into your mail",
                """
                <p>A letter is on its way to \(mail.text). Its link confirms the address; it works for 30 minutes.</p>
                """)
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
                try await desk.reset(form["link"], to: Secret(form["password"]))
                return desk.say("Your password is set", "<p><a href=\"\(desk.prefix)/signin\">Sign in</a></p>")
            } catch {
                return desk.again(resetPage(token: form["link"]), error, request)
            }
        }
        do throws(AccountError) {
            let mail = try await desk.askForReset(mail: form["email"], from: context.address)
            return desk.say(
                "Look into your mail",
                "<p>If \(mail.text) has an account here, a letter is on its way there. Its link works for 30 minutes.</p>"
            )
        } catch {
            return desk.again(askPage(mail: PlainText(form["email"], limit: 300).value), error, request)
        }
    }

    private func signUpPage(handle: String, mail: String, invitation: String) -> FormPage {
        let invitation = OpaqueToken(shown: invitation) == nil ? "" : invitation
        return FormPage(
            title: "Sign up", action: "/signup",
            fields: [
                FormPage.Field(name: "email", label: "Mail address", type: "email", autocomplete: "email", value: mail),
                FormPage.Field(
                    name: "username", label: "User name", autocomplete: "username", value: handle,
                    hint:
                        "\(Handle.lengths.lowerBound) to \(Handle.lengths.upperBound) letters from a to z, digits and _"
                ),
                FormPage.Field(
                    name: "password", label: "Password", type: "password", autocomplete: "new-password",
                    hint: "At least \(PasswordHash.lengths.lowerBound) characters"),
            ], button: "Sign up", hidden: [("invitation", invitation)],
            below: "<p><a href=\"\(desk.prefix)/signin\">I have an account</a></p>",
            doors: desk.doors.buttons([("invitation", invitation)]))
    }

    private func confirmPage(token: String) -> FormPage {
        FormPage(
            title: "Confirm your address", action: "/confirm", fields: [], button: "Confirm", hidden: [("link", token)])
    }

    private func askPage(mail: String) -> FormPage {
        FormPage(
            title: "Set a new password", action: "/reset",
            fields: [
                FormPage.Field(name: "email", label: "Mail address", type: "email", autocomplete: "email", value: mail)
            ], button: "Send link")
    }

    private func resetPage(token: String) -> FormPage {
        FormPage(
            title: "Set a new password", action: "/reset",
            fields: [
                FormPage.Field(
                    name: "password", label: "New password", type: "password", autocomplete: "new-password",
                    hint: "At least \(PasswordHash.lengths.lowerBound) characters")
            ], button: "Save", hidden: [("link", token)])
    }
}
