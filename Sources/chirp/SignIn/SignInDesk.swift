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

    /// - Parameter host: the Mastodon instance, as typed; nil for the one of before.
    /// - Returns: what the account is called there; nil when the service is not asked for that.
    func signIn(to service: SignInService, host: String?) async throws -> String? {
        switch service {
        case .drive: try await drive()
        case .x: try await x()
        case .mastodon: try await mastodon(host)
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

    private func mastodon(_ host: String?) async throws -> String? {
        try refuseDevice("Mastodon")
        let known = try wiring.credentials.credential(for: "mastodon")
        guard let text = host ?? known?.instance, let instance = MastodonAddress.parse(text) else {
            throw UsageError(
                host == nil ? "no Mastodon instance is named" : "that is no Mastodon instance",
                cure: "Run for example: chirp login mastodon mastodon.social")
        }
        let transport = wiring.patientTransport()
        let (former, listener) = try reusable(known, at: instance)
        var credential: Credential
        if let former {
            credential = former
        } else {
            credential = try await MastodonRegistration.run(
                at: instance, redirect: listener.redirectAddress, transport: transport)
        }
        guard let client = OAuthService.mastodon(credential) else {
            throw SignInError.refused(service: "mastodon", title: "Mastodon", detail: "it gave no registration")
        }
        // A registration is worth keeping even when the sign-in fails, but not in place of a sign-in that works.
        if known?.accessToken == nil { try await keep(credential, for: client.name) }
        credential.accessToken = try await browser(client, listener).accessToken
        try await keep(credential, for: client.name)
        return try await keep(try await wiring.mastodonNetwork().me(), for: client.name)
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
            let listener = try? LoopbackRedirectListener(port: UInt16(clamping: port), path: "/callback")
        {
            var registration = Credential()
            registration.instance = known.instance
            registration.clientID = known.clientID
            registration.clientSecret = known.clientSecret
            registration.redirect = known.redirect
            return (registration, listener)
        }
        return (nil, try LoopbackRedirectListener(path: "/callback"))
    }

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
