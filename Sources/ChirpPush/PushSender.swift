internal import ChirpCore
package import ChirpHTTP
package import FoundationEssentials

/// Gives messages to push services (RFC 8030).
package struct PushSender: Sendable {
    private let transport: any HTTPTransport
    private let vapid: Vapid
    private let now: @Sendable () -> Date

    /// What came of a message.
    package enum Outcome: Hashable, Sendable {
        /// The service has it.
        case taken
        /// The browser is not to be reached any more: nothing is sent there again. The reason names the service alone.
        case gone(String)
        /// Another time; after that long, where the service says so.
        case later(String, after: Duration?)
        /// This message never.
        case refused(String)
        case cancelled
    }

    /// The most that one message may take: some services are strangers' and answer slowly on purpose.
    private static let patience = Duration.seconds(20)

    /// - Parameters:
    ///   - transport: follows no redirects, and connects to public addresses alone: the addresses are strangers'.
    ///   - clock: what waiting is measured with.
    ///   - now: the time that services are told.
    package init(
        _ transport: any HTTPTransport, _ vapid: Vapid, clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date
    ) {
        self.transport = PatientTransport(transport, patience: Self.patience, clock: clock)
        self.vapid = vapid
        self.now = now
    }

    package func send(_ message: PushMessage, to subscription: PushSubscription) async -> Outcome {
        let host = PlainText(subscription.endpoint.host, limit: 100).value
        let request: HTTPRequest
        do { request = try made(message, subscription) } catch {
            return .refused("a message for \(host) cannot be encrypted")
        }
        do throws(HTTPError) {
            return outcome(try await transport.send(request), host)
        } catch {
            return Self.outcome(error)
        }
    }

    private func made(_ message: PushMessage, _ subscription: PushSubscription) throws -> HTTPRequest {
        let body = try PushCipher.seal(message.content, for: subscription)
        return HTTPRequest(
            .post, subscription.endpoint,
            headers: [
                "Authorization": try vapid.authorization(for: subscription.endpoint, now: now()),
                "Content-Encoding": "aes128gcm", "Content-Type": "application/octet-stream",
                "TTL": "\(message.lifetime)", "Urgency": message.urgency.rawValue, "Topic": message.topic,
            ],
            body: .bytes(body),
            // Nothing in an answer is read.
            sink: .memory(limit: 64 << 10))
    }

    private func outcome(_ answer: HTTPResponse, _ host: String) -> Outcome {
        let reason = "\(host) answers \(answer.status)"
        return switch answer.status {
        case 200...299: .taken
        // 404 and 410: it has ended. 401 and 403: it was made with another key of the hub, so it will never work again.
        case 401, 403, 404, 410: .gone(reason)
        // No service redirects. One that does could lead anywhere.
        case 300...399: .gone(reason)
        case 408, 429, 500...: .later(reason, after: answer.retryAfter(now: now()))
        default: .refused(reason)
        }
    }

    private static func outcome(_ error: HTTPError) -> Outcome {
        switch error {
        case .cancelled: .cancelled
        case .badAddress, .insecure, .privateAddress, .redirect: .gone(error.whatHappened)
        case .unresolved, .unreachable, .untrusted, .interrupted, .tooLarge, .malformed, .signedOut, .libraryMissing,
            .inputOutput:
            .later(error.whatHappened, after: nil)
        }
    }
}
