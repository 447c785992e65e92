internal import NIOCore

extension WebContext {
    /// Calls when the other end has gone while it waits for the end of an answer that has none.
    ///
    /// - Returns: what ends that, to be called when the answer has ended: the connection may go on.
    package func onHangUp(_ act: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let channel = channel
        channel.closeFuture.whenComplete { _ in act() }
        channel.eventLoop.execute {
            let watch = try? channel.pipeline.syncOperations.handler(type: ConnectionWatch.self)
            watch?.onHangUp = act
        }
        return {
            channel.eventLoop.execute {
                let watch = try? channel.pipeline.syncOperations.handler(type: ConnectionWatch.self)
                watch?.onHangUp = nil
            }
        }
    }
}
