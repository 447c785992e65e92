internal import HummingbirdCore
package import HummingbirdHTTP2
package import Logging
package import NIOCore
internal import NIOHTTP1
internal import NIOHTTP2

/// HTTP/2 or HTTP/1.1 over TLS, for connections that agree on one of them in time.
package struct HandshakeDeadline: ServerChildChannel {
    let base: HTTP2UpgradeChannel
    let limit: TimeAmount

    /// - Parameter limit: how long TLS may take to begin.
    package init(base: HTTP2UpgradeChannel, limit: Duration) {
        self.base = base
        self.limit = TimeAmount(limit)
    }

    package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP2UpgradeChannel.Value> {
        let late = channel.eventLoop.scheduleTask(in: limit) {
            let handlers = channel.pipeline.syncOperations
            // Which of them is there says what was agreed.
            let isAgreed =
                (try? handlers.handler(type: HTTPResponseEncoder.self)) != nil
                || (try? handlers.handler(type: NIOHTTP2Handler.self)) != nil
            if !isAgreed { channel.close(promise: nil) }
        }
        channel.closeFuture.whenComplete { _ in late.cancel() }
        return base.setup(channel: channel, logger: logger)
    }

    package func handle(value: HTTP2UpgradeChannel.Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
    }
}
