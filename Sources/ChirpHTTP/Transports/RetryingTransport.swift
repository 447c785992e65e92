public import ChirpCore

/// Sends a repeatable request again after a temporary failure or a status that says "later".
///
/// Waits as ``RetryPolicy`` counts and never less than the service asks for; when it asks for more than `patience`, its answer
/// is handed on instead, so that the caller can keep the work for another time.
public struct RetryingTransport: HTTPTransport {
    private let base: any HTTPTransport
    private let policy: RetryPolicy
    private let patience: Duration
    private let isBusy: @Sendable (HTTPResponse) -> Bool
    private let pause: Sleeper

    /// - Parameter isBusy: which answers mean "later".
    public init(
        _ base: any HTTPTransport, policy: RetryPolicy = RetryPolicy(), patience: Duration = .seconds(90),
        pause: Sleeper = .real,
        isBusy: @escaping @Sendable (HTTPResponse) -> Bool = { busyStatuses.contains($0.status) }
    ) {
        self.base = base
        self.policy = policy
        self.patience = patience
        self.pause = pause
        self.isBusy = isBusy
    }

    /// Timeout, too many requests, and the failures of servers that pass.
    public static let busyStatuses: Set<Int> = [408, 429, 500, 502, 503, 504]

    public func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        var attempt = 1
        while true {
            let outcome: Result<HTTPResponse, HTTPError>
            do throws(HTTPError) { outcome = .success(try await base.send(request)) } catch {
                outcome = .failure(error)
            }
            guard let delay = delay(after: outcome, of: request, attempt: attempt) else { return try outcome.get() }
            guard await pause.wait(delay) else { throw .cancelled }
            attempt += 1
        }
    }

    /// Not repeated: whoever listens connects again anyway, and must first look what it has missed.
    public func stream(_ request: HTTPRequest, silence: Duration) async throws(HTTPError) -> HTTPStream {
        try await base.stream(request, silence: silence)
    }

    private func delay(after outcome: Result<HTTPResponse, HTTPError>, of request: HTTPRequest, attempt: Int)
        -> Duration?
    {
        switch outcome {
        case .success(let response):
            // An answer of this kind says that nothing was done, but only 429 and 503 can be trusted in that.
            guard isBusy(response), request.isRepeatable || response.status == 429 || response.status == 503 else {
                return nil
            }
            let asked = response.retryAfter(now: pause.now())
            if let asked, asked > patience { return nil }
            return policy.delay(afterAttempt: attempt, asked: asked, jitter: pause.jitter())
        case .failure(let error):
            guard error.isTemporary else { return nil }
            if case .interrupted = error, !request.isRepeatable { return nil }
            return policy.delay(afterAttempt: attempt, jitter: pause.jitter())
        }
    }
}
