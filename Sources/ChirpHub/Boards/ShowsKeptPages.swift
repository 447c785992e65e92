internal import ChirpCommunity
internal import ChirpWeb
internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// Shows visitors a page of a board that another visitor was shown a moment ago, if nothing in the library has changed since.
///
/// Visitors all get the same page. What a board shows is made by a dozen questions to the library, and most visitors ask for the same few pages:
/// the front one, what is linked from elsewhere. Whoever has a cookie or a token is asked about as ever.
struct ShowsKeptPages: RouterMiddleware {
    typealias Context = WebContext

    let pages: KeptPages
    let version: ContentVersion
    /// Names of boards, as their paths begin.
    let boards: Set<Substring>
    let now: @Sendable () -> Date

    func handle(
        _ request: Request, context: WebContext, next: @concurrent (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        guard isEverybodys(request), let version = try? version.current else { return try await next(request, context) }
        let key = "\(Language.current.rawValue) \(request.uri)"
        let begin = now()
        if let page = pages.page(key, version: version, at: begin) {
            return Response(status: .ok, headers: page.headers, body: ResponseBody(byteBuffer: page.body))
        }
        var response = try await next(request, context)
        guard mayBeKept(response) else { return response }
        let body = try await response.body.collected()
        response.body = ResponseBody(byteBuffer: body)
        pages.keep(KeptPages.Page(headers: response.headers, body: body, made: begin), key, version: version)
        return response
    }

    /// Nothing in the request says who asks, or what the asker has already.
    private func isEverybodys(_ request: Request) -> Bool {
        guard request.method == .get, let first = request.uri.path.split(separator: "/", maxSplits: 1).first,
            boards.contains(first)
        else { return false }
        let telling: [HTTPField.Name] = [.cookie, .authorization, .ifNoneMatch, .ifModifiedSince, .range]
        return telling.allSatisfy { request.headers[$0] == nil }
    }

    /// A whole page that says nothing of its own to one visitor.
    private func mayBeKept(_ response: Response) -> Bool {
        response.status == .ok && response.headers[.contentType]?.hasPrefix("text/html") == true
            && response.headers[.cacheControl] == "no-cache" && response.headers[.setCookie] == nil
            && response.body.contentLength != nil
    }
}

extension ResponseBody {
    /// All of it, which was made already.
    fileprivate consuming func collected() async throws -> ByteBuffer {
        let collector = Collector()
        try await write(collector)
        return collector.bytes
    }

    private final class Collector: ResponseBodyWriter {
        var bytes = ByteBuffer()

        func write(_ buffer: ByteBuffer) {
            if bytes.readableBytes == 0 { bytes = buffer } else { bytes.writeImmutableBuffer(buffer) }
        }

        func finish(_ trailingHeaders: HTTPFields?) {}
    }
}
