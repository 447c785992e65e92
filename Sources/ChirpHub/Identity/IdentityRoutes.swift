internal import ChirpAccounts
internal import ChirpCore
internal import ChirpHTTP
internal import ChirpWeb
internal import Hummingbird

/// Signing in and up by a service elsewhere.
struct IdentityRoutes {
    let identity: IdentityDesk
    let closed: ClosedPage

    private var desk: AccountDesk { identity.desk }
    private var doors: IdentityDoors { identity.desk.doors }

    var routes: [WebRoute] {
        [
            .post("/signin/with/oidc", .everybody) { request, context, form in
                await go("oidc", request, context, form)
            },
            .get("/signin/with/mastodon") { request, _ in
                guard doors.mastodon != nil else { throw HTTPError(.notFound) }
                return desk.show(
                    serverPage(
                        server: "", way: AccountDesk.way(request.query("to")), invitation: request.query("invitation")),
                    request)
            },
            .post("/signin/with/mastodon", .everybody) { request, context, form in
                await go("mastodon", request, context, form)
            },
            // Another site leads here, so this reads as little as it can: the state and the browser's cookie have to agree.
            .get(IdentityDoors.path) { request, context in await back(request, at: nil, context) },
            .get("\(IdentityDoors.path)/:server") { request, context in
                await back(request, at: context.parameters.get("server") ?? "", context)
            },
            .get("/signin/name") { request, _ in
                guard let arrival = await arrival(request), arrival.account == nil else {
                    return desk.goOn(to: "/signin")
                }
                return desk.show(namePage(arrival, name: Self.proposal(arrival)), request)
            },
            .post("/signin/name", .everybody) { request, context, form in
                await signUp(request, context, form)
            },
            .get("/signin/code") { request, _ in
                guard let arrival = await arrival(request), arrival.account != nil else {
                    return desk.goOn(to: "/signin")
                }
                return desk.show(codePage, request)
            },
            .post("/signin/code", .everybody) { request, context, form in await showCode(request, context, form) },
        ]
    }

    /// Sends the browser away.
    private func go(_ service: String, _ request: Request, _ context: WebContext, _ form: Form) async -> Response {
        let way = AccountDesk.way(form["to"])
        do throws(IdentityDesk.Failure) {
            let (page, browser) = try await identity.begin(
                service, server: form["server"], way: way, request, from: context.network)
            var response = identity.leading(to: page, browser: browser)
            if let invitation = OpaqueToken(shown: form["invitation"]) {
                response = response.setting(
                    doors.invitation, to: invitation.secret.reveal(), seconds: Int(clamping: Accounts.longestAttempt))
            }
            return response
        } catch {
            guard service == "mastodon", case .service = error else { return identity.failed(error) }
            var page = serverPage(
                server: PlainText(form["server"], limit: 100).value, way: way, invitation: form["invitation"])
            page.problem = ("server", error.words)
            return desk.show(page, request, status: error.status)
        }
    }

    /// The browser is back.
    ///
    /// - Parameter callback: the last part of the address to which it came; nil at that of the service of OpenID Connect.
    private func back(_ request: Request, at callback: String?, _ context: WebContext) async -> Response {
        guard let browser = identity.browser(request) else { return identity.failed(.account(.deadLink)) }
        do throws(IdentityDesk.Failure) {
            let (attempt, arrival) = try await identity.arrive(request, at: callback, in: browser)
            if let proof = attempt.proof { return try await link(arrival, proof, context) }
            do throws(AccountError) {
                switch try await desk.accounts.receive(arrival, browser: browser, agent: request.agent) {
                case .signedIn(let session):
                    return left(try await desk.signedIn(session, to: arrival.way, request, context))
                case .codeNeeded: return desk.goOn(to: "/signin/code")
                case .nameNeeded: return desk.goOn(to: "/signin/name")
                case .closed(let account, let link): return await closed.show(account, link: link.token, request)
                }
            } catch { throw .account(error) }
        } catch {
            return identity.failed(error)
        }
    }

