public import ChirpCore
public import ChirpHTTP
internal import FoundationEssentials

/// Signs people in by their accounts at Mastodon servers, which they name themselves (docs.joinmastodon.org/methods/oauth).
///
/// Such a server is a stranger's: only public addresses are asked, over https, at the usual port.
public struct MastodonDoor: Sendable {
    /// What a server has given this hub.
    public struct Client: Sendable {
        public let id: String
        public let secret: Secret
        /// Whether each answer of the server has to name it (RFC 9207).
        public let namesIssuer: Bool

        public init(id: String, secret: Secret, namesIssuer: Bool = false) {
            self.id = id
            self.secret = secret
            self.namesIssuer = namesIssuer
        }
    }

    private let question: BoundedQuestion
    private let allowsLoopback: Bool

    private let scope: String

    /// Who somebody is, and nothing else.
    public static let identityScope = "read:accounts"
    /// What a screen reads that shows one person, and nothing else.
    public static let frameScope = "read:accounts read:follows read:statuses read:notifications"

    /// What a screen needs besides to answer by voice: asked for apart, and only when that is switched on.
    package static let answerScope = "read:accounts write:statuses write:media"

    /// - Parameters:
    ///   - transport: reaches only public addresses.
    ///   - scope: what is asked for.
    ///   - allowsLoopback: servers on this machine may be named too, without TLS; for tests.
    public init(
        transport: any HTTPTransport, clock: any Clock<Duration>, scope: String = MastodonDoor.identityScope,
        allowsLoopback: Bool = false
    ) {
        self.scope = scope
        question = BoundedQuestion(transport: transport, clock: clock)
        self.allowsLoopback = allowsLoopback
    }

    /// The server that somebody has typed: its name, its address, or her own with its name behind the last `@`.
    public func server(typed: String) throws(IdentityError) -> WebAddress {
        let text = typed.prefix(400).filter { !$0.isWhitespace }
        let name = text.contains("://") ? text : "https://" + (text.split(separator: "@").last ?? "")
        guard let address = WebAddress(name) else { throw .badServer }
        if allowsLoopback, address.isLoopback { return address.replacing(path: "/") }
        let isName = address.host.contains(".") && !address.host.hasSuffix(".") && !address.host.contains(":")
        guard address.isSecure, address.port.map({ $0 == 443 }) ?? true, isName, !address.isLoopback,
            let plain = WebAddress("https://\(address.host)/")
        else { throw .badServer }
        return plain
    }

    /// Makes this hub known to a server.
    ///
    /// - Parameters:
    ///   - name: of this hub, as its people see it there.
    ///   - redirect: where browsers come back to.
    public func register(
        at server: WebAddress, name: String, redirect: String, website: String
    ) async throws(IdentityError) -> Client {
        let response = try await question.post(
            server.appending("api", "v1", "apps"),
            [("client_name", name), ("redirect_uris", redirect), ("scopes", scope), ("website", website)])
        guard response.isSuccess, let answer = response.json(Registered.self, within: .statement), !answer.id.isEmpty,
            answer.id.utf8.count <= 500, answer.secret.utf8.count <= 500
        else { throw .unusable(host: server.host, reason: "it registers nobody, with status \(response.status)") }
        return Client(id: answer.id, secret: Secret(answer.secret), namesIssuer: await namesIssuer(server))
    }

    /// Whether a server promises to name itself in its answers. Nothing else of its metadata is used (RFC 8414): where its addresses are is
    /// the same at each server. What another issuer says is not used at all (section 3.3).
    private func namesIssuer(_ server: WebAddress) async -> Bool {
        let address = server.appending(".well-known", "oauth-authorization-server")
        guard let told = try? await question.get(address), told.isSuccess, let metadata = told.json(Metadata.self),
            AnswerIssuer(origins: [server]).accepts(metadata.issuer)
        else { return false }
        return metadata.namesIssuer ?? false
    }

