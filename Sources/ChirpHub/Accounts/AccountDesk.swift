internal import ChirpAccounts
internal import ChirpCore
internal import ChirpWeb
internal import Hummingbird

/// What the pages about accounts share: the accounts, limits, letters, and how an answer is made.
struct AccountDesk: Sendable {
    /// The accounts, as whoever starts the hub has them.
    let book: Accounts
    let limits: RateLimits
    let visits: SessionVisits
    let postman: Postman
    let entrance: HubEntrance
    /// The path below which a reverse proxy shows the hub.
    let prefix: String
    let cookie: HostCookie
    let forgery: ForgeryCheck
    let browsers: KnownBrowsers
    let newcomers: NewcomerProof
    /// The services elsewhere by which people sign in.
    let doors: IdentityDoors

    /// The accounts, whose letters are in the language of the request.
    var accounts: Accounts { book.speaking(Language.current.rawValue) }

    /// How often somebody signs up from one network. Passwords, codes and letters are counted by ``Accounts``.
    static let signUps = RateRule(10, per: 3600)

    /// From where a password or a code is shown.
    func origin(_ request: Request, _ context: WebContext) -> SignInOrigin {
        SignInOrigin(network: context.network) { browsers.browser(request, of: $0, epoch: $1) }
    }

    /// A form's page, with its token.
    func show(_ page: FormPage, _ request: Request, status: HTTPResponse.Status = .ok) -> Response {
        forgery.page(request) { .page(page.html(token: $0, prefix: prefix), status: status).uncached }
    }

    /// The same page again, with what was wrong.
    func again(_ page: FormPage, _ error: AccountError, _ request: Request) -> Response {
        var page = page
        var field: String?
        if case .refused(let which, _) = error { field = Self.name(of: which) }
        page.problem = (field, error.words)
        let known = error.problem
        var response = show(page, request, status: known?.status ?? .internalServerError)
        if let seconds = known?.retryAfter { response.headers[.retryAfter] = "\(seconds)" }
        return response
    }

    /// What a field is called in forms: browsers know these names and fill them in.
    private static func name(of field: AccountError.Field) -> String {
        switch field {
        case .handle: "username"
        case .mail: "email"
        case .newPassword: "new-password"
        case .password, .name, .bio, .code, .picture: field.rawValue
        }
    }

    func say(_ title: String, _ text: HTML) -> Response {
        .page(NoticePage(title: title, text: text).html(prefix: prefix)).uncached
    }

    /// Goes on to another page of this hub, by reading it.
    func goOn(to path: String) -> Response {
        Response(status: .seeOther, headers: [.location: "\(prefix)\(path)", .cacheControl: "no-store"])
    }

    /// Goes on, signed in. The session that this browser had before ends: it would be left behind, with nobody to end it.
    func signedIn(
        _ session: Session, to path: String, _ request: Request, _ context: WebContext
    ) async throws(AccountError) -> Response {
        if let token = context.session.flatMap({ OpaqueToken(shown: $0) }) { try await accounts.signOut(token) }
        return carrying(session, request, goOn(to: path))
    }

    /// An answer that signs the browser in.
    func carrying(_ session: Session, _ request: Request, _ response: Response) -> Response {
        browsers.remember(
            session.account, epoch: session.epoch, request,
            response.setting(cookie, to: session.token.secret.reveal(), seconds: Int(clamping: Accounts.longestIdle)))
    }

    /// Where to go on after signing in: a path of this hub, never another site.
    static func way(_ text: String) -> String {
        guard text.hasPrefix("/"), !text.hasPrefix("//"), text.utf8.count < 4000,
            text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") })
        else { return "/" }
        return text
    }

    /// An act has written a letter down, which is sent now; or none, which takes as long.
    func send(_ letter: AccountLetter?) async { await postman.lettersWait() }

    /// Whose session it is.
    func account(_ context: WebContext) async throws -> HubAccount {
        guard let account = try await accounts.account(AccountID(rawValue: try context.someone.id)) else {
            throw HTTPError(.unauthorized)
        }
        return account
    }

    /// Asks for the password again.
    ///
    /// - Parameter context: says how the person is signed in.
    /// - Returns: by which alone the act is done: it changes nothing once the sign-in or the password has ended that was shown for it.
    func confirm(_ account: HubAccount, _ form: Form, in context: WebContext) async throws(AccountError) -> Accounts {
        try await confirm(account, password: Secret(form["password"]), in: context)
    }

    /// The same, for programs.
    ///
    /// An account has none whose owner came by a link, or signed up by a service elsewhere. A browser in which that person has signed in
    /// goes on without; a program never does, since its token would be worth the account.
    ///
    /// - Throws: ``AccountError/noPassword``, ``AccountError/refused(_:_:)``, ``AccountError/busy``, ``AccountError/tooOften(seconds:)``.
    func confirm(
        _ account: HubAccount, password: Secret, in context: WebContext
    ) async throws(AccountError) -> Accounts {
        let accounts = try accounts(of: context)
        guard account.hasPassword else {
            guard context.isBySession else { throw .noPassword }
            return accounts.confirmed(by: try await accounts.checkNoPassword(of: account.id))
        }
        do throws(AccountError) {
            return accounts.confirmed(by: try await accounts.check(password, of: account.id))
        } catch {
            if error == .wrongCredentials { throw .refused(.password, .passwordWrong) }
            throw error
        }
    }

    /// Where an account has a password, the field that asks for it.
    func passwordNow(_ account: HubAccount) -> [FormPage.Field] {
        guard account.hasPassword else { return [] }
        return [
            FormPage.Field(
                name: "password", label: word("account.password-now"), type: "password",
                autocomplete: "current-password")
        ]
    }

}

extension Response {
    /// Nobody keeps it: it shows what one person sees now.
    var uncached: Response {
        var response = self
        response.headers[.cacheControl] = "no-store"
        return response
    }
}

extension Request {
    /// The browser, as it calls itself.
    var agent: String { headers[.userAgent] ?? "" }
}

extension HubAccount {
    /// As far as rights go.
    var person: Person {
        Person(
            id: id.rawValue, handle: handle.text, role: Person.Role(rawValue: role.rawValue) ?? .member,
            isActive: state == .active, isConfirmed: state != .unconfirmed)
    }
}
