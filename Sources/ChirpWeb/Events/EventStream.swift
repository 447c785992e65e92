package import Hummingbird
internal import NIOCore

/// A feed as an answer: server-sent events (HTML standard, section 9.2).
///
/// An event's id is its place in the feed. A listener that was cut off names the last one it has seen (`Last-Event-ID`, or
/// `?after=`) and gets all that came since. Without either it hears what is new from now on.
package struct EventStream: Sendable {
    private let feed: EventFeed
    private let shares: AddressShares

    package init(_ feed: EventFeed, shares: AddressShares) {
        self.feed = feed
        self.shares = shares
    }

    /// The answer to a request, which lasts as long as the listener likes.
    ///
    /// - Parameter person: whose events these are; nil for what everybody may have.
    /// - Throws: 400 for a place that is none, 429 when the listener has as many streams as it may.
    package func answer(_ request: Request, _ context: WebContext, person: String? = nil) async throws -> Response {
        let start: Int64
        if let last = request.headers[.lastEventID] {
            guard let place = Int64(last), place >= 0 else { throw HTTPError(.badRequest) }
            start = place
        } else if let after = try request.number("after", in: 0...Int64.max) {
            start = after
        } else {
            start = try await feed.end()
        }
        guard let share = shares.stream(for: context.holder, account: person) else {
            throw HTTPError(.tooManyRequests)
        }
        let (channel, feed) = (context.channel, feed)
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-store",
                // Reverse proxies hold back what they take for an ordinary answer.
                .xAccelBuffering: "no",
            ],
            body: ResponseBody { writer in
                defer { withExtendedLifetime(share) {} }
                // The place where it begins, so that a reconnection before the first event resumes from here.
                try await writer.write(ByteBuffer(string: "retry: 1000\nid: \(start)\n\n"))
                // What was written is on its way through the event loop before what the feed writes there.
                await feed.stay(on: channel, from: start, person: person, stay: FeedStay())
                try await writer.finish(nil)
            })
    }
}
