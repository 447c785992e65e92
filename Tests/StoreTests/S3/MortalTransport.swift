import ChirpHTTP
import Synchronization

/// The transport of a process that dies after so many requests: the last of them is carried out, and nobody hears of it.
final class MortalTransport: HTTPTransport {
    private let base: any HTTPTransport
    private let left: Mutex<Int>

    init(_ base: any HTTPTransport, requests: Int) {
        self.base = base
        left = Mutex(requests)
    }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        let left = left.withLock { left in
            left -= 1
            return left
        }
        guard left >= 0 else { throw .cancelled }
        let response = try await base.send(request)
        guard left > 0 else { throw .cancelled }
        return response
    }
}
