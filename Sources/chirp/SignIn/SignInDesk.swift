import ChirpCommands
import ChirpCore
import ChirpHTTP
import ChirpNetworks
import ChirpOAuth
import ChirpStores

/// Signs a person in to services, one at a time, and keeps what comes of it in the credentials.
struct SignInDesk: Sendable {
    let wiring: Wiring
    /// Open a browser here, besides saying the address.
    let opensBrowser: Bool
    /// Make the service ask for the account again.
    let force: Bool
    /// Sign in with a code typed on another machine.
    let device: Bool

    /// - Parameter host: the Mastodon instance or the hub, as typed; nil for the one of before.
    /// - Returns: what the account is called there; nil when the service is not asked for that.
    func signIn(to service: SignInService, host: String?) async throws -> String? {
        switch service {
        case .drive: try await drive()
        case .x: try await x()
        case .mastodon, .hub: try await instance(of: service, host)
        case .webdav: try await webdav()
        }
    }

    private func drive() async throws -> String? {
        let client = try wiring.googleClient()
        var credential: Credential
        if device {
            credential = try await DeviceSignIn(client, transport: wiring.patientTransport()) { invitation in
                Terminal.tell("Open this address on any machine: \(invitation.address)\nand type: \(invitation.code)\n")
            }.run()
        } else {
            credential = try await browser(client, LoopbackRedirectListener())
        }
        let before = try wiring.credentials.credential(for: client.name)
        // Not every sign-in brings one; that of before stays good.
        credential.refreshToken = credential.refreshToken ?? before?.refreshToken
        try await keep(credential, for: client.name)
        return nil
    }

    private func x() async throws -> String? {
        try refuseDevice("X")
        let client = try wiring.xClient()
        let port = UInt16(clamping: wiring.session.config.xRedirectPort.value)
        let listener: LoopbackRedirectListener
        do throws(HTTPError) { listener = try LoopbackRedirectListener(port: port, path: "/callback") } catch {
            throw SignInError.portTaken(port: port)
        }
        try await keep(try await browser(client, listener), for: client.name)
        // Asked once and kept: asking costs money.
        let me = try await wiring.xNetwork().me()
        return try await keep(me, for: client.name)
    }

    /// A service of which there are many, each of which registers Chirp first: Mastodon, and hubs, which do it in the same way.
    private func instance(of service: SignInService, _ host: String?) async throws -> String? {
        try refuseDevice(service.title)
        let known = try wiring.credentials.credential(for: service.rawValue)
        guard let text = host ?? known?.instance, let instance = Self.address(of: service, text) else {
            throw Self.unnamed(service, isTyped: host != nil)
        }
        let (former, listener) = try reusable(known, at: instance)
        var credential: Credential
        if let former {
            credential = former
        } else {
            credential = try await MastodonRegistration.run(
                at: instance, service: (service.rawValue, service.title),
                scopes: service == .hub ? OAuthService.hubScopes : OAuthService.mastodonScopes,
                redirect: listener.redirectAddress, transport: wiring.patientTransport())
        }
        guard let client = OAuthService.registered(service, credential) else {
            throw SignInError.refused(
                service: service.rawValue, title: service.title, detail: "it gave no registration")
        }
        // A registration is worth keeping even when the sign-in fails, but not in place of a sign-in that works, nor of one that
        // has ended: that one says which hub is meant.
        if known?.accessToken == nil, known?.ended == nil { try await keep(credential, for: client.name) }
        let granted = try await browser(client, listener)
        credential.accessToken = granted.accessToken
        credential.refreshToken = granted.refreshToken
        credential.expires = granted.expires
        try await keep(credential, for: client.name)
        let network = try service == .hub ? wiring.hubNetwork(of: credential) : wiring.mastodonNetwork()
        return try await keep(try await network.me(), for: client.name)
    }

    /// A hub may have a name without a dot in a house's own network; https it must be there too.
    private static func address(of service: SignInService, _ text: String) -> WebAddress? {
        if service == .hub, let address = WebAddress(text), address.isSecure || address.isLoopback {
            return address.replacing(path: "/")
        }
        return MastodonAddress.parse(text)
    }

    private static func unnamed(_ service: SignInService, isTyped: Bool) -> UsageError {
        service == .hub
            ? UsageError(
                isTyped ? "that is no address of a hub; to other machines it is https" : "no hub is named",
                cure: "Run for example: chirp login hub https://hub.example")
            : UsageError(
                isTyped ? "that is no Mastodon instance" : "no Mastodon instance is named",
                cure: "Run for example: chirp login mastodon mastodon.social")
    }

    /// A password, kept once the server has accepted it.
    private func webdav() async throws -> String? {
        try refuseDevice("WebDAV")
        let folder = try wiring.webdavFolder()
        let (user, password) = try PasswordPrompt.ask(user: wiring.session.config.webdavUser.value, for: folder.host)
        var credential = Credential()
        credential.instance = folder.origin
        credential.user = user
        credential.password = Secret(password)
        _ = try await wiring.webdavStore(
            at: folder, BasicTransport(wiring.transport, user: user, password: Secret(password))
        )
        .quota()
        try await keep(credential, for: SignInService.webdav.rawValue)
        return user
    }

    /// The registration of before, if its redirect address can be had again.
    private func reusable(
        _ known: Credential?, at instance: WebAddress
    ) throws -> (Credential?, LoopbackRedirectListener) {
        if let known, known.instance == instance.origin, known.clientID != nil,
            let port = known.redirect.flatMap({ WebAddress($0) })?.port,
            let listener = try? LoopbackRedirectListener(
                port: UInt16(clamping: port), path: Self.callback(of: instance)),
            listener.redirectAddress == known.redirect
        {
            var registration = Credential()
            registration.instance = known.instance
            registration.clientID = known.clientID
            registration.clientSecret = known.clientSecret
            registration.redirect = known.redirect
            return (registration, listener)
        }
        return (nil, try LoopbackRedirectListener(path: Self.callback(of: instance)))
    }

    /// Each instance has a callback of its own, so that no other one's answer comes there (RFC 9700, section 4.4.2.2).
    private static func callback(of instance: WebAddress) -> String { "/callback/\(instance.callbackName)" }

    private func refuseDevice(_ title: String) throws {
        if device { throw SignInError.unsupported("signing in to \(title) with --device") }
    }

    private func browser(_ client: OAuthService, _ listener: LoopbackRedirectListener) async throws -> Credential {
        let opens = opensBrowser
        return try await BrowserSignIn(client, transport: wiring.patientTransport()) { page in
            let opened = opens && BrowserOpener.open(page.text)
            Terminal.tell(
                opened
                    ? "A browser opens to sign in to \(client.title). If it does not, open:\n\(page.text)\n"
                    : "To sign in to \(client.title), open in a browser on this machine:\n\(page.text)\n")
        }.run(listener, force: force)
    }

    private func keep(_ credential: Credential, for name: String) async throws {
        try await wiring.credentials.change(name) { $0 = credential }
    }

    private func keep(_ me: Account, for name: String) async throws -> String {
        try await wiring.credentials.change(name) { credential in
            credential?.accountID = me.id.text
            credential?.handle = me.handle
        }
        return "@" + me.handle
    }
}
