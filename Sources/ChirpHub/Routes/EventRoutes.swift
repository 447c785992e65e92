internal import Hummingbird
internal import ServiceLifecycle

/// New posts as they are made: server-sent events (HTML standard, section 9.2).
///
/// An event's id is its post's place in the feed. A listener that was cut off names the last one it has seen
/// (`Last-Event-ID`, or `?after=`) and gets all that came since, once each and in order, because every answer is read from
/// the feed itself and a signal only says that it is worth looking. Without either it hears what is new from now on.
struct EventRoutes {
    let library: HubLibrary
    let links: HubLinks
    let watch: HubWatch
    let shares: AddressShares

    private static let batch = 100

    func add(to router: Router<HubContext>) {
        router.get("/api/v1/events") { request, context in
            let start: Int64
            if let last = request.headers[.lastEventID] {
                guard let sequence = Int64(last), sequence >= 0 else { throw HTTPError(.badRequest) }
                start = sequence
            } else if let after = try request.number("after", in: 0...Int64.max) {
                start = after
            } else {
                start = try await library.lastSequence()
            }
            guard let place = shares.stream(for: context.holder) else { throw HTTPError(.tooManyRequests) }
            return Response(
                status: .ok,
                headers: [
                    .contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-store",
                    // Reverse proxies hold back what they take for an ordinary answer.
                    .xAccelBuffering: "no",
                ],
                body: ResponseBody { writer in
                    defer { withExtendedLifetime(place) {} }
                    try await stream(from: start, to: &writer)
                    try await writer.finish(nil)
                })
        }
    }

    @concurrent
    private func stream(from start: Int64, to writer: inout any ResponseBodyWriter) async throws {
        // Listening begins before the first look, so that nothing falls between the two.
        let (signals, ear) = watch.listen()
        defer { watch.leave(ear) }
        // Where the feed is now, so that a reconnection before the first event resumes from here.
        try await writer.write(ByteBuffer(string: "retry: 1000\nid: \(start)\n\n"))
        var last = start
        try await send(&last, to: &writer)
        // A graceful stop waits for answers to end, so this one ends at once; the listener comes back by itself.
        for await signal in signals.cancelOnGracefulShutdown() {
            let sent = try await send(&last, to: &writer)
            if !sent, signal == .alive { try await writer.write(ByteBuffer(string: ":\n\n")) }
        }
    }

    /// Writes all posts behind a place in the feed, and moves the place.
    @discardableResult @concurrent
    private func send(_ last: inout Int64, to writer: inout any ResponseBodyWriter) async throws -> Bool {
        var sent = false
        while true {
            let posts = try await library.posts(after: last, limit: Self.batch)
            for post in posts {
                let document = try HubJSON.encode(PostDocument(post, links: links))
                var event = ByteBuffer(string: "id: \(post.sequence)\nevent: post\ndata: ")
                event.writeBytes(document)
                event.writeString("\n\n")
                try await writer.write(event)
                last = post.sequence
                sent = true
            }
            if posts.count < Self.batch { return sent }
        }
    }
}
