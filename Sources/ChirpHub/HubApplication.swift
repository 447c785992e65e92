public import ChirpAccounts
public import ChirpCommunity
public import ChirpCore
package import ChirpWeb
internal import Glibc
package import Hummingbird
internal import HummingbirdCore
public import Logging
internal import NIOCore
public import ServiceLifecycle

/// The hub as a server: pages, media, feed and API over a library.
///
/// It answers reading requests, and the declared acts of people about their accounts. When it listens on a loopback address it answers to the names of that address and of
/// its public address alone, so that no page from elsewhere can read it through the visitor's browser.
public struct HubApplication: Service {
    private let settings: HubSettings
    private var address: HubAddress { settings.address }
    private let library: HubLibrary
    private let logger: Logger
    private let clock: any Clock<Duration>
    private let intake: ClipIntake?
    private let onRunning: @Sendable (_ port: Int) async -> Void

    /// - Parameters:
    ///   - clock: what the event streams' heartbeat and the shutdown's patience are measured with.
    ///   - intake: makes clips of what members send; without it that waits for a server that has one.
    ///   - onRunning: called once, as soon as requests are answered, with the port.
    public init(
        settings: HubSettings, library: HubLibrary, logger: Logger, clock: any Clock<Duration> = ContinuousClock(),
        intake: ClipIntake? = nil, onRunning: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    ) {
        self.settings = settings
        self.library = library
        self.logger = logger
        self.clock = clock
        self.intake = intake
        self.onRunning = onRunning
    }

