internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpHTTP
internal import ChirpWeb
internal import Hummingbird
internal import NIOCore
internal import Synchronization

/// Pictures of those among whom somebody chooses at another network. The hub fetches them, so that a browser asks nobody else, and makes
/// them anew where a picture that was made to do harm can do none.
struct FrameFaces: Sendable {
    let desk: FrameDesk

    private static let path = "\(FrameDesk.base)/faces"
    private static let mostBytes = 4_000_000

    var route: WebRoute {
        .api(
            .get, "\(Self.path)/:id", .everybody, scope: .open,
            summary: "The picture of somebody whom the frame's account follows at another network",
            givesType: "image/jpeg"
        ) { request, context in
            let frame = try await desk.frame(request)
            guard let id = context.parameters.get("id"),
                let address = desk.elsewhere.picture(of: id, amongFriendsOf: frame.id)
            else { throw Self.none }
            let jpeg: [UInt8]
            if let known = desk.elsewhere.faces.find(address) {
                jpeg = known
            } else {
                try await desk.limits.allow("frame-faces", FrameDesk.Rule.faces, by: .device(frame))
                jpeg = try await fetched(address)
            }
            // The same picture is asked for again whenever somebody chooses.
            return Response(
                status: .ok, headers: [.contentType: "image/jpeg", .cacheControl: "private, max-age=3600"],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: jpeg)))
        }
    }

    private func fetched(_ text: String) async throws -> [UInt8] {
        guard let address = WebAddress(text), address.isSecure || desk.elsewhere.allowsPlain, let make = desk.faces
        else { throw Self.none }
        let request = ChirpHTTP.HTTPRequest(.get, address, sink: .memory(limit: Self.mostBytes))
        guard let response = try? await desk.elsewhere.transport.send(request), response.isSuccess,
            let jpeg = try? await make(response.body)
        else { throw Self.none }
        desk.elsewhere.faces.keep(jpeg, of: text)
        return jpeg
    }

    /// Where a screen asks for it; nil when there is none.
    static func path(of friend: String, _ picture: String?, _ desk: FrameDesk) -> String? {
        guard picture != nil, desk.faces != nil else { return nil }
        return "\(desk.links.prefix)\(path)/\(PercentEncoding.encode(friend))"
    }

    private static var none: Problem { Problem(.notFound, "not-found", "There is no picture of this person") }
}

/// The pictures that were made lately, by where they lie.
final class KeptFaces: Sendable {
    /// The newest come last.
    private let kept = Mutex<[(address: String, jpeg: [UInt8])]>([])
    private static let mostBytes = 8_000_000

    func find(_ address: String) -> [UInt8]? { kept.withLock { $0.first { $0.address == address }?.jpeg } }

    func keep(_ jpeg: [UInt8], of address: String) {
        kept.withLock { kept in
            kept.removeAll { $0.address == address }
            kept.append((address, jpeg))
            var bytes = kept.reduce(0) { $0 + $1.jpeg.count }
            while bytes > Self.mostBytes { bytes -= kept.removeFirst().jpeg.count }
        }
    }
}
