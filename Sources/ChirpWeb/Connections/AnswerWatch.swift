package import NIOCore
internal import NIOHTTP1
package import NIOHTTPTypes

/// Keeps requests counted until their answers were taken (``RequestsInFlight``), and ends a stream of HTTP/2 of which nothing is taken.
///
/// ``ConnectionWatch`` sees bytes that wait for the system. What waits for a stream's window (RFC 9113, section 5.2) is seen here alone: whoever
/// keeps the window shut would hold answers and their files for as long as they like.
package final class AnswerWatch: ChannelDuplexHandler, RemovableChannelHandler {
    package typealias InboundIn = HTTPRequestPart
    package typealias InboundOut = HTTPRequestPart
    package typealias OutboundIn = HTTPResponsePart
    package typealias OutboundOut = HTTPResponsePart

    private let pause: TimeAmount
    /// Of the requests whose answers were not all taken, in their order.
    private var slots: [RequestsInFlight.Slot] = []
    /// In HTTP/2 each request has a channel of its own.
    private var isAlone = false
    private var isGone = false
    /// How many parts were not taken yet, and how many were.
    private var waiting = 0
    private var taken = 0
    private var seen = 0
    private var idlePauses = 0
    private var check: Scheduled<Void>?

    /// Looks in each stall; a reader is given up after a stall and at most one pause more.
    private static let looks = 4
    /// The largest frame that every reader takes (RFC 9113, section 4.2). Who takes one is a reader, however long all of them take.
    private static let piece = 1 << 14

    /// - Parameter stall: how long an answer may wait for a reader who takes nothing of it.
    package init(stall: Duration) { pause = TimeAmount(stall / Self.looks) }

    /// How many requests are kept counted.
    package var count: Int { slots.count }

    /// Keeps it until the next answer was taken, or nobody takes it any more. On the event loop.
    func keep(_ slot: RequestsInFlight.Slot) {
        if !isGone { slots.append(slot) }
    }

    package func handlerAdded(context: ChannelHandlerContext) {
        isAlone = (try? context.pipeline.syncOperations.handler(type: HTTPResponseEncoder.self)) == nil
    }

    package func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    package func handlerRemoved(context: ChannelHandlerContext) { end() }

    private func end() {
        isGone = true
        slots = []
        check?.cancel()
        check = nil
    }

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch Self.unwrapOutboundIn(data) {
        case .body(var buffer) where isAlone:
            while buffer.readableBytes > Self.piece, let piece = buffer.readSlice(length: Self.piece) {
                send(.body(piece), context, nil)
            }
            send(.body(buffer), context, promise)
        case .end(let fields): send(.end(fields), context, promise, isEnd: true)
        default: context.write(data, promise: promise)
        }
    }

    private func send(
        _ part: HTTPResponsePart, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?,
        isEnd: Bool = false
    ) {
        let sent = context.eventLoop.makePromise(of: Void.self)
        sent.futureResult.cascade(to: promise)
        waiting += 1
        sent.futureResult.assumeIsolatedUnsafeUnchecked().whenComplete { [self] _ in
            waiting -= 1
            taken &+= 1
            if isEnd, !slots.isEmpty { slots.removeFirst() }
        }
        context.write(Self.wrapOutboundOut(part), promise: sent)
    }

    package func flush(context: ChannelHandlerContext) {
        context.flush()
        guard isAlone, !isGone, check == nil, waiting > 0 else { return }
        idlePauses = 0
        look(context)
    }

    private func look(_ context: ChannelHandlerContext) {
        check = context.eventLoop.assumeIsolatedUnsafeUnchecked().scheduleTask(in: pause) { [self] in
            check = nil
            guard waiting > 0, context.channel.isActive else { return }
            idlePauses = taken == seen ? idlePauses + 1 : 0
            seen = taken
            // The first look only learns where the reader is.
            guard idlePauses < Self.looks else {
                context.close(promise: nil)
                return
            }
            look(context)
        }
    }
}