    /// Serves until the task is cancelled or a graceful shutdown begins; requests in progress may then end within
    /// ``HubSettings/grace``.
    ///
    /// - Throws: ``HubError``, ``LibraryError``.
    public func run() async throws {
        guard let lock = try ServingLock(folder: library.folder) else {
            throw HubError.alreadyServed(folder: library.folder)
        }
        defer { lock.end() }
        let application = try application()
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await application.run() }
                group.addTask { [clock, settings] in
                    try await gracefulShutdown()
                    try await clock.sleep(for: settings.grace)
                }
                // The server ends by itself, or the time it has to do so does.
                try await group.next()
                group.cancelAll()
            }
        } catch is CancellationError {
            return
        } catch {
            throw bindFailure(error)
        }
    }

    /// Everything but the socket, for tests that ask the router.
    package func application() throws(LibraryError) -> some ApplicationProtocol {
        let links = HubLinks(publicURL: address.publicURL)
        let watch = try LibraryWatch(
            library, poll: settings.poll, heartbeat: settings.heartbeat, clock: clock,
            onFailure: { [logger] error in logger.warning("watching the library: \(error.whatHappened)") })
        let desk = try accountDesk(links)
        let uploads = UploadService(library, links, settings.quotaPerAccount, intake, clock: clock, logger: logger)
        let pages = PageRoutes(library: library, links: links, forgery: desk.forgery)
        let routes =
            SignInRoutes(desk: desk).routes + SignUpRoutes(desk: desk).routes + SettingsRoutes(desk: desk).routes
            + ProfileRoutes(desk: desk).routes + pages.routes
            + PeopleRoutes(library: library, links: links, forgery: desk.forgery).routes + clientRoutes(links, uploads)
            + uploads.routes
        let acts = Acts(routes)
        let router = Router(context: WebContext.self, options: .autoGenerateHeadEndpoints)
        addGuards(to: router, links, acts: acts)
        // Who asks matters to these alone: pages, sound and streams that everybody sees cost no look at the session.
        let personal = router.group().add(
            middleware: Identified(cookie: desk.cookie) { session in
                guard let token = OpaqueToken(shown: session) else { return nil }
                let account = try await desk.accounts.account(of: token)
                if account != nil { try await desk.accounts.visit(token) }
                return account?.person
            })
        personal.add(routes, forgery: desk.forgery) { request in
            desk.goOn(to: "/signin?to=\(PercentEncoding.encode(request.uri.description))")
        }
        let reader = library.seen(by: .visitor)
        pages.add(to: router)
        MediaRoutes(reader: reader).add(to: router)
        APIRoutes(reader: reader, links: links).add(to: router)
        FeedRoutes(reader: reader, links: links).add(to: router)
        let limits = settings.connections
        let shares = AddressShares(limits, proxyIsLocal: address.proxyIsLocal)
        EventRoutes(reader: reader, links: links, watch: watch, shares: shares).add(to: router)

        var decoder = HTTP1Channel.Configuration.DecoderConfiguration()
        decoder.maxHeaderFieldSize = 8 * 1024
        decoder.maxHeaderListSize = 32 * 1024
        decoder.maxHeaderFieldCount = 100
        let channel = HTTP1Channel.Configuration(
            additionalChannelHandlers: [BodyRefusal(except: acts)], idleTimeout: TimeAmount(limits.idle),
            httpDecoderConfiguration: decoder)
        return Application(
            router: router,
            server: HTTPServerBuilder { responder in
                WatchedChannel(
                    base: HTTP1Channel(responder: responder, configuration: channel), shares: shares,
                    stall: limits.stall)
            },
            configuration: ApplicationConfiguration(
                address: .hostname(address.bind, port: address.port), serverName: "chirp",
                availableConnectionsDelegate: MaximumAvailableConnections(limits.total, logger: logger)),
            services: [LibraryWatchService(watch: watch)] + uploads.services,
            onServerRunning: { [onRunning] channel in await onRunning(channel.localAddress?.port ?? 0) },
            logger: logger)
    }

    /// What every request goes through, outermost first. A group of routes names its exceptions itself.
    private func addGuards(to router: Router<WebContext>, _ links: HubLinks, acts: Acts) {
        router.addMiddleware {
            SafeHeaders()
            TusHeaders(path: UploadService.path)
            FailureAnswers(base: address.publicURL) { status in
                let page = ErrorPage(status: status, links: links)
                return FailureAnswers.Page(title: page.title, html: page.html)
            } status: { error in
                if case LibraryError.busy = error { .serviceUnavailable } else { nil }
            }
            KnownHosts(hosts(links))
            ReadingOnly(except: acts)
        }
    }

    /// Mastodon's client API, and what the hub adds to it for programs.
    private func clientRoutes(_ links: HubLinks, _ uploads: UploadService) -> [WebRoute] {
        let desk = ClientDesk(library: library, links: links)
        let isOpen = settings.registration == .open
        return ClientAccountRoutes(desk: desk).routes + ClientListRoutes(desk: desk).routes
            + ClientStatusRoutes(desk: desk, medium: uploads.medium, admission: { _ in false }).routes
            + ClientInstanceRoutes(desk: desk, isOpen: isOpen, mostBytes: settings.quotaPerAccount.bytes).routes
            + OwnClipRoutes(desk: desk).routes
    }

    /// What the pages about accounts share.
    private func accountDesk(_ links: HubLinks) throws(LibraryError) -> AccountDesk {
        let (folder, url) = (library.folder, address.publicURL)
        let isSecure = url.hasPrefix("https:")
        do throws(AccountError) {
            let signer = Signer(key: try HubKey.read("\(folder)/key"))
            return AccountDesk(
                accounts: library.accounts(PasswordDesk(cost: settings.passwordCost, clock: clock)),
                limits: try RateLimits(path: "\(folder)/limits.sqlite", scale: settings.limitScale, now: library.now),
                letters: LetterFolder(path: "\(folder)/mail", publicURL: url, now: library.now),
                registration: settings.registration, prefix: links.prefix,
                cookie: HostCookie("session", isSecure: isSecure),
                forgery: ForgeryCheck(signer: signer, origin: links.origin, isSecure: isSecure),
                browsers: KnownBrowsers(signer: signer, isSecure: isSecure))
        } catch {
            throw .inputOutput(path: folder, reason: error.whatHappened)
        }
    }

    private func hosts(_ links: HubLinks) -> Set<String>? {
        guard address.isLoopback else { return nil }
        // A port of 0 is known only later and matters to tests alone, so it is any.
        guard address.port != 0 else { return nil }
        let names = ["127.0.0.1", "localhost", "[::1]", address.bind].map { "\($0):\(address.port)" }
        return Set(names + [links.authority.lowercased()])
    }

    private func bindFailure(_ error: any Error) -> HubError {
        guard let error = error as? IOError else {
            return .cannotBind(
                bind: address.bind, port: address.port, reason: PlainText("\(error)", limit: 200).value)
        }
        if error.errnoCode == EADDRINUSE { return .portInUse(bind: address.bind, port: address.port) }
        return .cannotBind(
            bind: address.bind, port: address.port, reason: String(cString: strerror(error.errnoCode)))
    }
}

/// Watches for as long as the server runs.
private struct LibraryWatchService: Service {
    let watch: LibraryWatch

    func run() async throws { try await cancelWhenGracefulShutdown { try await watch.run() } }
}

/// How the hub serves.
public struct HubSettings: Hashable, Sendable {
    /// Where it listens, and what links begin with.
    public let address: HubAddress
    /// Who may sign up.
    public var registration = Registration.closed
    /// Multiplies every limit on how often something may be done.
    public var limitScale = 1.0
    /// The most that the clips and uploads of one account may take.
    public var quotaPerAccount = ByteCount(Int64(1_000_000_000))
    /// How passwords are kept.
    package var passwordCost = PasswordCost.usual
    /// How often an idle event stream says that it is alive. Proxies commonly cut silent connections after 30 to 60 s.
    public var heartbeat: Duration = .seconds(15)
    /// How often the library is looked at for new posts, and only while somebody listens.
    public var poll: Duration = .milliseconds(25)
    /// How long requests in progress may take to end after a graceful stop was asked for.
    public var grace: Duration = .seconds(3)
    /// What one visitor may hold.
    package var connections = ConnectionLimits()

    public init(_ address: HubAddress) { self.address = address }
}
