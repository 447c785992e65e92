internal import ChirpAccounts
package import ChirpBoards
public import ChirpCommunity
internal import ChirpCore
internal import ChirpFediverse
internal import ChirpFrame
package import ChirpHTTP
internal import ChirpListening
internal import ChirpMap
package import ChirpPlaces
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
    let settings: HubSettings
    var address: HubAddress { settings.address }
    let library: HubLibrary
    let logger: Logger
    let clock: any Clock<Duration>
    let pictures: PictureIntake?
    let intake: ClipIntake?
    let films: FilmIntake?
    let onward: OnwardPublishing?
    let speech: FrameSpeech?
    let transcribing: Transcribing?
    /// Names of places; nil: there are none on this machine.
    package var gazetteer: Gazetteer?
    /// Boards beside those of ``Boards``: for tests of what all have in common.
    package var furtherBoards: @Sendable (BoardDesk) -> [Board] = { _ in [] }
    /// Listens to what is sent to boards; nil: nobody does.
    package var hearing: BoardHearing?
    /// Makes the sound of what boards announce; nil: nobody does.
    package var announcing: BoardAnnouncing?
    /// Listens to tracks and makes what others hear of them; nil: none are taken.
    package var tracks: TrackMaking?
    /// How those are asked who move money; nil: directly.
    package var paymentTransport: (any HTTPTransport)?
    /// How other servers are asked; nil: directly.
    package var federationTransport: (any HTTPTransport)?
    /// Reads aloud for boards; nil: nobody does.
    package var voice: BoardVoice?
    /// Which of the processes that serve the library is on duty; nil: this one serves it alone.
    package var duty: DutyLock?
    /// How these tell each other that something was committed; nil: each looks by itself.
    package var signals: HubSignals?
    /// What is done beside the server, and once for all of them, until the task is cancelled.
    package var furtherDuties: [@Sendable () async -> Void] = []
    private let onRunning: @Sendable (_ port: Int) async -> Void

    /// - Parameters:
    ///   - clock: what the event streams' heartbeat and the shutdown's patience are measured with.
    ///   - intake: makes clips of what members send; without it that waits for a server that has one.
    ///   - films: makes what is shown of videos that members send; without it none are taken.
    ///   - onward: sends the owner's publications on to other networks; without it none go.
    ///   - transcribing: writes down what is said in clips; without it only their authors do.
    ///   - pictures: makes the pictures of people; without it none are taken.
    ///   - speech: reads updates aloud at frames; without it none is.
    ///   - onRunning: called once, as soon as requests are answered, with the port.
    public init(
        settings: HubSettings, library: HubLibrary, logger: Logger, clock: any Clock<Duration> = ContinuousClock(),
        intake: ClipIntake? = nil, pictures: PictureIntake? = nil, films: FilmIntake? = nil,
        onward: OnwardPublishing? = nil, transcribing: Transcribing? = nil, speech: FrameSpeech? = nil,
        onRunning: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    ) {
        self.settings = settings
        self.library = library
        self.logger = logger
        self.clock = clock
        self.pictures = pictures
        self.intake = intake
        self.films = films
        self.onward = onward
        self.speech = speech
        self.transcribing = transcribing
        self.onRunning = onRunning
    }

    /// A child that a killed process was just starting holds that one's locks for an instant, until it is another program. Whoever starts the hub
    /// anew in that instant waits. A pass of some fifty kills met it once.
    private func servingLock() async throws -> ServingLock {
        for _ in 0..<20 {
            if let lock = try ServingLock(folder: library.folder, isShared: duty != nil) { return lock }
            try await clock.sleep(for: .milliseconds(50))
        }
        throw HubError.alreadyServed(folder: library.folder, isShared: duty != nil)
    }

    /// Serves until the task is cancelled, as a graceful shutdown: what is being sent and received may end within ``HubSettings/grace``.
    ///
    /// - Throws: ``HubError``, ``LibraryError``.
    public func serve() async throws {
        let group = ServiceGroup(configuration: ServiceGroupConfiguration(services: [self], logger: logger))
        // A task of its own: cancelling reaches every connection at once, and would cut its answer in two.
        let serving = Task { try await group.run() }
        try await withTaskCancellationHandler {
            try await serving.value
        } onCancel: {
            Task { await group.triggerGracefulShutdown() }
        }
    }

    /// Serves until a graceful shutdown begins, when requests in progress may end within ``HubSettings/grace``, or the task is cancelled.
    ///
    /// - Throws: ``HubError``, ``LibraryError``.
    public func run() async throws {
        let lock = try await servingLock()
        defer { lock.end() }
        try await beginAnnouncingFeeds()
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
        let (shares, limits) = (parts.shares, parts.limits)
        let acts = Acts(routes)
        let router = Router(context: WebContext.self, options: .autoGenerateHeadEndpoints)
        addGuards(
            to: router, links, acts: acts, shares: shares, counting: parts.usage.counting, boards: parts.boards)
        router.add(
            middleware: ShowsKeptPages(
                pages: KeptPages(), version: parts.content,
                boards: Set(parts.boards.map { $0.name[...] }),
                now: library.now))
        if let fediverse = parts.fediverse { router.add(middleware: SpeaksActivityPub(fediverse: fediverse)) }
        // Who asks matters to these alone: pages, sound and streams that everybody sees cost no look at the session.
        let personal = router.group().add(
            middleware: Identified(
                cookie: desk.cookie, find: desk.person(ofSession:), bearer: desk.bearer(ofToken:),
                inAddress: "/api/v1/streaming/", elsewhere: FrameDesk.isOwn))
        personal.add(routes, forgery: desk.forgery, bodies: BodyStore(folder: library.folder)) { request in
            desk.goOn(to: "/signin?to=\(PercentEncoding.encode(request.uri.description))")
        }
        let reader = library.seen(by: .visitor)
        parts.pages.add(to: router)
        OfflineRoutes(links: links).add(to: router)
        MediaRoutes(library: library).add(to: router)
        CardRoutes(reader: reader).add(to: router)
        parts.portraits.add(to: router)
        APIRoutes(reader: reader, links: links).add(to: router)
        FeedRoutes(reader: reader, links: links, hub: webSubHub?.text).add(to: router)
        PrivateFeedRoutes(accounts: desk.accounts, library: library, links: links).add(to: router)
        parts.events.add(to: router)
        parts.usage.add(to: router)

        var decoder = HTTP1Channel.Configuration.DecoderConfiguration()
        decoder.maxHeaderFieldSize = 8 * 1024
        decoder.maxHeaderListSize = 32 * 1024
        // What is more than FewFields takes is answered there; what is far more ends the connection.
        decoder.maxHeaderFieldCount = 2 * FewFields.most
        let channel = HTTP1Channel.Configuration(
            additionalChannelHandlers: [HostFields(), BodyRefusal(except: acts), AnswerWatch(stall: limits.stall)],
            idleTimeout: TimeAmount(limits.idle), httpDecoderConfiguration: decoder)
        return Application(
            router: router,
            server: HTTPServerBuilder { responder in
                let responder = shares.requests.counting(responder)
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
            services: services(parts),
            onServerRunning: { [onRunning] channel in await onRunning(channel.localAddress?.port ?? 0) },
            logger: logger)
    }

    var transcriptServices: [any Service] {
        guard let transcribing else { return [] }
        let work = TranscriptWork(library, transcribing, clock: clock) { [logger] in logger.warning("\($0)") }
        return [TranscriptService(work: work)]
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
    private func addGuards(
        to router: Router<WebContext>, _ links: HubLinks, acts: Acts, shares: AddressShares, counting: CountsRequests,
        boards: [Board]
    ) {
        router.addMiddleware {
            counting
            ForwardedAddress(settings.trustedProxies)
            SharesRequests(shares, acts: acts)
            if settings.isStaging { StagingMark() }
            SpeaksLanguage()
            ShowsBoards(boards.map { ShowsBoards.Way(path: "/\($0.name)", title: $0.title) })
            SafeHeaders(images: settings.tiles?.origin ?? "", isSecure: address.publicURL.hasPrefix("https:"))
            TusHeaders(path: UploadService.path)
            FailureAnswers(base: address.publicURL) { status in
                let page = ErrorPage(status: status, links: links)
                return FailureAnswers.Page(title: page.title, html: page.html)
            } problem: { error in
                (error as? AccountError)?.problem
            } status: { error in
                if case LibraryError.busy = error { .serviceUnavailable } else { nil }
            }
            FewFields()
            KnownHosts(hosts(links))
            ReadingOnly(except: acts)
            BoundsReading()
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
