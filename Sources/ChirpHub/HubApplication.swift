internal import ChirpCore
internal import Glibc
package import Hummingbird
internal import HummingbirdCore
public import Logging
internal import NIOCore
public import ServiceLifecycle

/// The hub as a server: pages, media, feed and API over a library.
///
/// It answers reading requests only. When it listens on a loopback address it answers to the names of that address and of
/// its public address alone, so that no page from elsewhere can read it through the visitor's browser.
public struct HubApplication: Service {
    private let settings: HubSettings
    private let library: HubLibrary
    private let logger: Logger
    private let clock: any Clock<Duration>
    private let onRunning: @Sendable (_ port: Int) async -> Void

    /// - Parameters:
    ///   - clock: what the event streams' heartbeat and the shutdown's patience are measured with.
    ///   - onRunning: called once, as soon as requests are answered, with the port.
    public init(
        settings: HubSettings, library: HubLibrary, logger: Logger, clock: any Clock<Duration> = ContinuousClock(),
        onRunning: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    ) {
        self.settings = settings
        self.library = library
        self.logger = logger
        self.clock = clock
        self.onRunning = onRunning
    }

    /// Serves until the task is cancelled or a graceful shutdown begins; requests in progress may then end within
    /// ``HubSettings/grace``.
    ///
    /// - Throws: ``HubError``.
    public func run() async throws {
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
        } catch let error as HubError {
            throw error
        } catch is CancellationError {
            return
        } catch {
            throw bindFailure(error)
        }
    }

    /// Everything but the socket, for tests that ask the router.
    package func application() throws(HubError) -> some ApplicationProtocol {
        let links = HubLinks(publicURL: settings.publicURL)
        let watch = try HubWatch(library: library, settings: settings, clock: clock, logger: logger)
        let router = Router(context: HubContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: GuardMiddleware(links: links, hosts: hosts(links)))
        PageRoutes(library: library, links: links).add(to: router)
        MediaRoutes(library: library).add(to: router)
        APIRoutes(library: library, links: links).add(to: router)
        let limits = settings.connections
        let shares = AddressShares(limits, proxyIsLocal: settings.proxyIsLocal)
        EventRoutes(library: library, links: links, watch: watch, shares: shares).add(to: router)

        var decoder = HTTP1Channel.Configuration.DecoderConfiguration()
        decoder.maxHeaderFieldSize = 8 * 1024
        decoder.maxHeaderListSize = 32 * 1024
        decoder.maxHeaderFieldCount = 100
        let channel = HTTP1Channel.Configuration(
            additionalChannelHandlers: [BodyRefusal()], idleTimeout: TimeAmount(limits.idle),
            httpDecoderConfiguration: decoder)
        return Application(
            router: router,
            server: HTTPServerBuilder { responder in
                WatchedChannel(
                    base: HTTP1Channel(responder: responder, configuration: channel), shares: shares,
                    stall: limits.stall)
            },
            configuration: ApplicationConfiguration(
                address: .hostname(settings.bind, port: settings.port), serverName: "chirp",
                availableConnectionsDelegate: MaximumAvailableConnections(limits.total, logger: logger)),
            services: [watch],
            onServerRunning: { [onRunning] channel in await onRunning(channel.localAddress?.port ?? 0) },
            logger: logger)
    }

    private func hosts(_ links: HubLinks) -> Set<String>? {
        guard settings.isLoopback else { return nil }
        // A port of 0 is known only later and matters to tests alone, so it is any.
        guard settings.port != 0 else { return nil }
        let names = ["127.0.0.1", "localhost", "[::1]", settings.bind].map { "\($0):\(settings.port)" }
        return Set(names + [links.authority.lowercased()])
    }

    private func bindFailure(_ error: any Error) -> HubError {
        guard let error = error as? IOError else {
            return .cannotBind(
                bind: settings.bind, port: settings.port, reason: PlainText("\(error)", limit: 200).value)
        }
        if error.errnoCode == EADDRINUSE { return .portInUse(bind: settings.bind, port: settings.port) }
        return .cannotBind(
            bind: settings.bind, port: settings.port, reason: String(cString: strerror(error.errnoCode)))
    }
}
