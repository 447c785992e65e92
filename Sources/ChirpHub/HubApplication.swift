internal import ChirpCore
internal import Hummingbird
public import Logging
internal import NIOCore
public import ServiceLifecycle

/// The hub as a server: pages, media, feed and API over a library.
public struct HubApplication: Service {
    private let settings: HubSettings
    private let library: HubLibrary
    private let logger: Logger
    private let onRunning: @Sendable (_ port: Int) async -> Void

    /// - Parameter onRunning: called once, as soon as requests are answered, with the port.
    public init(
        settings: HubSettings, library: HubLibrary, logger: Logger,
        onRunning: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    ) {
        self.settings = settings
        self.library = library
        self.logger = logger
        self.onRunning = onRunning
    }

    /// Serves until the task is cancelled or a graceful shutdown begins; requests in progress may then end.
    ///
    /// - Throws: ``HubError``.
    public func run() async throws {
        let application = Application(router: Router(), logger: logger)
        try await application.run()
    }
}
