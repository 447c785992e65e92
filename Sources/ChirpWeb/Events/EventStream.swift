package import FoundationEssentials
package import Hummingbird
internal import ServiceLifecycle

/// Events as they happen: server-sent events (HTML standard, section 9.2).
///
/// An event's id is its place in an order. A listener that was cut off names the last one it has seen (`Last-Event-ID`, or
/// `?after=`) and gets all that came since, once each and in order, because every answer is read from the source itself and a
/// signal only says that it is worth looking. Without either it hears what is new from now on.
package struct EventStream: Sendable {
    /// One of them.
    package struct Event: Sendable {
        let id: Int64
        let name: String
        let data: Data

        /// - Parameters:
        ///   - id: 1 or more, and greater than those before.
        ///   - name: a plain word.
        ///   - data: one line of UTF-8.
        package init(id: Int64, name: String, data: Data) {
            self.id = id
            self.name = name
            self.data = data
        }
    }

    /// Why to do something.
    package enum Signal: Sendable {
        /// There may be more events than before.
        case changed
        /// It is time to show that the connection is alive. May stand for `changed` too.
        case alive
    }

    /// Signals from now on, and how to end them.
    package struct Listening: Sendable {
        let signals: AsyncStream<Signal>
        let end: @Sendable () -> Void

        package init(signals: AsyncStream<Signal>, end: @escaping @Sendable () -> Void) {
            self.signals = signals
            self.end = end
        }
    }

    private let shares: AddressShares
    private let last: @Sendable () async throws -> Int64
    private let events: @Sendable (_ after: Int64, _ limit: Int) async throws -> [Event]
    private let listen: @Sendable () -> Listening

    private static let batch = 100

    /// - Parameters:
    ///   - shares: who holds how many streams.
    ///   - last: the place of the newest event, or the one it had.
    ///   - events: those behind a place, oldest first, as many as the limit when there are that many.
    ///   - listen: begins to say when to look.
    package init(
        shares: AddressShares, last: @escaping @Sendable () async throws -> Int64,
        events: @escaping @Sendable (_ after: Int64, _ limit: Int) async throws -> [Event],
        listen: @escaping @Sendable () -> Listening
    ) {
        self.shares = shares
        self.last = last
        self.events = events
        self.listen = listen
    }

    /// The answer to a request, which lasts as long as the listener likes.
    ///
    /// - Throws: 400 for a place that is none, 429 when the listener has as many streams as it may.
    package func answer(_ request: Request, _ context: WebContext) async throws -> Response {
        let start: Int64
        if let last = request.headers[.lastEventID] {
            guard let place = Int64(last), place >= 0 else { throw HTTPError(.badRequest) }
            start = place
        } else if let after = try request.number("after", in: 0...Int64.max) {
            start = after
        } else {
            start = try await last()
        }
        guard let share = shares.stream(for: context.holder) else { throw HTTPError(.tooManyRequests) }
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-store",
                // Reverse proxies hold back what they take for an ordinary answer.
                .xAccelBuffering: "no",
            ],
            body: ResponseBody { writer in
                defer { withExtendedLifetime(share) {} }
                try await stream(from: start, to: &writer)
                try await writer.finish(nil)
            })
    }

    @concurrent
    private func stream(from start: Int64, to writer: inout any ResponseBodyWriter) async throws {
        // Listening begins before the first look, so that nothing falls between the two.
        let listening = listen()
        defer { listening.end() }
        // The place where it begins, so that a reconnection before the first event resumes from here.
        try await writer.write(ByteBuffer(string: "retry: 1000\nid: \(start)\n\n"))
        var last = start
        try await send(&last, to: &writer)
        // A graceful stop waits for answers to end, so this one ends at once; the listener comes back by itself.
        for await signal in listening.signals.cancelOnGracefulShutdown() {
            let sent = try await send(&last, to: &writer)
            if !sent, signal == .alive { try await writer.write(ByteBuffer(string: ":\n\n")) }
        }
    }

    /// Writes all events behind a place, and moves the place.
    @discardableResult @concurrent
    private func send(_ last: inout Int64, to writer: inout any ResponseBodyWriter) async throws -> Bool {
        var sent = false
        while true {
            let found = try await events(last, Self.batch)
            for event in found {
                var buffer = ByteBuffer(string: "id: \(event.id)\nevent: \(event.name)\ndata: ")
                buffer.writeBytes(event.data)
                buffer.writeString("\n\n")
                try await writer.write(buffer)
                last = event.id
                sent = true
            }
            if found.count < Self.batch { return sent }
        }
    }
}
