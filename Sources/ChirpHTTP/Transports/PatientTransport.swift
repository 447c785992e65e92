/// Gives up what takes too long as a whole. A server that answers a byte now and then is never silent, and may do so on purpose.
public struct PatientTransport: HTTPTransport {
    private let base: any HTTPTransport
    private let patience: Duration
    private let clock: any Clock<Duration>

    /// - Parameter patience: from the question to the last byte of its answer.
    public init(_ base: any HTTPTransport, patience: Duration, clock: any Clock<Duration> = ContinuousClock()) {
        self.base = base
        self.patience = patience
        self.clock = clock
    }

    public func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        let (base, patience, clock) = (base, patience, clock)
        return try await withTaskGroup(of: Result<HTTPResponse, HTTPError>.self) { group in
            group.addTask {
                do throws(HTTPError) { return .success(try await base.send(request)) } catch { return .failure(error) }
            }
            group.addTask {
                do { try await clock.sleep(for: patience) } catch { return .failure(.cancelled) }
                return .failure(.interrupted(host: request.address.host, reason: "it took longer than \(patience)"))
            }
            let first = await group.next() ?? .failure(.cancelled)
            group.cancelAll()
            return first
        }.get()
    }

    /// Not bounded: it is to last. Its `silence` is what a listener bears with.
    public func stream(_ request: HTTPRequest, silence: Duration) async throws(HTTPError) -> HTTPStream {
        try await base.stream(request, silence: silence)
    }
}
