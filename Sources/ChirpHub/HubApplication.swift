public import ChirpAccounts
public import ChirpCommunity
public import ChirpCore
public import ChirpHTTP
package import ChirpWeb
internal import Glibc
package import Hummingbird
internal import HummingbirdCore
internal import HummingbirdHTTP2
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
    private let pictures: PictureIntake?
    private let intake: ClipIntake?
    private let onRunning: @Sendable (_ port: Int) async -> Void

    /// - Parameters:
    ///   - clock: what the event streams' heartbeat and the shutdown's patience are measured with.
    ///   - intake: makes clips of what members send; without it that waits for a server that has one.
    ///   - pictures: makes the pictures of people; without it none are taken.
    ///   - onRunning: called once, as soon as requests are answered, with the port.
    public init(
        settings: HubSettings, library: HubLibrary, logger: Logger, clock: any Clock<Duration> = ContinuousClock(),
        intake: ClipIntake? = nil, pictures: PictureIntake? = nil,
        onRunning: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    ) {
        self.settings = settings
        self.library = library
        self.logger = logger
        self.clock = clock
        self.pictures = pictures
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
        let application = try application(try certificate())
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
    ///
    /// - Parameter certificate: nil speaks HTTP/1.1 without TLS.
    package func application(
        _ certificate: ServerCertificate? = nil
    ) throws(LibraryError) -> some ApplicationProtocol {
        let parts = try parts(isSecure: certificate != nil)
        let (desk, links, routes) = (parts.desk, parts.links, parts.routes)
        let (shares, limits, streams) = (parts.shares, parts.limits, parts.streams)
        let acts = Acts(routes)
        let router = Router(context: WebContext.self, options: .autoGenerateHeadEndpoints)
        addGuards(to: router, links, acts: acts, counting: parts.usage.counting)
        // Who asks matters to these alone: pages, sound and streams that everybody sees cost no look at the session.
        let personal = router.group().add(
            middleware: Identified(cookie: desk.cookie, find: desk.person(ofSession:), bearer: desk.bearer(ofToken:)))
        personal.add(routes, forgery: desk.forgery) { request in
            desk.goOn(to: "/signin?to=\(PercentEncoding.encode(request.uri.description))")
        }
        let reader = library.seen(by: .visitor)
        parts.pages.add(to: router)
        MediaRoutes(reader: reader).add(to: router)
        CardRoutes(reader: reader).add(to: router)
        parts.portraits.add(to: router)
        APIRoutes(reader: reader, links: links).add(to: router)
        FeedRoutes(reader: reader, links: links).add(to: router)
        PrivateFeedRoutes(accounts: desk.accounts, library: library, links: links).add(to: router)
        parts.events.add(to: router)
        parts.usage.add(to: router)

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
                guard let certificate else {
                    return WatchedChannel(
                        base: HTTP1Channel(responder: responder, configuration: channel), shares: shares,
                        stall: limits.stall)
                }
                // HTTP/2 has its own bounds by default: 100 streams, 16 KiB of header, and few resets.
                let both = try HTTP2UpgradeChannel(
                    tlsConfiguration: certificate.configuration,
                    configuration: HTTP2ChannelConfiguration(
                        idleTimeout: limits.idle, gracefulCloseTimeout: settings.grace, streamConfiguration: channel),
                    responder: responder)
                return WatchedChannel(
                    base: HandshakeDeadline(base: both, limit: limits.idle / 4), shares: shares, stall: limits.stall)
            },
            configuration: ApplicationConfiguration(
                address: .hostname(address.bind, port: address.port), serverName: "chirp",
                // All listeners come back at once when a proxy was started anew.
                backlog: 4096,
                availableConnectionsDelegate: MaximumAvailableConnections(limits.total, logger: logger)),
            services: [
                LibraryWatchService(watch: parts.watch),
                FeedService(feeds: [parts.events.feed, streams.everybody, streams.homes]),
                PostmanService(postman: desk.postman), CaseService(library: library, logger: logger),
            ] + parts.uploads.services,
            onServerRunning: { [onRunning] channel in await onRunning(channel.localAddress?.port ?? 0) },
            logger: logger)
    }

    /// What answers, and what the answers share.
    private struct Parts {
        let links: HubLinks
        let desk: AccountDesk
        let watch: LibraryWatch
        let shares: AddressShares
        let limits: ConnectionLimits
        let events: EventRoutes
        let streams: StreamRoutes
        let usage: UsageRoutes
        let pages: PageRoutes
        let portraits: PictureRoutes
        let uploads: UploadService
        /// Every address that is declared with who may use it; from these come guards, tests and the description for programs.
        let routes: [WebRoute]
    }

    private func parts(isSecure: Bool) throws(LibraryError) -> Parts {
        let links = HubLinks(publicURL: address.publicURL)
        let watch = try LibraryWatch(
            library, poll: settings.poll, heartbeat: settings.heartbeat, clock: clock,
            onFailure: { [logger] error in logger.warning("watching the library: \(error.whatHappened)") })
        let desk = try accountDesk(links)
        let limits = settings.connections.scaled(by: settings.limitScale)
        let shares = AddressShares(
            limits, proxyIsLocal: address.proxyIsLocal && !isSecure, proxies: settings.trustedProxies)
        let streams = StreamRoutes(
            library: library, watch: watch, shares: shares, encode: ClientDesk(library: library, links: links).updates
        ) { context in
            if let shown = context.token {
                return (try? await desk.bearer(ofToken: shown))??.person?.id == context.person?.id
            }
            guard let token = context.session.flatMap({ OpaqueToken(shown: $0) }) else { return true }
            return (try? await desk.accounts.account(of: token))??.person.id == context.person?.id
        }
        let events = EventRoutes(
            reader: library.seen(by: .visitor), links: links, watch: watch, shares: shares)
        let feeds = [("events", events.feed), ("public", streams.everybody), ("user", streams.homes)]
        let usage = UsageRoutes(
            library: library, links: links, book: try UsageBook(library),
            listeners: { feeds.map { ($0.0, $0.1.count) } },
            token: settings.metrics ? try MetricsToken.read("\(library.folder)/metrics.token") : nil)
        let pages = PageRoutes(library: library, links: links, forgery: desk.forgery)
        let portraits = PictureRoutes(
            desk: desk, reader: library.seen(by: .visitor), links: links, intake: pictures)
        let uploads = UploadService(library, links, settings.quotaPerAccount, intake, clock: clock, logger: logger)
        let declared = [
            routes(desk, links), clientRoutes(links, uploads), pages.routes, streams.routes, usage.routes,
            portraits.routes, uploads.routes, moderationRoutes(desk, links),
        ].flatMap { $0 }
        return Parts(
            links: links, desk: desk, watch: watch, shares: shares, limits: limits, events: events,
            streams: streams, usage: usage,
            pages: pages, portraits: portraits, uploads: uploads,
            routes: declared + DescriptionRoutes(described: declared, links: links).routes)
    }

    /// Every declared address, for tests.
    package func declaredRoutes() throws(LibraryError) -> [WebRoute] { try parts(isSecure: false).routes }

    /// Those about accounts, and of programs.
    private func routes(_ desk: AccountDesk, _ links: HubLinks) -> [WebRoute] {
        let closed = ClosedPage(desk: ModerationDesk(library: library, desk: desk, links: links))
        return [
            SignInRoutes(desk: desk, closed: closed).routes,
            closed.routes,
            SignUpRoutes(desk: desk).routes,
            SettingsRoutes(desk: desk).routes,
            ProfileRoutes(desk: desk).routes,
            AccountAPIRoutes(desk: desk).routes,
            SessionAPIRoutes(desk: desk).routes,
            ProblemRoutes(links: links).routes,
            TokenSettingsRoutes(desk: desk).routes,
            PrivacyRoutes(desk: desk, publicURL: links.publicURL).routes,
            AuthorizeRoutes(desk: desk).routes,
            TokenRoutes(desk: desk, links: links).routes,
            ExportRoutes(desk: desk, library: library).routes,
            PeopleRoutes(library: library, links: links, forgery: desk.forgery).routes,
            IdentityRoutes(identity: IdentityDesk(desk: desk, logger: logger), closed: closed).routes,
            LinkedIdentityRoutes(identity: IdentityDesk(desk: desk, logger: logger)).routes,
        ].flatMap { $0 }
    }

    /// What the settings name, read for the first time.
    private func certificate() throws(HubError) -> ServerCertificate? {
        guard let files = settings.tls else { return nil }
        guard address.publicURL.hasPrefix("https:") else { throw .secureAddressNeeded(publicURL: address.publicURL) }
        do {
            return try ServerCertificate(certificate: files.certificate, key: files.key) { [logger] failure in
                logger.error("the new certificate is not used: \(failure.reason)")
            }
        } catch {
            throw .unusableCertificate(reason: error.reason)
        }
    }

    /// What every request goes through, outermost first. A group of routes names its exceptions itself.
    private func addGuards(to router: Router<WebContext>, _ links: HubLinks, acts: Acts, counting: CountsRequests) {
        router.addMiddleware {
            counting
            ForwardedAddress(settings.trustedProxies)
            if settings.isStaging { StagingMark() }
            SafeHeaders()
            TusHeaders(path: UploadService.path)
            FailureAnswers(base: address.publicURL) { status in
                let page = ErrorPage(status: status, links: links)
                return FailureAnswers.Page(title: page.title, html: page.html)
            } problem: { error in
                (error as? AccountError)?.problem
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
            + ClientStatusRoutes(desk: desk, medium: uploads.medium, policy: entrance.policy).routes
            + ClientInstanceRoutes(desk: desk, isOpen: isOpen, mostBytes: settings.quotaPerAccount.bytes).routes
            + OwnClipRoutes(desk: desk).routes
    }

    /// Reports, cases, what is decided, and the notices of it.
    private func moderationRoutes(_ desk: AccountDesk, _ links: HubLinks) -> [WebRoute] {
        let desk = ModerationDesk(library: library, desk: desk, links: links)
        return ReportRoutes(desk: desk).routes + CaseRoutes(desk: desk).routes
            + ModeratedPeopleRoutes(desk: desk).routes
            + ModerationRoutes(desk: desk).routes + StandingRoutes(desk: desk).routes + NoticeRoutes(desk: desk).routes
    }

    /// Who comes in, and what those who have just come may do.
    private var entrance: HubEntrance {
        HubEntrance(
            library: library, configured: settings.registration, holdFirstPosts: settings.holdFirstPosts,
            scale: settings.limitScale)
    }

    /// What the pages about accounts share.
    private func accountDesk(_ links: HubLinks) throws(LibraryError) -> AccountDesk {
        let (folder, url) = (library.folder, address.publicURL)
        let isSecure = url.hasPrefix("https:")
        do throws(AccountError) {
            let key = try HubKey.read("\(folder)/key")
            let signer = Signer(key: key)
            let accounts = library.accounts(
                PasswordDesk(cost: settings.passwordCost, clock: clock), key: LetterKey(key))
            return AccountDesk(
                accounts: accounts,
                limits: try RateLimits(path: "\(folder)/limits.sqlite", scale: settings.limitScale, now: library.now),
                postman: Postman(
                    accounts: accounts, post: settings.post(folder: folder), publicURL: url, from: settings.mailFrom,
                    now: library.now, logger: logger),
                entrance: entrance, prefix: links.prefix,
                // Cookies know no ports: beside the real hub, this one must not end its sessions.
                cookie: HostCookie(settings.isStaging ? "staging" : "session", isSecure: isSecure),
                forgery: ForgeryCheck(signer: signer, origin: links.origin, isSecure: isSecure),
                browsers: KnownBrowsers(signer: signer, isSecure: isSecure),
                doors: IdentityDoors(
                    settings.identity, publicURL: url, signer: signer, clock: clock, now: library.now, logger: logger))
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

/// Delivers for as long as the server runs.
private struct FeedService: Service {
    let feeds: [EventFeed]

    func run() async throws {
        await withTaskGroup(of: Void.self) { group in
            for feed in feeds { group.addTask { await feed.run() } }
        }
    }
}

/// Where the server's certificate and key lie, in PEM. They are read again when they change.
public struct TLSFiles: Hashable, Sendable {
    public let certificate: String
    public let key: String

    public init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }
}

/// How the hub serves.
public struct HubSettings: Hashable, Sendable {
    /// Where it listens, and what links begin with.
    public let address: HubAddress
    /// Who may sign up.
    public var registration = Registration.closed
    /// Answers `/metrics` to who shows the token in the library's `metrics.token`.
    public var metrics = false
    /// Speaks TLS itself; nil: plain HTTP, for this machine and for a web server in front.
    public var tls: TLSFiles?
    /// How many posts of an account a moderator must have shown before others are seen at once.
    public var holdFirstPosts = 0
    /// A hub to try things on: it says so on every page.
    public var isStaging = false
    /// Multiplies every limit on how often something may be done.
    public var limitScale = 1.0
    /// What takes letters; nil: a folder.
    public var mail: MailServer?
    /// What letters are from; nil: an address at the host of the public URL.
    public var mailFrom: String?
    /// By which services elsewhere people may sign in.
    public var identity = IdentitySettings()
    /// The most that the clips and uploads of one account may take.
    public var quotaPerAccount = ByteCount(Int64(1_000_000_000))
    /// Whose `X-Forwarded-For` says where a request comes from.
    package var trustedProxies = TrustedProxies.none
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

    /// Takes as many connections as this process may have files open, after raising that limit as far as it goes.
    public mutating func takeAllConnections() { connections.total = OpenFiles.connections(of: OpenFiles.raise()) }

    /// What takes letters, for a hub in a folder. A hub to try things on writes to nobody.
    func post(folder: String) -> any LetterPost {
        let server = isStaging ? nil : mail
        return server.map { MailPost($0) } ?? LetterFolder(path: "\(folder)/mail")
    }
}
