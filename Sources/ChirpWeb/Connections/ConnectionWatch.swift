internal import NIOCore

/// The first handler of a connection: refuses it when its address holds its share, and ends it when an answer is not read.
///
/// Progress is that the system takes bytes for the reader: what was written less what waits in the channel. A reader may take
/// as little as it likes, but not nothing for ``ConnectionLimits/stall``.
final class ConnectionWatch: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private let shares: AddressShares
    private let pause: TimeAmount
    private var holder: AddressShares.Holder?
    private var written: UInt64 = 0
    private var taken: UInt64 = 0
    private var idlePauses = 0
    private var check: Scheduled<Void>?
    /// Called when the other end sends nothing more, while it waits for the end of an answer that has none.
    var onHangUp: (() -> Void)?
    /// Looks in each stall; a reader is given up after a stall and at most one pause more.
    private static let looks = 4

    init(_ shares: AddressShares, stall: Duration) {
        self.shares = shares
        pause = TimeAmount(stall / Self.looks)
    }

    func channelActive(context: ChannelHandlerContext) {
        // The others must have heard of the connection before it can end.
        context.fireChannelActive()
        let holder = shares.holder(of: context.channel.remoteAddress)
        guard shares.enter(holder) else {
            context.close(promise: nil)
            return
        }
        self.holder = holder
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { end() }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed { onHangUp?() }
        context.fireUserInboundEventTriggered(event)
    }

    private func end() {
        check?.cancel()
        check = nil
        onHangUp = nil
        if let holder { shares.leave(holder) }
        holder = nil
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        written &+= UInt64(clamping: Self.unwrapOutboundIn(data).readableBytes)
        context.write(data, promise: promise)
    }

    func flush(context: ChannelHandlerContext) {
        context.flush()
        guard check == nil, waiting(context) > 0 else { return }
        idlePauses = 0
        look(context)
    }

    private func look(_ context: ChannelHandlerContext) {
        check = context.eventLoop.assumeIsolatedUnsafeUnchecked().scheduleTask(in: pause) { [self] in
            check = nil
            let waiting = waiting(context)
            guard waiting > 0, context.channel.isActive else { return }
            let now = written &- waiting
            idlePauses = now == taken ? idlePauses + 1 : 0
            taken = now
            // The first look only learns where the reader is.
            guard idlePauses < Self.looks else {
                context.close(promise: nil)
                return
            }
            look(context)
        }
    }

    /// What the system has not taken yet.
    private func waiting(_ context: ChannelHandlerContext) -> UInt64 {
        UInt64(clamping: (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0)
    }
}
