public import ChirpCore
public import ChirpHTTP
public import FoundationEssentials
internal import Synchronization

/// A service that signs people in by OpenID Connect (Core 1.0 and Discovery 1.0): the authorisation code flow with PKCE.
///
/// The issuer was named by whoever runs the hub, so it may be on this machine or in its network. Other places that it names are
/// asked as strangers are.
public final class OpenIDProvider: Sendable {
    private struct Known {
        let places: Places
        let keys: [WebKey]
        let since: Date
    }

    private let issuer: WebAddress
    /// As it was configured: compared letter by letter.
    private let issuerText: String
    private let client: String
    private let secret: Secret?
    private let own: BoundedQuestion
    private let others: BoundedQuestion
    private let now: @Sendable () -> Date
    private let known = Mutex<Known?>(nil)

    /// How long what a service says of itself is believed, in seconds.
    private static let memory = 3600.0

    /// - Parameters:
    ///   - client: this hub's identifier there.
    ///   - secret: nil for a client without one.
    ///   - own: asks the issuer.
    ///   - others: asks other places, of which only public ones may be reached.
    public init?(
        issuer: String, client: String, secret: Secret?, own: any HTTPTransport, others: any HTTPTransport,
        clock: any Clock<Duration>, now: @escaping @Sendable () -> Date
    ) {
        guard let address = WebAddress(issuer), address.query == nil else { return nil }
        self.issuer = address
        issuerText = issuer
        self.client = client
        self.secret = secret
        self.own = BoundedQuestion(transport: own, clock: clock)
        self.others = BoundedQuestion(transport: others, clock: clock)
        self.now = now
    }

    /// What stands for this service where its people are written down. Another issuer has other people.
    public var name: String { "oidc \(issuerText)" }

    /// The page where the person signs in.
    ///
    /// - Parameters:
    ///   - state: comes back with the browser.
    ///   - nonce: comes back in the token.
    ///   - redirect: where the browser comes back to.
    public func page(
        state: String, nonce: String, key: ProofKey, redirect: String
    ) async throws(IdentityError) -> WebAddress {
        try await places().page.adding([
            "response_type": "code", "client_id": client, "redirect_uri": redirect, "scope": "openid profile email",
            "state": state, "nonce": nonce, "code_challenge": key.challenge, "code_challenge_method": "S256",
        ])
    }

    /// Whether an answer may be that of this service. One that names another is refused, and one without a name where the service promises
    /// to name itself (RFC 9207).
    ///
    /// - Parameter issuer: the field `iss` of the answer; nil or empty where it has none.
    public func accepts(issuer: String?) async throws(IdentityError) -> Bool {
        AnswerIssuer([issuerText], isRequired: try await places().namesIssuer).accepts(issuer)
    }

    /// Who has signed in.
    ///
    /// - Parameter code: what the browser brought.
    public func person(
        code: String, nonce: String, key: ProofKey, redirect: String
    ) async throws(IdentityError) -> OutsidePerson {
        let token = try SignedToken(try await redeem(code, key, redirect))
        let claims = try token.claims(signedBy: try await keys(of: token))
        try claims.check(issuer: issuerText, client: client, nonce: nonce, now: now())
        return claims.person
    }

