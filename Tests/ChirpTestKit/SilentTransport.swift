public import ChirpHTTP

/// A service that never answers: what waits for it is ended from outside.
public struct SilentTransport: HTTPTransport {
    public init() {}

    public func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        do { try await ContinuousClock().sleep(for: .seconds(1_000_000)) } catch { throw .cancelled }
        throw .cancelled
    }
}

/// On it any time is over at once, so that nobody waits for what never answers.
public struct InstantClock: Clock {
    public init() {}

    public var now: ContinuousClock.Instant { ContinuousClock.now }
    public var minimumResolution: Duration { .nanoseconds(1) }

    public func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
    }
}