    /// Adds a way to sign in to the account for which that was begun, if it is the one that is signed in now.
    ///
    /// - Parameter proof: of when the browser came back. The service was asked since, which may take long.
    private func link(
        _ arrival: IdentityArrival, _ proof: AccountProof, _ context: WebContext
    ) async throws(IdentityDesk.Failure) -> Response {
        guard context.person?.id == proof.account.rawValue else { throw .account(.deadLink) }
        do throws(AccountError) {
            let accounts = try desk.accounts(of: context).confirmed(by: proof)
            await desk.send(try await accounts.link(arrival.identity, to: proof.account))
        } catch { throw .account(error) }
        return left(desk.goOn(to: "/settings/account/identities"))
    }

    private func signUp(_ request: Request, _ context: WebContext, _ form: Form) async -> Response {
        guard let browser = identity.browser(request), let arrival = await arrival(request), arrival.account == nil
        else { return desk.goOn(to: "/signin") }
        do throws(AccountError) {
            try await desk.limits.consume("signup", AccountDesk.signUps, by: .network(context.network))
            let registration = try await desk.entrance.registration(from: context.address)
            let session = try await desk.accounts.signUp(
                arrivedIn: browser, handle: try Handle(typed: form["username"]), registration: registration,
                invitation: doors.invitation.value(in: request).flatMap { OpaqueToken(shown: $0) },
                agent: request.agent)
            return left(try await desk.signedIn(session, to: arrival.way, request, context))
        } catch {
            return desk.again(namePage(arrival, name: PlainText(form["username"], limit: 60).value), error, request)
        }
    }

    private func showCode(_ request: Request, _ context: WebContext, _ form: Form) async -> Response {
        guard let browser = identity.browser(request), let arrival = await arrival(request), arrival.account != nil
        else { return desk.goOn(to: "/signin") }
        do throws(AccountError) {
            let session = try await desk.accounts.signIn(
                arrivedIn: browser, code: form["code"], agent: request.agent, from: desk.origin(request, context))
            return left(try await desk.signedIn(session, to: arrival.way, request, context))
        } catch {
            return desk.again(codePage, error, request)
        }
    }

    private func arrival(_ request: Request) async -> IdentityArrival? {
        guard let browser = identity.browser(request) else { return nil }
        return try? await desk.accounts.arrival(in: browser)
    }

    /// Nothing of the way is kept in the browser any more.
    private func left(_ response: Response) -> Response {
        response.setting(doors.cookie, to: "", seconds: 0).setting(doors.invitation, to: "", seconds: 0)
    }

    /// What she is called elsewhere, where that is a name here.
    private static func proposal(_ arrival: IdentityArrival) -> String {
        (try? Handle(typed: arrival.handle)).flatMap { $0.isReserved ? nil : $0.text } ?? ""
    }

    private func serverPage(server: String, way: String, invitation: String) -> FormPage {
        FormPage(
            title: word("identity.with", ["service": "Mastodon"]), action: "/signin/with/mastodon",
            fields: [
                FormPage.Field(
                    name: "server", label: word("identity.server"), autocomplete: "on", value: server,
                    hint: word("identity.server.hint"))
            ], button: word("identity.sign-in"),
            hidden: [("to", way), ("invitation", OpaqueToken(shown: invitation) == nil ? "" : invitation)],
            lead: "<p>\(word("identity.server.lead"))</p>")
    }

    private func namePage(_ arrival: IdentityArrival, name: String) -> FormPage {
        let service = doors.name(of: arrival.identity.provider)
        return FormPage(
            title: word("identity.name"), action: "/signin/name",
            fields: [
                FormPage.Field(
                    name: "username", label: word("identity.user-name"), autocomplete: "username", value: name,
                    hint: word(
                        "identity.user-name.hint",
                        ["least": "\(Handle.lengths.lowerBound)", "most": "\(Handle.lengths.upperBound)"]))
            ], button: word("identity.sign-up"),
            lead: """
                <p>\(HTML.word("identity.name.lead", ["service": "\(service)", "who": "<bdi>\(arrival.identity.shown)</bdi>"]))</p>
                """)
    }

    private var codePage: FormPage {
        FormPage(
            title: word("identity.sign-in"), action: "/signin/code",
            fields: [
                FormPage.Field(
                    name: "code", label: word("identity.code"),
                    autocomplete: "one-time-code")
            ], button: word("identity.sign-in"))
    }
}
