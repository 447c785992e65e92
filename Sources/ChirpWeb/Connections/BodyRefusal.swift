internal import HTTPTypes
package import NIOCore
internal import NIOHTTP1
package import NIOHTTPTypes

/// Ends a connection after the answer to a request that has a body, instead of reading a body that nobody needs and that may
/// have no end. Read are the bodies of declared acts, and only as long as they may be.
/// What the answer to others is, ``ReadingOnly`` says.
package final class BodyRefusal: ChannelDuplexHandler, RemovableChannelHandler {
    package typealias InboundIn = HTTPRequestPart
    package typealias InboundOut = HTTPRequestPart
    package typealias OutboundIn = HTTPResponsePart
    package typealias OutboundOut = HTTPResponsePart

    private var unanswered = 0
    private var isEnding = false
    /// Whether somebody reads the body of the request that came last.
    private var takesBody = false
    /// In HTTP/2 each request has a channel of its own, and the field `Connection` is not allowed (RFC 9113, 8.2.2).
    private var isAlone = false
    /// A body that is read is still coming.
    private var isComing = false
    private let acts: Acts

    package init(except acts: Acts = Acts([])) { self.acts = acts }

    /// Whether more than the head is announced (RFC 9112, section 6).
    static func hasBody(_ fields: HTTPFields) -> Bool {
        if fields.contains(.transferEncoding) { return true }
        return fields[values: .contentLength].contains { $0 != "0" }
    }

    package func handlerAdded(context: ChannelHandlerContext) {
        isAlone = (try? context.pipeline.syncOperations.handler(type: HTTPResponseEncoder.self)) == nil
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // The body, and whatever comes behind it.
        guard !isEnding else { return }
        switch Self.unwrapInboundIn(data) {
        case .head(let head):
            unanswered += 1
            isComing = Self.hasBody(head.headerFields)
            takesBody = acts.includeBody(of: head)
            isEnding = isComing && !takesBody
        // HTTP/2 needs no announcement of a body.
        case .body where isAlone && !takesBody:
            context.close(promise: nil)
            return
        case .body: break
        case .end: isComing = false
        }
        context.fireChannelRead(data)
    }

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch Self.unwrapOutboundIn(data) {
        // Answered before all of it was read: what still comes may have no end.
        case .head(var head) where (isEnding || isComing) && unanswered <= 1:
            isEnding = true
            if !isAlone { head.headerFields[.connection] = "close" }
            context.write(Self.wrapOutboundOut(.head(head)), promise: promise)
        case .end:
            unanswered -= 1
            guard isEnding, unanswered <= 0 else {
                context.write(data, promise: promise)
                return
            }
            let sent = context.eventLoop.makePromise(of: Void.self)
            sent.futureResult.cascade(to: promise)
            let bound = context.loopBound
            sent.futureResult.whenComplete { _ in bound.value.close(promise: nil) }
            context.writeAndFlush(data, promise: sent)
        default: context.write(data, promise: promise)
        }
    }
}
