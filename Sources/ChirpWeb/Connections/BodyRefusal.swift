internal import HTTPTypes
package import NIOCore
package import NIOHTTPTypes

/// Ends a connection after the answer to a request that has a body, instead of reading a body that nobody needs and that may
/// have no end. What the answer is, ``ReadingOnly`` says. Only forms of declared acts are read, and only as long as forms are.
package final class BodyRefusal: ChannelDuplexHandler, RemovableChannelHandler {
    package typealias InboundIn = HTTPRequestPart
    package typealias InboundOut = HTTPRequestPart
    package typealias OutboundIn = HTTPResponsePart
    package typealias OutboundOut = HTTPResponsePart

    private var unanswered = 0
    private var isEnding = false
    private let acts: Acts

    package init(except acts: Acts = Acts([])) { self.acts = acts }

    /// Whether more than the head is announced (RFC 9112, section 6).
    static func hasBody(_ fields: HTTPFields) -> Bool {
        if fields.contains(.transferEncoding) { return true }
        return fields[values: .contentLength].contains { $0 != "0" }
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // The body, and whatever comes behind it.
        guard !isEnding else { return }
        if case .head(let head) = Self.unwrapInboundIn(data) {
            unanswered += 1
            isEnding = Self.hasBody(head.headerFields) && !acts.includeBody(of: head)
        }
        context.fireChannelRead(data)
    }

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch Self.unwrapOutboundIn(data) {
        case .head(var head) where isEnding && unanswered <= 1:
            head.headerFields[.connection] = "close"
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
