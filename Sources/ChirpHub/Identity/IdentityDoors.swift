internal import ChirpAccounts
internal import ChirpCore
internal import ChirpHTTP
internal import ChirpOAuth
internal import ChirpWeb
internal import FoundationEssentials
internal import Logging

/// The services elsewhere by which people sign in, and what is kept in a browser meanwhile.
struct IdentityDoors: Sendable {
    let openID: OpenIDProvider?
    let openIDName: String
    let mastodon: MastodonDoor?
    /// Where browsers come back to from the service of OpenID Connect, and below which each Mastodon server has an address of its own.
    private let back: String
    let publicURL: String
    /// Binds what was begun to the browser that began it.
    let cookie: HostCookie
    /// Holds an invitation meanwhile.
    let invitation: HostCookie
    private let signer: Signer

    /// What one visitor may begin: each makes the hub ask a server that a stranger has named.
    static let rule = RateRule(20, per: 15 * 60)

    init(
        _ settings: IdentitySettings, publicURL: String, signer: Signer, clock: any Clock<Duration>,
        now: @escaping @Sendable () -> Date, logger: Logger
    ) {
        let isSecure = publicURL.hasPrefix("https:")
        let strangers = CurlTransport(
            settings: CurlSettings(connectTimeout: .seconds(5), slowTime: .seconds(10), onlyPublicAddresses: true))
        let named = CurlTransport(settings: CurlSettings(connectTimeout: .seconds(5), slowTime: .seconds(10)))
        openID = settings.openID.flatMap { service in
            OpenIDProvider(
                issuer: service.issuer, client: service.client, secret: service.secret, own: named, others: strangers,
                clock: clock, now: now)
        }
        if settings.openID != nil, openID == nil { logger.error("the issuer of OpenID Connect is no web address") }
        openIDName = settings.openID?.name ?? ""
        mastodon =
            settings.mastodon
            ? MastodonDoor(
                transport: settings.insecureLoopback ? named : strangers, clock: clock,
                allowsLoopback: settings.insecureLoopback) : nil
        back = publicURL + Self.path
        self.publicURL = publicURL
        cookie = HostCookie("identity", isSecure: isSecure)
        invitation = HostCookie("invitation", isSecure: isSecure)
        self.signer = signer
    }

    /// The path of the callback of the one service of OpenID Connect. Owners have registered it there.
    static let path = "/signin/back"

    /// Where browsers come back to from a service: it shares the address with no other, so that an answer that comes there is that service's
    /// or nobody's (RFC 9700, section 4.4.2.2).
    ///
    /// - Parameter server: of Mastodon; nil for the service of OpenID Connect.
    func redirect(for server: WebAddress?) -> String { server.map { "\(back)/\($0.callbackName)" } ?? back }

    /// The Mastodon server for which an attempt was begun; nil where it was begun for another service.
    static func server(of provider: String) -> WebAddress? {
        provider.hasPrefix(mastodonMark) ? WebAddress(String(provider.dropFirst(mastodonMark.count))) : nil
    }

    /// What stands for a Mastodon server in an attempt.
    static func provider(of server: WebAddress) -> String { mastodonMark + server.origin }

    private static let mastodonMark = "mastodon "

    /// What proves that a code is redeemed by the hub that asked for it. Derived, so that no table holds it.
    func proof(of state: OpaqueToken) -> ProofKey {
        ProofKey(verifier: signer.signature(of: state.secret.reveal(), for: "identity verifier"))
    }

    /// What a token has to say so that it belongs to this sign-in.
    func nonce(of state: OpaqueToken) -> String {
        signer.signature(of: state.secret.reveal(), for: "identity nonce")
    }

    /// The buttons for pages on which people sign in or up.
    ///
    /// - Parameter hidden: what goes along: the way back, an invitation.
    func buttons(_ hidden: [(name: String, value: String)]) -> [FormPage.Door] {
        var doors: [FormPage.Door] = []
        if openID != nil {
            doors.append(
                FormPage.Door(
                    action: "/signin/with/oidc", button: word("identity.with", ["service": openIDName]), hidden: hidden,
                    isAct: true))
        }
        if mastodon != nil {
            doors.append(
                FormPage.Door(
                    action: "/signin/with/mastodon", button: word("identity.with", ["service": "Mastodon"]),
                    hidden: hidden, isAct: false))
        }
        return doors
    }

    /// As people call the service of an identity.
    func name(of provider: String) -> String {
        if provider == "mastodon" { return "Mastodon" }
        return provider == openID?.name ? openIDName : word("identity.unset")
    }
}
