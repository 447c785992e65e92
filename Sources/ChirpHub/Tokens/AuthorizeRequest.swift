internal import ChirpAccounts
internal import ChirpCore
internal import ChirpWeb
internal import Hummingbird

/// What a program asks a person for (RFC 6749, section 4.1.1, with RFC 7636), looked at before anything of it is believed.
struct AuthorizeRequest {
    let app: ClientApp
    let redirect: RedirectAddress
    let scopes: Scopes
    /// Given back as it came.
    let state: String
    let challenge: String?

    enum Refusal: Error {
        /// Nobody knows where the program is, so the person is told.
        case told(String)
        /// The program is told, by RFC 6749, section 4.1.2.1.
        case sent(to: RedirectAddress, fault: Fault, state: String)
    }

    /// What is wrong with what a program asks for. The texts are what it is told.
    enum Fault: String {
        case type = "Only the response type code is supported"
        case method = "The code challenge method has to be S256"
        case challenge = "The code challenge is not one of S256"
        case scope = "The scope is unknown, or the program is not registered for it"
        case refused = "The person refused"

        /// By its name in RFC 6749.
        var error: String {
            switch self {
            case .type: "unsupported_response_type"
            case .method, .challenge: "invalid_request"
            case .scope: "invalid_scope"
            case .refused: "access_denied"
            }
        }

        /// What the person is told, where the program cannot be.
        var words: String {
            switch self {
            case .type: word("tokens.fault-type")
            case .method: word("tokens.fault-method")
            case .challenge: word("tokens.fault-challenge")
            case .scope: word("tokens.fault-scope")
            case .refused: word("tokens.fault-refused")
            }
        }
    }

    static let names = [
        "response_type", "client_id", "redirect_uri", "scope", "state", "code_challenge", "code_challenge_method",
    ]

    /// - Parameter field: what the program sent under a name of ``names``; empty where it sent nothing.
    init(_ accounts: Accounts, _ field: (String) -> String) async throws {
        guard let app = try await accounts.app(field("client_id")) else {
            throw Refusal.told(word("tokens.unknown"))
        }
        guard let redirect = RedirectAddress(field("redirect_uri")),
            app.redirects.contains(where: { $0.allows(redirect) })
        else {
            throw Refusal.told(word("tokens.address"))
        }
        let state = field("state")
        func refuse(_ fault: Fault) -> Refusal { .sent(to: redirect, fault: fault, state: state) }
        guard state.utf8.count <= 2000 else { throw Refusal.told(word("tokens.too-much")) }
        guard field("response_type") == "code" else {
            throw refuse(.type)
        }
        let (challenge, method) = (field("code_challenge"), field("code_challenge_method"))
        // Without a method it would be `plain`, which whoever sees the request could answer.
        guard challenge.isEmpty ? method.isEmpty : method == "S256" else {
            throw refuse(.method)
        }
        guard challenge.isEmpty || OpaqueToken(shown: challenge) != nil else {
            throw refuse(.challenge)
        }
        let registered = Scopes(app.scopes)
        var scopes = Scopes(field("scope"))
        if scopes.names.isEmpty { scopes = registered.allow("read") ? Scopes("read") : registered }
        guard scopes.areKnown, scopes.areWithin(registered) else {
            throw refuse(.scope)
        }
        self.app = app
        self.redirect = redirect
        self.scopes = scopes
        self.state = state
        self.challenge = challenge.isEmpty ? nil : challenge
    }
}

extension RedirectAddress {
    /// With an answer behind it, for the browser to go to.
    func answering(_ fields: [(name: String, value: String)]) -> String {
        "\(text)\(text.contains("?") ? "&" : "?")\(PercentEncoding.form(fields.filter { !$0.value.isEmpty }))"
    }
}
