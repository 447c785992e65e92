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
            .post("/settings/account/authenticator", .confirmed) { request, context, form in
                try await switchOn(request, context, form)
            },
            .post("/settings/account/authenticator/off", .signedIn) { request, context, form in
                let account = try await desk.account(context)
                do throws(AccountError) {
                    let accounts = try await desk.confirm(account, form, in: context)
                    try await accounts.switchOffSecondFactor(
                        of: account.id, code: form["code"], from: desk.origin(request, context))
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
                    try await desk.delete(account, password: Secret(form["password"]), in: context)
                    return desk.say(word("settings.deleted"), "<p>\(word("settings.deleted-text"))</p>")
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
            let accounts = try await desk.confirm(account, form, in: context)
            let codes = try await accounts.switchOn(
                factor, code: form["code"], present: form["present"], of: account.id,
                from: desk.origin(request, context))
            await desk.postman.lettersWait()
            let list = HTML(joining: codes.map { "<li><code>\($0)</code></li>" })
            return desk.say(
                word("authenticator.on-title"),
                """
                <p>\(word("authenticator.codes"))</p><ul>\(list)</ul>
                <p><a href="\(desk.prefix)/settings">\(word("account.settings"))</a></p>
                """)
        } catch {
            return desk.again(onPage(account, factor), error, request)
        }
    }

    private func profilePage(_ name: String, _ bio: String, _ tags: Set<PersonTag>) -> FormPage {
        FormPage(
            title: word("settings.profile"), action: "/settings/profile",
            fields: [
                FormPage.Field(
                    name: "name", label: word("profile.name"), autocomplete: "name", value: name,
                    hint: word("profile.name-hint", ["most": "\(Accounts.longestName)"]), isRequired: false),
                FormPage.Field(
                    name: "bio", label: word("profile.bio"), autocomplete: "off", value: bio,
                    hint: word("profile.bio-hint", ["most": "\(Accounts.longestBio)"]), isRequired: false),
            ]
                + PersonTag.allCases.map { tag in
                    FormPage.Field(
                        name: tag.rawValue, label: tag.claim, type: "checkbox", autocomplete: "off",
                        value: tags.contains(tag) ? "on" : "", isRequired: false)
                }, button: word("account.save"))
    }

    private func onPage(_ account: HubAccount, _ factor: OneTimeCode) -> FormPage {
        FormPage(
            title: word("settings.authenticator"), action: "/settings/account/authenticator",
            fields: [
                FormPage.Field(
                    name: "code", label: word("authenticator.code"), autocomplete: "one-time-code",
                    hint: word("authenticator.code-hint"))
            ] + codeNow(account, "present", word("authenticator.present")) + desk.passwordNow(account),
            button: word("account.save"), hidden: [("key", factor.text)],
            lead: """
                <p>\(HTML.word("authenticator.key", ["key": "<code>\(factor.text)</code>"]))</p>
                <p>\(HTML.word("authenticator.open", ["link": adding(factor, account)]))</p>
                """)
    }

    private func adding(_ factor: OneTimeCode, _ account: HubAccount) -> HTML {
        let address = factor.address(account: account.handle.text, issuer: "Chirp")
        return "<a href=\"\(address)\">\(word("authenticator.add"))</a>"
    }

    /// Where an authenticator is on, the field that asks for a code of it.
    private func codeNow(_ account: HubAccount, _ name: String, _ label: String) -> [FormPage.Field] {
        guard account.hasSecondFactor else { return [] }
        return [FormPage.Field(name: name, label: label, autocomplete: "one-time-code")]
    }

    private func offPage(_ account: HubAccount) -> FormPage {
        FormPage(
            title: word("settings.authenticator"), action: "/settings/account/authenticator/off",
            fields: codeNow(account, "code", word("signin.code")) + desk.passwordNow(account),
            button: word("authenticator.off"), lead: "<p>\(word("authenticator.is-on"))</p>")
    }

    private func deletePage(_ account: HubAccount) -> FormPage {
        FormPage(
            title: word("settings.delete"), action: "/settings/delete", fields: desk.passwordNow(account),
            button: word("settings.delete"),
            lead: "<p>\(word("settings.delete-lead"))</p>")
    }
}

extension PersonTag {
    /// As a person says it of herself.
    var claim: String {
        switch self {
        case .producer: word("profile.producer")
        case .artist: word("profile.artist")
        case .user: word("profile.listener")
        }
    }
}
