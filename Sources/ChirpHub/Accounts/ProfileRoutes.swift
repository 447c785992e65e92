internal import ChirpAccounts
internal import ChirpCore
internal import ChirpWeb
internal import Hummingbird

/// Who a person is, the authenticator, and the end of an account.
struct ProfileRoutes {
    let desk: AccountDesk

    var routes: [WebRoute] {
        [
            .get("/settings/profile", .signedIn) { request, context in
                let account = try await desk.account(context)
                let tags = try await desk.accounts.tags(of: account.id)
                return desk.show(profilePage(account.name, account.bio, Set(tags)), request)
            },
            .post("/settings/profile", .signedIn) { request, context, form in
                let account = try await desk.account(context)
                let tags = Set(PersonTag.allCases.filter { !form[$0.rawValue].isEmpty })
                do throws(AccountError) {
                    try await desk.accounts.setProfile(
                        of: account.id, name: form["name"], bio: form["bio"], tags: tags)
                    return desk.goOn(to: "/settings")
                } catch {
                    let typed = (PlainText(form["name"], limit: 300).value, PlainText(form["bio"], limit: 3000).value)
                    return desk.again(profilePage(typed.0, typed.1, tags), error, request)
                }
            },
            .get("/settings/account/authenticator", .signedIn) { request, context in
                let account = try await desk.account(context)
                return desk.show(
                    account.hasSecondFactor ? offPage(account) : onPage(account, desk.accounts.newSecondFactor()),
                    request)
            },
            .post("/settings/account/authenticator", .signedIn) { request, context, form in
                try await switchOn(request, context, form)
            },
            .post("/settings/account/authenticator/off", .signedIn) { request, context, form in
                let account = try await desk.account(context)
                do throws(AccountError) {
                    try await desk.confirm(account, form)
                    try await desk.accounts.switchOffSecondFactor(of: account.id)
                    await desk.postman.lettersWait()
                    return desk.goOn(to: "/settings")
                } catch {
                    return desk.again(offPage(account), error, request)
                }
            },
            .get("/settings/delete", .signedIn) { request, context in
                desk.show(deletePage(try await desk.account(context)), request)
            },
            .post("/settings/delete", .signedIn) { request, context, form in
                let account = try await desk.account(context)
                do throws(AccountError) {
                    try await desk.delete(account, password: Secret(form["password"]))
                    return desk.say("Your account is deleted", "<p>What was in it is gone.</p>")
                        .setting(desk.cookie, to: "", seconds: 0)
                } catch {
                    return desk.again(deletePage(account), error, request)
                }
            },
        ]
    }

    private func switchOn(_ request: Request, _ context: WebContext, _ form: Form) async throws -> Response {
        let account = try await desk.account(context)
        guard let factor = OneTimeCode(text: form["key"]) else { throw HTTPError(.badRequest) }
        do throws(AccountError) {
            try await desk.confirm(account, form)
            try await desk.limits.take("code:\(account.id)", AccountDesk.Rule.codes)
            let codes = try await desk.accounts.switchOn(factor, code: form["code"], of: account.id)
            await desk.postman.lettersWait()
            let list = HTML(joining: codes.map { "<li><code>\($0)</code></li>" })
            return desk.say(
                "The authenticator is on",
                """
                <p>Signing in asks for its codes from now on. Keep these recovery codes where you find them without it: each
                signs you in once, and they are shown only now.</p><ul>\(list)</ul>
                <p><a href="\(desk.prefix)/settings">Settings</a></p>
                """)
        } catch {
            return desk.again(onPage(account, factor), error, request)
        }
    }

    private func profilePage(_ name: String, _ bio: String, _ tags: Set<PersonTag>) -> FormPage {
        FormPage(
            title: "Profile", action: "/settings/profile",
            fields: [
                FormPage.Field(
                    name: "name", label: "Name", autocomplete: "name", value: name,
                    hint: "As you want to be called; at most \(Accounts.longestName) characters", isRequired: false),
                FormPage.Field(
                    name: "bio", label: "About you", autocomplete: "off", value: bio,
                    hint: "At most \(Accounts.longestBio) characters", isRequired: false),
            ]
                + PersonTag.allCases.map { tag in
                    FormPage.Field(
                        name: tag.rawValue, label: "I am here as \(tag.words)", type: "checkbox", autocomplete: "off",
                        value: tags.contains(tag) ? "on" : "", isRequired: false)
                }, button: "Save")
    }

    private func onPage(_ account: HubAccount, _ factor: OneTimeCode) -> FormPage {
        FormPage(
            title: "Authenticator", action: "/settings/account/authenticator",
            fields: [
                FormPage.Field(
                    name: "code", label: "The code that it shows", autocomplete: "one-time-code",
                    hint: "Six digits")
            ] + desk.passwordNow(account), button: "Save", hidden: [("key", factor.text)],
            lead: """
                <p>Type this key into an authenticator, a program that shows codes: <code>\(factor.text)</code></p>
                <p>Or open this on the device that has it:
                <a href="\(factor.address(account: account.handle.text, issuer: "Chirp"))">add to the authenticator</a></p>
                """)
    }

    private func offPage(_ account: HubAccount) -> FormPage {
        FormPage(
            title: "Authenticator", action: "/settings/account/authenticator/off", fields: desk.passwordNow(account),
            button: "Switch off", lead: "<p>It is on: signing in asks for its codes.</p>")
    }

    private func deletePage(_ account: HubAccount) -> FormPage {
        FormPage(
            title: "Delete account", action: "/settings/delete", fields: desk.passwordNow(account),
            button: "Delete account",
            lead: "<p>Your account, its sessions and its posts are removed at once. Nobody can bring them back.</p>")
    }
}

extension PersonTag {
    /// As pages say it of one person.
    var words: String {
        switch self {
        case .producer: "a producer"
        case .artist: "an artist"
        case .user: "a listener"
        }
    }
}
