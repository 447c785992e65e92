internal import Glibc
internal import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import NIOCore

/// HTTP/1.1 over connections that are watched, see ``ConnectionWatch``.
struct WatchedChannel: ServerChildChannel {
    let base: HTTP1Channel
    let shares: AddressShares
    let stall: Duration

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        channel.eventLoop.makeCompletedFuture {
            // A reader that has vanished without a word acknowledges nothing; the system gives it up as soon (tcp(7)).
            let milliseconds = Int(CInt(clamping: Int64(stall / .milliseconds(1))))
            try channel.syncOptions?.setOption(
                ChannelOptions.Types.SocketOption(level: .tcp, name: .init(rawValue: TCP_USER_TIMEOUT)),
                value: milliseconds)
            try channel.pipeline.syncOperations.addHandler(ConnectionWatch(shares, stall: stall))
        }.flatMap { base.setup(channel: channel, logger: logger) }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}
