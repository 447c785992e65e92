package import ChirpCore
internal import ChirpFlows
package import ChirpHTTP
package import ChirpNetworks
package import ChirpOAuth

// The services that people sign in to.
extension Wiring {
    package var credentials: CredentialStore { CredentialStore(path: session.paths.credentialsFile) }

    /// HTTP that repeats what may be repeated, without sign-in; for questions with small answers.
    package func patientTransport() -> any HTTPTransport {
        RetryingTransport(Self.bounded(transport), policy: Self.patience)
    }

    /// For questions with small answers, each of which is there within half a minute: a service that drips them would hold a run otherwise.
    /// What sends or fetches sound is not among them, and event streams are not bounded.
    package static func bounded(_ transport: any HTTPTransport) -> any HTTPTransport {
        PatientTransport(transport, patience: .seconds(30))
    }

    /// How long one run bears with a service; what fails longer waits in the outbox.
    package static let patience = RetryPolicy(base: .milliseconds(500), cap: .seconds(8), attempts: 4)

    // MARK: clients

    package func googleClient() throws(ConfigError) -> OAuthService {
        let config = session.config
        guard let id = config.googleClientID.value else {
            throw .incomplete(
                key: "google.clientID", neededFor: "Google Drive", example: "1234-abcd.apps.googleusercontent.com")
        }
        return .google(
            authorization: try address(config.googleAuthURL.value, "google.authURL"),
            token: try address(config.googleTokenURL.value, "google.tokenURL"),
            device: try address(config.googleDeviceURL.value, "google.deviceURL"),
            revocation: try address(config.googleRevokeURL.value, "google.revokeURL"), clientID: id,
            clientSecret: config.googleClientSecret.value)
    }

    package func xClient() throws(ConfigError) -> OAuthService {
        let config = session.config
        guard let id = config.xClientID.value else {
            throw .incomplete(key: "x.clientID", neededFor: "signing in to X", example: "VGhpcyBpcyBub3Qgb25l")
        }
        return .x(
            authorization: try address(config.xAuthURL.value, "x.authURL"),
            api: try address(config.xAPIURL.value, "x.apiURL"), clientID: id, clientSecret: config.xClientSecret.value)
    }

    /// The client of a service, as far as it is set up; WebDAV has none.
    package func client(of service: SignInService) throws -> OAuthService? {
        switch service {
        case .drive: try session.config.googleClientID.value == nil ? nil : googleClient()
        case .x: try session.config.xClientID.value == nil ? nil : xClient()
        case .mastodon, .hub:
            try credentials.credential(for: service.rawValue).flatMap { OAuthService.registered(service, $0) }
        case .webdav: nil
        }
    }

    // MARK: tokens and networks

    /// The access tokens of a service that is set up.
    package func tokens(_ client: OAuthService) -> SignedInTokens {
        SignedInTokens(client, store: credentials, transport: patientTransport())
    }

    package func xNetwork() throws -> XNetwork {
        let config = session.config
        let settings = XSettings(mode: config.xMode.value, monthlyBudgetUSD: config.xMonthlyBudgetUSD.value)
        // Posting by hand needs neither a client nor an account.
        let needsClient = settings.mode == .link || config.xClientID.value != nil
        let tokens = try needsClient ? tokens(xClient()) : nil
        let source: any TokenSource =
            tokens ?? NobodySignedIn(service: "x", cause: "x.clientID is not configured")
        return XNetwork(
            api: try address(config.xAPIURL.value, "x.apiURL"),
            transport: AuthorizedTransport(transport, tokens: source),
            me: try needsClient ? credentials.credential(for: "x")?.account : nil, settings: settings,
            ledger: JournalLedger(try journal()), retry: Self.patience,
            renewSignIn: { () async throws(HTTPError) in try await tokens?.renew() })
    }

    package func mastodonNetwork() throws -> MastodonNetwork {
        let config = session.config
        guard let credential = try credentials.credential(for: "mastodon"),
            let instance = credential.instance.flatMap({ WebAddress($0) }),
            let client = OAuthService.registered(.mastodon, credential)
        else { throw NetworkError.signedOut(network: "mastodon") }
        let settings = MastodonSettings(
            visibility: config.mastodonVisibility.value, language: config.mastodonLanguage.value,
            contentWarning: config.mastodonContentWarning.value.map { PlainText($0, limit: 300).value },
            attachesClip: config.mastodonAttach.value, onExpiry: config.mastodonOnExpiry.value)
        return MastodonNetwork(
            instance: instance,
            transport: RetryingTransport(
                AuthorizedTransport(
                    settings.attachesClip ? transport : Self.bounded(transport), tokens: tokens(client)),
                policy: Self.patience),
            me: credential.account, settings: settings)
    }

    private func address(_ text: String, _ key: String) throws(ConfigError) -> WebAddress {
        guard let address = WebAddress(text) else {
            throw .badValue(
                key: key, place: key, value: BadValue(text, needs: Limits.url), example: "https://example.org")
        }
        return address
    }
}

extension Credential {
    /// Who is signed in, when that was asked for.
    package var account: Account? {
        guard let accountID, let handle else { return nil }
        return Account(id: Account.ID(accountID), handle: handle, displayName: handle)
    }
}

extension OAuthService {
    /// The client that a registration at an instance or a hub makes; nil when it is not one.
    package static func registered(_ service: SignInService, _ credential: Credential) -> OAuthService? {
        guard let instance = credential.instance.flatMap({ WebAddress($0) }), let id = credential.clientID,
            let secret = credential.clientSecret
        else { return nil }
        return switch service {
        case .mastodon: .mastodon(instance: instance, clientID: id, clientSecret: secret)
        case .hub: .hub(instance: instance, clientID: id, clientSecret: secret)
        case .drive, .x, .webdav: nil
        }
    }
}

/// The tokens of a service that is not set up.
struct NobodySignedIn: TokenSource {
    let service: String
    let cause: String

    func token(insteadOf rejected: Secret?) async throws(HTTPError) -> Secret {
        throw .signedOut(service: service, cause: cause)
    }
}
