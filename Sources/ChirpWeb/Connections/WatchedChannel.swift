internal import Glibc
package import HummingbirdCore
package import Logging
package import NIOCore

/// Connections that are watched, whatever is spoken on them, see ``ConnectionWatch``.
package struct WatchedChannel<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base
    let shares: AddressShares
    let stall: Duration

    /// - Parameters:
    ///   - shares: who holds how many connections.
    ///   - stall: how long an answer may wait for a reader that takes no byte of it.
    package init(base: Base, shares: AddressShares, stall: Duration) {
        self.base = base
        self.shares = shares
        self.stall = stall
    }

    /// `TCP_NOTSENT_LOWAT` of Linux, which Glibc's module does not show.
    private static var notSentLowWater: CInt { 25 }

    package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<AcceptedConnection> {
        channel.eventLoop.makeCompletedFuture {
            // A reader that has vanished without a word acknowledges nothing; the system gives it up as soon (tcp(7)).
            let milliseconds = Int(CInt(clamping: Int64(clamping: stall / .milliseconds(1))))
            try channel.syncOptions?.setOption(
                ChannelOptions.Types.SocketOption(level: .tcp, name: .init(rawValue: TCP_USER_TIMEOUT)),
                value: milliseconds)
            // What the system takes beyond what is on its way is as if it were read, and whoever reads slowly would seem to read nothing until a
            // third of its buffer, a megabyte on a fast line, was free again (tcp(7), TCP_NOTSENT_LOWAT).
            try channel.syncOptions?.setOption(
                ChannelOptions.Types.SocketOption(level: .tcp, name: .init(rawValue: Self.notSentLowWater)),
                value: 256 << 10)
            try channel.pipeline.syncOperations.addHandler(ConnectionWatch(shares, stall: stall))
        }.flatMap { base.setup(channel: channel, logger: logger) }.map { [base] value in
            AcceptedConnection(channel) { await base.handle(value: value, logger: logger) }
        }
    }

    package func handle(value: AcceptedConnection, logger: Logger) async { await value.serve() }
}