    /// Whether an answer may be that of a server, and not of another one that it has sent the browser to.
    ///
    /// - Parameter issuer: the field `iss` of the answer; nil or empty where it has none.
    public func accepts(issuer: String?, of server: WebAddress, client: Client) -> Bool {
        AnswerIssuer(origins: [server], isRequired: client.namesIssuer).accepts(issuer)
    }

    /// The page where the person lets the hub know who she is.
    public func page(
        at server: WebAddress, client: Client, state: String, key: ProofKey, redirect: String
    ) -> WebAddress {
        server.appending("oauth", "authorize").adding([
            "response_type": "code", "client_id": client.id, "redirect_uri": redirect, "scope": scope,
            "state": state, "code_challenge": key.challenge, "code_challenge_method": "S256",
        ])
    }

    /// Who has signed in. The token that tells it is given back at once.
    public func person(
        at server: WebAddress, client: Client, code: String, key: ProofKey, redirect: String
    ) async throws(IdentityError) -> OutsidePerson {
        let token = try await token(at: server, client: client, code: code, key: key, redirect: redirect)
        let person: Result<OutsidePerson, IdentityError>
        do throws(IdentityError) { person = .success(try await self.person(at: server, token: token)) } catch {
            person = .failure(error)
        }
        // It was needed for one question. A server that does not take it back keeps it; nobody else does.
        await end(token, at: server, client: client)
        return try person.get()
    }

    /// A token for a code.
    public func token(
        at server: WebAddress, client: Client, code: String, key: ProofKey, redirect: String
    ) async throws(IdentityError) -> Secret {
        let response = try await question.post(
            server.appending("oauth", "token"),
            [
                ("grant_type", "authorization_code"), ("code", code), ("client_id", client.id),
                ("client_secret", client.secret.reveal()), ("redirect_uri", redirect),
                ("code_verifier", key.verifier), ("scope", scope),
            ])
        guard let answer = response.json(Granted.self, within: .statement) else {
            throw .unusable(host: server.host, reason: "no JSON, with status \(response.status)")
        }
        guard response.isSuccess, let token = answer.token, !token.isEmpty else {
            if answer.error == "invalid_client" { throw .clientForgotten(host: server.host) }
            throw .declined(reason: PlainText(answer.error ?? "it sent no token", limit: 100).value)
        }
        return Secret(token)
    }

    /// Whose token it is.
    public func person(at server: WebAddress, token: Secret) async throws(IdentityError) -> OutsidePerson {
        let told = try await question.get(
            server.appending("api", "v1", "accounts", "verify_credentials"), token: token.reveal())
        guard told.isSuccess, let account = told.json(Account.self, within: .statement),
            (1...100).contains(account.id.utf8.count)
        else {
            throw .unusable(host: server.host, reason: "it does not say who signed in, with status \(told.status)")
        }
        return OutsidePerson(
            subject: "\(server.origin) \(account.id)", shown: "@\(account.username)@\(server.host)",
            handle: account.username, mail: nil)
    }

    /// Gives a token back: it opens nothing any more, if the server hears of it.
    public func end(_ token: Secret, at server: WebAddress, client: Client) async {
        _ = try? await question.post(
            server.appending("oauth", "revoke"),
            [("token", token.reveal()), ("client_id", client.id), ("client_secret", client.secret.reveal())])
    }

    private struct Registered: Decodable {
        let id, secret: String
        enum CodingKeys: String, CodingKey {
            case id = "client_id"
            case secret = "client_secret"
        }
    }

    private struct Metadata: Decodable {
        let issuer: String
        let namesIssuer: Bool?
        enum CodingKeys: String, CodingKey {
            case issuer
            case namesIssuer = "authorization_response_iss_parameter_supported"
        }
    }

    private struct Granted: Decodable {
        let token, error: String?
        enum CodingKeys: String, CodingKey {
            case token = "access_token"
            case error
        }
    }

    private struct Account: Decodable { let id, username: String }
}
