public import ChirpCore
public import ChirpHTTP
public import FoundationEssentials

/// The access tokens of a sign-in: from the credentials file, renewed a minute before they end and once after a refusal.
///
/// However many requests and processes need a new token at the same moment, one refresh request is sent: the others wait for
/// the file's lock and find the new token in it. A sign-in that the service has ended is wiped from the file.
public struct SignedInTokens: TokenSource {
    private let service: OAuthService
    private let store: CredentialStore
    private let endpoint: TokenEndpoint
    private let now: @Sendable () -> Date

    /// A token is renewed when it ends sooner than this, so that it does not end on the way.
    private static let margin: TimeInterval = 60

    /// - Parameter transport: for refresh requests, without sign-in; best one that retries.
    public init(
        _ service: OAuthService, store: CredentialStore, transport: any HTTPTransport,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.service = service
        self.store = store
        endpoint = TokenEndpoint(service: service, transport: transport)
        self.now = now
    }

    public func token(insteadOf rejected: Secret?) async throws(HTTPError) -> Secret {
        let known = try credential()
        if let token = usable(known, insteadOf: rejected) { return token }
        guard known?.accessToken != nil || known?.refreshToken != nil else {
            throw .signedOut(service: service.name, cause: known?.ended ?? "")
        }
        let renewed: Result<Secret, HTTPError>
        do throws(CredentialError) {
            let lock = try await store.lock()
            renewed = try await renew(insteadOf: rejected, under: lock)
        } catch {
            throw error.asHTTPError
        }
        return try renewed.get()
    }

    /// Renews the access token although it may not have ended: the one question about a sign-in that no service charges for, so one
    /// that was revoked meanwhile shows, and is wiped. Without a refresh token the access token is believed.
    public func renew() async throws(HTTPError) {
        let known = try credential()
        _ = try await token(insteadOf: known?.refreshToken == nil ? nil : known?.accessToken)
    }

    /// Under the lock: what another process has renewed meanwhile, or a new token, which is on disk before it is used.
    private func renew(
        insteadOf rejected: Secret?, under lock: borrowing CredentialLock
    ) async throws(CredentialError) -> Result<Secret, HTTPError> {
        guard var credential = try store.credential(for: service.name) else {
            return .failure(.signedOut(service: service.name, cause: ""))
        }
        if let token = usable(credential, insteadOf: rejected) { return .success(token) }
        guard let refreshToken = credential.refreshToken else {
            // Another process may have wiped it meanwhile; its cause is the better one.
            return try end(credential, because: credential.ended ?? service.endedCause, under: lock)
        }
        let reply: TokenEndpoint.Reply
        do throws(HTTPError) { reply = try await endpoint.refresh(refreshToken.reveal()) } catch {
            return .failure(error)
        }
        guard reply.isGranted, let token = reply.answer.accessToken else {
            if service.endsSignIn(reply) { return try end(credential, because: service.endedCause, under: lock) }
            if reply.status == 429 {
                return .failure(.interrupted(host: service.token.host, reason: "it answered 429"))
            }
            // The client's id or secret, or what only the service knows: the sign-in itself may still be good.
            return .failure(
                .signedOut(
                    service: service.name,
                    cause: "the service refuses to renew it (\(reply.answer.refusal)); check the client id and secret"))
        }
        credential.accessToken = Secret(token)
        credential.expires = reply.answer.expiresIn.map { now().addingTimeInterval($0) }
        // Rotated at X, usually absent at Google.
        if let next = reply.answer.refreshToken { credential.refreshToken = Secret(next) }
        try store.write(credential, for: service.name, under: lock)
        return .success(Secret(token))
    }

    private func end(
        _ credential: Credential, because cause: String, under lock: borrowing CredentialLock
    ) throws(CredentialError) -> Result<Secret, HTTPError> {
        var credential = credential
        credential.wipe(because: cause)
        try store.write(credential, for: service.name, under: lock)
        return .failure(.signedOut(service: service.name, cause: cause))
    }

    private func usable(_ credential: Credential?, insteadOf rejected: Secret?) -> Secret? {
        guard let token = credential?.accessToken, token != rejected else { return nil }
        if let expires = credential?.expires, expires.timeIntervalSince(now()) < Self.margin { return nil }
        return token
    }

    private func credential() throws(HTTPError) -> Credential? {
        do throws(CredentialError) { return try store.credential(for: service.name) } catch { throw error.asHTTPError }
    }
}
