internal import ChirpCore
internal import ChirpHTTP
internal import FoundationEssentials

/// The requests of a sign-in that are not for a browser.
struct TokenEndpoint: Sendable {
    let service: OAuthService
    /// Retries what may be repeated by itself; without sign-in.
    let transport: any HTTPTransport

    /// Any answer that can be understood: of success, or a refusal with status 400 to 499.
    struct Reply {
        let status: Int
        let answer: TokenAnswer
        var isGranted: Bool { (200...299).contains(status) && answer.accessToken?.isEmpty == false }
    }

    /// A code for tokens.
    func redeem(code: String, key: ProofKey, redirect: String) async throws(HTTPError) -> Reply {
        try await ask(
            service.token,
            [
                ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirect),
                ("code_verifier", key.verifier),
            ], isRepeatable: false)
    }

    func refresh(_ token: String) async throws(HTTPError) -> Reply {
        try await ask(
            service.token, [("grant_type", "refresh_token"), ("refresh_token", token)],
            isRepeatable: service.refreshIsRepeatable)
    }

    /// Codes for a device without a browser.
    func deviceCodes(at address: WebAddress) async throws(HTTPError) -> Reply {
        try await ask(
            address, [("scope", service.scopes.joined(separator: " "))], withSecret: false, isRepeatable: true)
    }

    /// Whether the person has decided meanwhile.
    func poll(deviceCode: String) async throws(HTTPError) -> Reply {
        try await ask(
            service.token,
            [("grant_type", "urn:ietf:params:oauth:grant-type:device_code"), ("device_code", deviceCode)],
            isRepeatable: true)
    }

    /// Makes a token worthless at the service. A token that is worthless already is fine.
    func revoke(_ token: String) async throws(HTTPError) {
        _ = try await ask(service.revocation, [("token", token)], needsJSON: false, isRepeatable: true)
    }

    private func ask(
        _ address: WebAddress, _ fields: [(name: String, value: String)], withSecret: Bool = true,
        needsJSON: Bool = true, isRepeatable: Bool
    ) async throws(HTTPError) -> Reply {
        var fields = fields
        var headers: HTTPHeaders = ["Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"]
        fields.insert(("client_id", service.clientID), at: 0)
        if withSecret, let secret = service.clientSecret {
            switch service.clientAuthentication {
            case .fields: fields.insert(("client_secret", secret.reveal()), at: 1)
            case .header:
                let pair = "\(PercentEncoding.encode(service.clientID)):\(PercentEncoding.encode(secret.reveal()))"
                headers["Authorization"] = "Basic " + Data(pair.utf8).base64EncodedString()
            }
        }
        let response = try await transport.send(
            HTTPRequest(
                .post, address, headers: headers, body: .text(PercentEncoding.form(fields)),
                isRepeatable: isRepeatable))
        switch response.status {
        case 408, 500...599: throw .interrupted(host: address.host, reason: "it answered \(response.status)")
        case 429 where !response.isJSON: throw .interrupted(host: address.host, reason: "it answered 429")
        default: break
        }
        guard let answer = response.json(TokenAnswer.self, within: .statement) else {
            guard needsJSON else { return Reply(status: response.status, answer: try Self.empty(address)) }
            throw .malformed(host: address.host, reason: "no JSON, with status \(response.status)")
        }
        return Reply(status: response.status, answer: answer)
    }

    private static func empty(_ address: WebAddress) throws(HTTPError) -> TokenAnswer {
        do { return try UntrustedJSON.decode(TokenAnswer.self, from: Array("{}".utf8), .statement) } catch {
            throw .malformed(host: address.host, reason: "no JSON")
        }
    }
}

extension OAuthService {
    /// Whether a refusal says that the refresh token itself is dead (RFC 6749 section 5.2: `invalid_grant`). Any other may come of
    /// a fault on the way, of a wrong client or of the service itself, and a sign-in that is wiped costs a person's time.
    func endsSignIn(_ reply: TokenEndpoint.Reply) -> Bool {
        guard (400...401).contains(reply.status) else { return false }
        if reply.answer.error == "invalid_grant" { return true }
        guard wordsEndSignIn, reply.answer.error == "invalid_request" else { return false }
        let words = (reply.answer.errorDescription ?? "").lowercased()
        return words.contains("token") && words.contains("invalid")
    }
}
