internal import HummingbirdCore
package import NIOCore
internal import Synchronization

/// A connection that was accepted, until it is served. One that nobody takes over, because the server ends at that moment, is closed.
///
/// NIO ends the whole process when a connection is let go whose writer nobody has finished (swift-nio, NIOAsyncWriter.swift), and a server
/// that ends lets go of those that it has accepted and not begun to serve: a busy hub crashed each time when it was told to stop.
package final class AcceptedConnection: ServerChildChannelValue {
    package let channel: any Channel
    /// Nil once it is served.
    private let service: Mutex<(@Sendable () async -> Void)?>

    /// - Parameter serve: serves it to its end.
    package init(_ channel: any Channel, serve: @escaping @Sendable () async -> Void) {
        self.channel = channel
        service = Mutex(serve)
    }

    deinit {
        guard let serve = service.withLock({ $0 }) else { return }
        channel.close(promise: nil)
        // Serving a closed one ends at once, and finishes what has to be.
        Task { await serve() }
    }

    /// Once; the second time there is nothing to do.
    package func serve() async {
        let serve = service.withLock { service in
            defer { service = nil }
            return service
        }
        await serve?()
    }
}
