import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpHTTP
import ChirpHub
import ChirpTestKit
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import LoopbackService
import Testing

/// Makes each thing that opens an account as a person or a thief makes it, does to the account what happens to accounts, and tries what
/// was made: all of it by requests.
struct CredentialWalk<Responder: HTTPResponder>
where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
    let cast: HubCast
    let client: RouterClient<Responder>
    let service: LoopbackOpenID
    let pushes: LoopbackPush
    /// Of the hub, signed in.
    let owner: Visitor<Responder>

    /// An account, its holder's browser, and how far it has come.
    struct Holder {
        let handle: String
        let id: AccountID
        let browser: Visitor<Responder>
        /// Of the letter at the sign-up; nobody has used it.
        let confirming: OpaqueToken
        /// By now.
        var password = HubCast.password
        /// The authenticator, where one is on.
        var factor: OneTimeCode?
    }

    /// Whether what was made opens the account of a holder still.
    typealias Trial = (Holder) async throws -> Bool

    static var identities: String { "/settings/account/identities" }
    private var house: HubHousehold { cast.house }

    /// An account whose address counts as confirmed, though its link was not used.
    func holder(_ handle: String, isConfirmed: Bool = true) async throws -> Holder {
        let letter = try await cast.accounts.signUp(
            handle: Handle(typed: handle), mail: MailAddress(typed: "\(handle)@example.org"),
            password: Secret(HubCast.password), registration: .open)
        guard case .confirm(_, let link) = letter else { throw HubCast.Unexpected() }
        if isConfirmed { try await set("state = 'active'", handle) }
        let account = try #require(try await cast.accounts.account(Handle(typed: handle)))
        return Holder(
            handle: handle, id: account.id, browser: try await cast.browser(of: handle, client),
            confirming: link.token)
    }

    func set(_ what: String, _ handle: String) async throws {
        try await house.change("UPDATE accounts SET \(what) WHERE handle = '\(handle)'")
    }

    /// Signs in anew by the password; the answer says whether it worked.
    func signIn(_ holder: Holder, in browser: Visitor<Responder>? = nil) async throws -> TestResponse {
        let code = holder.factor?.code(atStep: OneTimeCode.step(at: house.now)) ?? ""
        return try await (browser ?? Visitor(client)).submit(
            "/signin", [("username", holder.handle), ("password", holder.password), ("code", code)])
    }

    /// Somebody was let in, or was told that the account is closed, which is told to nobody else.
    static func opens(_ answer: TestResponse) -> Bool {
        answer.status == .seeOther && answer.headers[values: .setCookie].contains { $0.contains("session=") }
            || answer.status == .forbidden && answer.text.contains("/signin/appeal")
    }

    // MARK: What happens

    func happen(_ event: AccountEvent, to holder: inout Holder, trying credential: AccountCredential) async throws {
        let new = "another horse battery"
        let people = "/api/hub/v1/moderation/people/\(holder.id)"
        switch event {
        case .reset:
            let letter = try await cast.accounts.requestReset(MailAddress(typed: "\(holder.handle)@example.org"))
            guard case .reset(_, let link) = letter else { throw HubCast.Unexpected() }
            let done = try await post("/reset", [("link", link.token.secret.reveal()), ("password", new)])
            #expect(done.status == .ok && done.text.contains("All else that opened the account"))
            holder.password = new
        case .newPassword:
            let fields = [(name: "password", value: holder.password), (name: "new-password", value: new)]
            let done = try await holder.browser.submit(
                "/settings/account", to: "/settings/account/password", fields)
            #expect(done.status == .seeOther, "\(done.text)")
            holder.password = new
        case .newAddress:
            let link = try await pendingAddress(of: holder, "moved-\(holder.handle)@example.org")
            #expect(try await post("/confirm", [("link", link)]).status == .ok)
        case .signOutEverywhere:
            let done = try await holder.browser.submit("/settings/sessions", to: "/settings/sessions/end-all")
            #expect(done.location == "/signin")
        case .newRole:
            let done = try await owner.call(.put, "\(people)/role", #"{"role": "moderator"}"#)
            #expect(done.status == .ok, "\(done.text)")
        case .suspension, .closing:
            let opened = try await owner.call(.post, "\(people)/case")
            let found = try #require(try opened.facts["id"] as? String)
            let days = event == .suspension ? #", "days": 3"# : ""
            let done = try await owner.call(
                .post, "/api/hub/v1/moderation/cases/\(found)/decisions",
                #"{"what": "\#(event.rawValue)", "why": "a walk", "state": "open"\#(days)}"#)
            #expect(done.status == .ok, "\(done.text)")
        case .unconfirmed:
            try await set("state = 'unconfirmed'", holder.handle)
            // The link is what is tried otherwise.
            guard credential != .confirmLink else { return }
            let done = try await post("/confirm", [("link", holder.confirming.secret.reveal())])
            #expect(done.status == .ok, "\(done.text)")
        case .erased:
            let done = try await holder.browser.submit("/settings/delete", [("password", holder.password)])
            #expect(done.status == .ok && done.headers[.setCookie] != nil, "\(done.text)")
        }
    }

    /// Sends a form that lies open to everybody, in a browser of its own.
    func post(_ path: String, _ fields: [(name: String, value: String)]) async throws -> TestResponse {
        let visitor = Visitor(client)
        let token = Visitor<Responder>.hidden(in: try await visitor.get("/signout").text)
        return try await visitor.post(path, token + fields)
    }

    /// Asks for another address; the link of the letter.
    func pendingAddress(of holder: Holder, _ mail: String) async throws -> String {
        let fields = [(name: "email", value: mail), (name: "password", value: holder.password)]
        let asked = try await holder.browser.submit("/settings/account/mail", fields)
        guard asked.status == .ok else { throw HubCast.Unexpected() }
        return try link(to: mail, "/confirm?token=")
    }

    /// What follows an address's beginning in a letter that lies in the folder of letters.
    private func link(to mail: String, _ beginning: String) throws -> String {
        let folder = house.folder.path("hub/mail")
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let letter = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
            guard letter.contains("To: \(mail)\r\n"), let start = letter.firstRange(of: beginning) else { continue }
            return String(letter[start.upperBound...].prefix { !$0.isWhitespace })
        }
        throw HubCast.Unexpected()
    }

    // MARK: Services elsewhere

    /// Where a service sends the browser back to, that a page leads to.
    func wayBack(from page: TestResponse) async throws -> String {
        guard let match = page.text.firstMatch(of: #/href="(http[^"]*)" rel="nofollow"/#),
            let address = WebAddress(String(match.1).replacing("&amp;", with: "&"))
        else { throw HubCast.Unexpected() }
        let response = try await CurlTransport().send(ChirpHTTP.HTTPRequest(.get, address))
        return String((response.headers["Location"] ?? "").dropFirst(HubHousehold.publicURL.count))
    }

    /// Begins to link the service.
    func beginLinking(_ holder: Holder) async throws -> TestResponse {
        try await holder.browser.submit(
            Self.identities, to: Self.identities + "/link", [("service", "oidc"), ("password", holder.password)])
    }

    /// Signs in by the service.
    func come(_ visitor: Visitor<Responder>) async throws -> TestResponse {
        let away = try await visitor.submit("/signin", to: "/signin/with/oidc")
        return try await visitor.get(try await wayBack(from: away))
    }
}
