public import ChirpCore
public import ChirpHTTP
internal import FoundationEssentials
internal import Synchronization

/// Says when a feed is worth looking at: at once when its event stream brings something, now and then besides, and as often
/// as the service allows while there is no stream.
///
/// A signal carries nothing: the feed itself, read behind a cursor, is the truth. So what was posted while a connection was
/// down is found by the look that follows, and nothing is missed or comes twice, whatever the stream repeats or leaves out.
public struct FeedSignals: Sendable {
    /// Opens the event stream; `lastID` names the last event of the connection before, empty at first.
    public typealias Connect = @Sendable (_ lastID: String) async throws(NetworkError) -> HTTPStream

    /// Between looks while there is no stream.
    public var polling: Duration
    /// Between looks while there is one: for what a stream has kept to itself.
    public var checking: Duration = .seconds(60)
    /// When to connect again. Never at once, so that a service that closes every connection is not asked without end.
    public var retry = RetryPolicy(base: .seconds(2), cap: .seconds(300), attempts: .max)

    private let host: String
    private let pause: Sleeper
    private let connect: Connect
    private let isNews: @Sendable (ServerSentEvents.Event) -> Bool
    private static let leastWait = Duration.seconds(1)
    /// A service that has no stream for this user does not get one soon.
    private static let longWait = Duration.seconds(600)
    /// A service may ask for days, by mistake or to be rid of somebody; so long it is left alone at most.
    private static let longestCut = Duration.seconds(900)

    /// - Parameter isNews: whether an event is worth a look.
    public init(
        host: String, polling: Duration, pause: Sleeper, connect: @escaping Connect,
        isNews: @escaping @Sendable (ServerSentEvents.Event) -> Bool
    ) {
        self.host = host
        self.polling = polling
        self.pause = pause
        self.connect = connect
        self.isNews = isNews
    }

    /// One element for every look that is worth it. Several at once are one. Ends everything when nobody iterates any more.
    public func stream() -> AsyncStream<Void> {
        let (stream, signals) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let task = Task {
            let line = Line()
            await withTaskGroup { group in
                group.addTask { await listen(line, signals) }
                group.addTask { await tick(line, signals) }
            }
            signals.finish()
        }
        signals.onTermination = { _ in task.cancel() }
        return stream
    }

    /// Whether the stream is open.
    private final class Line: Sendable {
        private let state = Mutex(false)
        var isOpen: Bool {
            get { state.withLock { $0 } }
            set { state.withLock { $0 = newValue } }
        }
    }

    private func listen(_ line: Line, _ signals: AsyncStream<Void>.Continuation) async {
        var events = ServerSentEvents(host: host)
        var failures = 0
        while !Task.isCancelled {
            var least = Self.leastWait
            do throws(NetworkError) {
                let stream = try await connect(events.lastID)
                line.isOpen = true
                // What came while nobody listened.
                signals.yield()
                events = ServerSentEvents(host: host, lastID: events.lastID)
                try await read(stream, &events, &failures, signals)
                least = max(least, events.retry ?? .zero)
            } catch {
                if case .busy(let wish?) = error { least = max(least, min(wish, Self.longestCut)) }
                if error.isPermanent { least = Self.longWait }
            }
            if line.isOpen {
                line.isOpen = false
                signals.yield()
            }
            failures += 1
            let wait = retry.delay(afterAttempt: failures, asked: least, jitter: pause.jitter()) ?? least
            guard await pause.wait(wait) else { return }
        }
    }

    /// Reads until the stream ends or breaks.
    private func read(
        _ stream: HTTPStream, _ events: inout ServerSentEvents, _ failures: inout Int,
        _ signals: AsyncStream<Void>.Continuation
    ) async throws(NetworkError) {
        var pieces = stream.makeAsyncIterator()
        do throws(HTTPError) {
            while let piece = try await pieces.next() {
                failures = 0
                // An event too large to be read may be news.
                if try events.take(piece).contains(where: { $0.isCutShort || isNews($0) }) { signals.yield() }
            }
        } catch {
            throw NetworkError(error)
        }
    }

    private func tick(_ line: Line, _ signals: AsyncStream<Void>.Continuation) async {
        var waited = Duration.zero
        while await pause.wait(polling) {
            waited += polling
            guard !line.isOpen || waited >= checking else { continue }
            waited = .zero
            signals.yield()
        }
    }
}

extension HTTPTransport {
    /// Opens an event stream.
    ///
    /// - Throws: why there is none, whether for now or for good.
    func events(
        _ request: HTTPRequest, silence: Duration, now: Date
    ) async throws(NetworkError) -> HTTPStream {
        let stream: HTTPStream
        do throws(HTTPError) { stream = try await self.stream(request, silence: silence) } catch {
            throw NetworkError(error)
        }
        let host = request.address.host
        switch stream.status {
        case 200 where stream.headers["Content-Type"]?.lowercased().hasPrefix("text/event-stream") == true:
            return stream
        case 408, 429, 500...599:
            throw .busy(
                retryAfter: HTTPResponse(status: stream.status, headers: stream.headers).retryAfter(now: now))
        // A captive portal, perhaps.
        case 200...399: throw .unreachable("a page came instead of the events of \(host)")
        case let status: throw .refused(status: status, detail: "\(host) gives no events")
        }
    }
}
