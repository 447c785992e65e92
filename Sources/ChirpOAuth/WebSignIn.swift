package import ChirpCore
package import ChirpHTTP
package import FoundationEssentials

/// A sign-in in somebody's own browser that comes back to a page of this server. Whoever asks keeps the tokens.
package struct WebSignIn: Sendable {
    /// What a service has granted.
    package struct Tokens: Sendable {
        package let access: Secret
        /// Nil where the access token does not end, and where the one before stays good.
        package let refresh: Secret?
        package let expires: Date?
        /// What was allowed; nil where the service does not say: all that was asked for.
        package let scopes: Set<String>?
    }

    private let service: OAuthService
    private let endpoint: TokenEndpoint
    private let now: @Sendable () -> Date

    /// - Parameter transport: without sign-in.
    package init(_ service: OAuthService, transport: any HTTPTransport, now: @escaping @Sendable () -> Date) {
        self.service = service
        endpoint = TokenEndpoint(service: service, transport: transport)
        self.now = now
    }

    /// The page where the person allows it.
    ///
    /// - Parameter redirect: where the browser comes back to; the service must know it.
    package func page(state: String, key: ProofKey, redirect: String) -> WebAddress {
        service.page(challenge: key.challenge, state: state, redirect: redirect, further: service.usualFields)
    }

    /// Whether an answer may be that of the service.
    ///
    /// - Parameter issuer: the field `iss` of the answer; empty where it has none.
    package func accepts(issuer: String) -> Bool { service.issuer.accepts(issuer) }

    /// Tokens for a code.
    package func tokens(code: String, key: ProofKey, redirect: String) async throws(SignInError) -> Tokens {
        let reply: TokenEndpoint.Reply
        do throws(HTTPError) { reply = try await endpoint.redeem(code: code, key: key, redirect: redirect) } catch {
            throw .http(error)
        }
        let granted = try Credential.granted(reply, by: service, now: now())
        guard let access = granted.accessToken else {
            throw .refused(service: service.name, title: service.title, detail: "it sent no token")
        }
        return Tokens(
            access: access, refresh: granted.refreshToken, expires: granted.expires, scopes: scopes(of: reply))
    }

    /// New tokens for a refresh token, which is used up by that where they are single-use.
    ///
    /// - Throws: ``HTTPError/signedOut(service:cause:)`` when a person must sign in again.
    package func tokens(refresh: Secret) async throws(HTTPError) -> Tokens {
        let reply = try await endpoint.refresh(refresh.reveal())
        guard reply.isGranted, let access = reply.answer.accessToken else {
            if service.endsSignIn(reply) { throw .signedOut(service: service.name, cause: service.endedCause) }
            // The client's id or secret, or what only the service knows: the sign-in itself may still be good.
            throw .interrupted(host: service.token.host, reason: "it renews no sign-in: \(reply.answer.refusal)")
        }
        return Tokens(
            access: Secret(access), refresh: reply.answer.refreshToken.map { Secret($0) },
            expires: reply.answer.expiresIn.map { now().addingTimeInterval($0) }, scopes: scopes(of: reply))
    }

    /// Gives tokens back: they open nothing any more, if the service hears of it.
    package func end(_ tokens: [Secret]) async {
        for token in tokens { try? await endpoint.revoke(token.reveal()) }
    }

    private func scopes(of reply: TokenEndpoint.Reply) -> Set<String>? {
        reply.answer.scope.map { Set($0.split { $0 == " " || $0 == "," }.map(String.init)) }
    }
}
