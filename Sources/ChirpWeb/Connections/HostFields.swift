package import NIOCore
internal import NIOHTTP1
package import NIOHTTPTypes
internal import NIOHTTPTypesHTTP1

/// Marks requests of HTTP/1 that do not say of one host that they are for it (RFC 9112, section 3.2), for ``KnownHosts`` to refuse.
///
/// It looks before the request becomes one of any version of HTTP: that keeps the first `Host`, and nothing of the host in the first line. A proxy in front
/// may go by either of them. In HTTP/2 there is nothing to look at so early, and a check of the one name against the other is ``KnownHosts``' alone.
package final class HostFields: ChannelInboundHandler, RemovableChannelHandler {
    package typealias InboundIn = HTTPRequestPart
    package typealias InboundOut = HTTPRequestPart

    package init() {}

    package func handlerAdded(context: ChannelHandlerContext) {
        let handlers = context.pipeline.syncOperations
        guard let codec = try? handlers.handler(type: HTTP1ToHTTPServerCodec.self) else { return }
        do { try handlers.addHandler(HostMarker(), position: .before(codec)) } catch {
            // Without it requests would pass unchecked.
            context.close(promise: nil)
        }
    }
}

/// Stands where the first line and all fields of a request are seen as they came.
private final class HostMarker: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = Self.unwrapInboundIn(data),
            !RequestHost.isOne(
                target: head.uri, fields: head.headers["host"],
                mayLack: head.version.major == 1 && head.version.minor == 0)
        else {
            context.fireChannelRead(data)
            return
        }
        head.headers.remove(name: "host")
        for value in RequestHost.mark { head.headers.add(name: "host", value: value) }
        context.fireChannelRead(Self.wrapInboundOut(.head(head)))
    }
}
