internal import NIOCore

extension WebContext {
    /// Calls when the other end has gone while it waits for the end of an answer that has none.
    ///
    /// - Returns: what ends that, to be called when the answer has ended: the connection may go on.
    package func onHangUp(_ act: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let channel = channel
        channel.eventLoop.execute { channel.onHangUp(act) }
        return {
            channel.eventLoop.execute { channel.endHangUp() }
        }
    }
}

// On the event loop of the connection.
extension Channel {
    /// The other end of a request that never ends has nothing more to send: when it hangs up, it has gone.
    func onHangUp(_ act: @escaping @Sendable () -> Void) {
        closeFuture.whenComplete { _ in act() }
        watch?.onHangUp = act
    }

    func endHangUp() { watch?.onHangUp = nil }

    private var watch: ConnectionWatch? { try? pipeline.syncOperations.handler(type: ConnectionWatch.self) }
}
