internal import ChirpCore
package import ChirpHTTP
package import FoundationEssentials

/// Tells a WebSub hub that a feed has changed.
///
/// How is not in the standard (WebSub, section 5): hubs take what PubSubHubbub 0.3 says in section 7.1 (`hub.url`), or the word that WebSub has
/// for a feed (`hub.topic`), and ask for the feed then; none minds both. One feed at once: not all of them take several.
package struct WebSubSender: Sendable {
    private let transport: any HTTPTransport
    private let hub: WebAddress
    private let now: @Sendable () -> Date

    /// What came of it.
    package enum Outcome: Hashable, Sendable {
        case taken
        /// This feed another time.
        case refused(String)
        /// All feeds another time; after that long, where the hub says so.
        case later(String, after: Duration?)
        case cancelled
    }

    /// The most that one question may take.
    private static let patience = Duration.seconds(20)

    /// - Parameters:
    ///   - transport: follows no redirects, and connects to public addresses alone.
    ///   - clock: what waiting is measured with.
    ///   - now: the clock on the wall.
    package init(
        _ transport: any HTTPTransport, to hub: WebAddress, clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date
    ) {
        self.transport = PatientTransport(transport, patience: Self.patience, clock: clock)
        self.hub = hub
        self.now = now
    }

    /// - Parameter topic: the feed's address.
    package func tell(of topic: String) async -> Outcome {
        let request = HTTPRequest(
            .post, hub, headers: ["Content-Type": "application/x-www-form-urlencoded"],
            body: .text(PercentEncoding.form([("hub.mode", "publish"), ("hub.url", topic), ("hub.topic", topic)])),
            // Nothing in an answer is read.
            sink: .memory(limit: 64 << 10), isRepeatable: true)
        do throws(HTTPError) {
            let answer = try await transport.send(request)
            let reason = "\(hub.host) answers \(answer.status)"
            return switch answer.status {
            case 200...299: .taken
            case 408, 429, 500...: .later(reason, after: answer.retryAfter(now: now()))
            default: .refused(reason)
            }
        } catch {
            if case .cancelled = error { return .cancelled }
            return .later(error.whatHappened, after: nil)
        }
    }
}