    /// The token of a code.
    private func redeem(_ code: String, _ key: ProofKey, _ redirect: String) async throws(IdentityError) -> String {
        let places = try await places()
        var fields = [
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirect),
            ("code_verifier", key.verifier),
        ]
        var headers = HTTPHeaders()
        if let secret, places.takesBasic {
            let pair = "\(PercentEncoding.encode(client)):\(PercentEncoding.encode(secret.reveal()))"
            headers["Authorization"] = "Basic " + Data(pair.utf8).base64EncodedString()
        } else {
            fields.append(("client_id", client))
            if let secret { fields.append(("client_secret", secret.reveal())) }
        }
        let response = try await question(places.token).post(places.token, fields, headers: headers)
        guard let answer = response.json(Answer.self, within: .statement) else {
            throw .unusable(host: places.token.host, reason: "no JSON, with status \(response.status)")
        }
        guard response.isSuccess, let token = answer.token else {
            throw .declined(reason: PlainText(answer.error ?? "it sent no token", limit: 100).value)
        }
        return token
    }

    private struct Answer: Decodable {
        let token, error: String?
        enum CodingKeys: String, CodingKey {
            case token = "id_token"
            case error
        }
    }

    /// The keys that may have signed a token. They are fetched once more when the token names one that is not known: services change
    /// them.
    private func keys(of token: SignedToken) async throws(IdentityError) -> [WebKey] {
        let found = token.keys(among: try await learned().keys)
        guard found.isEmpty else { return found }
        return token.keys(among: try await learn().keys)
    }

    private func places() async throws(IdentityError) -> Places { try await learned().places }

    private func learned() async throws(IdentityError) -> Known {
        if let known = known.withLock({ $0 }), abs(now().timeIntervalSince(known.since)) < Self.memory { return known }
        return try await learn()
    }

    /// Asks the service what it is.
    private func learn() async throws(IdentityError) -> Known {
        let response = try await own.get(issuer.appending(".well-known", "openid-configuration"))
        guard response.isSuccess, let document = response.json(Places.Document.self, within: .statement) else {
            throw .unusable(host: issuer.host, reason: "it describes itself with status \(response.status)")
        }
        guard document.issuer == issuerText else {
            throw .unusable(host: issuer.host, reason: "it calls itself \(document.issuer)")
        }
        guard let places = Places(document, of: issuer) else {
            throw .unusable(host: issuer.host, reason: "its description lacks a secure address")
        }
        let answer = try await question(places.keys).get(places.keys)
        guard answer.isSuccess, let set = answer.json(WebKey.Set.self, within: .statement) else {
            throw .unusable(host: places.keys.host, reason: "its keys come with status \(answer.status)")
        }
        let learned = Known(
            places: places, keys: set.keys.prefix(WebKey.Set.most).compactMap(WebKey.init), since: now())
        known.withLock { $0 = learned }
        return learned
    }

    private func question(_ address: WebAddress) -> BoundedQuestion {
        WebOrigin(address) == WebOrigin(issuer) ? own : others
    }
}

extension OpenIDProvider {
    /// The addresses of a service.
    fileprivate struct Places: Sendable {
        let page, token, keys: WebAddress
        /// How a client shows its secret (Core, section 9): in a header unless only fields are taken.
        let takesBasic: Bool
        /// Whether each answer names the service (RFC 9207, section 3).
        let namesIssuer: Bool

        /// - Parameter document: nil comes of what is neither https nor beside the issuer.
        init?(_ document: Document, of issuer: WebAddress) {
            func place(_ text: String) -> WebAddress? {
                WebAddress(text).flatMap { $0.isSecure || WebOrigin($0) == WebOrigin(issuer) ? $0 : nil }
            }
            guard let page = place(document.page), let token = place(document.token), let keys = place(document.keys)
            else { return nil }
            (self.page, self.token, self.keys) = (page, token, keys)
            namesIssuer = document.namesIssuer ?? false
            takesBasic = document.methods.map { $0.contains("client_secret_basic") || $0.isEmpty } ?? true
        }

        /// As the service publishes it (Discovery 1.0, section 3).
        struct Document: Decodable {
            let issuer, page, token, keys: String
            let methods: [String]?
            let namesIssuer: Bool?

            enum CodingKeys: String, CodingKey {
                case issuer
                case page = "authorization_endpoint"
                case token = "token_endpoint"
                case keys = "jwks_uri"
                case methods = "token_endpoint_auth_methods_supported"
                case namesIssuer = "authorization_response_iss_parameter_supported"
            }
        }
    }
}
