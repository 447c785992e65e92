internal import ChirpCore
public import ChirpHTTP
public import FoundationEssentials

/// A sign-in by a browser on this machine, which comes back to a loopback address (RFC 8252, with PKCE).
public struct BrowserSignIn: Sendable {
    private let service: OAuthService
    private let endpoint: TokenEndpoint
    private let timeout: Duration
    private let now: @Sendable () -> Date
    private let open: @Sendable (WebAddress) async -> Void

    /// - Parameters:
    ///   - transport: without sign-in.
    ///   - timeout: how long the person has.
    ///   - open: shows the authorization page, or its address.
    public init(
        _ service: OAuthService, transport: any HTTPTransport, timeout: Duration = .seconds(600),
        now: @escaping @Sendable () -> Date = { Date() }, open: @escaping @Sendable (WebAddress) async -> Void
    ) {
        self.service = service
        endpoint = TokenEndpoint(service: service, transport: transport)
        self.timeout = timeout
        self.now = now
        self.open = open
    }

    /// - Parameters:
    ///   - listener: where the browser comes back to; the service must know its address if it wants to.
    ///   - force: makes the service ask for the account again.
    /// - Returns: the tokens; nothing is stored.
    public func run(_ listener: LoopbackRedirectListener, force: Bool) async throws(SignInError) -> Credential {
        let key = ProofKey()
        let state = "\(RandomName(length: 32))"
        let page = service.page(
            challenge: key.challenge, state: state, redirect: listener.redirectAddress,
            further: force ? service.forceFields : service.usualFields)
        let fields: [String: String]
        do throws(HTTPError) {
            // The listener has its port already; a browser that is quicker than the next line only waits a little.
            async let opened: Void = open(page)
            fields = try await listener.fields(state: state, timeout: timeout)
            await opened
        } catch {
            if case .interrupted = error { throw .tooLate(service: service.name, title: service.title) }
            throw .http(error)
        }
        guard service.issuer.accepts(fields["iss"]) else {
            // A server that was named here has sent the browser on to another one (RFC 9700, section 4.4): that one's code is not for it.
            throw .refused(
                service: service.name, title: service.title, detail: "the answer comes from another server")
        }
        if let error = fields["error"] {
            guard error != "access_denied" else { throw .declined(service: service.name, title: service.title) }
            let detail = [error, fields["error_description"] ?? ""].filter { !$0.isEmpty }.joined(separator: ": ")
            throw .refused(service: service.name, title: service.title, detail: detail)
        }
        guard let code = fields["code"], !code.isEmpty else {
            throw .refused(service: service.name, title: service.title, detail: "it sent neither a code nor a reason")
        }
        let reply: TokenEndpoint.Reply
        do throws(HTTPError) {
            reply = try await endpoint.redeem(code: code, key: key, redirect: listener.redirectAddress)
        } catch {
            throw .http(error)
        }
        return try .granted(reply, by: service, shownScope: fields["scope"], now: now())
    }
}

extension OAuthService {
    /// The page where a person allows it.
    func page(
        challenge: String, state: String, redirect: String, further: [(name: String, value: String)]
    ) -> WebAddress {
        let fields: [(name: String, value: String)] = [
            ("client_id", clientID), ("redirect_uri", redirect), ("response_type", "code"),
            ("scope", scopes.joined(separator: " ")), ("state", state), ("code_challenge", challenge),
            ("code_challenge_method", "S256"),
        ]
        let query = [authorization.query ?? "", PercentEncoding.form(fields + further)].filter { !$0.isEmpty }
        return authorization.replacing(path: authorization.path, query: query.joined(separator: "&"))
    }
}
