package import Hummingbird
internal import NIOCore

/// A feed as an answer: server-sent events (HTML standard, section 9.2).
///
/// An event's id is its place in the feed. A listener that was cut off names the last one it has seen (`Last-Event-ID`, or
/// `?after=`) and gets all that came since. Without either it hears what is new from now on.
package struct EventStream: Sendable {
    private let feed: EventFeed
    private let shares: AddressShares

    private let greeting: String?

    /// - Parameter greeting: a comment with the end of its line, for programs that take every block of lines for an event; nil:
    ///   everybody is told the place where the stream begins. Browsers ask for `text/event-stream` by name and are told in any case.
    package init(_ feed: EventFeed, shares: AddressShares, greeting: String? = nil) {
        self.feed = feed
        self.shares = shares
        self.greeting = greeting
    }

    /// The answer to a request, which lasts as long as the listener likes.
    ///
    /// - Parameter person: whose events these are; nil for what everybody may have.
    /// - Throws: 400 for a place that is none, 429 when the listener has as many streams as it may.
    package func answer(_ request: Request, _ context: WebContext, for person: FeedPerson? = nil) async throws
        -> Response
    {
        var named = try request.cursor("after")
        if let last = request.headers[.lastEventID] {
            guard let place = PageCursor(last) else { throw HTTPError(.badRequest) }
            named = place
        }
        // Asked in any case: the first of all listeners sets the place from which the feed reads on.
        let end = try await feed.end()
        let start = named?.row ?? end
        let (channel, feed) = (context.channel, feed)
        let isBrowser = request.headers[.accept]?.contains("text/event-stream") == true
        // The place where it begins, so that a reconnection before the first event resumes from here.
        let place = "retry: 1000\nid: \(start)\n\n"
        let preamble = isBrowser ? place : greeting ?? place
        return try context.events(shares, account: person?.account) { writer in
            try await writer.write(ByteBuffer(string: preamble))
            // What was written is on its way through the event loop before what the feed writes there.
            await feed.stay(on: channel, from: start, for: person)
        }
    }
}
